import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { publishRecipe, type RecipeSpec, toOrigin, toRecipeDocument } from '../../kit/content/origin.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

let registry: RegistryDouble;
let folder: TempFolder;
const signer = createSigner();
const web = buildImage('show');
const db = buildIndex('show db', ['linux/amd64', 'linux/arm64']);
let spec: RecipeSpec;

const path = (name: string): string => join(folder.path, name);
const svc = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand([...args, '--config', path('config.yaml'), '--log-level', 'error'], { env });

before(async () => {
  folder = await openTempFolder();
  registry = await createRegistryDouble();
  const origin = toOrigin(registry);
  await origin.put('shop/web', web, '1.4.0');
  await origin.put('shop/db', db, '16.2');
  spec = {
    name: 'shop',
    version: '1.4.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.4.0', digest: web.manifest.descriptor.digest },
      { name: 'db', repository: 'shop/db', version: '16.2', digest: db.manifest.descriptor.digest },
    ],
    signatures: [{ signer }],
  };
  await publishRecipe(origin, spec);
  await publishRecipe(origin, { ...spec, version: '1.5.0', signatures: [{ signer: createSigner() }] });
  await writeFile(path('shop.yaml'), toRecipeDocument(registry.host, spec));
  await writeFile(
    path('smaller.yaml'),
    toRecipeDocument(registry.host, { ...spec, version: '1.3.0', ingredients: spec.ingredients.slice(1) }),
  );
  await writeRetriever(
    path('retriever.yaml'),
    { cookbook: `${registry.host}/cookbook`, recipes: [{ name: 'shop', version: '1.4.0' }] },
    'zone-b',
  );
  await writeFile(
    path('config.yaml'),
    JSON.stringify({
      mode: 'mirror',
      auth: { disabled: true },
      storage: { root: path('store') },
      retriever: { source: path('retriever.yaml') },
      registries: { insecure: [registry.host] },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    }),
  );
});
after(async () => {
  await registry[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('a published recipe is shown with sizes, platforms and the verdict on its signature', async () => {
  const reference = `${registry.host}/cookbook/shop:1.4.0`;
  const { exitCode, stdout, stderr } = await svc(['recipe', 'show', reference, '--verify']);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.match(stdout, new RegExp(`Signature +verified, by release ${signer.fingerprint}`));
  assert.match(stdout, /web +ContainerImage +[\d.]+ KiB +all: linux\/amd64 /);
  assert.match(stdout, /db +ContainerImage +[\d.]+ KiB +all: linux\/amd64 linux\/arm64 /);
  const json = await svc(['recipe', 'show', reference, '--output', 'json']);
  assertCliDocument('svc recipe show', json.stdout);
});

test('a signature of nobody known is exit code 4 with --verify, after the report', async () => {
  const reference = `${registry.host}/cookbook/shop:1.5.0`;
  assert.equal((await svc(['recipe', 'show', reference])).exitCode, 0);
  const refused = await svc(['recipe', 'show', reference, '--verify', '--output', 'json']);
  assert.equal(refused.exitCode, 4);
  assertCliDocument('svc recipe show', refused.stdout);
  assert.match(refused.stderr, /SVC-SIG-001/);
});

test('a file is shown without a verdict, and an ingredient that is gone with its reason', async () => {
  const gone = { ...spec, ingredients: [{ ...spec.ingredients[0]!, digest: `sha256:${'0'.repeat(64)}` }] };
  await writeFile(path('gone.yaml'), toRecipeDocument(registry.host, gone));
  const { exitCode, stdout, stderr } = await svc(['recipe', 'show', path('gone.yaml')]);
  assert.equal(exitCode, 1);
  assert.match(stdout, /web: SVC-REG-005/);
  assert.match(stdout, /Contents +1 ingredient\n/);
  assert.equal(stderr, 'svc: 1 ingredient of 1 could not be read\n');
  assert.equal((await svc(['recipe', 'show', path('shop.yaml')])).exitCode, 0);
  assert.equal((await svc(['recipe', 'show', path('shop.yaml'), '--verify'])).exitCode, 2);
  assert.equal((await svc(['recipe', 'show', path('none.yaml')])).exitCode, 1);
});

test('recipes are compared, and the bytes to transfer are those that the old one does not reach', async () => {
  const args = ['recipe', 'diff', path('smaller.yaml'), `${registry.host}/cookbook/shop:1.4.0`];
  const json = await svc([...args, '--exit-code', '--output', 'json']);
  assert.equal(json.exitCode, 5, json.stderr);
  assertCliDocument('svc recipe diff', json.stdout);
  const { totals, added } = JSON.parse(json.stdout);
  assert.deepEqual(
    added.map(({ name }: { name: string }) => name),
    ['web'],
  );
  assert.equal(totals.newBytes - totals.oldBytes, totals.transferBytes);
  const text = await svc(args, { LC_ALL: 'fr_FR.UTF-8' });
  assert.equal(text.exitCode, 0);
  assert.match(text.stdout, /à transférer, sur/);
  const same = await svc(['recipe', 'diff', path('shop.yaml'), path('shop.yaml'), '--exit-code']);
  assert.deepEqual([same.exitCode, same.stdout.includes('no difference')], [0, true]);
});

test('show and diff leave out nothing that a document says', async () => {
  const artifact = {
    name: 'scan',
    repository: 'shop/web',
    version: '1.4.0',
    digest: spec.ingredients[0]!.digest,
  };
  const write = async (name: string, extra: string, member: string): Promise<string> => {
    const text = toRecipeDocument(registry.host, { ...spec, ingredients: [artifact] })
      .replace('kind: ContainerImage', `kind: FileSet\n      extract: { paths: [${member}] }`)
      .replace(/(metadata:\n)/, `$1  description: Shop ${extra}\n  labels: { team: ${extra} }\n`);
    await writeFile(path(name), text);
    return path(name);
  };
  const [old, now] = [await write('old.yaml', 'red', 'etc/**'), await write('new.yaml', 'blue', 'usr/**')];
  const shown = await svc(['recipe', 'show', old]);
  assert.match(shown.stdout, /Labels +team: red\n/);
  assert.match(shown.stdout, /scan +FileSet /);
  assert.match(shown.stdout, /scan +extract\.paths +etc\/\*\*\n/);
  const json = await svc(['recipe', 'show', old, '--output', 'json']);
  assertCliDocument('svc recipe show', json.stdout);
  assert.deepEqual(JSON.parse(json.stdout).ingredients[0].extract, { paths: ['etc/**'] });
  const diff = await svc(['recipe', 'diff', old, now, '--exit-code']);
  assert.equal(diff.exitCode, 5);
  assert.match(diff.stdout, /scan +extract\.paths +etc\/\*\* +usr\/\*\*\n/);
  assert.match(diff.stdout, /metadata\.description +Shop red +Shop blue\n/);
  assert.match(diff.stdout, /metadata\.labels\.team +red +blue\n/);
});

test('a recipe of the store is read from the store, while an instance serves it', async () => {
  const config = {
    mode: 'mirror',
    auth: { disabled: true },
    retriever: { source: path('retriever.yaml') },
    registries: { insecure: [registry.host] },
    trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
  };
  const absent = await svc(['recipe', 'show', 'shop@1.4.0']);
  assert.equal(absent.exitCode, 1);
  assert.match(absent.stderr, /there is no store/);
  await mkdir(path('instance'));
  await using instance = await startInstance({ folder: path('instance'), config });
  const waited = await runCommand(['sync', '--wait', '--instance', instance.url]);
  assert.equal(waited.exitCode, 0, waited.stderr);
  registry.requests.splice(0);
  const args = ['recipe', 'show', 'shop@1.4.0', '--verify', '--output', 'json'];
  const shown = await runCommand([...args, '--config', instance.configPath]);
  assert.equal(shown.exitCode, 0, shown.stderr);
  assertCliDocument('svc recipe show', shown.stdout);
  const { signature, ingredients } = JSON.parse(shown.stdout);
  assert.equal(signature.outcome, 'verified');
  assert.ok(ingredients.every(({ sizeBytes }: { sizeBytes?: number }) => sizeBytes! > 0));
  assert.equal(registry.requests.length, 0);
});

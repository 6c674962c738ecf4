import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

let registry: RegistryDouble;
let folder: TempFolder;
const image = buildImage('pin command');
const { digest } = image.manifest.descriptor;

before(async () => {
  folder = await openTempFolder();
  registry = await createRegistryDouble({
    auth: { kind: 'basic', username: 'ana', password: 'of the tests' },
  });
  for (const tag of ['1.3.0', '1.4.0']) await toOrigin(registry).put('shop/web', image, tag);
  const auth = Buffer.from('ana:of the tests').toString('base64');
  await writeFile(path('auth.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }), {
    mode: 0o600,
  });
  for (const [name, allowlist] of [
    ['config', undefined],
    ['closed', []],
  ] as const)
    await writeFile(
      path(`${name}.yaml`),
      JSON.stringify({
        registries: {
          insecure: [registry.host],
          credentialsFile: path('auth.json'),
          ...(allowlist === undefined ? {} : { allowlist }),
        },
      }),
    );
});
after(async () => {
  await registry[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const path = (name: string): string => join(folder.path, name);
const pin = (args: readonly string[], config = 'config', env: Record<string, string> = {}) =>
  runCommand(['recipe', 'pin', ...args, '--config', path(`${config}.yaml`), '--log-level', 'error'], { env });

const written = (version = '^1') => `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 0.1.0}
spec:
  ingredients:
    - name: web  # the front
      kind: ContainerImage
      ref: ${registry.host}/shop/web
      version: ${version}
`;
const cooked = (text: string) => text.replace(/cooked-at: "[^"]*"/, 'cooked-at: "NOW"');

async function put(name: string, text = written()): Promise<string> {
  await writeFile(path(name), text);
  return path(name);
}

test('a draft is pinned into another file, and stays itself', async () => {
  const draft = await put('draft.yaml');
  const out = path('shop-1.4.0.yaml');
  const { exitCode, stdout, stderr } = await pin([draft, '--set-version', '1.4.0', '--out', out]);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.equal(
    stdout,
    `shop 1.4.0: 1 of 1 ingredient changes\nINGREDIENT  VERSION      DIGEST\nweb         ^1 -> 1.4.0  ${digest}\n`,
  );
  const head = 'version: 1.4.0, annotations: { recipe.tobby.dev/cooked-at: "NOW" }}';
  assert.equal(
    cooked(await readFile(out, 'utf8')),
    `${written('1.4.0').replace('version: 0.1.0}', head)}      digest: ${digest}\n`,
  );
  assert.equal(await readFile(draft, 'utf8'), written());
  const again = await pin([out, '--check', '--output', 'json']);
  assert.equal(again.exitCode, 0);
  assertCliDocument('svc recipe pin', again.stdout);
});

test('--out replaces nothing: no file, no link, no device', async () => {
  const draft = await put('kept-draft.yaml');
  await writeFile(path('precious'), 'precious');
  await symlink(path('precious'), path('to-precious'));
  for (const out of [path('precious'), path('to-precious'), '/dev/null', '/dev/stdout']) {
    const { exitCode, stderr } = await pin([draft, '--out', out]);
    assert.equal(exitCode, 2, out);
    assert.match(stderr, /already exists and is not overwritten/);
  }
  assert.equal(await readFile(path('precious'), 'utf8'), 'precious');
  assert.ok((await stat('/dev/null')).isCharacterDevice());
});

test('a draft is replaced in its place, with its permissions and behind its link', async () => {
  const real = await put('real.yaml');
  await chmod(real, 0o640);
  await symlink(real, path('link.yaml'));
  const checked = await pin([path('link.yaml'), '--check', '--output', 'json']);
  assert.equal(checked.exitCode, 5);
  assertCliDocument('svc recipe pin', checked.stdout);
  assert.equal(JSON.parse(checked.stdout).written, undefined);
  assert.equal(await readFile(real, 'utf8'), written());
  const replaced = await pin([path('link.yaml')]);
  assert.equal(replaced.exitCode, 0);
  assert.match(replaced.stderr, /link\.yaml was overwritten.*--out keeps the draft/);
  assert.match(await readFile(real, 'utf8'), new RegExp(`digest: ${digest}`));
  assert.equal((await stat(real)).mode & 0o777, 0o640);
});

test('a failure names every ingredient with its line, and leaves no file', async () => {
  const draft = await put(
    'bad.yaml',
    `${written('^7')}    - {name: db, kind: ContainerImage, ref: ${registry.host}/shop/db, version: "1"}\n    - {name: far, kind: ContainerImage, ref: 127.0.0.1:1/shop/far, version: "1"}\n`,
  );
  const before = await readdir(folder.path);
  const { exitCode, stdout, stderr } = await pin([draft, '--out', path('never.yaml')]);
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.match(stderr, /^svc: nothing was written: 3 ingredients could not be pinned\n/);
  assert.match(stderr, /web, line 6: SVC-REG-006 /);
  assert.match(stderr, /db, line 10: SVC-REG-005 /);
  assert.match(stderr, /far, line 11: SVC-REG-002 /);
  const lint = `svc recipe lint ${draft} --config ${path('config.yaml')}`;
  assert.ok(stderr.endsWith(`svc: to check the document without its registries: ${lint}\n`), stderr);
  assert.deepEqual(await readdir(folder.path), before);
  const french = await pin([draft, '--output', 'json'], 'config', { LC_ALL: 'fr_FR.UTF-8' });
  assert.equal(french.exitCode, 1);
  assertCliDocument('svc recipe pin', french.stdout);
  assert.match(french.stderr, /rien n’a été écrit\s: 3 ingrédients n’ont pas pu être figés/);
});

test('a host that is not on the allowlist is exit code 3', async () => {
  const draft = await put('closed-draft.yaml');
  const { exitCode, stderr } = await pin([draft], 'closed');
  assert.equal(exitCode, 3);
  assert.match(stderr, /SVC-POL-001/);
  assert.equal(await readFile(draft, 'utf8'), written());
});

test('a draft that is edited while it is pinned keeps the edit', async (t) => {
  const draft = await put('edited.yaml');
  const edited = `${written()}# an edit\n`;
  t.after(
    registry.intercept(async ({ method, path: asked }) => {
      if (method === 'GET' && asked.includes('/manifests/')) await writeFile(draft, edited);
      return false;
    }),
  );
  const { exitCode, stderr } = await pin([draft]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /changed while it was being pinned: run the command again/);
  assert.equal(await readFile(draft, 'utf8'), edited);
});

test('wrong flags are faults of the command line', async () => {
  const draft = await put('flags.yaml');
  for (const flags of [
    ['--set-version', '1.4'],
    ['--platform', 'linux'],
    ['--check', '--out', 'x.yaml'],
  ])
    assert.equal((await pin([draft, ...flags])).exitCode, 2, flags.join(' '));
  assert.equal(await readFile(draft, 'utf8'), written());
});

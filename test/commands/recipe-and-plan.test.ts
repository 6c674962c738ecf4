import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { createSampleImage, type SampleImage } from '../kit/content/sample-image.ts';
import { createSigner } from '../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';
import type { SvcResult } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

let folder: TempFolder;
let origin: TestServer;
let host: string;
let image: SampleImage;
let configPath: string;
const signer = createSigner();

before(async () => {
  folder = await openTempFolder();
  origin = await startTestServer({ folder: join(folder.path) });
  host = new URL(origin.url).host;
  image = createSampleImage({ seed: 'plan', platforms: ['linux/amd64'] });
  const at = { registry: origin.url, repository: 'library/app', authorization: origin.as.operator };
  await pushArtifactOverHttp(at, { blobs: image.blobs, manifest: image.root }, '1.0.0');
  const auth = Buffer.from(`token:${origin.as.operator.replace('Bearer ', '')}`).toString('base64');
  await writeFile(join(folder.path, 'auth.json'), JSON.stringify({ auths: { [host]: { auth } } }), {
    mode: 0o600,
  });
  configPath = join(folder.path, 'config.yaml');
  await writeFile(
    configPath,
    JSON.stringify({
      mode: 'mirror',
      storage: { root: join(folder.path, 'zone-store') },
      state: { root: join(folder.path, 'zone-state') },
      registries: { insecure: [host], credentialsFile: join(folder.path, 'auth.json') },
      retriever: { source: join(folder.path, 'retriever.yaml') },
      trust: { roots: [{ name: 'test', key: signer.publicKeyPem }] },
    }),
  );
  await writeFile(
    join(folder.path, 'retriever.yaml'),
    `apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata: {name: zone-b}
spec:
  cookbook: ${host}/cookbook
  recipes: [{name: app, version: ^1.0.0}]
`,
  );
});
after(async () => {
  await origin[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function writeRecipe(name: string, change: (text: string) => string = (text) => text): Promise<string> {
  const path = join(folder.path, `${name}.yaml`);
  const text = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: app, version: 1.0.0}
spec:
  ingredients:
    - name: app
      kind: ContainerImage
      ref: ${host}/library/app
      version: 1.0.0
      digest: ${image.root.descriptor.digest}
`;
  await writeFile(path, change(text));
  return path;
}
const svc = (args: readonly string[], env: Record<string, string> = {}): Promise<SvcResult> =>
  runCommand([...args, '--config', configPath, '--log-level', 'error'], { env });

test('a recipe that cannot be published is refused with its code', async () => {
  const reference = `${host}/cookbook/app:1.0.0`;
  const broken = await writeRecipe('broken', (text) => text.replace('digest:', 'digset:'));
  const cases: readonly [file: string, reference: string, code: string][] = [
    [broken, reference, 'SVC-VAL-001'],
    [await writeRecipe('draft', (text) => text.replace(/ +digest:.*\n/, '')), reference, 'SVC-VAL-001'],
    [await writeRecipe('good'), `${host}/cookbook/other:1.0.0`, 'SVC-VAL-001'],
    [await writeRecipe('good'), `${host}/cookbook/app:1.0.1`, 'SVC-VAL-001'],
    [await writeRecipe('large', () => '#'.repeat((4 << 20) + 1)), reference, 'SVC-VAL-002'],
  ];
  for (const [file, to, code] of cases) {
    const { exitCode, stdout, stderr } = await svc(['recipe', 'push', file, to]);
    assert.deepEqual([exitCode, stdout], [1, ''], stderr);
    assert.match(stderr, new RegExp(`svc: ${code}: `));
  }
  assert.equal((await svc(['recipe', 'push', broken])).exitCode, 2);
});

test('a reference that is no <registry>/<cookbook>/<name>:<version> is a fault of the command line', async () => {
  const file = await writeRecipe('good');
  for (const reference of ['shop:1.4.0', `${host}/app:1.0.0`, `${host}/cookbook/app`]) {
    const { exitCode, stdout, stderr } = await svc(['recipe', 'push', file, reference]);
    assert.deepEqual([exitCode, stdout], [2, ''], stderr);
    assert.match(stderr, /^svc: '.*' is not <registry>\/<cookbook>\/<name>:<version>: /);
  }
});

test('a recipe file that is missing or a folder is named with an action, not as a disk error', async () => {
  const reference = `${host}/cookbook/app:1.0.0`;
  const cases: readonly [file: string, says: RegExp][] = [
    ['none.yaml', /none\.yaml does not exist/],
    ['auth.json/none.yaml', /none\.yaml does not exist/],
    ['.', /is a folder, not a file/],
  ];
  for (const [file, says] of cases) {
    const { exitCode, stderr } = await svc(['recipe', 'push', join(folder.path, file), reference]);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /^svc: SVC-FIL-005: .* cannot be read\.$/m);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /kernel|mount|Detail: SVC/);
  }
});

test('a recipe is published once; the same again is a no-op, another one is exit 3; then the plan finds work', async () => {
  const reference = `${host}/cookbook/app:1.0.0`;
  const file = await writeRecipe('good');
  const first = await svc(['recipe', 'push', file, reference]);
  assert.equal(first.exitCode, 0, first.stderr);
  assert.match(first.stdout, /^sha256:[0-9a-f]{64}\n$/);
  assert.match(first.stderr, /"action":"recipe\.publish"/);
  const digest = first.stdout.trim();
  const again = await svc(['recipe', 'push', file, reference, '--output', 'json']);
  assertCliDocument('svc recipe push', again.stdout);
  assert.deepEqual(JSON.parse(again.stdout).digest, digest);
  assert.equal(JSON.parse(again.stdout).unchanged, true);
  const other = await writeRecipe('other', (text) => text.replace('name: app\n', 'name: app2\n'));
  const refused = await svc(['recipe', 'push', other, reference]);
  assert.deepEqual([refused.exitCode, refused.stdout], [3, '']);
  assert.match(refused.stderr, new RegExp(`SVC-POL-004: .*${digest}`));
  assert.ok(refused.stderr.includes(`(document ${JSON.parse(again.stdout).documentDigest})`), refused.stderr);

  const unsigned = await svc(['sync', '--dry-run', '--output', 'json']);
  assert.equal(unsigned.exitCode, 4, unsigned.stderr);
  assertCliDocument('svc sync', unsigned.stdout);
  const { plan, exit_code: exitCode } = JSON.parse(unsigned.stdout);
  assert.deepEqual([plan.outcome, exitCode], ['verification-failed', 4]);
  const text = await svc(['sync', '--dry-run'], { LC_ALL: 'fr' });
  assert.equal(text.exitCode, 4);
  assert.match(text.stdout, /SVC-SIG-001 .*aucune signature/);

  const manifest = await origin.fetch(`/v2/cookbook/app/manifests/1.0.0`);
  assert.equal(manifest.headers.get('docker-content-digest'), digest);
  const bytes = Buffer.from(await manifest.arrayBuffer());
  assert.equal(hashBytes(bytes), digest);
  const subject = {
    mediaType: manifest.headers.get('content-type')!,
    digest: hashBytes(bytes),
    size: bytes.length,
  };
  const signature = signer.sign(subject, 'classic', { reference });
  const at = { registry: origin.url, repository: 'cookbook/app', authorization: origin.as.operator };
  await pushArtifactOverHttp(at, signature, signature.tag);

  const planned = await svc(['sync', '--dry-run', '--output', 'json']);
  assert.equal(planned.exitCode, 5, planned.stderr);
  assertCliDocument('svc sync', planned.stdout);
  const answer = JSON.parse(planned.stdout);
  assert.deepEqual(
    [answer.exit_code, answer.plan.outcome, answer.plan.zone],
    [5, 'changes-planned', 'zone-b'],
  );
  assert.equal(answer.plan.recipes[0].signature, 'verified');
  assert.equal(answer.plan.totals.new, 1);
  const people = await svc(['sync', '--dry-run'], { SVC_NETWORK_RATE_LIMIT: '20KiB' });
  assert.equal(people.exitCode, 5);
  assert.match(people.stdout, /^Plan for zone zone-b from .*\(mirror\)\n/);
  assert.match(people.stdout, /app \^1\.0\.0 -> 1\.0\.0 {2}\[verified\]/);
  assert.match(people.stdout, /\nChanges planned\.\n$/);
  assert.deepEqual(
    (await readdir(folder.path)).filter((name) => name.startsWith('zone-')),
    [],
  );
});

test('a Retriever given by a relative path is planned, and what cannot be had is a failed plan', async () => {
  const relative = await runCommand(
    ['sync', '--dry-run', '--retriever', 'retriever.yaml', '--config', configPath, '--output', 'json'],
    { cwd: folder.path },
  );
  assert.equal(relative.exitCode, 5, relative.stderr);
  const absent = await svc(['sync', '--dry-run', '--retriever', '/does/not/exist.yaml', '--output', 'json']);
  assert.equal(absent.exitCode, 1);
  assertCliDocument('svc sync', absent.stdout);
  assert.equal(JSON.parse(absent.stdout).plan.outcome, 'failed');
  const http = await svc(['sync', '--dry-run', '--retriever', 'http://h.example/r.yaml']);
  assert.equal(http.exitCode, 2);
  assert.match(http.stderr, /retriever\.source must be an https:\/\/ URL/);
});

test('a host outside the allowlist makes the plan exit 3 and is named', async () => {
  const path = join(folder.path, 'allow.yaml');
  const text = await import('node:fs/promises').then(({ readFile }) => readFile(configPath, 'utf8'));
  const config = JSON.parse(text);
  config.registries.allowlist = ['other.example'];
  await writeFile(path, JSON.stringify(config));
  const { exitCode, stdout } = await runCommand(['sync', '--dry-run', '--config', path]);
  assert.equal(exitCode, 3, stdout);
  assert.match(stdout, /SVC-POL-001/);
  assert.ok(stdout.includes(host));
});

test('a plan needs no mode: only an instance has one', async () => {
  const { mode: _, ...config } = JSON.parse(await readFile(configPath, 'utf8'));
  const path = join(folder.path, 'no-mode.yaml');
  await writeFile(path, JSON.stringify(config));
  const json = await runCommand(['sync', '--dry-run', '--config', path, '--output', 'json']);
  assert.equal(json.exitCode, 5, json.stderr);
  assertCliDocument('svc sync', json.stdout);
  const { plan } = JSON.parse(json.stdout);
  assert.deepEqual([plan.outcome, plan.mode, plan.prune.evaluated], ['changes-planned', undefined, false]);
  const text = await runCommand(['sync', '--dry-run', '--config', path]);
  assert.match(text.stdout, /^Plan for zone zone-b from [^()]*\n/);
});

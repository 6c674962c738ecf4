import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseRecipe, requireCooked } from '../../src/recipe/document.ts';
import type { Artifact } from '../kit/content/content.ts';
import { buildImage, buildIndex } from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { startPeerRegistry } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { runSvc } from '../kit/program/svc.ts';

interface Place {
  readonly url: string;
  readonly host: string;
  readonly authorization?: string;
  /** Password of `admin`, where it asks for one. */
  readonly password?: string;
}

async function put({ url, authorization }: Place, repository: string, artifact: Artifact, tag?: string) {
  for (const { artifact: child } of artifact.children)
    await put({ url, host: '', ...(authorization ? { authorization } : {}) }, repository, child);
  const at = { registry: url, repository, ...(authorization === undefined ? {} : { authorization }) };
  await pushArtifactOverHttp(at, artifact, tag);
}

async function pinAndJudge(t: TestContext, place: Place, crane: string): Promise<void> {
  await using folder = await openTempFolder();
  const { host, password } = place;
  const artifacts = [
    ['web', 'ContainerImage', '^1', '1.10.0', buildIndex('interop web')],
    ['db', 'ContainerImage', '16', '16', buildImage('interop db')],
    ['chart', 'HelmChart', '~0.3.0', '0.3.9', buildHelmChart('chart', '0.3.9')],
  ] as const;
  for (const [name, , , tag, artifact] of artifacts) await put(place, `shop/${name}`, artifact, tag);
  await put(place, 'shop/web', buildIndex('older web'), '1.9.0');
  const home = await openClientHome(folder.path);
  if (password !== undefined)
    await home.run(crane, ['auth', 'login', host, '-u', 'admin', '--password-stdin'], { input: password });
  const auth = Buffer.from(`admin:${password}`).toString('base64');
  await writeFile(join(folder.path, 'auth.json'), JSON.stringify({ auths: { [host]: { auth } } }), {
    mode: 0o600,
  });
  const config = join(folder.path, 'config.yaml');
  const registries = {
    insecure: [host],
    ...(password === undefined ? {} : { credentialsFile: join(folder.path, 'auth.json') }),
  };
  await writeFile(config, JSON.stringify({ registries }));
  const draft = join(folder.path, 'draft.yaml');
  const text = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 0.1.0}
spec:
  ingredients: # three
${artifacts.map(([name, kind, version]) => `    - {name: ${name}, kind: ${kind}, ref: ${host}/shop/${name}, version: "${version}"} # ${name}\n`).join('')}`;
  await writeFile(draft, text);
  const pinned = await runSvc(['recipe', 'pin', draft, '--config', config]);
  assert.equal(pinned.exitCode, 0, pinned.stderr);
  const { ingredients } = requireCooked(parseRecipe(await readFile(draft), 'x'), 'x');
  for (const [i, [name, , , tag]] of artifacts.entries()) {
    const expected = await home.run(crane, ['digest', `${host}/shop/${name}:${tag}`, '--insecure']);
    assert.deepEqual([ingredients[i]!.version, ingredients[i]!.digest], [tag, expected], name);
  }
  t.diagnostic(`crane agrees on ${artifacts.length} digests`);
}

test('digests of CNCF distribution are those that crane names', async (t) => {
  const [crane, program] = [needs(t, 'crane'), needs(t, 'registry')];
  if (crane === undefined || program === undefined) return;
  await using folder = await openTempFolder();
  await using peer = await startPeerRegistry({ program, folder: folder.path });
  await pinAndJudge(t, peer, crane);
});

test('digests of this registry are those that crane names', async (t) => {
  const crane = needs(t, 'crane');
  if (crane === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  await pinAndJudge(
    t,
    {
      url: instance.url,
      host: instance.host,
      authorization: instance.authorization,
      password: adminPassword,
    },
    crane,
  );
});

test('a chart of helm create is pushed with its dependencies, and helm renders them', async (t) => {
  const [helm, crane, program] = [needs(t, 'helm'), needs(t, 'crane'), needs(t, 'registry')];
  if (helm === undefined || crane === undefined || program === undefined) return;
  await using folder = await openTempFolder();
  await using peer = await startPeerRegistry({ program, folder: folder.path });
  const home = await openClientHome(folder.path);
  const at = (name: string) => join(folder.path, name);
  const run = (args: readonly string[]) => home.run(helm, args);
  await run(['create', at('cache')]);
  await run(['package', at('cache'), '-d', folder.path]);
  await run(['push', at('cache-0.1.0.tgz'), `oci://${peer.host}/deps`, '--plain-http']);
  await run(['create', at('web')]);
  const dependency = { name: 'cache', version: '>= 0.1.0', repository: `oci://${peer.host}/deps` };
  await appendFile(at('web/Chart.yaml'), `dependencies: ${JSON.stringify([dependency])}\n`);
  // helm package refuses a chart without its dependencies; helm push does not
  await home.run('tar', ['-C', folder.path, '-czf', at('web-0.1.0.tgz'), 'web']);
  await run(['push', at('web-0.1.0.tgz'), `oci://${peer.host}/upstream`, '--plain-http']);
  const upstream = await home.run(crane, ['digest', `${peer.host}/upstream/web:0.1.0`, '--insecure']);
  await writeFile(at('config.yaml'), JSON.stringify({ registries: { insecure: [peer.host] } }));
  await writeFile(
    at('draft.yaml'),
    `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
    - {name: front, kind: HelmChart, ref: ${peer.host}/upstream/web, version: ^0.1.0, vendorDependencies: true} # web
`,
  );
  const pin = (...flags: readonly string[]) =>
    runSvc(['recipe', 'pin', at('draft.yaml'), ...flags, '--config', at('config.yaml')]);
  const refused = await pin();
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /--vendor-to/);
  const vendorTo = ['--vendor-to', `oci://${peer.host}/charts`];
  const checked = await pin(...vendorTo, '--check');
  assert.equal(checked.exitCode, 5, checked.stderr);
  const catalog = () => home.run(crane, ['catalog', peer.host, '--insecure']);
  assert.equal((await catalog()).includes('charts/web'), false);
  const pinned = await pin(...vendorTo, '--out', at('pinned.yaml'));
  assert.equal(pinned.exitCode, 0, pinned.stderr);
  assert.match(pinned.stdout, /front with its dependencies \(cache 0\.1\.0\): \S+\/charts\/web:0\.1\.0\n/);
  assert.equal((await pin(...vendorTo, '--out', at('again.yaml'))).exitCode, 0);
  const { metadata, ingredients } = requireCooked(parseRecipe(await readFile(at('pinned.yaml')), 'x'), 'x');
  assert.deepEqual(ingredients[0]!.ref, { host: peer.host, repository: 'charts/web' });
  const digest = await home.run(crane, ['digest', `${peer.host}/charts/web:0.1.0`, '--insecure']);
  assert.equal(ingredients[0]!.digest, digest);
  assert.notEqual(digest, upstream);
  assert.equal(metadata.annotations['recipe.tobby.dev/upstream-digest.front'], upstream);
  const again = parseRecipe(await readFile(at('again.yaml')), 'x');
  assert.equal(again.ingredients[0]!.digest, digest);
  await run(['pull', `oci://${peer.host}/charts/web`, '--plain-http', '--untar', '-d', at('pulled')]);
  assert.deepEqual(await readdir(at('pulled/web/charts')), ['cache-0.1.0.tgz']);
  assert.match(await run(['template', at('pulled/web')]), /^# Source: web\/charts\/cache\/templates\//m);
});

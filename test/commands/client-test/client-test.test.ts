import assert from 'node:assert/strict';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { selectSources } from '../../../commands/client-test/apt-sources.ts';
import { openLookout } from '../../../commands/client-test/lookout.ts';
import { explainSignature, placeKeys } from '../../../commands/client-test/package-keys.ts';
import { answerExamples } from '../../../server/api/openapi/answer-examples.ts';
import { openAccounts } from '../../../src/account/accounts.ts';
import type { ClientKind } from '../../../src/client/model.ts';
import { toRegistriesYaml, toRegistryBase } from '../../../src/client/node-mirrors.ts';
import { renderClientConfig } from '../../../src/client/render-client-config.ts';
import type { RecipeMapping } from '../../../src/contract/recipe.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { buildWideIndex } from '../../kit/content/wide-index.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { answer, startPeer } from '../../kit/scene/scripted-instance.ts';
import { takeFreePort } from '../../kit/web/follow-page.ts';

test('sources of apt that lead beside the gate are left out by file and line, and the others are kept', () => {
  const lines = `# comment
deb http://deb.example/debian bookworm main
deb [arch=amd64 signed-by=/k.gpg] https://deb.example/debian bookworm main # http://x
deb-src file:/srv/debian bookworm main
deb [trusted=yes] copy:///srv/debian ./
deb cdrom:[Debian GNU/Linux 12 _Bookworm_]/ bookworm main
deb ssh://root@host/debian bookworm main
deb mirror+file:/etc/apt/mirrors bookworm main
nonsense
`;
  const { content, untested } = selectSources('sources.list', lines);
  assert.deepEqual(content.split('\n').filter(Boolean), lines.split('\n').slice(1, 3));
  assert.deepEqual(
    untested.map(({ line, uri }) => [line, uri]),
    [
      [4, 'file:/srv/debian'],
      [5, 'copy:///srv/debian'],
      [6, 'cdrom:[Debian'],
      [7, 'ssh://root@host/debian'],
      [8, 'mirror+file:/etc/apt/mirrors'],
      [9, 'nonsense'],
    ],
  );
  assert.equal(String(untested[3]!.detail), 'not tested: apt fetches ssh: beside the gate of this command');
  assert.match(String(untested[5]!.detail), /no address that begins with http/);
  // a source that is not understood was not left out on purpose
  assert.deepEqual(
    untested.map(({ isUnread }) => isUnread),
    [false, false, false, false, false, true],
  );

  const stanzas = `# a header

Types: deb
URIs: http://deb.example/debian
 file:/srv/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 URIs: file:/inside/a/key

Types: deb
uris: copy:/srv/other https://deb.example/other
Suites: ./

Types: deb
URIs: file:/srv/off
Enabled: no
Suites: ./

Types: deb
Suites: ./

deb http://deb.example/nowhere ./

Types: deb
URIs: http://deb.example/on
Enabled: no
Enabled: yes

Types: deb
URIs: http://deb.example/disabled
Enabled: Off
`;
  const selected = selectSources('x.sources', stanzas);
  assert.deepEqual(
    selected.untested.map(({ line, uri }) => [line, uri]),
    [
      [5, 'file:/srv/debian'],
      [14, 'copy:/srv/other'],
      [22, 'Types: deb'],
      [25, 'deb http://deb.example/nowhere ./'],
    ],
  );
  assert.deepEqual(
    [...selected.content.matchAll(/^URIs: (.*)$/gm)].map(([, uris]) => uris),
    ['http://deb.example/debian', 'https://deb.example/other', 'http://deb.example/on'],
  );
  assert.match(selected.content, /^ -----BEGIN PGP/m);
});

test('a key of packages that is not there is named, and --keys takes a relative folder only if there is one', async () => {
  await using folder = await openTempFolder();
  await using sandbox = await openTempFolder();
  const files = [
    { path: 'a', content: 'URIs: x\nSigned-By: /usr/share/keyrings/svc-none.gpg\n' },
    { path: 'b', content: 'gpgkey=file:///etc/pki/rpm-gpg/svc-none.asc\n' },
  ];
  await writeFile(join(folder.path, 'svc-none.gpg'), '');
  const placed = await placeKeys({ files }, folder.path, sandbox.path);
  assert.equal(placed.missing, join(folder.path, 'svc-none.asc'));
  assert.equal(placed.place(files[1]!.content), `gpgkey=file://${sandbox.path}/keys/svc-none.asc\n`);
  const unplaced = await placeKeys({ files }, undefined, sandbox.path);
  assert.deepEqual(
    [unplaced.missing, unplaced.place(files[0]!.content)],
    ['/usr/share/keyrings/svc-none.gpg', files[0]!.content],
  );
  const said = {
    stdout: '',
    stderr:
      "W: GPG error: http://x InRelease: The following signatures couldn't be verified: NO_PUBKEY 0123\nE: The repository 'http://x InRelease' is not signed.\n",
  };
  assert.match(String(explainSignature(said, undefined)), /^W: GPG error.*NO_PUBKEY/);
  assert.match(
    String(explainSignature(said, placed.missing)),
    /^the public key .*svc-none\.asc is not there/,
  );
  assert.equal(explainSignature({ stdout: '', stderr: 'E: 404 Not Found' }, undefined), undefined);
  await writeFile(join(folder.path, 'apt-get'), '#!/bin/sh\n', { mode: 0o755 });
  const run = (language: 'en' | 'fr') =>
    runInLanguage(['client', 'test', 'apt', '--keys', 'none'], language, { PATH: folder.path });
  const english = await run('en');
  assert.equal(english.exitCode, 2);
  assert.match(english.stderr, /--keys: \/.*\/none is not a folder/);
  assert.match((await run('fr')).stderr, /--keys.*n’est pas un dossier/);
});

test('a redirect to this machine is found before a client follows it beside the gate', async () => {
  let reached = 0;
  const secret = createServer((_req, res) => {
    reached += 1;
    res.end('secret');
  });
  await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve));
  const { port } = secret.address() as { port: number };
  try {
    const inner = `127.0.0.1:${port}`;
    await using registry = await createRegistryDouble();
    const { root, manifests, blobs } = createSampleImage({ seed: 'led', platforms: ['linux/amd64'] });
    for (const { bytes } of blobs) registry.putBlob('shop/web', bytes);
    for (const { descriptor, bytes } of manifests)
      registry.putManifest('shop/web', bytes, { mediaType: descriptor.mediaType });
    const signal = AbortSignal.timeout(30_000);
    const places = [toRegistryBase(registry.origin)];
    await using lookout = openLookout({ places, token: 'svc_x', roots: [], ca: [], signal });
    const reference = `${registry.host}/shop/web:1`;
    const { digest } = root.descriptor;
    assert.equal(await lookout.followPull(reference, digest, true), undefined);
    assert.equal(await lookout.followUrl(`${registry.origin}/v2/`), undefined);
    for (const [pattern, withBlobs] of [
      [/manifests/, false],
      [/blobs/, true],
    ] as const) {
      const stop = registry.intercept(({ path }, response) => {
        if (!pattern.test(path)) return false;
        response.writeHead(307, { location: `http://${inner}/latest/meta-data` }).end();
        return true;
      });
      assert.equal(await lookout.followPull(reference, digest, withBlobs), inner);
      stop();
    }
    // by way of a token, and of more redirects than are followed here
    const stop = registry.intercept((_request, response) => {
      response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${inner}/token"` }).end();
      return true;
    });
    await using fresh = openLookout({ places, token: 'svc_x', roots: [], ca: [], signal });
    assert.equal(await fresh.followPull(reference, digest, false), inner);
    stop();
    registry.intercept((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
      return true;
    });
    assert.equal(await lookout.followUrl(`${registry.origin}/index.yaml`), 'another host');
    assert.equal(reached, 0);
  } finally {
    secret.close();
  }
});

test('an address of --registry that leads nowhere is named, and no client is run', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const ran = join(folder.path, 'ran');
  const programs = join(folder.path, 'programs');
  await mkdir(programs);
  const script = `#!/bin/sh\ntest "$1" = --version || touch ${ran}\n`;
  for (const name of ['ctr', 'helm']) await writeFile(join(programs, name), script, { mode: 0o755 });
  const token = join(folder.path, 'token');
  await writeFile(token, server.as.operator.replace('Bearer ', ''), { mode: 0o600 });
  const port = await takeFreePort();
  const run = (client: string, registry: string, language: 'en' | 'fr' = 'en') =>
    runInLanguage(
      ['client', 'test', client, '--instance', server.url, '--token-file', token, '--registry', registry],
      language,
      { PATH: programs },
    );
  for (const client of ['containerd', 'helm']) {
    const nowhere = await run(client, `http://127.0.0.1:${port}`);
    assert.equal(nowhere.exitCode, 1, nowhere.stderr);
    const line = `failed  ${client} -> http://127.0.0.1:${port}  0 ms\n  the address of --registry does not answer: `;
    assert.ok(nowhere.stdout.includes(line), nowhere.stdout);
  }
  const french = await run('containerd', `http://127.0.0.1:${port}`, 'fr');
  assert.match(french.stdout, /l’adresse de --registry ne répond pas\s: /);
  await using page = await startPeer((_req, res) => res.writeHead(404).end());
  const other = await run('containerd', page.url);
  assert.match(other.stdout, /the address of --registry is no registry: status 404/);
  await assert.rejects(access(ran), 'no client was run');
});

test('a registry that only the instance names is not tested, and the command that names it is printed', async () => {
  await using folder = await openTempFolder();
  const ran = join(folder.path, 'ran');
  const script = `#!/bin/sh\ntest "$1" = --version || touch ${ran}\n`;
  for (const name of ['ctr', 'podman', 'helm'])
    await writeFile(join(folder.path, name), script, { mode: 0o755 });
  const token = join(folder.path, 'the token');
  await writeFile(token, 'svc_secret', { mode: 0o600 });
  let visits = 0;
  await using zone = await startPeer((_req, res) => {
    visits += 1;
    answer(res, 404, {});
  });
  const registry = toRegistryBase(zone.url);
  const redirections = [{ host: 'docker.io', prefix: 'docker.io' }];
  const shared = { revision: '000000000000', references: [], filesets: [], views: [] };
  const sound = answerExamples.getRecipeMapping as RecipeMapping;
  await using instance = await startPeer((req, res) => {
    const [, client] = /\/clients\/([a-z]+)/.exec(req.url ?? '') ?? [];
    const reached = toRegistryBase(instance.url);
    const facts = { ...shared, registry, instance: reached, redirections };
    const chart = { kind: 'HelmChart', nominal: '', relocated: `${registry.host}/x:1`, digest: '' };
    const references = client === 'helm' ? [chart] : [];
    if (client !== undefined)
      answer(res, 200, renderClientConfig(client as ClientKind, { ...facts, references }));
    else if (req.url?.includes('/mapping'))
      answer(res, 200, {
        ...sound,
        versions: [],
        mirrors: { registriesYaml: toRegistriesYaml(registry, redirections), hostsToml: [] },
      });
    else answer(res, 200, { recipes: [{ name: 'shop' }] });
  });
  const run = (client: string, language: 'en' | 'fr', ...more: string[]) =>
    runInLanguage(
      ['client', 'test', client, '--instance', instance.url, '--token-file', token, ...more],
      language,
      { PATH: folder.path },
    );
  for (const client of ['containerd', 'podman', 'helm']) {
    const { exitCode, stdout, stderr } = await run(client, 'en', '--sample', '1', '--recipe', 'shop');
    assert.equal(exitCode, 1, stderr);
    assert.ok(stdout.includes(`not tested  ${client} -> ${zone.url}  0 ms\n`), stdout);
    assert.ok(stdout.includes(`the instance leads nodes to ${registry.host} (destination.registry`), stdout);
    const command = `svc client test ${client} --registry ${registry.host} --recipe shop --instance ${instance.url} --token-file '${token}' --sample 1`;
    assert.ok(stderr.includes(command), stderr);
  }
  const french = await run('containerd', 'fr');
  assert.match(french.stdout, /^pas essayé {2}.*\n {2}l’instance mène les nœuds à /m);
  assert.match(french.stderr, /svc client test containerd --registry /);
  const json = JSON.parse((await run('containerd', 'en', '--output', 'json')).stdout);
  assert.deepEqual(json.checks[0].outcome, 'skipped');
  // an instance that names yet another one is not followed by a second --registry
  const other = await run('containerd', 'en', '--registry', instance.url);
  assert.match(other.stdout, /^not tested .*\n {2}names 127\.0\.0\.1:\d+, which is neither/m);
  assert.doesNotMatch(other.stderr, /svc client test/);
  assert.equal(visits, 0);
  await assert.rejects(access(ran), 'no client was run');
});

test('a stopped instance is reported as not answering, with the command that starts it; a zone without an instance is referred to its medium', async () => {
  await using folder = await openTempFolder();
  await using programs = await openTempFolder();
  await writeFile(join(programs.path, 'ctr'), '#!/bin/sh\n', { mode: 0o755 });
  const config = join(folder.path, 'svc.yaml');
  const state = join(folder.path, 'state');
  const write = (more: object): Promise<void> =>
    writeFile(
      config,
      JSON.stringify({
        mode: 'mirror',
        zone: 'zone-b',
        state: { root: state },
        destination: { registry: 'registry.zone-b.example' },
        ...more,
      }),
    );
  const server = { addr: `127.0.0.1:${await takeFreePort()}` };
  const run = (language: 'en' | 'fr') =>
    runInLanguage(['client', 'test', 'containerd', '--config', config], language, { PATH: programs.path });
  await write({ server });
  const without = await run('en');
  assert.match(without.stderr, /a zone with a medium and a registry, without an instance, needs none/);
  for (const more of [
    { mode: 'passthrough', retriever: { source: '/etc/svc/zone-b.yaml' } },
    { retriever: { source: '/etc/svc/zone-b.yaml' } },
  ]) {
    await write({ server, ...more });
    const stopped = await run('en');
    assert.equal(stopped.exitCode, 1);
    assert.match(stopped.stderr, /SVC-SRV-003/);
    assert.ok(
      stopped.stderr.includes(`Start the instance of this configuration: svc serve --config ${config}.`),
    );
    assert.doesNotMatch(stopped.stderr, /needs none/);
  }
  // an instance of a zone, as its account shows
  await using accounts = openAccounts({
    stateRoot: state,
    hashing: { timeCost: 1, memoryCost: 64, parallelism: 1 },
  });
  await accounts.create({ name: 'admin', password: 'a good password' });
  await write({ server });
  const stopped = await run('fr');
  assert.ok(stopped.stderr.includes(`svc serve --config ${config}`), stopped.stderr);
  assert.doesNotMatch(stopped.stderr, /n’en a pas besoin/);
});

test('the look before a client test asks for each manifest of an index once', async () => {
  await using registry = await createRegistryDouble();
  const { indexes, image, root } = buildWideIndex({ levels: 2, width: 30 });
  for (const { descriptor, bytes } of [...indexes, image])
    registry.putManifest('shop/wide', bytes, { mediaType: descriptor.mediaType });
  const places = [toRegistryBase(registry.origin)];
  const signal = AbortSignal.timeout(30_000);
  await using lookout = openLookout({ places, token: 'svc_x', roots: [], ca: [], signal });
  assert.equal(
    await lookout.followPull(`${registry.host}/shop/wide:1`, root.descriptor.digest, false),
    undefined,
  );
  const asked = registry.requests.filter(({ path }) => /manifests/.test(path));
  assert.equal(asked.length, 3);
});

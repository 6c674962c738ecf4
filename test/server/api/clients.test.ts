import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import { listOwnHosts } from '../../../src/client/led-places.ts';
import { clientKinds } from '../../../src/client/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { pushArtifact } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let refusal: GateRefusal | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    hosts: ['zone-b.example'],
    gate: () => ({ ...createOpenGate({ rehash: false }), refusal: () => refusal }),
    filesets: [
      { name: 'debian', ref: 'registry.example/os/debian', anonymous: false },
      { name: 'fedora', ref: 'registry.example/os/fedora', anonymous: true },
    ],
  });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function pushTree(
  name: string,
  version: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const image = toFilesetImage([toLayer(toArchive(files))]);
  const owner = { provenance: 'import' } as const;
  const target = openRepository(server.store, `registry.example/os/${name}`, { owner, kind: 'FileSet' });
  await pushArtifact(target, image, version);
  return image.manifest.descriptor.digest;
}

const ask = async (path: string, status = 200): Promise<any> => {
  const response = await server.fetch(`/api/v1/clients${path}`, {
    headers: { authorization: server.as.viewer },
  });
  const body = await response.text();
  assert.equal(response.status, status, body);
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(body) : body;
};

test('every client is listed, with nothing to configure while there is no content', async () => {
  const { clients } = await ask('');
  assert.deepEqual(
    clients.map(({ client }: { client: string }) => client),
    clientKinds,
  );
  for (const { files, error } of clients) assert.deepEqual([files, error], [[], undefined]);
  assert.equal(await ask('/apt?format=text'), '');
  await ask('/pacman', 422);
});

test('a page warns of what nodes do not reach, and of what is configured and not served, as the command does', async () => {
  const named = openBrowserSession(server);
  await server.accounts.create({ name: 'otto', role: 'viewer', password: 'a good password' });
  await named.signIn('otto', 'a good password');
  const textOf = async (session: typeof named, path: string, language = 'en') =>
    toPageText(await (await session.get(path, { 'accept-language': language })).text());
  assert.match(await textOf(named, '/clients/apt'), /\/files\/debian\/ is not served: SVC-REG-005: /);
  assert.match(await textOf(named, '/clients/apt', 'fr'), /\/files\/debian\/ n’est pas servi/);
  await using own = await openTempFolder();
  await using local = await startTestServer({ folder: own.path });
  await recordSync(local.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecipeRecord('other', '1.0.0', [['docker.io/library/web', '1']]),
  ]);
  const session = openBrowserSession(local);
  await local.accounts.create({ name: 'otto', role: 'viewer', password: 'a good password' });
  await session.signIn('otto', 'a good password');
  const warning = /Nodes are led to 127\.0\.0\.1:\d+, which on each of them is the node itself/;
  assert.match(await textOf(session, '/clients/containerd'), warning);
  assert.match(await textOf(session, '/clients/containerd', 'fr'), /Les nœuds sont menés vers 127\.0\.0\.1/);
  assert.doesNotMatch(await textOf(session, '/clients/containerd?registry=zone.example'), /led to/);
  // the host of the registry and that of the instance are one: one sentence, and the remedy that mends both
  const config = { registry: ['127.0.0.1:1', 'localhost:2'], instance: ['127.0.0.1:1'] };
  assert.deepEqual(listOwnHosts(config, undefined), [
    { host: 'localhost:2', of: 'registry' },
    { host: '127.0.0.1:1', of: 'instance' },
  ]);
});

test('package repositories are found in the served FileSets, of all recipes or of one', async () => {
  const debian = await pushTree('debian', '1.0.0', {
    'dists/stable/InRelease': 'x',
    'dists/stable/main/binary-amd64/Packages': 'x',
    'pool/x.deb': 'x',
  });
  await pushTree('fedora', '1.0.0', { 'repodata/repomd.xml': 'x' });
  const record = toRecipeRecord('os', '1.0.0', [['registry.example/os/debian', '1.0.0']]);
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    { ...record, ingredients: record.ingredients.map((each) => ({ ...each, digest: debian as never })) },
    toRecipeRecord('other', '1.0.0', [['docker.io/library/web', '1']]),
  ]);
  const { files, revision } = await ask('/apt');
  assert.match(revision, /^[0-9a-f]{12}$/);
  const [login, source] = files;
  assert.deepEqual([login.path, login.mode], ['auth.conf.d/svc.conf', '0600']);
  const url = /^URIs: (\S+)$/m.exec(source.content)![1]!;
  assert.match(url, /^http:\/\/zone-b\.example:\d+\/files\/debian\/$/);
  assert.match(source.content, /^Suites: stable\nComponents: main\nSigned-By: /m);
  const dnf = await ask('/dnf?format=text');
  assert.match(dnf, /^\[svc-fedora\]$/m);
  assert.doesNotMatch(dnf, /password/);
  assert.equal((await ask('/apt?recipe=os')).files.length, 2);
  assert.deepEqual((await ask('/apt?recipe=other')).files, []);
  assert.notEqual((await ask('/apt?recipe=os')).revision, revision);
});

test('a name in a FileSet that a file would read as more is refused with its code, and the other clients go on', async () => {
  await pushTree('debian', '2.0.0', { 'dists/stable evil/InRelease': 'x' });
  const problem = await ask('/apt', 422);
  assert.equal(problem.code, 'SVC-VAL-001');
  const { clients } = await ask('');
  const of = (name: string) => clients.find(({ client }: { client: string }) => client === name);
  assert.equal(of('apt').error.code, 'SVC-VAL-001');
  assert.deepEqual(of('dnf').files, ['svc.repo']);
  assert.equal(of('containerd').error, undefined);
});

test('the pages show the files, or why there are none, in both languages', async () => {
  const viewer = openBrowserSession(server);
  await server.accounts.create({ name: 'vera', role: 'viewer', password: 'a good password' });
  await viewer.signIn('vera', 'a good password');
  const open = async (path: string, status = 200, language = 'en'): Promise<string> => {
    const response = await viewer.get(path, { 'accept-language': language });
    const text = await response.text();
    assert.equal(response.status, status, text);
    parseStrictHtml(text, path);
    return toPageText(text);
  };
  assert.match(await open('/clients'), /containerd the registry .*docker\.io\/hosts\.toml/);
  assert.match(await open('/clients'), /apt this instance \S+ cannot be made/);
  assert.match(await open('/clients/dnf'), /\[svc-fedora\]/);
  assert.match(await open('/clients/apt', 422), /SVC-VAL-001/);
  assert.match(
    await open('/clients/podman?registry=https://r.example', 200, 'fr'),
    /location = "r\.example\/docker\.io"/,
  );
  assert.match(await open('/clients/podman?registry=a%20b', 422), /SVC-VAL-001/);
  await open('/clients/pacman', 404);
  refusal = { code: 'SVC-MED-030', mediaId: server.store.mediaId };
  assert.match(await open('/clients'), /from content that is served\. No content is served/);
  await ask('', 403);
  refusal = undefined;
});

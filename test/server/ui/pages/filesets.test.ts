import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../../../src/base/gate-refusal.ts';
import { fingerprintTag } from '../../../../src/catalog/shown-tag.ts';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { svcError } from '../../../../src/text/error.ts';
import { pushArtifact } from '../../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../../kit/content/fileset-image.ts';
import { toArchive, toRawArchive } from '../../../kit/content/tar-archive.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '/srv/<img src=x>';
const digest = `sha256:${'a'.repeat(64)}` as const;

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let viewer: BrowserSession;
let refusal: GateRefusal | undefined;
let packed: Readonly<Record<'source' | 'name' | 'version', string>> | undefined;
let replaced: string | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    hosts: ['zone-b.example'],
    filesets: [
      { name: 'debian', ref: 'registry.example/os/debian', anonymous: true },
      { name: 'mirror', ref: 'registry.example/os/debian', anonymous: false },
      { name: 'absent', ref: 'localhost/filesets/absent', anonymous: false },
      { name: 'unsafe', ref: 'registry.example/vendor/unsafe', anonymous: false },
    ],
    gate: () => ({ ...createOpenGate({ rehash: false }), refusal: () => refusal }),
    packRoots: ['/srv'],
    operations: {
      packBelowRoots: async (_instance, { source, name, version, replaces }) => {
        if (source === hostile) throw svcError('SVC-FIL-003', { path: source });
        packed = { source, name, version };
        replaced = replaces;
        const repository = `localhost/filesets/${name}`;
        const counts = { files: 3, directories: 2, symlinks: 1, bytes: 2048 };
        return {
          ...{ name, version, repository, reference: `${repository}:${version}` },
          ...{ digest, layerDigest: digest, ...counts, signed: false },
        };
      },
    },
  });
  admin = await signInAs(server, 'admin', 'alice');
  viewer = await signInAs(server, 'viewer', 'vera');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(session: BrowserSession, path: string, language = 'en'): Promise<string> {
  const response = await session.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, 200, text.slice(-2000));
  parseStrictHtml(text, path);
  return toPageText(text);
}

test('a FileSet that is not in the store says why it is not served', async () => {
  const prose = await proseOf(viewer, '/filesets');
  assert.match(prose, /absent[\s\S]*not served[\s\S]*SVC-REG-005/);
  assert.match(prose, /Synchronize or import a recipe that has it, or have an administrator pack a folder/);
  assert.match(prose, /There is no other file set/);
  assert.match(prose, /\d of \d configured file sets? (?:is|are) not served/);
  const markup = await (await viewer.get('/filesets')).text();
  assert.doesNotMatch(markup, /href="\/content\/[^"]*absent/, 'its repository has no page');
  assert.doesNotMatch(prose, /Pack a folder/, 'a viewer may not pack');
  assert.match(await proseOf(admin, '/filesets'), /Pack a folder/);
});

test('a served FileSet has its address and the lines of clients by the configured name', async () => {
  const put = async (repository: string, tag: string) =>
    pushArtifact(
      openRepository(server.store, repository, { owner: { provenance: 'local-pack' }, kind: 'FileSet' }),
      toFilesetImage([toLayer(toArchive({ text: 'text' }))]),
      tag,
    );
  await put('registry.example/os/debian', '12.11.0');
  await put('localhost/filesets/manuals', '1.0.0');
  const prose = await proseOf(viewer, '/filesets');
  const markup = await (await viewer.get('/filesets')).text();
  const forms = [...markup.matchAll(/role="search" aria-label="Find files of ([^"]+)"/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(forms.toSorted(), ['debian 12.11.0', 'mirror 12.11.0'], 'each form has a name of its own');
  assert.match(prose, /without credentials/);
  assert.match(prose, /http:\/\/zone-b\.example[:0-9]*\/files\/debian\//);
  assert.match(prose, /deb \[signed-by/);
  assert.match(prose, /baseurl=/);
  const others = prose.slice(prose.indexOf('In the store, not served'));
  assert.match(others, /manuals[\s\S]*1\.0\.0/);
  assert.match(await proseOf(viewer, '/filesets', 'fr'), /sans identifiants/);
});

test('of a FileSet that cannot be served the page says why once, and leads to its image and to the tasks about it', async () => {
  const repository = 'registry.example/vendor/unsafe';
  await pushArtifact(
    openRepository(server.store, repository, { owner: { provenance: 'import' }, kind: 'FileSet' }),
    toFilesetImage([toLayer(toRawArchive([{ path: '../escape.txt', content: 'text' }]))]),
    '1.0.0',
  );
  // the first request for a file reads the image
  await server.fetch('/files/unsafe/escape.txt');
  await eventually('the image is judged', async () =>
    /unsafe 1\.0\.0 not served/.test(await proseOf(viewer, '/filesets')),
  );
  const markup = await (await viewer.get('/filesets')).text();
  const card = markup
    .split('<li class="card">')
    .find((each) => each.includes('<h3><bdi translate="no">unsafe'))!;
  const prose = toPageText(card);
  assert.equal(prose.match(/it leads outside/g)?.length, 1, prose);
  for (const path of [`/content/${repository}/-/tags/1.0.0`, `/tasks?q=${encodeURIComponent(repository)}`]) {
    assert.ok(card.includes(`href="${path}"`), path);
    await proseOf(viewer, path);
  }
  assert.doesNotMatch(card, /role="search"|\/files\/unsafe\/|\/-\/tags\/1\.0\.0\/files/);
});

test('while the gate is closed no version is shown', async () => {
  refusal = { code: 'SVC-MED-030' } as GateRefusal;
  const prose = await proseOf(viewer, '/filesets');
  refusal = undefined;
  assert.match(prose, /content that is served/);
  assert.doesNotMatch(prose, /12\.11\.0/);
});

test('a folder is packed by the form, and a refusal shows the form filled', async () => {
  const path = '/filesets/pack';
  const fields = { source: '/srv/manuals', name: 'manuals', version: '1.1.0' };
  const answer = await admin.postAndOpen(path, fields, { page: path });
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(-2000));
  assert.match(parseStrictHtml(text, path).prose, /3 files, 2 folders, 1 link,/);
  assert.deepEqual(packed, fields);
  const refused = await admin.post(path, { ...fields, source: hostile }, { page: path });
  const again = await refused.text();
  assert.match(again, /SVC-FIL-003/);
  assert.match(again, /value="1\.1\.0"/);
  assert.doesNotMatch(again, /<img/);
});

test('a version that exists is replaced only after a page has shown what it is', async () => {
  const path = '/filesets/pack';
  const place = { repository: 'localhost/filesets/twice', tag: '1.0.0' };
  const fields = { source: '/srv/twice', name: 'twice', version: place.tag };
  const put = async (text: string) =>
    pushArtifact(
      openRepository(server.store, place.repository, {
        owner: { provenance: 'local-pack' },
        kind: 'FileSet',
      }),
      toFilesetImage([toLayer(toArchive({ text }))]),
      place.tag,
    );
  await put('first');
  packed = undefined;
  const asked = await (await admin.post(path, fields, { page: path })).text();
  const { prose } = parseStrictHtml(asked, path);
  assert.match(prose, /Replace twice:1\.0\.0\?[\s\S]*Pack and replace/);
  assert.match(asked, new RegExp(server.store.index.tag(place.repository, place.tag)!.digest));
  assert.equal(packed, undefined);
  const fingerprint = fingerprintTag(server.store.index, place);
  assert.match(asked, new RegExp(`name="fingerprint" value="${fingerprint}"`));
  await put('second, by somebody else');
  await admin.post(path, { ...fields, fingerprint }, { page: path });
  assert.deepEqual([packed, replaced], [fields, fingerprint], 'the pack finds the difference');
  const wrong = await admin.post(path, { ...fields, name: 'a/../b' }, { page: path });
  assert.doesNotMatch(await wrong.text(), /Pack and replace/);
});

test('where no folder may be packed, the page names the setting', async () => {
  await using other = await openTempFolder();
  await using plain = await startTestServer({ folder: other.path });
  const session = openBrowserSession(plain);
  await plain.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  await session.signIn('alice', 'a good password');
  const text = await (await session.get('/filesets/pack')).text();
  assert.match(text, /SVC-CFG-001/);
  assert.match(text, /files\.packRoots/);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../../../src/base/gate-refusal.ts';
import type { ContentKind } from '../../../../src/oci/kind.ts';
import { openRepository } from '../../../../src/store/open-repository.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { type Artifact, buildImage, buildIndex, pushArtifact } from '../../../kit/content/content.ts';
import { pushAsClient } from '../../../kit/content/push-as-client.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createOpenGate } from '../../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const owners = {
  import: { provenance: 'import' },
  recipe: { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'registry.example/cookbook' },
} as const;

let folder: TempFolder;
let server: TestServer;
let chief: BrowserSession;
let viewer: BrowserSession;
let refusal: GateRefusal | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    hosts: ['zone-b.example'],
    filesets: [{ name: 'manuals', ref: 'localhost/filesets/manuals', anonymous: false }],
    gate: () => ({ ...createOpenGate({ rehash: false }), refusal: () => refusal }),
  });
  chief = await signInAs(server, 'admin', 'cora');
  viewer = await signInAs(server, 'viewer', 'vera');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const put = (
  repository: string,
  tag: string,
  artifact: Artifact,
  by: keyof typeof owners,
  kind?: ContentKind,
): Promise<void> =>
  pushArtifact(
    openRepository(server.store, repository, { owner: owners[by], ...(kind === undefined ? {} : { kind }) }),
    artifact,
    tag,
  );

async function open(session: BrowserSession, path: string, status = 200, language = 'en') {
  const response = await session.get(path, { 'accept-language': language });
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, path);
  return { text, prose: toPageText(text) };
}

test('an empty store says so with the next step, and has no filters', async () => {
  const { prose, text } = await open(viewer, '/content');
  assert.match(prose, /The store has no content yet\. An operator of this instance brings/);
  assert.doesNotMatch(text, /name="kind"/);
  assert.match((await open(viewer, '/content', 200, 'fr')).prose, /Le stockage n’a pas encore de contenu/);
});

test('content is listed by folder with counts, kinds, sizes and provenance', async () => {
  await put('registry.example/shop/web', '1.4.2', buildIndex('web'), 'recipe');
  await put('registry.example/shop/db', '16.2', buildImage('db', { layerSize: 9000 }), 'recipe');
  await put('registry.example/tools', 'v1', buildImage('tools'), 'import');
  await pushAsClient(server.store, 'team/app', buildImage('app'), 'v1');
  const all = await open(viewer, '/content');
  assert.match(all.prose, /4 repositories are served/);
  assert.doesNotMatch(all.prose, /All 4 repositories/, 'the answer has their number');
  assert.match(all.prose, /registry\.example 3 repositories/);
  assert.match(all.text, /class="group-note" href="\/content\?prefix=registry\.example">/);
  assert.doesNotMatch(all.text, /<ul class="tags"/, 'the groups of the list are its folders');
  const paged = await open(viewer, '/content?pageSize=2');
  assert.match(paged.text, /<ul class="tags"/, 'a list of several pages has its folders above');
  assert.doesNotMatch(paged.text, /group-note/);
  assert.match(all.prose, /team\/app image 1 v1 [\d.]+.KiB – push/);
  const folder = await open(viewer, '/content?prefix=registry.example/');
  assert.match(folder.prose, /All registry\.example 3 repositories (?!shop 2)/);
  assert.doesNotMatch(folder.prose, /team/);
  // below a folder a name begins there, and its link is to the whole
  assert.match(folder.text, /href="\/content\/registry\.example\/shop\/db"><bdi translate="no">shop\/db</);
  // the form keeps where one is
  assert.match(folder.text, /<input type="hidden" name="prefix" value="registry\.example\/">/);
  // in the order of names, a host stands once above its repositories
  assert.match(
    all.text,
    /<tr class="group"><th scope="rowgroup" colspan="7"><label class="group-fold"><input type="checkbox" checked[^>]*><svg.*?<\/svg> <bdi[^>]*>registry\.example</,
  );
  assert.equal([...all.text.matchAll(/class="group"/g)].length, 1);
  assert.match(all.text, /<bdi translate="no">shop\/db</);
});

test('the heading of a column orders the list by it, in either direction', async () => {
  const namesOf = (text: string): string[] =>
    [...text.matchAll(/href="\/content\/([^"?]*)"><bdi/g)]
      .map(([, name]) => name!)
      .filter((name) => !name.includes('/-/'));
  const inOrder = async (query: string): Promise<string> =>
    namesOf((await open(viewer, `/content${query}`)).text).join(' ');
  const byName = 'registry.example/shop/db registry.example/shop/web registry.example/tools team/app';
  assert.equal(await inOrder(''), byName);
  assert.equal(await inOrder('?sort=name&order=desc'), byName.split(' ').toReversed().join(' '));
  const bySize = 'registry.example/shop/web registry.example/shop/db registry.example/tools team/app';
  assert.equal(await inOrder('?sort=size'), bySize);
  assert.match(await inOrder('?sort=size&order=asc'), /db registry\.example\/shop\/web$/);
  const { text } = await open(viewer, '/content?sort=size&kind=ContainerImage&page=1');
  assert.match(
    text,
    /<th scope="col" class="number" aria-sort="descending"><a class="sort" href="\/content\?sort=size&amp;kind=ContainerImage&amp;order=asc">/,
  );
  assert.doesNotMatch(text, /class="group"/, 'in another order, a name has its host');
  for (const query of ['?sort=versions', '?sort=landed', '?sort=landed&order=asc'])
    assert.equal((await inOrder(query)).split(' ').length, 4, query);
});

test('the reader chooses the columns of a list, for this browser, and unknown ones change nothing', async () => {
  const post = (fields: Parameters<typeof viewer.post>[1]) =>
    viewer.post('/columns', { next: '/content?sort=size', ...fields }, { page: '/content' });
  const answer = await post({ table: 'content', column: 'size' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/content?sort=size']);
  const { text } = await open(viewer, '/content');
  const headings = [...text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([A-Z][a-z]+)/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(headings, ['Repository', 'Size']);
  assert.match(text, /5 hidden/);
  assert.match(text, /name="column" value="size" checked/);
  assert.equal((await post({ table: 'content', column: ['size', 'landed', 'kind'] })).status, 303);
  assert.equal(viewer.cookies.get('svc_columns'), 'content.versions.newest.provenance');
  await post({ table: 'content', column: 'size' });
  await post({ table: 'other', column: 'size' });
  assert.equal(viewer.cookies.get('svc_columns'), 'content.kind.versions.newest.landed.provenance');
  viewer.cookies.set('svc_columns', 'content.__proto__.kind~content.size~~.');
  assert.match((await open(viewer, '/content')).text, /1 hidden/);
  viewer.cookies.delete('svc_columns');
});

test('a filter that leaves nothing is named in words, and can be dropped', async () => {
  const { prose, text } = await open(viewer, '/content?q=zzz&kind=HelmChart&kind=FileSet&sort=size');
  assert.match(prose, /Nothing matches zzz, Helm chart, file set\./);
  assert.match(text, /href="\/content\?sort=size">Drop the filter/);
  assert.match(text, /name="kind" value="HelmChart" checked/);
  const hostile = await open(viewer, `/content?q=${encodeURIComponent('<img src=x>\u202e')}`);
  assert.doesNotMatch(hostile.text, /<img/);
  assert.doesNotMatch(hostile.prose, /\u202e/);
  assert.match((await open(viewer, '/content?sort=other', 422)).prose, /SVC-VAL-001/);
});

test('a repository lists versions with platforms, digests and owners, and a viewer cannot delete', async () => {
  const { prose, text } = await open(viewer, '/content/registry.example/shop/web');
  const { digest } = server.store.index.tag('registry.example/shop/web', '1.4.2')!;
  assert.match(prose, /1\.4\.2/);
  assert.match(prose, /linux\/amd64/);
  assert.ok(text.includes(`data-copy="${digest}"`), 'the full digest is copied');
  assert.match(text, /href="\/recipes\/-\/shop\?version=1\.0\.0"/);
  assert.match(
    (await open(viewer, '/content/registry.example/shop/web?q=9.9')).prose,
    /Nothing matches 9\.9/,
  );
  assert.doesNotMatch((await open(viewer, '/content/registry.example/tools')).text, /-\/delete/);
  assert.match(
    (await open(chief, '/content/registry.example/tools')).text,
    /\/content\/registry\.example\/tools\/-\/delete/,
  );
  assert.doesNotMatch(
    (await open(chief, '/content/team/app')).text,
    /-\/delete/,
    'a push is not deleted here',
  );
  assert.match((await open(viewer, '/content/registry.example', 404)).prose, /SVC-REG-005/);
});

test('a version shows the commands of each client by digest and by tag, its platforms and its recipes', async () => {
  const path = '/content/registry.example/shop/web/-/tags/1.4.2';
  const { digest } = server.store.index.tag('registry.example/shop/web', '1.4.2')!;
  const host = `zone-b.example:${new URL(server.url).port}`;
  const byDigest = await open(viewer, path);
  assert.ok(byDigest.text.includes(`docker pull ${host}/registry.example/shop/web@${digest}`));
  for (const client of ['podman', 'crane', 'skopeo', 'oras'])
    assert.match(byDigest.prose, new RegExp(`\\b${client} `));
  assert.match(byDigest.prose, /linux\/arm64/);
  assert.match(byDigest.prose, /shop@1\.0\.0/);
  assert.match(byDigest.prose, /carries no signature/);
  const byTag = await open(viewer, `${path}?by=tag`);
  assert.ok(byTag.text.includes(`docker pull ${host}/registry.example/shop/web:1.4.2<`));
  assert.match((await open(viewer, path, 200, 'fr')).prose, /Récupérer/);
  assert.match((await open(viewer, '/content/team/app/-/tags/v9', 404)).prose, /SVC-REG-005/);
});

test('a file set shows how apt, dnf and curl read it, when it is served', async () => {
  await put('localhost/filesets/manuals', '1.0.0', buildImage('manuals'), 'import', 'FileSet');
  await put('localhost/filesets/other', '1.0.0', buildImage('other'), 'import', 'FileSet');
  const { prose } = await open(viewer, '/content/localhost/filesets/manuals/-/tags/1.0.0');
  const url = `http://zone-b.example:${new URL(server.url).port}/files/manuals/`;
  assert.match(prose, /Served as manuals, version 1\.0\.0/);
  for (const line of [`${url} stable main`, `baseurl=${url}`, `${url}PATH`])
    assert.ok(prose.includes(line), line);
  assert.match(
    (await open(viewer, '/content/localhost/filesets/other/-/tags/1.0.0')).prose,
    /files\.filesets/,
  );
});

test('a deletion shows what goes and what stays, and does what was shown', async () => {
  await put('mixed', 'both', buildImage('both'), 'import');
  await put('mixed', 'both', buildImage('both'), 'recipe');
  await put('mixed', 'only', buildImage('only', { layerSize: 5000 }), 'import');
  const path = '/content/mixed/-/delete';
  const { prose, text } = await open(chief, path);
  assert.match(prose, /Removed Version Digest Size only sha256:[0-9a-f]{8}…[0-9a-f]{4}/);
  assert.match(prose, /Kept Version Owned by both shop@1\.0\.0/);
  assert.match(prose, /KiB are freed/);
  const fingerprint = /name="fingerprint" value="([^"]+)"/.exec(text)![1]!;
  assert.equal((await viewer.get(path)).status, 403);
  assert.equal((await viewer.post(path, { fingerprint }, { page: '/account' })).status, 403);
  const answer = await chief.post(path, { fingerprint }, { page: path });
  assert.equal(answer.status, 303, await answer.clone().text());
  assert.equal(answer.headers.get('location'), '/content/mixed');
  assert.deepEqual(
    server.store.index.tags('mixed').map(({ tag }) => tag),
    ['both'],
  );
  assert.match((await open(chief, path, 403)).prose, /SVC-POL-002/);
});

test('a preview that no longer holds is shown again with the new one, and nothing is deleted', async () => {
  await put('changing', 'one', buildImage('one'), 'import');
  const path = '/content/changing/-/delete';
  const fingerprint = /name="fingerprint" value="([^"]+)"/.exec((await open(chief, path)).text)![1]!;
  await put('changing', 'two', buildImage('two'), 'import');
  const refused = await chief.post(path, { fingerprint }, { page: path });
  const text = await refused.text();
  assert.equal(refused.status, 409, text);
  assert.match(text, /SVC-STO-015/);
  assert.match(text, /two/);
  const renewed = /name="fingerprint" value="([^"]+)"/.exec(text)![1]!;
  assert.notEqual(renewed, fingerprint);
  assert.equal(server.store.index.tags('changing').length, 2);
  const done = await chief.post(path, { fingerprint: renewed }, { page: path });
  assert.equal(done.headers.get('location'), '/content?deleted=changing');
  assert.match(
    (await open(chief, '/content?deleted=changing')).prose,
    /imported content of changing is deleted/,
  );
  assert.doesNotMatch((await open(chief, '/content?deleted=mixed')).prose, /is deleted/, 'it is still here');
});

test('while the gate is closed the list shows names only, and details are refused', async () => {
  refusal = { code: 'SVC-MED-030', mediaId: 'med_1' };
  try {
    const { prose, text } = await open(viewer, '/content');
    assert.match(prose, /Only names are shown/);
    assert.match(prose, /registry\.example 3 repositories shop\/db shop\/web/);
    assert.doesNotMatch(prose, /KiB/);
    assert.doesNotMatch(text, /href="\/content\/registry/);
    for (const path of ['/content/team/app', '/content/team/app/-/tags/v1'])
      assert.match((await open(viewer, path, 403)).prose, /SVC-MED-030/);
  } finally {
    refusal = undefined;
  }
});

test('versions are listed in the order of their arrival, where it is asked for', async () => {
  const repository = 'registry.example/order';
  for (const tag of ['b', 'a', 'c']) await put(repository, tag, buildImage(tag), 'import');
  const tagsOf = async (query: string): Promise<string> => {
    const headers = { authorization: server.as.viewer };
    const answer = await server.fetch(`/api/v1/content/${repository}${query}`, { headers });
    return ((await answer.json()) as { tags: { tag: string }[] }).tags.map(({ tag }) => tag).join('');
  };
  assert.equal(await tagsOf(''), 'abc');
  assert.equal(await tagsOf('?order=desc'), 'cba');
  assert.equal(await tagsOf('?sort=arrival'), 'cab');
  assert.equal(await tagsOf('?sort=arrival&order=asc&pageSize=2'), 'ba');
  const { text } = await open(viewer, `/content/${repository}`);
  const shown = [...text.matchAll(/-\/tags\/(\w)"/g)].map(([, tag]) => tag).join('');
  assert.equal(shown, 'cab', 'the page begins with the last one that arrived');
  assert.match(text, /aria-sort="descending"><a class="sort" href="[^"]*sort=arrival&amp;order=asc">/);
});

test('a list has the time of the last run that brought a recipe, and is ordered by it', async () => {
  const times = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'] as const;
  const place = ['registry.example/shop/web', '1.4.2'] as const;
  await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: times[1] }, [
    { ...toRecipeRecord('shop', '1.0.0', [place]), resolvedAt: times[0] },
    { ...toRecipeRecord('shop', '1.1.0', [place]), resolvedAt: times[1] },
    { ...toRecipeRecord('tools', '1.0.0', [['registry.example/tools', 'v1']]), resolvedAt: times[2] },
  ]);
  const ask = async (path: string): Promise<any> =>
    (await server.fetch(`/api/v1/content${path}`, { headers: { authorization: server.as.viewer } })).json();
  const landedOf = async (query: string): Promise<readonly string[]> =>
    (await ask(query)).repositories.flatMap((each: { landedAt?: string }) => each.landedAt ?? []);
  assert.deepEqual(await landedOf('?sort=landed'), [times[1], times[2]]);
  assert.deepEqual(await landedOf('?sort=landed&order=asc'), [times[2], times[1]]);
  const { repositories } = await ask('?sort=landed&order=asc');
  assert.equal(repositories.at(-1).landedAt, undefined, 'without a time comes last in either direction');
  const { tags } = await ask(`/${place[0]}`);
  assert.deepEqual(
    tags.map(({ tag, landedAt }: { tag: string; landedAt?: string }) => [tag, landedAt]),
    [['1.4.2', times[1]]],
  );
  assert.match((await open(viewer, `/content/${place[0]}`)).prose, /1 Mar 2026/);
});

test('a repository without a version, as after a deletion, is not counted as served', async () => {
  const before = /(\d+) repositories are served, [^;.]* in all(?!;)/.exec(
    (await open(viewer, '/content')).prose,
  )?.[1];
  assert.ok(before);
  await pushArtifact(
    openRepository(server.store, 'registry.example/husk', { owner: owners.import }),
    buildImage('husk'),
  );
  const { prose } = await open(viewer, '/content');
  assert.match(prose, new RegExp(`${before} repositories are served, [^;]* in all; 1 has no version`));
  const french = (await open(viewer, '/content', 200, 'fr')).prose;
  assert.match(french, new RegExp(`${before} dépôts sont servis, [^;]* en tout ; 1 n’a aucune version`));
});

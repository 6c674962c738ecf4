import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { isPage } from '../../../server/ui/ui-route.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { TaskItem } from '../../../src/contract/task.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { putFileset } from '../../kit/content/put-fileset.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { mediumReport, recipeVerdict, scriptMedia } from '../../kit/scene/media-state.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { requestRaw } from '../../kit/web/request-raw.ts';

/** More than any page may show at once. */
const many = 315;
const names = Array.from(
  { length: many },
  (_, i) =>
    [
      `容器镜像服务网关控制平面组件第${i}号`,
      `خدمة-بوابة-الحاويات-المكوّن-رقم-${i}`,
      `a-component-with-a-name-of-some-length-${i}`,
    ][i % 3]!,
);
const kinds = ['ContainerImage', 'HelmChart', 'OCIArtifact'] as const;
const repositoryOf = (i: number): string =>
  `registry.example/platform/team-${i % 7}/component-with-a-long-name-${i}`;

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let task: string;

before(async () => {
  folder = await openTempFolder();
  const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    media,
    run: async (_task, _request, journal) => {
      const items = Array.from(
        { length: 2 * many },
        (_, i): TaskItem => ({
          name: `platform@1.0.0/${names[i % many]} ${i}`,
          status: 'done',
          sizeBytes: i,
          transferredBytes: i,
        }),
      );
      journal.setItems(items);
      await journal.settleItems(items);
    },
  });
  const image = buildImage('component');
  const { digest } = image.manifest.descriptor;
  for (let i = 0; i < many; i += 1)
    await pushArtifact(
      openRepository(server.store, repositoryOf(i), { owner: { provenance: 'import' }, kind: kinds[i % 3] }),
      image,
      '1.0.0',
    );
  const tagged = openRepository(server.store, 'team/tagged', { owner: { provenance: 'import' } });
  for (let i = 0; i < many; i += 1) await pushArtifact(tagged, image, `1.0.${i}`);
  await putFileset(
    server.store,
    'files',
    toFilesetImage([toLayer(toArchive(Object.fromEntries(names.map((name) => [name, name]))))]),
  );
  const manual = toFilesetImage([toLayer(toArchive({ text: 'text' }))]);
  for (let i = 0; i < many; i += 1)
    await putFileset(server.store, `manuals-with-a-long-name/${i}`, manual, `1.${i}.0`);
  const toRecord = (name: string, version: string, count: number): RecipeRecord => ({
    ...{
      name,
      version,
      cookbook: 'registry.example/cookbook',
      repository: `registry.example/cookbook/${name}`,
      tag: version,
    },
    ...{
      digest,
      documentDigest: digest,
      runId: 'run',
      zone: 'zone-b',
      resolvedAt: '2026-01-01T00:00:00.000Z',
      verified: true,
    },
    ingredients: names.slice(0, count).map((ingredient, i) => ({
      ...{
        name: ingredient,
        kind: kinds[i % 3]!,
        ref: repositoryOf(i),
        repository: repositoryOf(i),
        tag: '1.0.0',
        digest,
      },
    })),
  });
  await recordSync(server.store, { zone: 'zone-b', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    toRecord('platform', '9.0.0', many),
    ...Array.from({ length: many }, (_, i) => toRecord('platform', `1.0.${i}`, 2)),
    ...Array.from({ length: many }, (_, i) => toRecord(`recipe-${i}`, '1.0.0', 1)),
  ]);
  const path = 'blobs/sha256/aa';
  media.current = {
    gate: 'open',
    current: undefined,
    report: mediumReport({
      verdict: 'partial',
      recipes: Array.from({ length: many }, (_, i) => recipeVerdict({ name: `recipe-${i}` })),
      findings: Array.from({ length: 1000 }, (_, i) => ({
        code: 'SVC-MED-020',
        path: `${path}/${i}`,
        params: { path: `${path}/${i}`, mediaId: 'm' },
      })),
    }),
  } as never;
  for (let i = 0; i < many; i += 1)
    await server.accounts.tokens.create({ name: `token-${i}`, role: 'viewer' });
  const { id } = await server.tasks.submit({
    type: 'sync',
    reference: 'https://registry.example/zone-b.yaml',
    actor: 'alice',
  });
  await server.tasks.settled(id);
  task = id;
  admin = openBrowserSession(server);
  await admin.signIn('admin', 'admin password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** Values of the parameters of a page, which name something with more than a page shows. */
function fill(path: string): string {
  const isFileset = path.includes('/files');
  return path
    .replace('{repo}', isFileset ? 'localhost/filesets/files' : 'team/tagged')
    .replace('{tag}', isFileset ? '1.0.0' : '1.0.7')
    .replace('{id}', task)
    .replace('{client}', 'containerd')
    .replace('/admin/accounts/{name}', '/admin/accounts/admin')
    .replace('{name}', path.startsWith('/recipes') ? 'platform' : 'token-1')
    .replace(/\{[a-z]+\}/, 'nothing');
}

/** The largest number of rows that one table or list of a page has. */
function mostRows(text: string): number {
  const bodies = [...text.matchAll(/<tbody>([\s\S]*?)<\/tbody>/g)].map(
    ([, body]) => body!.match(/<tr>/g)?.length ?? 0,
  );
  const lists = [...text.matchAll(/<(ul|ol)\b[^>]*>((?:(?!<\1\b)[\s\S])*?)<\/\1>/g)].map(
    ([, , body]) => body!.match(/<li\b/g)?.length ?? 0,
  );
  return Math.max(0, ...bodies, ...lists);
}

/** Pages that are records or documents as a whole. */
const whole = new Set(['/media/report', '/help', '/api-docs']);

for (const path of uiRoutes
  .filter(isPage)
  .map((route) => route.path)
  .filter((each) => !whole.has(each)))
  test(`GET ${path} of a large store has at most 200 rows and 60 KiB`, async () => {
    const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ');
    const ask = (encoding: string) =>
      requestRaw(`${server.url}${fill(path)}`, { cookie, accept: 'text/html', 'accept-encoding': encoding });
    const { body, status } = await ask('gzip');
    assert.ok(status < 500, `${status}`);
    assert.ok(body.length <= 60 << 10, `${body.length} bytes`);
    const rows = mostRows((await ask('identity')).body.toString());
    assert.ok(rows <= 200, `${rows} rows`);
  });

for (const [path, section] of [
  ['/recipes/-/platform', 'ingredients'],
  ['/recipes/-/platform/mapping', 'versions'],
] as const)
  test(`the ingredients of ${path} are paged, and found by name and kind in any script`, async () => {
    const rowsOf = async (query: string): Promise<readonly string[]> => {
      const text = await (await admin.get(`${path}?version=9.0.0${query}`)).text();
      const [, body = ''] =
        new RegExp(`<section class="section" id="${section}"[\\s\\S]*?<tbody>([\\s\\S]*?)</tbody>`).exec(
          text,
        ) ?? [];
      // all of them have one host
      assert.equal(body.match(/<tr class="group">/g)?.length ?? 0, body.includes('<tr>') ? 1 : 0);
      return body.split('<tr>').slice(1);
    };
    assert.equal((await rowsOf('')).length, 200);
    assert.equal((await rowsOf('&page=2')).length, many - 200);
    for (const part of [names[30]!, names[31]!, names[32]!]) {
      const [row, ...others] = await rowsOf(`&q=${encodeURIComponent(part)}`);
      assert.ok(row?.includes(part), part);
      // a number is the beginning of longer ones
      assert.ok(
        others.every((other) => other.includes(part)),
        part,
      );
    }
    const charts = await rowsOf('&kind=HelmChart');
    assert.equal(charts.length, Math.ceil((many - 1) / 3));
    if (section === 'ingredients') assert.ok(charts.every((row) => row.includes('kind-helmchart')));
    assert.match(
      await (await admin.get(`${path}?version=9.0.0&q=nothing-like-it`)).text(),
      /Nothing matches [\s\S]{0,40}nothing-like-it/,
    );
  });

test('a destructive page shows each of its versions on one of its pages', async () => {
  const seen = new Set<string>();
  for (const page of [1, 2]) {
    const text = await (await admin.get(`/content/team/tagged/-/delete?page=${page}`)).text();
    for (const [, tag] of text.matchAll(/>(1\.0\.\d+)<\/bdi>/g)) seen.add(tag!);
  }
  assert.equal(seen.size, many);
});

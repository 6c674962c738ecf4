import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';

let folder: TempFolder;
let show: Showcase;
let admin: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  show = await openShowcase(folder.path);
  admin = openBrowserSession(show.server);
  await admin.signIn('alice', password);
});
after(async () => {
  for (const item of [show, folder]) await item[Symbol.asyncDispose]();
});

const textOf = (markup: string | undefined): string =>
  (markup ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The frame of a page: its heading, its breadcrumb and the marked entry of the navigation. */
async function frameOf(path: string) {
  const answer = await admin.get(path);
  const page = await answer.text();
  return {
    page,
    status: answer.status,
    title: /<title>([^<·]*) · /.exec(page)?.[1],
    heading: textOf(/<h1>(.*?)<\/h1>/.exec(page)?.[1]),
    crumbs: Array.from(
      /<nav class="crumbs".*?<\/nav>/s.exec(page)?.[0].matchAll(/href="([^"]*)"/g) ?? [],
      ([, to]) => to,
    ),
    current: textOf(/aria-current="page">(.*?)<\/a>/.exec(page)?.[1]),
  };
}

for (const [path, heading, code, crumbs, current] of [
  ['/recipes/-/absent', 'absent', 'SVC-REG-005', ['/recipes'], 'Recipes'],
  ['/recipes/-/absent/mapping', 'Mapping', 'SVC-REG-005', ['/recipes', '/recipes/-/absent'], 'Recipes'],
  ['/clients/pacman', 'pacman', 'SVC-SRV-002', ['/clients'], 'Clients'],
  ['/tasks/tsk_000000000000', 'tsk_000000000000', 'SVC-TSK-001', ['/tasks'], 'Tasks'],
  ['/zones/zone-z', 'zone-z', 'SVC-REG-005', ['/zones'], 'Medium'],
  [
    '/content/a.example/absent/-/tags/9',
    '9',
    'SVC-REG-005',
    ['/content', '/content?prefix=a.example', '/content/a.example/absent'],
    'Content',
  ],
] as const)
  test(`the error page of ${path} has the frame of the page that it stands for`, async () => {
    const found = await frameOf(path);
    assert.equal(found.status, 404);
    assert.equal(found.title, `${heading}: error ${code}`);
    assert.equal(found.heading, heading);
    assert.deepEqual(found.crumbs, crumbs);
    assert.equal(found.current, current);
    assert.ok(found.page.includes(`href="/help#${code}"`));
  });

test('an unknown name is looked for in the list of its page, and the nearest one is a link', async () => {
  const { page } = await frameOf('/recipes/-/shap');
  assert.match(page, /choose from the list: <a href="\/recipes">/);
  assert.match(page, /Did you mean this page\? <a href="\/recipes\/-\/shop">/);
  assert.doesNotMatch(page, /GET \/api\/v1\/content/);
  const version = await frameOf('/content/registry.example/shop/web/-/tags/1.4.9');
  assert.match(version.page, /list: <a href="\/content\/registry\.example\/shop\/web">/);
  const [, near = ''] = /this page\? <a href="([^"]*)"/.exec(version.page) ?? [];
  assert.equal((await admin.get(near)).status, 200, near);
  const mapping = await frameOf('/recipes/-/shap/mapping');
  assert.match(mapping.page, /this page\? <a href="\/recipes\/-\/shop\/mapping">/);
  assert.match((await frameOf('/clients/pacman')).page, /list: <a href="\/clients">/);
  const repository = await frameOf('/content/a.example/absent/-/tags/9');
  assert.match(repository.page, /list: <a href="\/content">/);
});

test('a repository of the same host is not proposed for another name, and the list stands once', async () => {
  const { page } = await frameOf('/content/registry.example/nope');
  const main = page.slice(page.indexOf('<section'), page.indexOf('</main>'));
  assert.doesNotMatch(main, /Did you mean/);
  assert.equal(main.match(/<a href="\/content">/g)?.length, 1);
});

test('an address of no page has no frame but that of the site', async () => {
  const found = await frameOf('/no/such/page');
  assert.deepEqual([found.status, found.heading, found.crumbs], [404, 'Page not found', []]);
  assert.equal(found.current, '');
});

test('an address that is none offers the search for its last part', async () => {
  const { page } = await frameOf('/nowhere/de%20pot');
  assert.match(page, /<a href="\/search\?q=de%20pot">Search for /);
  assert.doesNotMatch((await frameOf('/recipes/-/shap')).page, /Search for/, 'a list has what is meant');
});

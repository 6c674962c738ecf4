import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../../kit/instance/temp-folder.ts';
import { passthroughRetriever } from '../../../../kit/instance/test-instance.ts';
import { openShowcase, password, type Showcase } from '../../../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../../kit/web/browser-session.ts';
import { toPageText } from '../../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../../kit/web/strict-html.ts';

let folder: TempFolder;
let showcase: Showcase;
let operator: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  showcase = await openShowcase(folder.path);
  operator = openBrowserSession(showcase.server);
  await operator.signIn('olga', password);
});
after(async () => {
  for (const item of [showcase, folder]) await item[Symbol.asyncDispose]();
});

async function read(path: string, language = 'en'): Promise<string> {
  const response = await operator.get(path, { 'accept-language': language });
  const markup = await response.text();
  assert.equal(response.status, 200, `${path} ${response.headers.get('location')}`);
  parseStrictHtml(markup, path);
  return markup;
}
const search = async (q: string, view = 'results', language = 'en'): Promise<string> =>
  toPageText(await read(`/search?${new URLSearchParams({ q, view })}`, language));

test('the page of a recipe says which zones have it, and leads to them and to a plan', async () => {
  const markup = await read('/recipes/-/shop');
  const text = toPageText(markup);
  assert.match(
    text,
    /In the zones Zone State Wanted In the zone As of zone-c another version Plan a delivery/,
  );
  assert.match(markup, /href="\/zones\/zone-c"/);
  assert.match(markup, /href="\/deliver\?zone=zone-c&amp;wanted=true"/);
  assert.match(toPageText(await read('/recipes/-/shop', 'fr')), /Dans les zones .*zone-c autre version/);
  // a zone that has it and does not want it is one of them
  assert.match(
    toPageText(await read('/recipes/-/monitoring')),
    /In the zones .*zone-c there, not wanted – 1\.0\.0/,
  );
});

test('a search for a recipe lists its states in the zones, and a zone beside it narrows the list', async () => {
  assert.match(await search('manuals'), /In the zones 4 zone-c manuals 2\.0\.0 missing/);
  assert.match(await search('agent'), /In the zones 4 zone-c agent 2\.0\.0 blocked SVC-SIG-001/);
  assert.match(await search('manuals zone-d'), /In the zones 1 zone-d manuals 2\.0\.0 current/);
});

test('a search for a state lists the recipes of the zones in it', async () => {
  assert.match(await search('missing'), /In the zones: missing 1 zone-c manuals 2\.0\.0 missing/);
  assert.match(await search('blocked'), /In the zones: blocked 1 zone-c agent 2\.0\.0 blocked/);
  assert.match(await search('in transit'), /In the zones: in transit 1 zone-c observability/);
  assert.match(await search('overdue'), /Zones that are overdue 1 zone-d overdue The last receipt of zone-d/);
  assert.match(await search('en retard', 'results', 'fr'), /Zones en retard 1 zone-d en retard/);
});

test('zones in results and in suggestions have their state, and lead the suggestions', async () => {
  assert.match(await search('zone-'), /Zones \d .*zone-c Receipts? ✕?\s*lacks 3|zone-c .*lacks 3/);
  assert.match(
    await search('zone-', 'suggestions'),
    /^\s*(?:.*?)zone-c lacks 3 zone-e not known .*zone-d overdue/,
  );
  const markup = await read(`/search?${new URLSearchParams({ q: 'zone', view: 'suggestions' })}`);
  const [, first = ''] = /id="suggestions"[\s\S]*?(<li>[\s\S]*?<\/li>)/.exec(markup) ?? [];
  assert.match(first, /href="\/zones\/zone-c"/);
});

test('at a source zones stand in the first row of the navigation for every role, with the pages of deliveries below', async () => {
  await using own = await openTempFolder();
  const retriever = () => ({ ...passthroughRetriever, mode: 'mirror' as const });
  const zones = [{ name: 'zone-c', retriever: '/etc/zone-c.yaml', maxAge: 1 }];
  await using source = await startTestServer({ folder: own.path, retriever, zones });
  for (const [role, below] of [
    ['viewer', []],
    ['operator', ['/zones', '/deliver', '/receipts']],
  ] as const) {
    const session = await signInAs(source, role, role);
    const markup = await (await session.get('/zones')).text();
    const [first = '', second = ''] = markup.split('nav-sub');
    assert.match(first, /<li><a href="\/zones" aria-current="page">/, role);
    assert.doesNotMatch(first, /<li><a href="\/media"/, role);
    const [list = ''] = second.split('</nav>');
    const paths = [...list.matchAll(/<li><a href="([^"]+)"/g)].map(([, path]) => path);
    assert.deepEqual(paths.slice(0, below.length), below, role);
  }
});

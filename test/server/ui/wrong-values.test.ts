import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';
import { wrongValues } from '../../kit/web/wrong-values.ts';

let folder: TempFolder;
let show: Showcase;

before(async () => {
  folder = await openTempFolder();
  show = await openShowcase(folder.path);
});
after(async () => {
  for (const item of [show, folder]) await item[Symbol.asyncDispose]();
});

async function signIn(): Promise<BrowserSession> {
  const session = openBrowserSession(show.server);
  await session.signIn('alice', password);
  return session;
}

const stripTags = (markup: string): string => markup.replaceAll(/<[^>]*>/g, '');

/** What a page says of its wrong fields. */
function readFaults(markup: string) {
  const { elements } = parseStrictHtml(markup, 'page');
  const main = markup.slice(markup.indexOf('<main'));
  const beforeSections = main.slice(0, main.indexOf('<section'));
  const summary = markup.slice(markup.indexOf('<div class="error"'));
  const invalid = elements.filter(({ attributes }) => attributes.get('aria-invalid') === 'true');
  const described = [...elements]
    .filter(({ attributes }) => /(?:^| )(?:filter-)?error-/.test(attributes.get('aria-describedby') ?? ''))
    .map(({ attributes }) => attributes.get('id'));
  return {
    title: /<title>([^<]*)/.exec(markup)?.[1] ?? '',
    hasSummary: /<div class="error" role="alert" tabindex="-1" autofocus>/.test(beforeSections),
    links: [...summary.matchAll(/<p class="error-what"><a href="#([^"]+)"/g)].map(([, id]) => id),
    invalid: invalid.map(({ attributes }) => attributes.get('id')),
    described,
    summary: [...summary.matchAll(/<p class="error-what">([\s\S]*?)<\/p>/g)].map(([, text]) =>
      stripTags(text!),
    ),
    messages: [...markup.matchAll(/<p class="field-error" id="[^"]+">([\s\S]*?)<\/p>/g)].map(([, text]) =>
      stripTags(text!),
    ),
  };
}

test('every form that is sent has a wrong value in the table', () => {
  const known = new Set(wrongValues.map(({ action }) => action));
  // without a field, or on an instance with TLS (network.test.ts)
  const others = [
    ...[
      '/logout',
      '/lang',
      '/theme',
      '/columns',
      '/tasks/{id}/cancel',
      '/media/verify/cancel',
      '/deliver/proof/cancel',
    ],
    ...['/admin/network/preview', '/admin/network/certificate'],
  ];
  const isKnown = (path: string): boolean => {
    const pattern = new RegExp(`^${path.replaceAll(/\{[a-z]+\}/g, '.+')}$`);
    return [...known].some((action) => pattern.test(action));
  };
  const unknown = uiRoutes
    .filter(({ method, path }) => method === 'POST' && !isKnown(path))
    .map(({ path }) => path);
  assert.deepEqual(unknown.sort(), others.sort());
});

for (const { action, page, fields, wrong, failure } of wrongValues)
  test(`${action} says above its form what is wrong, and beside the field: ${JSON.stringify(fields)}`, async () => {
    const session = action === '/login' ? openBrowserSession(show.server) : await signIn();
    show.failure = failure;
    const answer = await session.post(action, fields, { page });
    show.failure = undefined;
    const found = readFaults(await answer.text());
    assert.ok(answer.status >= 400, `${answer.status}`);
    assert.match(found.title, /^Error: /);
    assert.deepEqual(found.invalid, wrong);
    // boxes of one list share their message
    const controls = wrong.every((id) => id.startsWith('field-')) ? wrong : ['field-platforms'];
    assert.deepEqual(found.links, controls);
    assert.deepEqual(found.described, controls);
    assert.equal(found.messages.length, controls.length);
    for (const message of found.messages) assert.match(message ?? '', /\S/);
    // the rule of a value stands above the form too: its field may be far below
    const rules = found.messages.map((message) => message!.replace(/^“.*?”: /, ''));
    assert.equal(rules.length, controls.length);
    for (const one of rules)
      assert.ok(
        found.summary.some((said) => said.includes(one)),
        one,
      );
    assert.doesNotMatch([...found.summary, ...found.messages].join(' '), /is not valid(?: at|:)/);
    if (action !== '/login') assert.ok(found.hasSummary);
  });

for (const [page, id] of [
  ['/deliver?zone=zone-c&disk=own&size=huge', 'field-size'],
  ['/deliver?zone=zone-c&disk=mounted', 'field-mounted'],
  ['/recipes/-/shop/mapping?registry=a%20b', 'field-registry'],
  ['/clients/podman?registry=a%20b', 'field-registry'],
  ['/history?from=2026-13-45', 'filter-from'],
  ['/tasks?status=perhaps', 'filter-status'],
] as const)
  test(`${page} names its wrong field`, async () => {
    const session = await signIn();
    const answer = await session.get(page);
    assert.equal(answer.status, 422);
    const found = readFaults(await answer.text());
    assert.match(found.title, /^Error: /);
    assert.ok(found.hasSummary);
    assert.deepEqual([found.links, found.invalid, found.described], [[id], [id], [id]]);
    const french = readFaults(await (await session.get(page, { 'accept-language': 'fr' })).text());
    assert.match(french.title, /^Erreur\s:\s/);
  });

test('a plan is told all of its wrong fields at once', async () => {
  const session = await signIn();
  const answer = await session.get('/deliver?zone=No%20Zone&disk=own&size=huge');
  assert.equal(answer.status, 422);
  assert.deepEqual(readFaults(await answer.text()).invalid, ['field-zone', 'field-size']);
});

test('the form of a filter has htmx load the page that shows its wrong value; a live section is answered without it', async () => {
  const session = await signIn();
  const path = '/tasks?status=perhaps';
  const asked = { 'hx-request': 'true', 'hx-target': 'section#list' };
  const answer = await session.get(path, { ...asked, 'hx-source': 'form' });
  assert.deepEqual([answer.status, answer.headers.get('hx-redirect')], [200, path]);
  const live = await session.get(path, { ...asked, 'hx-source': 'section#list' });
  assert.equal(live.headers.get('hx-redirect'), null);
  assert.match(await live.text(), /<section class="section" id="list"/);
});

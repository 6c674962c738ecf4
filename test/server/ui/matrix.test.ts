import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiRoutes } from '../../../server/api/routes.ts';
import { contentPolicy } from '../../../server/ui/policy.ts';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { isPage } from '../../../server/ui/ui-route.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { nameMirror } from '../../kit/web/printed-lines.ts';
import { parseStrictHtml } from '../../kit/web/strict-html.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
const identities = ['nobody', ...roles] as const;
const languages = ['en', 'fr'] as const;
type Who = (typeof identities)[number];

let folder: TempFolder;
let server: TestServer;
const sessions = new Map<Who, BrowserSession>();

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  for (const who of identities) {
    const session = openBrowserSession(server);
    sessions.set(who, session);
    if (who === 'nobody') continue;
    await server.accounts.create({
      name: who === 'admin' ? 'chief' : who,
      role: who,
      password: 'a good password',
    });
    await session.signIn(who === 'admin' ? 'chief' : who, 'a good password');
  }
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** A path of the route with something for each parameter; nothing of it exists. */
function fill(path: string): string {
  return path
    .replace('{repo}', 'some/repository')
    .replace('{tag}', 'v1')
    .replace('{id}', 'tsk_000000000000')
    .replace(/\{[a-z]+\}/g, 'nothing');
}

const isBelow = (who: Who, floor: string): boolean =>
  floor !== 'public' && (who === 'nobody' || roles.indexOf(who) < roles.indexOf(floor as 'viewer'));

for (const route of uiRoutes.filter(isPage)) {
  test(`GET ${route.path}: floor, status, form and policy for four identities in two languages`, async () => {
    for (const who of identities)
      for (const language of languages) {
        const name = `${route.path} as ${who} in ${language}`;
        const path = fill(route.path);
        const response = await sessions.get(who)!.get(path, { 'accept-language': language });
        const text = await response.text();
        assert.equal(response.headers.get('content-security-policy'), contentPolicy, name);
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff', name);
        assert.equal(response.headers.get('cache-control'), 'no-store', name);
        if (who === 'nobody' && route.floor !== 'public') {
          assert.equal(response.status, 303, name);
          assert.match(response.headers.get('location') ?? '', /^\/login(\?|$)/, name);
          continue;
        }
        assert.ok(response.status < 500, `${name}: ${response.status} ${text}`);
        assert.equal(response.headers.get('content-language'), language, name);
        const { elements, prose } = parseStrictHtml(text, name);
        assert.ok(
          elements.some((each) => each.attributes.get('lang') === language),
          name,
        );
        const slip = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\{[a-z]+\}/i.exec(prose);
        assert.equal(slip?.[0], undefined, name);
        if (isBelow(who, route.floor)) {
          assert.equal(response.status, 403, name);
          assert.match(text, /SVC-AUTH-003/, name);
          continue;
        }
        assert.notEqual(response.status, 403, name);
        for (const [block] of text.matchAll(/<details class="terminal">[\s\S]*?<\/details>/g)) {
          const labels = [...block.matchAll(/aria-label="([^"]+)"/g)].map(([, label]) => label);
          assert.equal(new Set(labels).size, labels.length, `${name}: the buttons of ${labels[0]}`);
        }
        const tokens = elements.filter((each) => each.attributes.get('name') === 'csrf');
        const forms = elements.filter((each) => each.attributes.get('method') === 'post');
        assert.equal(tokens.length, forms.length, `${name}: every form has a token`);
        const values = tokens.map((each) => each.attributes.get('value')!);
        assert.equal(new Set(values).size, values.length, `${name}: no token twice`);
        for (const value of values) assert.match(value, /^[A-Za-z0-9_-]{86}$/, name);
      }
  });
}

for (const route of uiRoutes.filter((each) => each.method === 'POST')) {
  test(`POST ${route.path}: refuses what carries no token, and everybody below the floor`, async () => {
    for (const who of identities) {
      const session = sessions.get(who)!;
      const response = await session.post(fill(route.path), {}, { token: 'x'.repeat(86) });
      const text = await response.text();
      const name = `${route.path} as ${who}: ${response.status}`;
      if (who === 'nobody' && route.floor !== 'public') {
        assert.equal(response.status, 401, name);
        assert.match(text, /action="\/login"/, name);
      } else {
        assert.equal(response.status, 403, name);
        assert.match(text, isBelow(who, route.floor) ? /SVC-AUTH-003/ : /SVC-AUTH-004/, name);
      }
      parseStrictHtml(text, name);
      const foreign = await session.post(
        fill(route.path),
        {},
        { headers: { 'sec-fetch-site': 'same-site' }, token: 'x' },
      );
      assert.equal(foreign.status, 403, `${name}, from another port of the host`);
      assert.match(await foreign.text(), /SVC-AUTH-004/, name);
      const { action, outcome, target } = server.report.audits.at(-1)!;
      assert.deepEqual([action, outcome, target], ['ui.access', 'denied', `POST ${fill(route.path)}`], name);
    }
  });
}

test('every action mirrors a route of the API with the same floor, and has a page', () => {
  const routes = new Map(apiRoutes.map((route) => [`${route.method} ${route.path}`, route]));
  const pages = new Set(uiRoutes.filter(isPage).map(({ path }) => path));
  for (const route of uiRoutes) {
    if (route.method !== 'POST') continue;
    assert.ok(pages.has(route.page), `${route.path}: ${route.page} is no page`);
    if (!('mirror' in route)) continue;
    const mirror = routes.get(nameMirror(route.mirror));
    assert.ok(mirror, `${route.path} mirrors ${nameMirror(route.mirror)}, which does not exist`);
    assert.equal(route.floor, mirror.floor, route.path);
  }
});

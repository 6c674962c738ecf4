import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uiRoutes } from '../../../server/ui/routes.ts';
import { toRecipeDocument } from '../../kit/content/origin.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { mediumStates } from '../../kit/showcase/answers.ts';
import { showcaseArrival } from '../../kit/showcase/delivery.ts';
import { openShowcase, password, type Showcase, slowFolder } from '../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';
import { toPageText } from '../../kit/web/page-text.ts';
import { listMirrored, listPrinted, listUnprinted, nameMirror } from '../../kit/web/printed-lines.ts';

const sync = '/recipes/sync';
const digest = `sha256:${'b'.repeat(64)}` as const;
const document = toRecipeDocument('registry.example', {
  name: 'shop',
  version: '1.4.2',
  ingredients: [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest }],
});
const layout = '/admin/oci-layout';

let folder: TempFolder;
let showcase: Showcase;
let admin: BrowserSession;
let operator: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  showcase = await openShowcase(folder.path);
  admin = openBrowserSession(showcase.server);
  operator = openBrowserSession(showcase.server);
  await admin.signIn('alice', password);
  await operator.signIn('olga', password);
});
after(async () => {
  for (const item of [showcase, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  const text = await response.text();
  assert.equal(response.status, 200, text.slice(-2000));
  return text;
}

const get = (path: string) => (): Promise<string> => textOf(admin.get(path));
const post = (path: string, fields: Readonly<Record<string, string>>, page: string) => (): Promise<string> =>
  textOf(admin.postAndOpen(path, fields, { page }));
const medium = (state: string) => (): Promise<string> => {
  showcase.media.current = mediumStates[state]!;
  return textOf(admin.get('/media'));
};

/** Every page that has forms, in each state that changes which forms it has. */
const pages: Readonly<Record<string, () => Promise<string>>> = {
  'own account': get('/account'),
  'new account': get('/admin/accounts/-/new'),
  account: get('/admin/accounts/olga'),
  'deletion of an account': get('/admin/accounts/olga/delete'),
  'new token': get('/admin/accounts/-/token'),
  'revocation of a token': get('/admin/accounts/-/tokens/nodes/revoke'),
  store: get('/admin/store'),
  'interval from the configuration': get('/admin/retriever'),
  'interval of an administrator': async () => {
    const answer = await admin.post(
      '/admin/retriever/interval',
      { interval: '5h' },
      { page: '/admin/retriever' },
    );
    assert.equal(answer.status, 303, await answer.text());
    return textOf(admin.get('/admin/retriever'));
  },
  'link from the configuration': get('/admin/network'),
  'link of an administrator': async () => {
    const page = '/admin/network';
    for (const [name, fields] of [
      ['rate-limit', { rateLimit: '2MiB' }],
      ['windows', { windows: '00:00-24:00' }],
    ] as const)
      assert.equal((await admin.post(`${page}/${name}`, fields, { page })).status, 303);
    return textOf(admin.get(page));
  },
  layouts: get(layout),
  'plan of an export': post(`${layout}/plan`, { format: 'tar' }, layout),
  'plan of an import': post(`${layout}/import-plan`, { input: '/srv/in.tar' }, layout),
  // before a synchronization runs: it offers no start then
  'list of a prune': post(`${sync}/prune`, {}, sync),
  'waiting tasks': async () => {
    for (let n = 0; n < 2; n += 1) await showcase.startSync();
    return textOf(admin.get('/tasks'));
  },
  'running task': async () => textOf(admin.get(`/tasks/${await showcase.startSync()}`)),
  'plan of a delivery': get('/deliver?zone=zone-c&disk=dvd'),
  proof: get('/deliver/proof'),
  'running proof': async () => {
    const page = '/deliver/proof';
    const answer = await admin.post(page, { wait: 'false', folders: slowFolder }, { page });
    assert.equal(answer.status, 303, await answer.text());
    return textOf(admin.get(page));
  },
  receipts: get('/receipts'),
  'packing of a file set': get('/filesets/pack'),
  'previewed recipe': post('/recipes/publish/preview', { document }, '/recipes/publish'),
  'check of a document': get('/recipes/check'),
  'pinned document': post('/recipes/check/pin', { document }, '/recipes/check'),
  'comparison of recipes': get('/recipes/compare'),
  'compared recipes': post(
    '/recipes/compare',
    { 'old-document': document, 'new-document': document },
    '/recipes/compare',
  ),
  'unit import': get('/import'),
  'inspected artifact': post('/import/inspect', { reference: 'registry.example/shop/web:1' }, '/import'),
  synchronization: get(sync),
  'plan of a synchronization': post(`${sync}/plan`, {}, sync),
  'deletion of content': get('/content/registry.example/tool/-/delete'),
  'pack of evidence': get('/evidence'),
  'forgetting of a delivery': get(`/media/deliveries/${showcaseArrival.id}/forget`),
  'medium that was not verified': medium('not verified'),
  'medium with a partial verdict': medium('partial'),
  'medium under way': medium('under way'),
  'medium of another zone': medium('another zone'),
  'medium with a waiver': medium('with a waiver'),
};

test('beside each form stands a line that does the same, on every page that has forms', async () => {
  const seen = new Set<string>();
  const gaps: string[] = [];
  for (const [name, show] of Object.entries(pages)) {
    const text = await show();
    const mirrored = listMirrored(text);
    assert.notEqual(mirrored.size, 0, `${name} has no form`);
    for (const mirror of mirrored) seen.add(mirror);
    gaps.push(...listUnprinted(text).map((mirror) => `${name}: ${mirror}`));
  }
  assert.deepEqual(gaps, []);
  const all = new Set(uiRoutes.flatMap((route) => ('mirror' in route ? [nameMirror(route.mirror)] : [])));
  // the certificate of a listener with TLS: test/server/ui/pages/network.test.ts
  assert.deepEqual(
    [...all].filter((mirror) => !seen.has(mirror)),
    ['PUT /network/certificate'],
  );
});

const printedBy = async (show: () => Promise<string>): Promise<string> =>
  listPrinted(await show()).join('\n');

test('access is changed by the commands of svc as well', async () => {
  assert.match(await printedBy(get('/admin/accounts/olga')), /^svc user role olga operator$/m);
  assert.match(await printedBy(get('/admin/accounts/olga')), /^svc user passwd olga --password-stdin$/m);
  assert.match(await printedBy(get('/admin/accounts/olga/delete')), /^svc user remove olga$/m);
  assert.match(
    await printedBy(get('/admin/accounts/-/token')),
    /^svc token create pipeline --role operator$/m,
  );
  assert.match(await printedBy(get('/admin/accounts/-/tokens/nodes/revoke')), /^svc token revoke nodes$/m);
});

test('the own password is changed with the password, since a token has none', async () => {
  const text = await textOf(operator.get('/account'));
  assert.match(listPrinted(text).join('\n'), /^curl -X POST -u olga [^-]*-H '[^']*' -d '@password\.json'/);
  assert.match(toPageText(text), /password\.json holds {"current": "…", "new": "…"}/);
});

test('a line of the page on the API has an example in place of each parameter', async () => {
  const index = await textOf(operator.get('/api-docs'));
  const groups = new Set([...index.matchAll(/href="(\/api-docs\/[^"#]+)#/g)].map(([, path]) => path!));
  const texts = await Promise.all([...groups].map((path) => textOf(operator.get(path))));
  const printed = texts.flatMap((text) => listPrinted(text));
  const urls = printed.flatMap((line) =>
    [...line.matchAll(/'(https?:[^']*\/api\/v1[^']*)'/g)].map(([, url]) => url!),
  );
  assert.ok(urls.length > 30, String(urls.length));
  assert.deepEqual(
    urls.filter((url) => /[{}]|undefined|%7B/.test(url)),
    [],
  );
  assert.ok(urls.some((url) => url.endsWith('/api/v1/content/team/app/-/tags/1.4.2')));
  assert.doesNotMatch(printed.join('\n'), /\{…\}/);
});

test('a line that waives a guard stands beside its form, and an import waives what was waived', async () => {
  const blocked = await printedBy(medium('another zone'));
  assert.match(blocked, /^svc media verify.* --allow-zone-mismatch$/m);
  assert.match(blocked, /"allowZoneMismatch":true[^\n]*\\\n[^\n]*\/media\/verify'/);
  const waived = await printedBy(medium('with a waiver'));
  assert.match(waived, /^svc media import.* --allow-zone-mismatch$/m);
  assert.match(waived, /"allowZoneMismatch":true[^\n]*\\\n[^\n]*\/media\/import'/);
  showcase.media.current = mediumStates['another zone']!;
  const shown = await printedBy(() => textOf(operator.get('/media')));
  assert.doesNotMatch(shown, /allow/i);
});

test('no line of a synchronization prunes what no list has shown', async () => {
  const { url } = showcase.server;
  for (const show of [get(sync), pages['plan of a synchronization']!, pages['list of a prune']!]) {
    const printed = await printedBy(show);
    assert.match(printed, /\/sync\/prune-preview'/);
    for (const [, body = ''] of printed.matchAll(/ -d '([^']*)' \\\n {2}'[^']*\/api\/v1\/sync'/g)) {
      const { prune, fingerprint } = JSON.parse(body) as { prune?: boolean; fingerprint?: string };
      assert.ok(prune === false || (prune === true && fingerprint !== undefined), body);
    }
  }
  const start = await printedBy(get(sync));
  assert.match(start, /^svc sync --prune=false --wait --instance 'http:\/\/[^']+'$/m, url);
  assert.match(await printedBy(pages['list of a prune']!), /"prune":true,"fingerprint":"sha256:/);
});

test('a block of lines says once what the token is, and which commands need a stopped instance', async () => {
  for (const [language, token, stop] of [
    ['en', /SVC_API_TOKEN holds an API token/g, /stop the instance/g],
    ['fr', /SVC_API_TOKEN contient un jeton/g, /arrêtez l’instance/g],
  ] as const) {
    const headers = { 'accept-language': language };
    const store = await textOf(admin.get('/admin/store', headers));
    assert.equal(store.match(token)?.length, 1, language);
    assert.equal(store.match(stop)?.length, 1, language);
    const account = await textOf(admin.get('/account', headers));
    assert.doesNotMatch(account, token);
    assert.doesNotMatch(account, stop);
  }
});

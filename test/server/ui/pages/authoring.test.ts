import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Operations } from '../../../../server/operations.ts';
import { svcError } from '../../../../src/text/error.ts';
import { quote } from '../../../../src/text/rule.ts';
import { toRecipeDocument } from '../../../kit/content/origin.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { scriptAuthoring, showcaseDiff } from '../../../kit/showcase/authoring.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const document = toRecipeDocument('registry.example', {
  name: 'shop',
  version: '1.4.2',
  ingredients: [{ name: 'web', repository: 'shop/web', version: '1.5.0', digest }],
});
const draft = document.replace(
  /version: 1\.5\.0\n\s+digest: \S+/,
  "version: ^1.5 # the author's <b>note</b>",
);
const french = { 'accept-language': 'fr' };

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
let pins: Parameters<Operations['pinRecipe']>[1][];
let diffs: Parameters<Operations['diffSides']>[1][];
let failure: Error | undefined;
let findings: Awaited<ReturnType<Operations['pinRecipe']>>['findings'];
let difference: typeof showcaseDiff;

const scripted = scriptAuthoring(async (value) => {
  if (failure !== undefined) throw failure;
  return value;
});

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    operations: {
      pinRecipe: async (context, request) => {
        pins.push(request);
        return { ...(await scripted.pinRecipe(context, request)), findings };
      },
      diffSides: async (view, request) => {
        diffs.push(request);
        await scripted.diffSides(view, request);
        return difference;
      },
    },
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  pins = [];
  diffs = [];
  failure = undefined;
  findings = [];
  difference = showcaseDiff;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text.slice(-3000));
  parseStrictHtml(text, response.url);
  return text;
}

const check = (text: string, session = viewer, headers = {}): Promise<Response> =>
  session.postAndOpen('/recipes/check', { document: text }, { page: '/recipes/check', headers });
const pin = (fields: Record<string, string>, headers = {}): Promise<Response> =>
  operator.postAndOpen('/recipes/check/pin', fields, { page: '/recipes/check', headers });
const compare = (fields: Record<string, string>, headers = {}): Promise<Response> =>
  operator.postAndOpen('/recipes/compare', fields, { page: '/recipes/compare', headers });

test('the list of recipes leads a viewer to the check, and an operator to the comparison too', async () => {
  const links = async (session: BrowserSession): Promise<readonly string[]> => {
    const text = await textOf(await session.get('/recipes'));
    return ['/recipes/check', '/recipes/compare', '/recipes/publish'].filter((path) =>
      text.includes(`href="${path}"`),
    );
  };
  assert.deepEqual(await links(viewer), ['/recipes/check']);
  assert.deepEqual(await links(operator), ['/recipes/check', '/recipes/compare', '/recipes/publish']);
});

test('a viewer checks a document: each finding with its line and its remedy, and what was typed stays', async () => {
  const doubtful = document
    .replace('registry.example', 'localhost:5000')
    .replace(/version: 1\.5\.0(?=\n\s+digest)/, 'version: latest');
  const at = doubtful.split('\n').findIndex((line) => line.includes('version: latest')) + 1;
  const text = await textOf(await check(doubtful));
  assert.match(
    toPageText(text),
    /Error 2 findings: 1 error, 1 warning|Warning 2 findings: 0 errors, 2 warnings/i,
  );
  assert.match(text, new RegExp(`<th scope="row" class="number" data-label="Line">${at}</th>`));
  assert.match(toPageText(text), /has the tag latest, which usually moves/);
  assert.match(toPageText(text), /What to do: Name the tag of one release, or a constraint\./);
  assert.match(toPageText(text), /2 findings: 0 errors, 2 warnings Line \d+: web comes from localhost/);
  assert.match(text, /<textarea[^>]*name="document"[\s\S]*kind: Recipe/);
  assert.doesNotMatch(text, /check\/pin/, 'no pin for a viewer');
  const said = toPageText(await textOf(await check(doubtful, viewer, french)));
  assert.match(said, /Indiquez l’étiquette d’une seule version, ou une contrainte\./);
  assert.match(said, /2 constats : /);
  assert.match(toPageText(await textOf(await check(document))), /Clean Nothing to change/);
});

test('a document that breaks the format is a finding, and none at all is an error at the field', async () => {
  const wrong = document.replace('kind: ContainerImage', 'kind: Image');
  const text = await textOf(await check(wrong));
  assert.match(toPageText(text), /1 finding: 1 error, 0 warnings/);
  assert.match(toPageText(text), /The document breaks the format/);
  assert.match(text, /class="line-bad"><strong><code[^>]*> *kind: Image</);
  const unnamed = document.replace(/^apiVersion:.*\n/m, '').replace(/^kind:.*\n/m, '');
  const told = toPageText(await textOf(await check(unnamed)));
  const named = told.match(/The document breaks the format: apiVersion is required\./g) ?? [];
  assert.equal(named.length, 2, 'in the verdict and in its row');
  assert.match(
    toPageText(await textOf(await check(unnamed, viewer, french))),
    /ne respecte pas le format : apiVersion est requis/,
  );
  assert.match(await textOf(await check(''), 422), /href="#field-document"/);
});

test('a draft is pinned: its changes, its document to copy, to download and to publish', async () => {
  const fields = { document: draft, setVersion: '1.5.0', platforms: 'linux/amd64\r\n', update: '*' };
  const answer = await pin(fields);
  const text = await textOf(answer);
  const { actor, version, update, platforms } = pins[0]!;
  assert.deepEqual(
    { actor, version, update, platforms },
    {
      actor: 'olga',
      version: '1.5.0',
      update: 'all',
      platforms: [{ os: 'linux', architecture: 'amd64' }],
    },
  );
  assert.equal(Buffer.from(pins[0]!.document).toString(), draft);
  assert.match(toPageText(text), /1 of 2 ingredients changes/);
  assert.match(toPageText(text), /\^1\.5 → 1\.5\.0/);
  assert.doesNotMatch(text, /<b>/);
  assert.match(text, /name="setVersion"[^>]*value="1\.5\.0"/, 'what was typed is kept');
  const [, path = ''] = /href="(\/recipes\/check\/pinned\.yaml\?[^"]+)"/.exec(text) ?? [];
  const file = await operator.get(path);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="shop-1.5.0.yaml"');
  assert.equal(file.headers.get('cache-control'), 'no-store');
  const pinned = draft.replace('^1.5', `1.5.0\n      digest: sha256:${'7'.repeat(64)}`);
  assert.equal(await file.text(), pinned);
  const [, exact = ''] = /name="document-base64" value="([^"]+)"/.exec(text) ?? [];
  assert.equal(Buffer.from(exact, 'base64').toString(), pinned);
  const preview = await operator.postAndOpen(
    '/recipes/publish/preview',
    { 'document-base64': exact },
    { page: '/recipes/publish' },
  );
  assert.match(await textOf(preview), /name="reference"/);
  const said = toPageText(await textOf(await pin(fields, french)));
  assert.match(said, /1 ingrédient sur 2 change/);
});

test('a tag that moved since the pin is shown with what to do, in English on each page', async () => {
  const params = { name: 'db', reference: 'registry.example/shop/db:1.0', actual: 'new', pinned: 'old' };
  findings = [{ rule: 'tag-moved', severity: 'warning', path: 'spec.ingredients[1].digest', params }];
  for (const headers of [{}, french]) {
    const text = await textOf(await pin({ document: draft }, headers));
    assert.match(text, /<ul lang="en"><li>/);
    assert.match(
      toPageText(text),
      /shop\/db:1\.0 of db is new now, and the recipe pins old\. Keep the digest, or pin it again\./,
    );
  }
});

test('a pinned document is for the account that pinned it', async () => {
  const text = await textOf(await pin({ document: draft }));
  const [, path = ''] = /href="(\/recipes\/check\/pinned\.yaml\?[^"]+)"/.exec(text) ?? [];
  assert.notEqual(path, '');
  const own = openBrowserSession(server);
  await own.signIn('olga', 'a good password');
  assert.equal((await own.get(path)).status, 200, 'another browser of the same account');
  const other = openBrowserSession(server);
  await server.accounts.create({ name: 'otto', role: 'operator', password: 'a good password' });
  await other.signIn('otto', 'a good password');
  assert.equal((await other.get(path)).status, 404);
  assert.equal((await viewer.get(path)).status, 403);
  assert.equal((await operator.get('/recipes/check/pinned.yaml')).status, 404);
});

test('every ingredient that could not be pinned is named with its line and what to do', async () => {
  const text = await textOf(await pin({ document: draft.replace('^1.5', '^9') }));
  const said = toPageText(text);
  assert.match(said, /2 ingredients could not be pinned/);
  assert.equal(text.match(/href="\/help#SVC-REG-005"/g)?.length, 4, 'in the summary, and in the row');
  const marked = draft.split('\n')[6]!.trim();
  assert.ok(toPageText(text).includes(marked) && text.includes('<li value="7" class="line-bad">'), marked);
  for (const line of [7, 12]) assert.ok(text.includes(`data-label="Line">${line}</td>`), String(line));
  assert.doesNotMatch(text, /pinned\.yaml/);
});

test('a pin that is refused keeps what was typed, and names the field', async () => {
  const wrong = await textOf(
    await pin({ document: draft, platforms: 'linux amd64', setVersion: '2.0.0' }),
    422,
  );
  assert.match(wrong, /href="#field-platforms"/);
  assert.match(wrong, /name="setVersion"[^>]*value="2\.0\.0"/);
  assert.match(wrong, /<textarea[^>]*name="document"[\s\S]*kind: Recipe/);
  failure = svcError('SVC-SRV-006', {}, { detail: 'other recipes are being pinned or compared' });
  const busy = await textOf(await pin({ document: draft }, french), 503);
  assert.match(toPageText(busy), /d’autres recettes sont en train d’être figées ou comparées/);
  assert.match(busy, /<textarea[^>]*name="document"[\s\S]*kind: Recipe/);
});

test('two recipes are compared, as documents or references', async () => {
  const reference = 'registry.example/cookbook/shop:1.4.2';
  const text = await textOf(await compare({ 'old-reference': reference, 'new-document': document }));
  assert.deepEqual(diffs[0]!.old, { reference });
  assert.deepEqual(diffs[0]!.new, { document: Buffer.from(document) });
  assert.equal(diffs[0]!.actor, 'olga');
  // as on the command line, a recipe of the store
  const stored = await textOf(await compare({ 'old-reference': 'shop@1.4.0', 'new-document': document }));
  const { old } = diffs[1]!;
  assert.deepEqual('stored' in old && old.stored, { name: 'shop', version: '1.4.0' });
  assert.match(stored, /name="old-reference"[^>]*value="shop@1\.4\.0"/);
  const said = toPageText(text);
  for (const part of ['added', 'removed', 'pinned anew', '853 MiB', '812 MiB', '1.4.0 → 1.5.0'])
    assert.ok(said.includes(part), part);
  assert.match(said, /added: linux\/arm64/);
  // members without a column of their own are listed: the place of an ingredient, an annotation
  assert.match(said, /web ref registry\.example\/shop\/web registry\.example\/store\/web/);
  assert.match(said, /metadata\.annotations\["recipe\.tobby\.dev\/cooked-at"\] 2026-01-02/);
  assert.match(text, /name="old-reference"[^>]*value="registry\.example\/cookbook\/shop:1\.4\.2"/);
  assert.match(text, /<textarea[^>]*name="new-document"[\s\S]*kind: Recipe/);
  const again = toPageText(
    await textOf(await compare({ 'old-reference': reference, 'new-document': document }, french)),
  );
  assert.match(again, /À transférer/);
  assert.match(again, /figé à nouveau/);
});

test('a comparison says what could not be read, and that two recipes are the same', async () => {
  const { totals: _, ...rest } = showcaseDiff;
  const error = {
    code: 'SVC-REG-005',
    class: 'failure',
    params: { reference: 'registry.example/shop/db:16' },
  } as const;
  difference = { ...rest, problems: [{ recipe: 'old', name: 'db', error }] };
  const fields = { 'old-document': document, 'new-document': document };
  const unread = toPageText(await textOf(await compare(fields)));
  assert.match(unread, /The bytes are not known/);
  assert.match(unread, /db.*shop 1\.4\.2.*SVC-REG-005/s);
  difference = { ...showcaseDiff, metadata: [], added: [], removed: [], changed: [] };
  assert.match(toPageText(await textOf(await compare(fields))), /Equal No difference/);
});

test('a comparison needs one document or reference for each recipe, and repeats no password', async () => {
  const none = await textOf(await compare({ 'old-document': document }), 422);
  assert.match(none, /href="#field-new-reference"/);
  assert.match(none, /id="field-new-reference"/);
  const empty = await textOf(await compare({}), 422);
  for (const side of ['old', 'new'])
    assert.match(
      empty,
      new RegExp(`id="error-${side}-reference">must have either a document or a reference<`),
    );
  assert.match(none, /<textarea[^>]*name="old-document"[\s\S]*kind: Recipe/);
  const both = await compare({
    'old-document': document,
    'old-reference': 'a.example/b:1',
    'new-document': document,
  });
  assert.match(await textOf(both, 422), /href="#field-old-document"/);
  assert.equal(diffs.length, 0, 'nothing was compared');
  const secret = 'https://olga:canary-9@registry.example/cookbook/shop:1.4.2';
  failure = svcError('SVC-REG-001', {
    reference: 'registry.example/cookbook/shop',
    rule: quote('must have a version or a digest'),
  });
  const fields = { 'old-reference': secret, 'new-document': document };
  assert.doesNotMatch(await (await compare(fields)).text(), /canary-9/);
  failure = undefined;
  assert.doesNotMatch(await textOf(await compare(fields)), /canary-9/);
});

test('a document of 4 MiB is checked and pinned, a longer one is refused, and a hostile one is text', async () => {
  const comments = `${'#'.repeat(79)}\n`.repeat(1 << 16);
  const fill = (bytes: number): string => `${draft}${comments}`.slice(0, bytes);
  assert.match(toPageText(await textOf(await check(fill(4 << 20)))), /Nothing to change/);
  await textOf(await pin({ document: fill(4 << 20) }));
  assert.match(await textOf(await check(fill((4 << 20) + 1)), 413), /SVC-VAL-002/);
  assert.match(await textOf(await pin({ document: fill((4 << 20) + 1) }), 413), /SVC-VAL-002/);
  const hostile = draft
    .replace('name: web', 'name: "<img src=x>\u202egpj"')
    .replace('^1.5', '^1.5 # </textarea><script>alert(1)</script>');
  for (const answer of [await check(hostile), await pin({ document: hostile })]) {
    const text = await textOf(answer);
    assert.doesNotMatch(text, /<img|<script>alert/);
    const shown = text.replace(/<textarea[\s\S]*?<\/textarea>|data-copy="[^"]*"/g, '');
    assert.doesNotMatch(shown, /\u202e/);
  }
});

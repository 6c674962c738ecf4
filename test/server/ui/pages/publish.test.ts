import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Operations } from '../../../../server/operations.ts';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { PublishedRecipe } from '../../../../src/contract/recipe.ts';
import { svcError } from '../../../../src/text/error.ts';
import { toRecipeDocument } from '../../../kit/content/origin.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const ingredient = { name: 'web', repository: 'shop/web', version: '1.4.0', digest };
const document = toRecipeDocument('registry.example', {
  name: 'shop',
  version: '1.4.2',
  ingredients: [ingredient],
});

let folder: TempFolder;
let server: TestServer;
let operator: BrowserSession;
let viewer: BrowserSession;
let published: Parameters<Operations['publishRecipe']>[1][];
let answer: () => PublishedRecipe;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    hosts: ['zone-a.example'],
    operations: {
      publishRecipe: async (_context, request) => {
        published.push(request);
        return answer();
      },
    },
  });
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  published = [];
  answer = () => ({
    reference: 'zone-a.example/cookbook/shop:1.4.2',
    digest,
    documentDigest: digest,
    unchanged: false,
  });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function textOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  parseStrictHtml(text, response.url);
  return text;
}

const post = (path: string, fields: Record<string, string>): Promise<Response> =>
  operator.postAndOpen(path, fields, { page: '/recipes/publish' });
const preview = (text: string): Promise<Response> => post('/recipes/publish/preview', { document: text });

test('the page is for operators, and a preview publishes nothing', async () => {
  assert.equal((await viewer.get('/recipes/publish')).status, 403);
  assert.match(await textOf(await operator.get('/recipes/publish')), /enctype="multipart\/form-data"/);
  const text = await textOf(await preview(document.replaceAll('\n', '\r\n')));
  assert.match(text, /registry\.example\/shop\/web:1\.4\.0/);
  assert.match(text, /name="reference"[^>]*value="[^"]*\/cookbook\/shop:1\.4\.2"/);
  const nodes = /zone-a\.example:\d+\/registry\.example\/shop\/web:1\.4\.0/;
  assert.match(toPageText(text), nodes, 'where nodes find it');
  assert.ok(text.includes(document.slice(0, 40)), 'the document is kept for publishing');
  assert.deepEqual(published, []);
});

test('a document that is wrong is shown with the offending line', async () => {
  const lines = document.split('\n');
  const at = lines.findIndex((line) => line.includes('ContainerImage'));
  const wrong = document.replace('ContainerImage', 'Image');
  assert.notEqual(wrong, document);
  const text = await textOf(await preview(wrong), 422);
  assert.match(text, /SVC-VAL-001/);
  assert.match(text, new RegExp(`Line ${at + 1} of the document`));
  assert.match(text, new RegExp(`<li value="${at + 1}" class="line-bad"><strong><code[^>]*>[^<]*Image<`));
  assert.match(text, /<textarea[^>]*name="document"[\s\S]*kind: /, 'what was typed is kept');
  const unknown = await textOf(await preview(document.replace('digest:', 'digset:')), 422);
  assert.match(
    toPageText(unknown),
    /is not right:\s*spec\.ingredients\[0\]\.digset (\(line \d+\) )?is not a known member: did you mean digest\?/,
    'the summary says why',
  );
  assert.match(
    unknown,
    /class="line-bad"><strong>.*?<\/strong><p class="item-error">is not a known member: did you mean digest\?/,
    'the reason stands under its line',
  );
  const broken = await textOf(await preview('apiVersion: [\nkind: <img src=x>\n'), 422);
  assert.match(broken, /Line \d+ of the document/);
  assert.doesNotMatch(broken, /<img/);
  for (const member of ['kind', 'metadata']) {
    const other = await textOf(
      await preview(document.replace(new RegExp(`^${member}:`, 'm'), `${member}s:`)),
      422,
    );
    assert.match(other, /SVC-VAL-001/, member);
  }
});

test('an empty document is asked for, and not called the wrong file', async () => {
  for (const [language, sentence] of [
    ['en', /No text was given\.\s+What to do\s+Write the document, or give its file/],
    ['fr', /Aucun texte n’a été donné\.\s+Que faire\s+Écrivez le document, ou donnez son fichier/],
  ] as const) {
    const answer = await operator.post(
      '/recipes/publish/preview',
      { document: '' },
      {
        page: '/recipes/publish',
        headers: { 'accept-language': language },
      },
    );
    const text = toPageText(await textOf(answer, 422));
    assert.match(text, sentence);
    assert.doesNotMatch(text, /another kind|correct document|autre genre/);
  }
});

test('what was previewed is published, with the digest to sign', async () => {
  const response = await post('/recipes/publish', {
    reference: 'zone-a.example/cookbook/shop:1.4.2',
    document,
  });
  const text = await textOf(response);
  assert.match(
    text,
    new RegExp(`svc recipe sign zone-a\\.example/cookbook/shop@${digest} --key release\\.key`),
  );
  assert.match(text, new RegExp(`--tlog-upload=false zone-a\\.example/cookbook/shop@${digest}`));
  assert.match(toPageText(text), /Published as zone-a\.example\/cookbook\/shop:1\.4\.2/);
  assert.doesNotMatch(text, /Publish as/);
  assert.equal(published[0]!.document.toString(), document);
  assert.equal(published[0]!.actor, 'olga');
  answer = () => ({
    reference: 'zone-a.example/cookbook/shop:1.4.2',
    digest,
    documentDigest: digest,
    unchanged: true,
  });
  const again = await post('/recipes/publish', { reference: 'zone-a.example/cookbook/shop:1.4.2', document });
  assert.match(await textOf(again), /published already with the same document/);
});

test('a file is published byte for byte, whatever ends its lines, and its digest is shown first', async () => {
  const bytes = Buffer.from(document.replaceAll('\n', '\r\n'));
  const send = async (path: string, fields: Record<string, string | Blob>): Promise<Response> => {
    const body = new FormData();
    body.set('csrf', await operator.tokenOf('/recipes/publish'));
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') body.set(name, value);
      else body.set(name, value, 'shop.yaml');
    const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
    return answer.status === 303 ? operator.get(answer.headers.get('location')!) : answer;
  };
  const shown = await textOf(
    await send('/recipes/publish/preview', { document: '', 'document-file': new Blob([bytes]) }),
  );
  assert.ok(shown.includes(hashBytes(bytes)), 'the digest of the file');
  assert.doesNotMatch(shown, /<textarea/);
  const [, exact = ''] = /name="document-base64" value="([^"]+)"/.exec(shown) ?? [];
  const reference = 'zone-a.example/cookbook/shop:1.4.2';
  answer = () => {
    throw svcError('SVC-POL-004', { reference, published: digest, candidate: digest });
  };
  const refused = await post('/recipes/publish', { reference, 'document-base64': exact, _previewed: 'true' });
  assert.equal(/name="document-base64" value="([^"]+)"/.exec(await refused.text())?.[1], exact);
  assert.deepEqual(published[0]!.document, bytes);
  const again = await textOf(await post('/recipes/publish/preview', { 'document-base64': exact }));
  assert.ok(again.includes(hashBytes(bytes)));
  const both = await post('/recipes/publish', { reference, document, 'document-base64': exact });
  assert.match(await both.text(), /SVC-VAL-001/);
  const broken = new Blob([Buffer.from([...bytes, 0xff])]);
  const unreadable = await send('/recipes/publish/preview', { 'document-file': broken });
  assert.match(await textOf(unreadable, 422), /SVC-VAL-001/);
});

test('a publication that is refused keeps reference and document', async () => {
  const reference = 'zone-a.example/cookbook/shop:1.4.2';
  answer = () => {
    throw svcError('SVC-POL-004', { reference, published: digest, candidate: digest });
  };
  const text = await (await post('/recipes/publish', { reference, document, _previewed: 'true' })).text();
  parseStrictHtml(text, 'refused');
  assert.match(text, /SVC-POL-004/);
  assert.match(text, /name="reference"[^>]*value="zone-a\.example\/cookbook\/shop:1\.4\.2"/);
  assert.match(text, /<textarea[^>]*name="document"[\s\S]*kind: Recipe/);
  const malformed = await textOf(
    await post('/recipes/publish', { reference: '', document, _previewed: 'true' }),
    422,
  );
  assert.match(malformed, /href="#field-reference"/);
  assert.doesNotMatch(malformed, /Line \d+ of the document/);
});

test('a document of megabytes is previewed, and a hostile one is text', async () => {
  const long = `${document}${'# a comment of eighty characters, which is repeated until the document is long.\n'.repeat(12_000)}`;
  assert.match(await textOf(await preview(long)), /name="reference"/);
  const hostile = document.replace('name: web', 'name: "<img src=x>\\u202e"');
  assert.notEqual(hostile, document);
  const text = await textOf(await preview(hostile), 422);
  assert.doesNotMatch(text, /<img|\u202e/);
  const french = await operator.get('/recipes/publish', { 'accept-language': 'fr' });
  assert.match(await french.text(), /Publier une recette/);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildAssets } from '../../../scripts/embed-assets.ts';
import { loadAssets } from '../../../server/ui/load-assets.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { contrast } from '../../kit/web/contrast.ts';
import { requestRaw } from '../../kit/web/request-raw.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const assetsFolder = join(root, 'server', 'ui', 'assets');
const theme = Buffer.from(':root { --zone-accent: #b42318; }');

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, ui: { themeOverride: theme } });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

test('every asset is served for a year under its hash, in each encoding, to anybody', async () => {
  const assets = await loadAssets();
  for (const name of ['app.css', 'app.js', 'icon.svg'] as const) {
    const path = assets.pathOf(name);
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['identity', (bytes: Buffer) => bytes],
    ] as const) {
      const { status, headers, body } = await requestRaw(`${server.url}${path}`, {
        'accept-encoding': encoding,
      });
      assert.equal(status, 200);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      assert.equal(headers.vary, 'accept-encoding');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.deepEqual(decode(body), assets.get(name)!.bytes);
    }
  }
  for (const path of ['/static/000000000000/app.css', `/static/${assets.hash}/other.css`, '/static/'])
    assert.equal((await requestRaw(`${server.url}${path}`)).status, 404, path);
});

test('a path below /static/ without a file is answered with a problem document, never with a page, signed in or not', async () => {
  const signedIn = openBrowserSession(server);
  await signedIn.signIn('admin', 'admin password');
  for (const session of [openBrowserSession(server), signedIn])
    for (const path of ['/static/', '/static/none.css', '/static//app.css']) {
      const answer = await session.get(path);
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type'), ((await answer.json()) as any).code],
        [404, 'application/problem+json', 'SVC-SRV-002'],
        path,
      );
    }
});

test('the style sheet of the operator comes after ours, and is asked for again each time', async () => {
  const page = await (await openBrowserSession(server).get('/login')).text();
  assert.ok(page.indexOf('/static/theme.css') > page.indexOf('/app.css'));
  const first = await requestRaw(`${server.url}/static/theme.css`);
  assert.equal(first.headers['cache-control'], 'no-cache');
  assert.deepEqual(first.body, theme);
  const again = await requestRaw(`${server.url}/static/theme.css`, { 'if-none-match': first.headers.etag! });
  assert.equal(again.status, 304);
});

test('what a first visit loads stays within its budget, as the package carries it', () => {
  const assets = buildAssets();
  const budgets = { 'app.css': 11, 'app.js': 20, 'icon.svg': 1 };
  for (const [name, kibibytes] of Object.entries(budgets)) {
    const { length } = brotliCompressSync(assets.get(name)!);
    assert.ok(length <= kibibytes * 1024, `${name}: ${length} bytes`);
  }
});

test('text and lines of every theme have the contrast that WCAG asks for', () => {
  const css = readFileSync(join(assetsFolder, 'tokens.css'), 'utf8');
  const blocks = [...css.matchAll(/(:root|\[data-theme="[a-z]+"\]) \{([^}]*light-dark[^}]*)\}/g)];
  assert.deepEqual(
    blocks.map(([, selector]) => selector),
    [':root', '[data-theme="contrast"]', '[data-theme="auto"]'],
  );
  const tokensOf = (block: string, at: 0 | 1): Map<string, string> =>
    new Map(
      [...block.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((found) => [
        found[1]!,
        found[at + 2]!,
      ]),
    );
  for (const [, selector, block] of blocks)
    for (const at of [0, 1] as const) {
      const tokens = tokensOf(block!, at);
      const least = selector === ':root' ? 4.5 : 7;
      const check = (one: string, two: string, minimum: number): void => {
        const ratio = contrast(tokens.get(one)!, tokens.get(two)!);
        assert.ok(
          ratio >= minimum,
          `${selector} ${at === 0 ? 'light' : 'dark'}: ${one} on ${two} is ${ratio.toFixed(2)}`,
        );
      };
      const grounds = ['page', 'raised', 'ok-ground', 'warn-ground', 'bad-ground', 'info-ground'];
      for (const ground of grounds) {
        for (const text of ['text', 'muted', 'link', 'ok', 'warn', 'bad']) check(text, ground, least);
        check('zone-accent', ground, 3);
        check('line', ground, ground === 'page' || ground === 'raised' ? 3 : 2.7);
      }
      check('on-link', 'link', least);
    }
  const [, contrastBlock, autoBlock] = blocks.map(([, , block]) => block!.replace(/\s+/g, ' '));
  assert.equal(autoBlock, contrastBlock, 'more contrast is one theme');
});

test('the scripts of the browser have no type errors', () => {
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', assetsFolder], { stdio: 'pipe' });
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../../kit/showcase/showcase.ts';
import { type BrowserSession, openBrowserSession } from '../../kit/web/browser-session.ts';

/** Bytes of a page, compressed, and rows of its tables. */
const mostBytes = 60 << 10;
const mostRows = 200;

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

test('no page that links lead to has more than its rows and bytes, at the largest size that may be asked for', async () => {
  const seen = new Set<string>();
  const waiting = ['/', '/content?pageSize=200', '/tasks?pageSize=200', '/recipes?pageSize=200'];
  for (const path of waiting) {
    if (seen.has(path) || seen.size > 150) continue;
    seen.add(path);
    const answer = await admin.get(path);
    if (answer.status !== 200 || !answer.headers.get('content-type')!.startsWith('text/html')) continue;
    const text = await answer.text();
    // a heading of a table is no entry, and neither is that of a group
    const rows = (text.match(/<tr>/g)?.length ?? 0) - (text.match(/<thead>/g)?.length ?? 0);
    const bytes = gzipSync(text).length;
    assert.ok(rows <= mostRows && bytes <= mostBytes, `${path}: ${rows} rows, ${bytes} bytes`);
    for (const [, link] of text.matchAll(/href="(\/(?!static|api\/)[^"#]*)/g))
      waiting.push(link!.replaceAll('&amp;', '&'));
  }
  assert.ok(seen.size > 60, `${seen.size} pages`);
});

test('a record of the history without details has one element for each thing that it shows', async () => {
  const text = await (await admin.get('/history?pageSize=200')).text();
  const rows = text.match(/<tr[ >](?:(?!<\/tr>)[\s\S])*<\/tr>/g) ?? [];
  const row = rows.find((one) => one.includes('<th scope="row"') && !one.includes('<dl')) ?? '';
  // six cells, the links of the time, the actor and the subject, and the state with its shape
  const found = [...row.matchAll(/<([a-z]+)/g)].map(([, name]) => name);
  assert.ok(found.length >= 7 && found.length <= 16, `${found.length} elements: ${found.join(' ')}`);
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser, openPage } from '../kit/web/browser.ts';

/** Milliseconds between two pieces of a page: several frames. */
const apart = 120;

/** Passes requests on to an instance, and cuts its pages where `cuts` begin. */
async function startSlowRelay(
  url: string,
  cuts: readonly string[],
): Promise<AsyncDisposable & { url: string }> {
  const relay = createServer(async (request, response) => {
    const answer = await fetch(`${url}${request.url}`, { headers: { accept: 'text/html,*/*' } });
    const { status, headers } = answer;
    const kept = [...headers].filter(
      ([name]) => !/^(?:content-(?:length|encoding)|connection|vary)$/.test(name),
    );
    response.writeHead(status, Object.fromEntries(kept));
    const text = await answer.text();
    let from = 0;
    for (const cut of cuts) {
      const at = text.indexOf(cut, from);
      if (at < 0) continue;
      response.write(text.slice(from, at));
      from = at;
      await pause(apart);
    }
    response.end(text.slice(from));
  });
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((done) => relay.close(() => done())),
  };
}

test('a page that arrives in pieces is painted as a whole: nothing of its header moves', async (context) => {
  await using browser = await openBrowser(context);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, authDisabled: true });
  await using relay = await startSlowRelay(server.url, [
    '<div class="header-tools">',
    '<details class="menu">',
    '<details class="menu">',
    '<nav class="nav"',
    '<main ',
    '<footer',
  ]);
  const opened = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { faults, page } = await openPage(opened, `${relay.url}/`);
  const { shift } = await faults('none');
  assert.equal(shift, 0);
  await page.close();
});

test('the help of an error is painted with its family open: nothing of its list moves', async (context) => {
  await using browser = await openBrowser(context);
  if (browser === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, authDisabled: true });
  const opened = await browser.newContext({ viewport: { width: 360, height: 800 } });
  await opened.route('**/app*.js', async (route) => {
    await pause(apart);
    await route.continue();
  });
  const { faults, page } = await openPage(opened, `${server.url}/help#SVC-MED-012`);
  const { shift } = await faults('none');
  assert.equal(shift, 0);
  await page.close();
});

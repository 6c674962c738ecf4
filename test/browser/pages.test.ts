import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser, openPage } from '../kit/web/browser.ts';

const password = 'a good password';

let folder: TempFolder;
let server: TestServer;
let browser: Browser | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
});
after(async () => {
  await browser?.close();
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.fill('#field-name', 'alice');
  await page.fill('#field-password', password);
  await Promise.all([page.waitForURL(`${server.url}/`), page.keyboard.press('Enter')]);
  await page.close();
}

test('without scripts a page shows nothing that needs them, and its forms work', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  const opened = await browser.newContext({ javaScriptEnabled: false });
  await signIn(opened);
  const page = await opened.newPage();
  await page.goto(`${server.url}/about`);
  for (const button of await page.locator('.copy, [data-pause]').all())
    assert.equal(await button.isVisible(), false);
  await page.locator('details.menu summary').first().click();
  await page.click('button[name="theme"][value="dark"]');
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await opened.close();
});

test('a live section that did not change is answered 304, and an ended session leads to the sign-in page', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  const opened = await browser.newContext();
  await signIn(opened);
  const { page } = await openPage(opened, `${server.url}/`);
  const section = page.locator('section[hx-trigger]').first();
  const answered = page.waitForResponse((response) => response.request().headers()['hx-request'] === 'true');
  // as the timer of htmx does it, without the wait
  await section.dispatchEvent('every');
  assert.equal((await answered).status(), 304);
  await opened.clearCookies({ name: 'svc_session' });
  await Promise.all([page.waitForURL(/\/login/), section.dispatchEvent('every')]);
  await opened.close();
});

test('the help opens the family of the code in the address, and finds codes by words', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  for (const javaScriptEnabled of [false, true]) {
    const opened = await browser.newContext({ javaScriptEnabled });
    await signIn(opened);
    const page = await opened.newPage();
    await page.goto(`${server.url}/help#SVC-MED-012`);
    const field = page.locator('#find-code');
    assert.equal(await field.isVisible(), javaScriptEnabled);
    if (javaScriptEnabled) {
      const current = page.locator('.help-index [aria-current]');
      assert.equal(await current.innerText(), 'SVC-MED-012');
      assert.ok(await current.isVisible());
      await page.locator('#family-STO > summary').click();
      await page.locator('#family-STO a').first().click();
      // the address changes a turn after the click
      await current.filter({ hasText: 'SVC-STO-001' }).waitFor();
      const shown = page.locator('.help-index li:visible');
      await field.fill('MEDIUM digest');
      assert.deepEqual(await shown.locator('a').allInnerTexts(), ['SVC-MED-012', 'SVC-MED-015']);
      await field.fill('no such thing');
      assert.equal(await shown.count(), 0);
      assert.match(await page.locator('.help-index').innerText(), /No code has these words/);
      await field.fill('');
      assert.ok(await current.isVisible());
      assert.ok((await shown.count()) < 40);
    }
    await opened.close();
  }
});

test('a button that copies says so beside itself, and to a screen reader, until it loses the focus', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  for (const width of [390, 1280]) {
    const opened = await browser.newContext({ viewport: { width, height: 800 } });
    await signIn(opened);
    const { page } = await openPage(opened, `${server.url}/recipes/compare`);
    await page.click('.terminal > summary');
    await page.evaluate('globalThis.layoutShift = 0');
    await page.locator('.copy:visible').first().click();
    const said = page.getByRole('status').filter({ hasText: 'Copied' });
    await said.waitFor();
    const box = (await said.boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= width && box.width > 50, JSON.stringify(box));
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    assert.equal(await page.evaluate('globalThis.layoutShift'), 0);
    await page.keyboard.press('Tab');
    assert.equal(await said.count(), 0);
    await opened.close();
  }
});

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { uiRoutes } from '../../server/ui/routes.ts';
import { isPage } from '../../server/ui/ui-route.ts';
import { openBrowser, openPage } from '../kit/browser.ts';
import { onPath } from '../kit/peers.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';
import { openTempFolder, type TempFolder } from '../kit/temp-folder.ts';

// SVC_SCREENSHOTS=<folder> keeps a picture of every page for review.
const pictures = process.env.SVC_SCREENSHOTS;
const password = 'a password';

/** Themes with the scheme of the system, and the widths in CSS pixels at which each is looked at. */
const views = [
  { name: 'auto light 1280 en', theme: 'auto', scheme: 'light', width: 1280, language: 'en' },
  { name: 'light dark 360 fr', theme: 'light', scheme: 'dark', width: 360, language: 'fr' },
  { name: 'dark light 1280 fr', theme: 'dark', scheme: 'light', width: 1280, language: 'fr' },
  { name: 'auto dark 360 en', theme: 'auto', scheme: 'dark', width: 360, language: 'en' },
  { name: 'contrast light 360 en', theme: 'contrast', scheme: 'light', width: 360, language: 'en' },
  { name: 'contrast dark 1280 en', theme: 'contrast', scheme: 'dark', width: 1280, language: 'en' },
] as const;

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

async function openContext(view: (typeof views)[number]): Promise<BrowserContext> {
  const context = await browser!.newContext({
    viewport: { width: view.width, height: 800 },
    colorScheme: view.scheme,
    locale: view.language,
  });
  await context.addCookies([{ name: 'svc_theme', value: view.theme, url: server.url }]);
  return context;
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.fill('#field-name', 'alice');
  await page.fill('#field-password', password);
  await Promise.all([page.waitForURL(`${server.url}/`), page.keyboard.press('Enter')]);
  await page.close();
}

/** Opens a page and fails on whatever it does wrong. */
async function inspect(context: BrowserContext, path: string, name: string): Promise<void> {
  const { page, faults } = await openPage(context, `${server.url}${path}`);
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    const file = `${name}${path.replaceAll('/', '_')}.png`.replaceAll(' ', '-');
    await page.screenshot({ path: join(pictures, file), fullPage: true });
  }
  const found = await faults();
  const { overflow, shift, ...lists } = found;
  assert.deepEqual(lists, { console: [], axe: [], small: [] }, `${path}, ${name}`);
  assert.ok(overflow <= 0, `${path}, ${name}: ${overflow} px wider than the window`);
  assert.ok(shift < 0.01, `${path}, ${name}: a layout shift of ${shift}`);
  await page.close();
}

// pages of one thing are inspected by the tests of that thing, which make one
const paths = uiRoutes.filter(isPage).flatMap(({ path }) => (path.includes('{') ? [] : [path]));

for (const view of views) {
  const { name } = view;
  test(`pages in Chromium, ${name}: no finding of axe, nothing on the console, no overflow, no shift`, async (context) => {
    browser ??= await openBrowser(context);
    if (browser === undefined) return;
    const opened = await openContext(view);
    await inspect(opened, '/login', name);
    await signIn(opened);
    for (const path of paths) {
      const answer = await opened.request.get(`${server.url}${path}`);
      // a state of its own, which a browser reports on its console
      if (answer.status() < 400 && path !== '/login') await inspect(opened, path, name);
    }
    await opened.close();
  });
}

test('without scripts a page shows nothing that needs them, and its forms work', async (context) => {
  if (onPath('chromium') === undefined) return context.skip('not run: needs chromium');
  browser ??= await openBrowser(context);
  const opened = await browser!.newContext({ javaScriptEnabled: false });
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
  if (onPath('chromium') === undefined) return context.skip('not run: needs chromium');
  browser ??= await openBrowser(context);
  const opened = await browser!.newContext();
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

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { eventually } from '../kit/instance/eventually.ts';
import { type HeldTask, holdTasks } from '../kit/instance/held-task.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser } from '../kit/web/browser.ts';
import { readFocus } from '../kit/web/move-focus.ts';
import { untilTitled } from '../kit/web/visitor.ts';

const password = 'a good password';
const held = holdTasks();
let folder: TempFolder;
let server: TestServer;
let browser: Browser | undefined;
let context: BrowserContext;
let task: HeldTask;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, run: held.run });
  await server.accounts.create({ name: 'alice', role: 'admin', password });
});
after(async () => {
  await browser?.close();
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** Opens the page of a running task, a tenth of which has arrived. */
async function openTask(t: Parameters<typeof openBrowser>[0]): Promise<Page | undefined> {
  if (browser === undefined) {
    browser = await openBrowser(t);
    if (browser === undefined) return undefined;
    context = await browser.newContext({ locale: 'en' });
    const login = await context.newPage();
    await signIn(login, '/login');
    await login.close();
  }
  task = await held.start(server.tasks);
  task.journal.setItems([{ name: 'shop/web', status: 'running', sizeBytes: 1000, transferredBytes: 0 }]);
  task.journal.setTotalBytes(1000);
  task.journal.addBytes(100);
  const page = await context.newPage();
  await page.goto(`${server.url}/tasks/${task.id}`);
  return page;
}

async function signIn(page: Page, path: string): Promise<void> {
  if (path !== '') await page.goto(`${server.url}${path}`);
  await page.fill('#field-name', 'alice');
  await page.fill('#field-password', password);
  await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
}

const percent = (page: Page, text: string) =>
  page.locator('#verdict .answer-what', { hasText: new RegExp(`^${text.replace(' ', '\\s')} · `) });
const until = (page: Page, text: string) => percent(page, text).waitFor();

const untilDone = (page: Page) =>
  page.locator('#verdict .stamp').getByText('done', { exact: true }).waitFor();

/** Ends the task, with nothing left undone. */
async function finish(): Promise<void> {
  await task.journal.updateItem('shop/web', { status: 'done' });
  task.finish();
}

/** Counts the requests of live sections of a page. */
function countPolls(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.headers()['hx-request'] === 'true') count += 1;
  });
  return () => count;
}

/** The end of a number of polls of another page: time passes as pages count it. */
async function passPolls(page: Page, wanted: number): Promise<void> {
  const polls = countPolls(page);
  await eventually('polls of another page', () => polls() >= wanted);
}

test('a section that changes keeps the focus, what is selected, and what is unfolded', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  await page.locator('.terminal summary').click();
  await page.locator('#state dd').first().click({ clickCount: 3 });
  const selected = () => page.evaluate('String(getSelection())');
  assert.match(String(await selected()), /retriever\.yaml/);
  await page.getByRole('button', { name: 'Cancel the task' }).focus();
  task.journal.addBytes(130);
  await until(page, '23 %');
  assert.match((await readFocus(page)).name, /Cancel the task/);
  assert.match(String(await selected()), /retriever\.yaml/);
  assert.equal(await page.locator('.terminal[open]').count(), 1);
  await untilTitled(page, /^23\s% · /);
  await finish();
  await untilDone(page);
  // each section ends with a look of its own: there is nothing left to pause
  await page.locator('[data-pause]').waitFor({ state: 'hidden' });
  assert.notEqual((await readFocus(page)).name, 'body', 'the focus is not lost with the button that had it');
  await page.close();
});

test('what is read out changes at each tenth and at the end, and at no other time', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  await page.evaluate(`
    globalThis.said = [];
    const out = document.querySelector('[data-status-out="verdict"]');
    new MutationObserver(() => said.push(out.textContent)).observe(out, { childList: true, characterData: true, subtree: true });
  `);
  for (const [bytes, shown] of [
    [20, '12 %'],
    [70, '19 %'],
    [20, '21 %'],
    [60, '27 %'],
    [80, '35 %'],
  ] as const) {
    task.journal.addBytes(bytes);
    await until(page, shown);
  }
  await finish();
  await untilDone(page);
  assert.deepEqual(await page.evaluate('said'), [
    'synchronization running, at least 20\u00a0%',
    'synchronization running, at least 30\u00a0%',
    'synchronization done',
  ]);
  await page.close();
});

test('a paused section asks for nothing and keeps its state until it is resumed', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  await page.getByRole('button', { name: 'Freeze this page' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  const polls = countPolls(page);
  task.journal.addBytes(400);
  await passPolls(other, 3);
  assert.equal(polls(), 0);
  assert.equal(await percent(page, '10 %').count(), 1);
  assert.match(await page.locator('.live-lost').innerText(), /^Frozen at \d\d:\d\d:\d\d UTC$/);
  await page.getByRole('button', { name: 'Update this page again' }).click();
  assert.equal(await page.locator('.live-lost').innerText(), '');
  await until(page, '50 %');
  await finish();
  for (const each of [page, other]) await each.close();
});

test('nothing moves where a page is frozen, or has no contact with the instance', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  const places = () =>
    page.evaluate(`[...document.querySelectorAll('main :is(h1, h2, .stamp, .button, .bar, dt, th)')]
      .filter((each) => each.checkVisibility() && !each.matches('[data-pause]'))
      .map((each) => { const { x, y } = each.getBoundingClientRect(); return [each.className, x, y].join(' '); })`);
  const lost = page.locator('.live-lost');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const before = await places();
    await page.getByRole('button', { name: 'Freeze this page' }).click();
    await lost.filter({ hasText: 'Frozen' }).waitFor();
    assert.deepEqual(await places(), before, `frozen at ${width}`);
    await page.getByRole('button', { name: 'Update this page again' }).click();
    await context.setOffline(true);
    await lost.filter({ hasText: 'No contact' }).waitFor();
    assert.deepEqual(await places(), before, `no contact at ${width}`);
    const stamp = page.locator('#verdict .stamp');
    const after = "getComputedStyle(document.querySelector('#verdict .stamp'), '::after').content";
    // an answer that was under way replaces the section once more
    await eventually('the time beside the stamp', async () =>
      /^"as of \d\d:\d\d:\d\d UTC, no contact"$/.test(String(await page.evaluate(after))),
    );
    assert.match(await lost.innerText(), /since \d\d:\d\d:\d\d UTC$/);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const [over, foot] = [(await lost.boundingBox())!, (await page.locator('.footer').boundingBox())!];
    assert.ok(foot.y + foot.height <= over.y, `${width}: the end of the page stays in sight`);
    await page.evaluate('scrollTo(0, 0)');
    const box = (await lost.boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= 800, `${width}: in sight`);
    await context.setOffline(false);
    // a transparent border would be drawn
    await page.emulateMedia({ forcedColors: 'active' });
    const border = "getComputedStyle(document.querySelector('[data-pause]')).borderTopWidth";
    assert.equal(await page.evaluate(border), '0px');
    await page.emulateMedia({ forcedColors: 'none' });
    await eventually('contact again', async () => (await lost.innerText()) === '');
    assert.equal(await stamp.getAttribute('data-as-of'), null);
  }
  await finish();
  await page.close();
});

test('a tab that is not in sight asks for nothing, and is up to date when it is looked at', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  const other = await context.newPage();
  await other.goto(page.url());
  // as the browser tells a page that is behind another one
  const tell = (isHidden: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
  await tell(true);
  const polls = countPolls(page);
  task.journal.addBytes(500);
  await passPolls(other, 3);
  assert.equal(polls(), 0);
  await tell(false);
  await until(page, '60 %');
  await finish();
  for (const each of [page, other]) await each.close();
});

test('a list that is asked for seldom is asked for at once when its tab comes into sight again', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  await finish();
  await untilDone(page);
  await page.goto(`${server.url}/tasks`);
  assert.equal(await page.locator('#list').getAttribute('hx-trigger'), 'every 15s');
  const asked = page.waitForRequest((request) => request.headers()['hx-request'] === 'true', {
    timeout: 10_000,
  });
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await asked;
  await page.close();
});

test('a session that ends leads to the sign-in page, and from there back to the task', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  const path = new URL(page.url()).pathname;
  await server.accounts.update('alice', { role: 'operator' });
  await page.waitForURL(/\/login\?/);
  await page.getByText('Your session has ended.').waitFor();
  await signIn(page, '');
  assert.equal(new URL(page.url()).pathname, path);
  task.journal.addBytes(100);
  await until(page, '20 %');
  await finish();
  await page.close();
});

test('twelve tabs stay up to date, and a thirteenth opens at once', async (t) => {
  const page = await openTask(t);
  if (page === undefined) return;
  const tabs = await Promise.all(Array.from({ length: 11 }, () => context.newPage()));
  await Promise.all(tabs.map((tab) => tab.goto(page.url())));
  task.journal.addBytes(400);
  await Promise.all([page, ...tabs].map((tab) => until(tab, '50 %')));
  const more = await context.newPage();
  await more.goto(`${server.url}/tasks`, { timeout: 5000 });
  await finish();
  await Promise.all([page, ...tabs].map((tab) => untilDone(tab)));
  for (const tab of [page, more, ...tabs]) await tab.close();
});

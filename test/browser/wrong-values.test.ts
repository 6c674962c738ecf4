import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../kit/instance/eventually.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { openShowcase, password, type Showcase } from '../kit/showcase/showcase.ts';
import { openBrowser } from '../kit/web/browser.ts';
import { type WrongValues, wrongValues } from '../kit/web/wrong-values.ts';

let folder: TempFolder;
let show: Showcase;
let browser: Browser | undefined;

before(async () => {
  folder = await openTempFolder();
  show = await openShowcase(folder.path);
});
after(async () => {
  await browser?.close();
  for (const item of [show, folder]) await item[Symbol.asyncDispose]();
});

async function signIn(page: Page): Promise<void> {
  await page.goto(`${show.server.url}/login`);
  await page.fill('#field-name', 'alice');
  await page.fill('#field-password', password);
  await Promise.all([page.waitForURL(`${show.server.url}/`), page.keyboard.press('Enter')]);
}

/** Sends a form of the page with values that the browser itself would not send. */
async function sendWrong(page: Page, { action, fields }: WrongValues): Promise<void> {
  const answered = page.waitForEvent('load');
  await page.evaluate(`(() => {
    const token = document.querySelector('form[method="post"] [name="csrf"]');
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: ${JSON.stringify(action)}, hidden: true });
    form.append(token.cloneNode());
    for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  })()`);
  await answered;
}

interface Shown {
  readonly top: number;
  readonly bottom: number;
  readonly isFocused: boolean;
  readonly links: readonly string[];
}

/** Position of the summary of the errors in the window. */
const look = (page: Page): Promise<Shown> =>
  page.evaluate<Shown>(`(() => {
    const summary = document.querySelector('main > .error, main .error[autofocus]');
    const what = [...summary.querySelectorAll('.error-what')];
    return {
      top: what[0].getBoundingClientRect().top,
      bottom: what.at(-1).getBoundingClientRect().bottom,
      isFocused: document.activeElement === summary,
      links: [...summary.querySelectorAll('.error-what a')].map((link) => link.hash),
    };
  })()`);

const withFields = wrongValues.filter(({ wrong, action }) => wrong.length > 0 && action !== '/login');

for (const [width, height, javaScriptEnabled] of [
  [1280, 800, true],
  [390, 844, false],
] as const)
  test(`at ${width}×${height} a refused form shows its error without scrolling, ${javaScriptEnabled ? 'with' : 'without'} scripts, and leads to the field`, async (context) => {
    browser ??= await openBrowser(context);
    if (browser === undefined) return;
    const opened = await browser.newContext({ viewport: { width, height }, locale: 'en', javaScriptEnabled });
    const page = await opened.newPage();
    await signIn(page);
    for (const one of withFields) {
      const name = `${one.action} ${Object.keys(one.fields)}`;
      await page.goto(`${show.server.url}${one.page}`);
      show.failure = one.failure;
      await sendWrong(page, one);
      show.failure = undefined;
      // the browser moves the focus after the page has loaded
      await eventually(`the focus of ${name}`, async () => (await look(page)).isFocused);
      const { top, bottom, links } = await look(page);
      assert.ok(top >= 0 && bottom <= height, `${name}: ${top}–${bottom}`);
      for (const hash of links) {
        await page.click(`.error-what a[href="${hash}"]`);
        const field = page.locator(hash);
        assert.ok(await field.isVisible(), `${name}: ${hash}`);
        const box = (await field.boundingBox())!;
        assert.ok(box.y < height && box.y + box.height > 0, `${name}: ${hash} at ${box.y}`);
        assert.equal(await page.evaluate('"#" + document.activeElement.id'), hash, name);
      }
    }
    await opened.close();
  });

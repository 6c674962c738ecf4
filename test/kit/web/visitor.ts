import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { eventually } from '../instance/eventually.ts';
import { adminPassword } from '../instance/instance.ts';
import { moveFocusTo } from './move-focus.ts';

export const ways = ['by mouse', 'by keyboard', 'without scripts'] as const;
/** How a visitor uses the web interface. */
export type Way = (typeof ways)[number];

/**
 * Ways in which a journey is made: all of them with SVC_BROWSER=full, else one.
 *
 * @param short the way of the short form; every way is that of some journeys
 */
export function waysOf(short: Way): readonly Way[] {
  return process.env.SVC_BROWSER === 'full' ? ways : [short];
}

/** A person in front of a page, finding things by the words that are shown, and using them in one way only. */
export interface Visitor extends AsyncDisposable {
  readonly way: Way;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Links, buttons and other controls that were activated so far. Sending a form from a field is one; typing is none. */
  readonly clicks: number;
  /** Opens an address of the instance, as typed into the browser. */
  open(path: string): Promise<void>;
  signIn(name?: string, password?: string): Promise<void>;
  /** Follows a link, and waits for the page that it leads to. */
  follow(name: string | RegExp, within?: Locator): Promise<void>;
  /** Presses a button that sends a form, and waits for the page that answers. */
  send(name: string | RegExp, within?: Locator): Promise<void>;
  /** Replaces the text of a field. */
  fill(label: string | RegExp, text: string, within?: Locator): Promise<void>;
  /** Sends the form of a field from that field, and waits for the page that answers. */
  enter(label: string | RegExp): Promise<void>;
  choose(label: string, option: string, within?: Locator): Promise<void>;
  tick(label: string | RegExp, within?: Locator): Promise<void>;
  /** Opens a `details`. */
  unfold(name: string | RegExp, within?: Locator): Promise<void>;
  /** Uses an element that does not lead to another page. */
  use(element: Locator): Promise<void>;
  /** Waits until something on the page says exactly this, or matches; over reloads, and as live sections change. */
  sees(text: string | RegExp, seconds?: number): Promise<void>;
  /** Waits until the title of the page matches; a live page changes it after its text. */
  titled(pattern: RegExp): Promise<void>;
  section(id: string): Locator;
  /** The text of an element as it is shown. */
  read(element: Locator): Promise<string>;
}

interface VisitorOptions {
  readonly browser: Browser;
  readonly url: string;
  readonly way: Way;
}

/** Milliseconds after which something that should be on a page is not. */
const patience = 30_000;
/** Text is put in at once rather than letter by letter where there is more of it. */
const typed = 60;

export async function openVisitor({ browser, url, way }: VisitorOptions): Promise<Visitor> {
  const context = await browser.newContext({
    javaScriptEnabled: way !== 'without scripts',
    locale: 'en',
    viewport: { width: 1280, height: 800 },
    ignoreHTTPSErrors: true,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const isKeyboard = way === 'by keyboard';

  let clicks = 0;
  const use = async (element: Locator, key = 'Enter'): Promise<void> => {
    clicks += 1;
    if (!isKeyboard) return element.click();
    await moveFocusTo(page, element);
    await page.keyboard.press(key);
  };
  const andArrive = async (act: () => Promise<void>): Promise<void> => {
    // an unusable control is reported before its consequences
    await Promise.all([page.waitForEvent('domcontentloaded', { timeout: 2 * patience }), act()]);
  };
  const onPage = (within?: Locator): Locator => within ?? page.locator('body');
  /** The visible field of a label. A narrow screen hides it, and has a link of that name. */
  const fieldOf = (label: string | RegExp, within?: Locator): Locator =>
    onPage(within).getByLabel(label, { exact: true }).filter({ visible: true });

  const visitor: Visitor = {
    way,
    context,
    page,
    get clicks() {
      return clicks;
    },
    open: async (path) => {
      await page.goto(`${url}${path}`, { waitUntil: 'domcontentloaded' });
    },
    signIn: async (name = 'admin', password = adminPassword) => {
      // an address may answer with the form of the sign-in page in place of its own
      if ((await page.locator('form[action="/login"]').count()) === 0) await visitor.open('/login');
      await visitor.fill('Name', name);
      await visitor.fill('Password', password);
      await visitor.send('Sign in');
    },
    follow: (name, within) =>
      andArrive(() => use(onPage(within).getByRole('link', { name, exact: true }).first())),
    send: (name, within) => andArrive(() => use(onPage(within).getByRole('button', { name, exact: true }))),
    fill: async (label, text, within) => {
      const field = fieldOf(label, within);
      if (!isKeyboard) return field.fill(text);
      await moveFocusTo(page, field);
      await page.keyboard.press('ControlOrMeta+A');
      if (text === '') await page.keyboard.press('Delete');
      else if (text.length > typed) await page.keyboard.insertText(text);
      else await page.keyboard.type(text);
    },
    enter: (label) => {
      clicks += 1;
      return andArrive(() => fieldOf(label).press('Enter'));
    },
    choose: async (label, option, within) => {
      const field = onPage(within).getByLabel(label, { exact: true });
      if (!isKeyboard) {
        await field.selectOption({ label: option });
        return;
      }
      await moveFocusTo(page, field);
      await page.keyboard.press('Home');
      const count = await field.locator('option').count();
      for (let i = 0; i < count && (await field.locator('option:checked').innerText()) !== option; i += 1)
        await page.keyboard.press('ArrowDown');
      assert.equal(await field.locator('option:checked').innerText(), option);
    },
    tick: async (label, within) => {
      const box = onPage(within).getByLabel(label, { exact: true });
      await use(box, 'Space');
      assert.equal(await box.isChecked(), true);
    },
    unfold: async (name, within) => {
      const summary = onPage(within).locator('summary').filter({ hasText: name }).first();
      await use(summary);
      await page.locator('details[open] > summary').filter({ hasText: name }).first().waitFor();
    },
    use: (element) => use(element),
    sees: async (text, seconds = 30) => {
      const found = page.locator('main').getByText(text, { exact: true }).filter({ visible: true });
      try {
        await found.first().waitFor({ timeout: seconds * 1000 });
      } catch (cause) {
        const shown = await visitor.read(page.locator('main'));
        throw new Error(`${page.url()} does not say ${text} within ${seconds} s; it says: ${shown}`, {
          cause,
        });
      }
    },
    titled: (pattern) => untilTitled(page, pattern),
    section: (id) => page.locator(`section#${id}`),
    read: async (element) => (await element.innerText()).replaceAll(/\s+/g, ' ').trim(),
    [Symbol.asyncDispose]: () => context.close(),
  };
  return visitor;
}

/** Waits until the title of a page matches; htmx changes it after the text of the page. */
export async function untilTitled(page: Page, pattern: RegExp): Promise<void> {
  await eventually(`the title ${pattern}`, async () => pattern.test(await page.title()));
}

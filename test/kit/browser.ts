import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { EntryType } from 'node:perf_hooks';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { needs } from './peers.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a page did that no page may do. */
export interface PageFaults {
  /** Errors and warnings of the console, violations of the policy among them. */
  readonly console: readonly string[];
  /** Findings of axe (WCAG 2.2 A and AA), each with the elements it is about. */
  readonly axe: readonly string[];
  /** CSS pixels by which the page is wider than its window. */
  readonly overflow: number;
  /** Rendered text smaller than 12 CSS pixels. */
  readonly small: readonly string[];
  /** Cumulative layout shift. */
  readonly shift: number;
}

export interface OpenedPage {
  readonly page: Page;
  /** Judges the page as it stands. */
  faults(): Promise<PageFaults>;
}

/** Starts the Chromium of the machine; where there is none the test is skipped by name, and must return. */
export async function openBrowser(context: Pick<TestContext, 'skip'>): Promise<Browser | undefined> {
  const program = needs(context, 'chromium');
  if (program === undefined) return undefined;
  return chromium.launch({
    executablePath: program,
    // a test machine has no kernel namespaces for the sandbox; only pages of the test are opened
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

/** Opens a page that records what it does wrong. */
export async function openPage(context: BrowserContext, url: string): Promise<OpenedPage> {
  const page = await context.newPage();
  const messages: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.addInitScript(() => {
    const state = globalThis as unknown as { layoutShift: number };
    state.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput)
          state.layoutShift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift' as EntryType, buffered: true });
  });
  await page.goto(url, { waitUntil: 'load' });
  return { page, faults: async () => ({ ...(await judge(page)), console: [...messages] }) };
}

async function judge(page: Page): Promise<Omit<PageFaults, 'console'>> {
  // through the debugging protocol: the policy of the page stays on
  const session = await page.context().newCDPSession(page);
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value as T;
  };
  const measured = await evaluate<Omit<PageFaults, 'console' | 'axe'>>(`(() => {
    const small = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      const element = walker.currentNode.parentElement;
      if (text === '' || element.getClientRects().length === 0) continue;
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (size < 12) small.push(size + ' px: ' + text.slice(0, 40));
    }
    const root = document.documentElement;
    return { small, overflow: root.scrollWidth - root.clientWidth, shift: globalThis.layoutShift };
  })()`);
  await evaluate(axe);
  const findings = await evaluate<string[]>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }).then(({ violations }) => violations.map(({ id, help, nodes }) =>
    id + ' (' + help + '): ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`);
  await session.detach();
  return { ...measured, axe: findings };
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { needs, onPath } from '../program/peers.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Faults of a page, which no page may have. */
export interface PageFaults {
  /** Errors and warnings of the console, violations of the policy among them. */
  readonly console: readonly string[];
  /** Findings of axe (WCAG 2.2 A and AA), each with the elements it is about. */
  readonly axe: readonly string[];
  /** CSS pixels by which the page is wider than its window. */
  readonly overflow: number;
  /** Rendered text smaller than 12 CSS pixels, or 13 in the type of code. */
  readonly small: readonly string[];
  /** Targets of a pointer below 24 × 24 CSS pixels (WCAG 2.5.8), but for links in a sentence. */
  readonly tiny: readonly string[];
  /** Cumulative layout shift. */
  readonly shift: number;
  /** Requests to another host than that of the page. */
  readonly foreign: readonly string[];
}

/** How a page is looked at. */
export interface Look {
  /** As the cookie `svc_theme` has it. */
  readonly theme: string;
  /** The preference of the system. */
  readonly scheme: 'light' | 'dark';
  /** CSS pixels. */
  readonly width: number;
}

/** Rules of axe that the colours of a theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block'];

interface LoadOptions {
  /** Status of an error that the page is to show. */
  readonly expected?: number;
  readonly look?: Look;
}

export interface OpenedPage {
  readonly page: Page;
  /** Loads another address; the faults are those since then. */
  load(url: string, options?: LoadOptions): Promise<void>;
  /** Judges the page as it stands. @param rules of axe; default: all of WCAG 2.2 A and AA, and of its best practice */
  faults(rules?: 'colours' | 'none'): Promise<PageFaults>;
  /** Shows the page in another theme and width, without loading it again. */
  restyle(look: Partial<Look>): Promise<void>;
}

/** Counts layout shifts and violations of the policy from the beginning of a page. */
const watch = `
  globalThis.layoutShift = 0;
  globalThis.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    violations.push(violatedDirective + ' ' + blockedURI));
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/**
 * Starts the Chromium of the machine; where there is none the test is skipped by name, and must return. Its build without
 * windows shows the same pages in a third of the processor time.
 */
export async function openBrowser(context: Pick<TestContext, 'skip'>): Promise<Browser | undefined> {
  const program = onPath('chromium-headless-shell') ?? needs(context, 'chromium');
  if (program === undefined) return undefined;
  return chromium.launch({
    executablePath: program,
    // a test machine has no kernel namespaces for the sandbox; only pages of the test are opened
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

/** Opens a page and records its faults. A browser takes longer to open a page than to load another address in it. */
export async function openPage(
  context: BrowserContext,
  url: string,
  options: LoadOptions = {},
): Promise<OpenedPage> {
  const page = await context.newPage();
  let messages: string[] = [];
  let foreign: string[] = [];
  let origin = '';
  let expected: number | undefined;
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // a browser reports the status of a page itself
    if (expected !== undefined && message.text().includes(`status of ${expected}`)) return;
    messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.addInitScript({ content: watch });
  const session = await context.newCDPSession(page);
  const opened: OpenedPage = {
    page,
    load: async (address, { look, ...more } = {}) => {
      if (look !== undefined)
        await restyle(page, { width: look.width, scheme: look.scheme, theme: undefined });
      [messages, foreign, origin, expected] = [[], [], new URL(address).origin, more.expected];
      // an address that differs in its fragment alone would not be loaded again
      if (address.includes('#')) await page.goto('about:blank');
      await page.goto(address, { waitUntil: 'load' });
    },
    faults: async (rules) => {
      const { violations, ...measured } = await judge(session, rules);
      return { ...measured, console: [...messages, ...violations], foreign: [...foreign] };
    },
    restyle: ({ theme, scheme, width }) => restyle(page, { theme, scheme, width }),
  };
  await opened.load(url, options);
  return opened;
}

async function restyle(
  page: Page,
  { theme, scheme, width }: { readonly [name in keyof Look]: Look[name] | undefined },
): Promise<void> {
  if (width !== undefined) await page.setViewportSize({ width, height: 800 });
  if (scheme !== undefined) await page.emulateMedia({ colorScheme: scheme });
  if (theme !== undefined)
    await page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
}

type Judged = Omit<PageFaults, 'console' | 'foreign'> & { readonly violations: readonly string[] };

/** @param session with the debugging protocol: the policy of the page stays on */
async function judge(session: CDPSession, rules?: 'colours' | 'none'): Promise<Judged> {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value as T;
  };
  const measured = await evaluate<Omit<Judged, 'axe'>>(`(() => {
    const small = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      const element = walker.currentNode.parentElement;
      if (text === '' || element.getClientRects().length === 0) continue;
      const { fontSize, fontFamily } = getComputedStyle(element);
      const size = parseFloat(fontSize);
      if (size < (/mono/i.test(fontFamily) ? 13 : 12)) small.push(size + ' px: ' + text.slice(0, 40));
    }
    const isLarge = (each) => {
      const { width, height } = each.getBoundingClientRect();
      return width >= 24 && height >= 24;
    };
    const isInSentence = (each) => {
      let block = each.parentElement;
      while (/^(?:inline|contents)$/.test(getComputedStyle(block).display)) block = block.parentElement;
      return getComputedStyle(each).display === 'inline' && block.textContent.trim() !== each.textContent.trim();
    };
    const tiny = [...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.visually-hidden, .skip'))
      .filter((each) => ![each, ...(each.labels ?? [])].some(isLarge) && !isInSentence(each))
      .map((each) => each.outerHTML.slice(0, 120));
    const root = document.documentElement;
    const { layoutShift: shift, violations } = globalThis;
    return { small, tiny, overflow: root.scrollWidth - root.clientWidth, shift, violations };
  })()`);
  if (rules === 'none') return { ...measured, axe: [] };
  if (!(await evaluate<boolean>('globalThis.axe !== undefined'))) await evaluate(axe);
  const only =
    rules === 'colours'
      ? colourRules
      : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const findings = await evaluate<string[]>(`axe.run(document, {
    runOnly: ${JSON.stringify(only)},
  }).then(({ violations }) => violations.map(({ id, help, nodes }) =>
    id + ' (' + help + '): ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`);
  return { ...measured, axe: findings };
}

import type { ElementHandle, Locator, Page } from 'playwright-core';

/** Tab stops after which a page has no way to the target. */
const mostStops = 150;

/** Where the focus is. */
export interface FocusStop {
  /** Its start tag, as it begins; `body` where nothing has the focus. */
  readonly name: string;
  /** Whether it is the element that is looked for. */
  readonly isWanted: boolean;
  /** The complaint of a user without a mouse about the visibility of the focus. */
  readonly fault: string | undefined;
  /** Its place in the order of the document. */
  readonly place: number;
}

/**
 * Looks at the element that has the focus; runs in the page. The ring is an outline of the element, and nothing may lie
 * over its middle (WCAG 2.2, 2.4.7 and 2.4.11).
 */
function lookAtFocus(wanted: unknown): FocusStop {
  // the types of a browser are not those of this program
  const { document, innerHeight, getComputedStyle } = globalThis as any;
  const focused = document.activeElement;
  if (focused === document.body) return { name: 'body', isWanted: false, fault: undefined, place: -1 };
  const name = focused.outerHTML.slice(0, 140);
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const { x, y, width, height } = focused.getBoundingClientRect();
  const middle = Math.max(y, 0) + (Math.min(y + height, innerHeight) - Math.max(y, 0)) / 2;
  const over = document.elementFromPoint(x + width / 2, middle);
  const isCovered = over === null || (!focused.contains(over) && !over.contains(focused));
  const fault =
    width === 0
      ? 'the focus is on something that is not shown'
      : outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2
        ? 'the focus cannot be seen'
        : isCovered
          ? `the focus is covered by ${over?.outerHTML.slice(0, 140) ?? 'the edge of the window'}`
          : undefined;
  const place = [...document.querySelectorAll('*')].indexOf(focused);
  return { name, isWanted: focused === wanted, fault, place };
}

/** Looks at the element that has the focus, and whether it is the one that is wanted. */
export async function readFocus(page: Page, wanted?: ElementHandle): Promise<FocusStop> {
  return page.evaluate(lookAtFocus, wanted ?? null);
}

/**
 * Moves the focus to an element by the key Tab, past the navigation by the link that is there for it.
 *
 * @throws when Tab does not lead there, or when the focus cannot be seen on the way
 */
export async function moveFocusTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  const wanted = (await element.elementHandle())!;
  const isInMain = await wanted.evaluate((each: any) => each.closest('main') !== null);
  const passed: string[] = [];
  for (let i = 0; i <= mostStops; i += 1) {
    const { isWanted, fault, name } = await readFocus(page, wanted);
    if (fault !== undefined) throw new Error(`${page.url()}: ${fault}: ${name}`);
    if (isWanted) return;
    passed.push(name);
    const isSkip = isInMain && name.includes('class="skip"');
    await page.keyboard.press(isSkip ? 'Enter' : 'Tab');
    if (isSkip) await page.keyboard.press('Tab');
  }
  throw new Error(`${page.url()}: Tab does not lead to ${element}; it led to\n${passed.join('\n')}`);
}

import { escapeHtml } from '../../src/text/escape-html.ts';
import { removeMarks, splitIsolated } from '../../src/text/words/isolate.ts';
import { checkAttribute, findSlots, linkAttributes, type Slot } from './template-slots.ts';
import { toHref } from './to-href.ts';

/** Markup of which every value is escaped. Made by `html`, `attr`, `rawHtml` and `tokenField` only. */
export class Html {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  readonly slots: readonly Slot[];

  constructor(strings: readonly string[], values: readonly unknown[], slots: readonly Slot[]) {
    this.strings = strings;
    this.values = values;
    this.slots = slots;
  }
}

/** An attribute as a whole, which may be absent. */
class Attribute {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | Attribute | readonly (string | number | Html)[];

function checkValue(value: unknown, slot: Slot): void {
  if (Array.isArray(value)) {
    if (slot.place !== 'text') throw new TypeError('a list stands in text only');
    for (const item of value) checkValue(item, slot);
    return;
  }
  if (value instanceof Attribute) {
    if (slot.place !== 'tag') throw new TypeError('an attribute stands in a tag only');
    return;
  }
  if (slot.place === 'tag') throw new TypeError('only attr() stands in a tag');
  if (value instanceof Html) {
    if (slot.place !== 'text') throw new TypeError('markup stands in text only');
    return;
  }
  if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)))
    throw new TypeError(`${value === null ? 'null' : typeof value} does not stand in a page`);
  if (slot.place === 'attribute' && slot.isLink && slot.isFirst) toHref(String(value));
}

const analysed = new WeakMap<TemplateStringsArray, readonly Slot[]>();

/**
 * Makes markup. Values are strings, numbers, markup, and lists of these; in a tag, the results of `attr`. Each call site
 * is analysed once.
 *
 * @throws TypeError when a value is not allowed in its place: `undefined`, `null`, booleans and objects are allowed
 *   nowhere. No value is allowed in a name, an unquoted value, a comment, a script or a style. A link leads to a path of
 *   this instance
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let slots = analysed.get(strings);
  if (slots === undefined) {
    slots = findSlots(strings);
    analysed.set(strings, slots);
  }
  for (let i = 0; i < values.length; i += 1) checkValue(values[i], slots[i]!);
  return new Html(strings, values, slots);
}

/**
 * Makes an attribute for a place between attributes: `<input ${attr('checked', isOn)}>`.
 *
 * @param value `true` for the bare name; `undefined` and `false` for no attribute
 */
export function attr(name: string, value: string | number | boolean | undefined): Attribute {
  if (!/^[a-z][a-z-]*$/.test(name)) throw new TypeError(`${name} is not the name of an attribute`);
  checkAttribute(name);
  if (value === undefined || value === false) return new Attribute('');
  if (value === true) return new Attribute(name);
  if (linkAttributes.has(name)) toHref(String(value));
  return new Attribute(`${name}="${escapeHtml(removeMarks(String(value)))}"`);
}

/** Markup that is not escaped. Only for constants of the program: the shapes of icons. */
export function rawHtml(markup: string): Html {
  return new Html([markup], [], []);
}

/** Marks the place of a form token, which differs in each copy and is filled in last. Escaping never lets it through. */
export const tokenMark = '\0token\0';

/** The hidden field of every form. */
export const tokenField: Html = rawHtml(`<input type="hidden" name="csrf" value="${tokenMark}">`);

/** Marks the place of markup that is rendered already and is put in last. */
export const fixedMark = '\0fixed\0';
export const fixedPlace: Html = rawHtml(fixedMark);

const noChange = (text: string): string => text;

type Conceal = (text: string) => string;

/** Whether a text has a run of characters at which no browser breaks a line, too long for a column beside others. */
export const isLong = (text: string): boolean => /[^\s/-]{33}/.test(text);

/** Whether a value of a sentence is a digest, a path, a reference or an address: it is shown in the type of code. */
export const isIdentifier = (text: string): boolean =>
  !/\s/.test(text) && /\/|^sha256:|[0-9a-f]{40}|[.\d]:\d{2,5}$/.test(text);

/** Renders a text. Marked foreign texts in it cannot change the direction of the text beside them. */
function renderText(text: string, conceal: Conceal, isPlain: boolean): string {
  if (isPlain) return escapeHtml(conceal(removeMarks(text)));
  return splitIsolated(text)
    .map((part, index) => {
      const shown = part === '' ? '' : escapeHtml(conceal(part));
      if (index % 2 === 0) return shown;
      const kinds = [isIdentifier(shown) ? 'id' : '', isLong(part) ? 'long' : ''].join(' ').trim();
      return `<bdi translate="no"${kinds === '' ? '' : ` class="${kinds}"`}>${shown}</bdi>`;
    })
    .join('');
}

function renderValue(value: unknown, conceal: Conceal, isPlain: boolean): string {
  if (value instanceof Html) return render(value, conceal, isPlain);
  if (value instanceof Attribute) return value.text;
  if (Array.isArray(value)) return value.map((item) => renderValue(item, conceal, isPlain)).join('');
  return renderText(String(value), conceal, isPlain);
}

/**
 * Renders markup.
 *
 * @param conceal hides names from the reader; applied to texts, and to values of attributes that are not links
 */
export function renderHtml(markup: Html, conceal: Conceal = noChange): string {
  return render(markup, conceal, false);
}

/** Renders markup, and returns the text besides as markup which is not rendered again. */
export function renderOnce(markup: Html, conceal?: Conceal): { readonly text: string; readonly html: Html } {
  const text = renderHtml(markup, conceal);
  return { text, html: rawHtml(text) };
}

function render(markup: Html, conceal: Conceal, isInPlain: boolean): string {
  const { strings, values, slots } = markup;
  let text = strings[0]!;
  for (let i = 0; i < values.length; i += 1) {
    const slot = slots[i]!;
    const isLink = slot.place === 'attribute' && slot.isLink;
    const isPlain = isInPlain || slot.place !== 'text' || slot.isPlain;
    const value = renderValue(values[i], isLink ? noChange : conceal, isPlain);
    // an attribute that is absent takes its space with it
    const kept = slot.place === 'tag' && value === '' ? text.trimEnd() : text;
    text = kept + value + strings[i + 1]!;
  }
  return text;
}

/** Where a value of a template stands: in text, in a tag between attributes, or in the value of an attribute. */
export type Slot =
  | {
      readonly place: 'text';
      /** The element around it holds nothing but text. */
      readonly isPlain: boolean;
    }
  | { readonly place: 'tag' }
  | {
      readonly place: 'attribute';
      /** The attribute leads somewhere. */
      readonly isLink: boolean;
      /** The value stands at the beginning of that of the attribute. */
      readonly isFirst: boolean;
    };

/** Attributes that lead somewhere: a value at their beginning must be a path of ours. */
export const linkAttributes: ReadonlySet<string> = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'hx-get',
  'hx-post',
  'hx-push-url',
]);
/** Elements in which a tag would be shown as text, or left out (HTML, "escapable raw text elements" and `option`). */
const plainElements: ReadonlySet<string> = new Set(['title', 'textarea', 'option']);

/** Attributes of htmx that the interface uses. Others run code, or are not needed. */
const allowedHtmx: ReadonlySet<string> = new Set([
  'hx-get',
  'hx-post',
  'hx-trigger',
  'hx-morph-skip',
  'hx-swap',
  'hx-target',
  'hx-ptag',
  'hx-push-url',
  'hx-sync',
  'hx-config',
]);

/**
 * @throws TypeError for an attribute that the policy of pages blocks (`style`, `on…`) or that no page may use
 */
export function checkAttribute(name: string): void {
  if (name === 'style' || /^on[a-z]/.test(name))
    throw new TypeError(`the policy blocks the attribute ${name}`);
  if (/^(?:data-)?hx-/.test(name) && !allowedHtmx.has(name))
    throw new TypeError(`the attribute ${name} is not in use`);
}

/** Where a scanner of HTML is. */
interface Place {
  readonly in: 'text' | 'tag' | 'value' | 'comment';
  /** The element whose start tag was the last one; empty after an end tag. */
  readonly element: string;
  readonly attribute: string;
  /** Nothing of the value of the attribute has been seen yet. */
  readonly isFirst: boolean;
}

function refuse(why: string, text: string): never {
  throw new TypeError(`${why}: …${text.slice(-60)}`);
}

/** One step of the scanner: the next place, and how many characters lead there; undefined when the text ends before. */
function step(place: Place, rest: string): readonly [next: Place, length: number] | undefined {
  switch (place.in) {
    case 'text': {
      const open = rest.indexOf('<');
      if (open < 0) return undefined;
      if (rest.startsWith('<!--', open)) return [{ ...place, in: 'comment' }, open + 4];
      const tag = /^<(?:!doctype|\/?([a-z][a-z0-9-]*))/.exec(rest.slice(open));
      if (tag === null) return refuse('a stray <, or a name in upper case', rest.slice(0, open + 20));
      const element = tag[0].startsWith('</') ? '' : (tag[1] ?? '');
      return [{ ...place, in: 'tag', element }, open + tag[0].length];
    }
    case 'comment': {
      const end = rest.indexOf('-->');
      return end < 0 ? undefined : [{ ...place, in: 'text' }, end + 3];
    }
    case 'value': {
      const end = rest.indexOf('"');
      return end < 0 ? undefined : [{ ...place, in: 'tag' }, end + 1];
    }
    default: {
      const space = /^\s+/.exec(rest);
      if (space !== null) return [place, space[0].length];
      const end = /^\/?>/.exec(rest);
      if (end !== null) return [{ ...place, in: 'text' }, end[0].length];
      const found = /^([a-zA-Z][a-zA-Z0-9:_-]*)(="|(?=[\s>/]|$))/.exec(rest);
      if (found === null) return refuse('an attribute must be a name with a double-quoted value', rest);
      const attribute = found[1]!.toLowerCase();
      checkAttribute(attribute);
      const into = found[2] === '="' ? 'value' : 'tag';
      return [{ ...place, in: into, attribute, isFirst: true }, found[0].length];
    }
  }
}

/** Scans one string of a template. */
function scan(start: Place, text: string): Place {
  let place = start;
  let at = 0;
  while (at < text.length) {
    const next = step(place, text.slice(at));
    if (next === undefined) return { ...place, isFirst: false };
    place = next[0];
    at += next[1];
  }
  return place;
}

function toSlot(place: Place, text: string): Slot {
  switch (place.in) {
    case 'comment':
      return refuse('a value in a comment', text);
    case 'tag':
      return /\s$/.test(text) ? { place: 'tag' } : refuse('a value in a name', text);
    case 'value':
      return { place: 'attribute', isLink: linkAttributes.has(place.attribute), isFirst: place.isFirst };
    default:
      if (place.element === 'script' || place.element === 'style')
        return refuse(`a value in a ${place.element}`, text);
      return { place: 'text', isPlain: plainElements.has(place.element) };
  }
}

/**
 * Finds out where the values of a template stand, by the place of a small HTML scanner after each of its strings.
 *
 * @throws TypeError when one stands where no escaping is safe: a name, an unquoted value, a comment, a script, a style
 */
export function findSlots(strings: readonly string[]): readonly Slot[] {
  let place: Place = { in: 'text', element: '', attribute: '', isFirst: false };
  const slots: Slot[] = [];
  for (const text of strings.slice(0, -1)) {
    place = scan(place, text);
    slots.push(toSlot(place, text));
    place = { ...place, isFirst: false };
  }
  const last = strings.at(-1) ?? '';
  if (scan(place, last).in !== 'text') return refuse('a tag does not end', last);
  return slots;
}

import assert from 'node:assert/strict';

const empty = new Set(['meta', 'link', 'input', 'br', 'hr', 'img', 'path', 'circle', 'rect', 'wbr']);
/** Elements that end an open paragraph, so that its end tag would be one too many. */
const blocks = new Set([
  ...[
    'div',
    'section',
    'article',
    'aside',
    'nav',
    'header',
    'footer',
    'main',
    'form',
    'table',
    'ul',
    'ol',
    'dl',
    'p',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'pre', 'details', 'figure'],
]);
/** In these, a text cannot change the direction of the text beside them; or no other element can stand there. */
const apart = new Set(['bdi', 'code', 'pre', 'title', 'option', 'textarea']);
const references = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls'];

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** The facts on a page that tests use. */
export interface ParsedPage {
  readonly elements: readonly Element[];
  /** Text without tags, and without the content of `code` and `pre`. */
  readonly prose: string;
  /** Pieces of text that stand neither apart from the sentence around them (`bdi`, `code`) nor where only text can stand. */
  readonly beside: readonly string[];
}

/**
 * Parses a page that is written for machines too. Every tag is closed, every value is double-quoted, identifiers are
 * unique and referred to, headings do not skip a level. Fails at the first thing that a browser would have to repair.
 */
export function parseStrictHtml(markup: string, name: string): ParsedPage {
  const open: string[] = [];
  const elements: Element[] = [];
  const beside: string[] = [];
  let prose = '';
  let at = 0;
  const fail = (why: string): never =>
    assert.fail(`${name}: ${why}: …${markup.slice(Math.max(0, at - 80), at + 40)}…`);
  while (at < markup.length) {
    if (markup[at] !== '<') {
      const end = markup.indexOf('<', at);
      const piece = markup.slice(at, end < 0 ? undefined : end);
      const stray = /&(?!(?:amp|lt|gt|quot|#39);)|>/.exec(piece);
      if (stray !== null) fail(`a stray ${stray[0]}`);
      if (!open.some((tag) => tag === 'code' || tag === 'pre')) prose += piece;
      if (!open.some((tag) => apart.has(tag))) beside.push(piece);
      at += piece.length;
      continue;
    }
    const doctype = /^<!doctype html>/.exec(markup.slice(at));
    if (doctype !== null) {
      at += doctype[0].length;
      continue;
    }
    const end = /^<\/([a-z][a-z0-9]*)>/.exec(markup.slice(at));
    if (end !== null) {
      if (open.pop() !== end[1]) fail(`an end tag of ${end[1]} that ends nothing`);
      at += end[0].length;
      continue;
    }
    const start = /^<([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w:-]*(?:="[^"]*")?)*)\s*(\/?)>/.exec(markup.slice(at));
    if (start === null) return fail('no tag');
    const [whole, tag, list, slash] = start as unknown as [string, string, string, string];
    const attributes = new Map<string, string>();
    for (const [, key, value = ''] of list.matchAll(/([a-zA-Z][\w:-]*)(?:="([^"]*)")?/g)) {
      if (attributes.has(key!)) fail(`${key} is given twice`);
      if (/[<]|&(?!(?:amp|lt|gt|quot|#39);)/.test(value)) fail(`${key} is not escaped`);
      attributes.set(key!, value);
    }
    if (blocks.has(tag) && open.includes('p')) fail(`${tag} in a paragraph`);
    if (['a', 'button', 'form'].includes(tag) && open.includes(tag)) fail(`${tag} in ${tag}`);
    if (tag === 'button' && open.includes('a')) fail('a button in a link');
    elements.push({ name: tag, attributes });
    at += whole.length;
    if (!empty.has(tag) && slash === '') open.push(tag);
  }
  if (open.length > 0) fail(`not closed: ${open.join(' ')}`);
  checkTree(elements, name);
  return { elements, prose, beside };
}

function checkTree(elements: readonly Element[], name: string): void {
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
    `${name}: identifiers are unique`,
  );
  const known = new Set(ids);
  for (const { name: tag, attributes } of elements) {
    for (const reference of references)
      for (const id of (attributes.get(reference) ?? '').split(/\s+/))
        if (id !== '') assert.ok(known.has(id), `${name}: ${tag} ${reference}=${id} leads nowhere`);
    const link = attributes.get('href');
    if (link?.startsWith('#')) assert.ok(known.has(link.slice(1)), `${name}: ${link} leads nowhere`);
  }
  const levels = elements.flatMap(({ name: tag }) => (/^h[1-6]$/.test(tag) ? [Number(tag[1])] : []));
  // a section that is polled has no heading of its page
  const isPage = elements.some(({ name: tag }) => tag === 'html');
  if (levels.length === 0 || !isPage) return;
  assert.equal(levels.filter((level) => level === 1).length, 1, `${name}: one h1`);
  levels.forEach((level, index) => {
    assert.ok(
      index === 0 ? level === 1 : level <= levels[index - 1]! + 1,
      `${name}: h${level} skips a level`,
    );
  });
}

/** The next page according to a `Link` field (RFC 8288). */
export type NextLink =
  /** Its target, not resolved. */
  | { readonly kind: 'next'; readonly target: string }
  /** It names none: this page is the last one. */
  | { readonly kind: 'none' }
  /** It cannot be read: there may be another page. */
  | { readonly kind: 'unusable' };

const longest = 16_384;

/** A parameter (RFC 8288, section 3). Its parts begin with other characters, so that a long field is read in one go. */
const param = String.raw`\s*;\s*([^\s=;,<>"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,<>"]+)))?`;
const paramForm = new RegExp(param, 'g');
/** A link with its separator from the following one. */
const linkForm = new RegExp(
  String.raw`[\s,]*<([^<>]*)>((?:${param.replaceAll(/\((?!\?)/g, '(?:')})*)\s*(?:,|$)`,
  'y',
);

/**
 * Reads a `Link` field link by link, until the one with `rel="next"`. A link that breaks the form, or has no relation, may
 * have been that one.
 */
export function parseNextLink(field: string | undefined): NextLink {
  if (field === undefined || /^[\s,]*$/.test(field)) return { kind: 'none' };
  if (field.length > longest) return { kind: 'unusable' };
  let at = 0;
  while (/[^\s,]/.test(field.slice(at))) {
    linkForm.lastIndex = at;
    const [whole, target = '', params = ''] = linkForm.exec(field) ?? [];
    const relations = toRelations(params);
    if (whole === undefined || relations === undefined) return { kind: 'unusable' };
    if (relations.includes('next')) return { kind: 'next', target };
    at += whole.length;
  }
  return { kind: 'none' };
}

/** The relations of a link, in lower case. @returns undefined when it has none */
function toRelations(params: string): readonly string[] | undefined {
  for (const [, name = '', quoted, plain = ''] of params.matchAll(paramForm))
    if (name.toLowerCase() === 'rel') {
      const relations = (quoted ?? plain)
        .toLowerCase()
        .split(/\s+/)
        .filter((one) => one !== '');
      return relations.length === 0 ? undefined : relations;
    }
  return undefined;
}

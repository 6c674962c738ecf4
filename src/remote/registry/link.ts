/** The target of `rel="next"` in a `Link` field (RFC 8288), not resolved; undefined when there is none. */
export function parseNextLink(field: string | undefined): string | undefined {
  if (field === undefined || field.length > 16_384) return undefined;
  let at = 0;
  while (at < field.length) {
    const open = field.indexOf('<', at);
    if (open < 0) return undefined;
    const close = field.indexOf('>', open);
    if (close < 0) return undefined;
    const following = field.indexOf('<', close);
    const params = field.slice(close + 1, following < 0 ? undefined : following);
    for (const param of params.split(/[;,]/)) {
      const [name = '', value = ''] = param.split('=', 2);
      const relations = value.trim().replace(/^"|"$/g, '').toLowerCase().split(' ');
      if (name.trim().toLowerCase() === 'rel' && relations.includes('next'))
        return field.slice(open + 1, close);
    }
    at = following < 0 ? field.length : following;
  }
  return undefined;
}

/**
 * Returns a link target: a path of this instance, a place of the same page, or the same page with another query.
 *
 * @throws TypeError for anything else: `//host`, `https:`, `javascript:`, a backslash, a control character
 */
export function toHref(target: string): string {
  if (!isLocal(target)) throw new TypeError(`${target.slice(0, 60)} is not a path of this instance`);
  return target;
}

/** Whether a browser would stay on this instance: one leading slash (RFC 3986, section 4.2), `?`, `#` or nothing. */
export function isLocal(target: string): boolean {
  return /^(?:$|[?#]|\/(?![/\\]))/.test(target) && !/[\\\x00-\x20\x7f]/.test(target);
}

/** A path as a header may have it: characters other than printable ASCII are encoded (RFC 3986, section 2.1). */
export function encodeLocation(target: string): string {
  return target.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent);
}

/**
 * Makes a path with its parameters and query encoded. Slashes of `{repo}` stay; `{file}` is encoded already.
 *
 * @param path with parameters in braces: `/content/{repo}/-/tags/{tag}`
 * @param query members that are undefined or empty are left out
 */
export function toPath(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | readonly string[] | undefined>> = {},
): string {
  const filled = path.replace(/\{([a-z]+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path} needs ${name}`);
    if (name === 'file') return value;
    const encode = (part: string) => encodeURIComponent(part).replaceAll('%3A', ':').replaceAll('%40', '@');
    return name === 'repo' ? value.split('/').map(encode).join('/') : encode(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') search.append(name, String(item));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

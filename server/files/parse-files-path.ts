interface FilesPath {
  /** Of the file set. */
  readonly name: string;
  /** Of a file within it, one character a byte, without a slash at its begin; undefined where there can be none. */
  readonly path: string | undefined;
}

const prefix = '/files/';

/**
 * Reads the path of a request below `/files/`. Every name is decoded exactly once. A single dot as it is means the folder
 * it stands in: apt asks for `./Packages` of a flat repository. Any other dot segment, an empty name, and what only an
 * encoding hides — slash, backslash, zero byte, dots — lead nowhere.
 *
 * @param path as it was sent
 * @returns undefined when it names no file set
 */
export function parseFilesPath(path: string): FilesPath | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const [name = '', ...segments] = path.slice(prefix.length).split('/');
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return undefined;
  return { name, path: parseSegments(segments) };
}

function parseSegments(segments: readonly string[]): string | undefined {
  const names: string[] = [];
  // a folder is asked for, and none is listed
  if (segments.at(-1) === '' || segments.at(-1) === '.') return undefined;
  for (const segment of segments) {
    if (segment === '.') continue;
    if (segment === '') return undefined;
    const decoded = decodeOnce(segment);
    if (decoded === undefined || decoded === '.' || decoded === '..') return undefined;
    names.push(decoded);
  }
  return names.join('/');
}

/** The bytes that a segment stands for, one character each. */
function decodeOnce(segment: string): string | undefined {
  if (/[^\x21-\x7e]|\\|%(?![0-9a-f]{2})|%(?:2f|5c|00)/i.test(segment)) return undefined;
  return segment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

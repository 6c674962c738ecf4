interface FilesPath {
  /** Name of the FileSet. */
  readonly name: string;
  /**
   * Path of a file in the FileSet, one character for each byte, without leading slash. Undefined when the
   * request path cannot name a file.
   */
  readonly path: string | undefined;
}

const prefix = '/files/';

/**
 * Parses the path of a request below `/files/`. Every segment is decoded exactly once. A literal `.` segment
 * is skipped: apt requests `./Packages` of a flat repository. Other dot segments, empty segments, and encoded
 * slashes, backslashes, zero bytes and dots name no file.
 *
 * @param path as sent
 * @returns undefined when the path names no FileSet
 */
export function parseFilesPath(path: string): FilesPath | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const [name = '', ...segments] = path.slice(prefix.length).split('/');
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return undefined;
  return { name, path: parseSegments(segments) };
}

/** Decodes the path of a file or folder of a FileSet, by the rules of `parseFilesPath`. Undefined when it can name none. */
export const decodeTreePath = (path: string): string | undefined => parseSegments(path.split('/'));

/** Encodes a path of a FileSet for an address. @param path one character for each byte */
export function encodeTreePath(path: string): string {
  return path.replace(
    /[^A-Za-z0-9/._~!$()*,;:@+=-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function parseSegments(segments: readonly string[]): string | undefined {
  const names: string[] = [];
  // the path names a folder; folders are not listed
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

/** Decodes a segment to bytes, one character for each byte. Returns undefined when it is not allowed. */
function decodeOnce(segment: string): string | undefined {
  if (/[^\x21-\x7e]|\\|%(?![0-9a-f]{2})|%(?:2f|5c|00)/i.test(segment)) return undefined;
  return segment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

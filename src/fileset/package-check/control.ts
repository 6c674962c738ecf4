import { documentBytes, FormError, type NamedFile, toHash, toSize } from './model.ts';
import { splitText } from './split-text.ts';

/** The fields of a stanza, by lower-case name; the lines of a value are joined by line feeds (deb822(5)). */
export type Stanza = ReadonlyMap<string, string>;

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** A value without the blanks around it, and without the carriage return of another system. */
function trimValue(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && (isBlank(text[end - 1]) || text[end - 1] === '\r')) end -= 1;
  return text.slice(start, end);
}

/** Parses one stanza in time of its length. @param lines without their line feeds @throws FormError */
function parseStanza(lines: readonly string[]): Stanza {
  const fields = new Map<string, string[]>();
  let value: string[] | undefined;
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    if (isBlank(line[0])) {
      if (value === undefined) throw new FormError('a value without a field');
      value.push(line.trim());
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[!-9;-~]+$/.test(name)) throw new FormError('a line that is no field');
    // readers differ in which of two fields counts
    if (fields.has(name)) throw new FormError('a field twice');
    value = [trimValue(line.slice(colon + 1))];
    fields.set(name, value);
  }
  return new Map([...fields].map(([name, values]) => [name, values.join('\n')]));
}

/** Reads the stanzas of an index in parts. @throws FormError for one that is too long */
export async function* readStanzas(bytes: AsyncIterable<Buffer>): AsyncGenerator<Stanza> {
  let stanza: string[] = [];
  let length = 0;
  for await (const lines of splitText(bytes, '\n'))
    for (const line of lines) {
      if (trimValue(line) === '' && !line.includes('\r')) {
        if (stanza.length > 0) yield parseStanza(stanza);
        stanza = [];
        length = 0;
        continue;
      }
      stanza.push(line);
      length += line.length + 1;
      if (length > documentBytes) throw new FormError('a stanza is too long');
    }
  if (stanza.length > 0) yield parseStanza(stanza);
}

const messageHead = /^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:Hash: [^\n]+\n)*\r?\n/;
const signatureMark = '\n-----BEGIN PGP SIGNATURE-----';
const endMark = '\n-----END PGP SIGNATURE-----';

/**
 * Returns the text of a Release file, without the signature of an `InRelease` around it (RFC 4880, section 7).
 *
 * @throws FormError when text stands before or after the signed part, which readers could take for signed
 */
export function toSignedText(text: string): string {
  if (!text.includes('-----BEGIN PGP')) return text;
  const { length: start = 0 } = messageHead.exec(text)?.[0] ?? {};
  const signed = text.indexOf(signatureMark, start);
  const end = text.indexOf(endMark, signed + 1);
  const isWhole =
    start > 0 &&
    signed >= 0 &&
    end >= 0 &&
    /^\r?\n/.test(text.slice(signed + signatureMark.length)) &&
    text.slice(end + endMark.length).trim() === '';
  const body = text.slice(start, signed);
  if (!isWhole || /^-----/m.test(body)) throw new FormError('no clear-signed text');
  return body.replaceAll(/^- /gm, '');
}

/** Reads the files that a Release file names (Debian wiki, DebianRepository/Format). @throws FormError */
export function toReleaseFiles(text: string): readonly NamedFile[] {
  const stanza = parseStanza(toSignedText(text).split('\n'));
  const files = new Map<string, NamedFile>();
  for (const [field, algorithm] of [
    ['md5sum', undefined],
    ['sha1', undefined],
    ['sha256', 'sha256'],
    ['sha512', 'sha512'],
  ] as const)
    for (const line of stanza.get(field)?.split('\n') ?? []) {
      if (line === '') continue;
      const [hex, size, path, ...more] = line.split(/[ \t]+/);
      if (path === undefined || more.length > 0) throw new FormError('a line without a file');
      const known = files.get(path);
      const hash = (algorithm === undefined ? undefined : toHash(algorithm, hex)) ?? known?.hash;
      if (known !== undefined && known.size !== toSize(size)) throw new FormError('two sizes of a file');
      files.set(path, { path, size: toSize(size), hash });
    }
  return [...files.values()];
}

/** Reads the files that a stanza of `Packages` or `Sources` names. @throws FormError */
export function toPackageFiles(stanza: Stanza): readonly NamedFile[] {
  const filename = stanza.get('filename');
  if (filename !== undefined)
    return [
      {
        path: filename,
        size: toSize(stanza.get('size')),
        hash: toHash('sha256', stanza.get('sha256')) ?? toHash('sha512', stanza.get('sha512')),
      },
    ];
  const directory = stanza.get('directory');
  if (directory === undefined) throw new FormError('a package without a file');
  const lines = stanza.get('checksums-sha256')?.split('\n').filter(Boolean);
  if (lines === undefined) return [{ path: directory, size: 0, hash: undefined }];
  return lines.map((line) => {
    const [hex, size, name] = line.split(/[ \t]+/);
    const path = directory === '.' ? String(name) : `${directory}/${name}`;
    return { path, size: toSize(size), hash: toHash('sha256', hex) };
  });
}

import { documentBytes, FormError, type NamedFile, toHash, toSize } from './model.ts';

/** The fields of a stanza, by lower-case name; the lines of a value are joined by line feeds (deb822(5)). */
export type Stanza = ReadonlyMap<string, string>;

/** Parses one stanza. @throws FormError */
export function parseStanza(text: string): Stanza {
  const fields = new Map<string, string>();
  let name: string | undefined;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (/^[ \t]/.test(line)) {
      if (name === undefined) throw new FormError('a value without a field');
      fields.set(name, `${fields.get(name)!}\n${line.trim()}`);
      continue;
    }
    const match = /^([!-9;-~]+):[ \t]*(.*?)[ \t\r]*$/.exec(line);
    if (match === null) throw new FormError('a line that is no field');
    name = match[1]!.toLowerCase();
    // readers differ in which of two fields counts
    if (fields.has(name)) throw new FormError('a field twice');
    fields.set(name, match[2]!);
  }
  return fields;
}

/** Reads the stanzas of an index in parts. @throws FormError for one that is too long */
export async function* readStanzas(bytes: AsyncIterable<Buffer>): AsyncGenerator<Stanza> {
  let rest = '';
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\n(?:[ \t]*\n)+/);
    rest = parts.pop()!;
    if (rest.length > documentBytes) throw new FormError('a stanza is too long');
    for (const part of parts) if (part.trim() !== '') yield parseStanza(part);
  }
  if (rest.trim() !== '') yield parseStanza(rest);
}

/**
 * Returns the text of a Release file, without the signature of an `InRelease` around it (RFC 4880, section 7).
 *
 * @throws FormError when text stands before or after the signed part, which readers could take for signed
 */
export function toSignedText(text: string): string {
  if (!text.includes('-----BEGIN PGP')) return text;
  const match =
    /^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:Hash: [^\n]+\n)*\r?\n([\s\S]*?)\n-----BEGIN PGP SIGNATURE-----\r?\n[\s\S]*?\n-----END PGP SIGNATURE-----\s*$/.exec(
      text,
    );
  if (match === null || /^-----/m.test(match[1]!)) throw new FormError('no clear-signed text');
  return match[1]!.replaceAll(/^- /gm, '');
}

/** Reads the files that a Release file names (Debian wiki, DebianRepository/Format). @throws FormError */
export function toReleaseFiles(text: string): readonly NamedFile[] {
  const stanza = parseStanza(toSignedText(text));
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

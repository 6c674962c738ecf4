import { documentBytes, FormError, type NamedFile, toHash, toSize } from './model.ts';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the text of an attribute. @throws FormError for an entity of a document type */
function decode(text: string): string {
  return text.replaceAll(/&([^;&]*);?/g, (_, name: string) => {
    const code = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
    const character =
      code === null
        ? entities[name]
        : String.fromCodePoint(Number.parseInt(code[1] ?? code[2]!, code[1] === undefined ? 10 : 16));
    if (character === undefined) throw new FormError('an unknown entity');
    return character;
  });
}

/**
 * Refuses what a parser of XML reads otherwise than as tags: comments, sections and document types could hide a package
 * from this reader, or show it one that package managers do not see. createrepo_c writes none of them.
 */
function requirePlain(text: string): void {
  if (/<!/.test(text)) throw new FormError('a comment, section or document type');
}

/** The one match of a pattern. @throws FormError when there is none, or several */
function one(text: string, pattern: RegExp): string {
  const found = [...text.matchAll(new RegExp(pattern, 'g'))];
  if (found.length !== 1) throw new FormError('a tag is missing, or there twice');
  return found[0]![1]!;
}

function toFile(element: string, size: string): NamedFile {
  const [, type, hex] =
    /<checksum\s[^>]*?\btype="([^"]*)"[^>]*>\s*([0-9A-Fa-f]+)\s*<\/checksum>/.exec(element) ?? [];
  if (/<checksum[\s>][\s\S]*<checksum[\s>]/.test(element)) throw new FormError('two checksums');
  const location = one(element, /<location\s([^>]*)>/);
  // packages elsewhere are not of this repository
  if (/\bxml:base=/.test(location)) throw new FormError('a base of its own');
  return {
    path: decode(one(location, /\bhref="([^"]*)"/)),
    size: toSize(size),
    hash: type === 'sha256' || type === 'sha512' ? toHash(type, hex) : undefined,
  };
}

/** Reads the files that `repomd.xml` names, each with its type. @throws FormError */
export function toRepomdFiles(text: string): readonly (NamedFile & { readonly type: string })[] {
  requirePlain(text.replace(/^\s*<\?xml[^>]*\?>/, ''));
  const elements = text.match(/<data\s[\s\S]*?<\/data>/g) ?? [];
  if (elements.length === 0 || elements.length !== (text.match(/<data[\s>]/g) ?? []).length)
    throw new FormError('no list of files');
  return elements.map((element) => ({
    // the checksum of the uncompressed file has another tag
    ...toFile(element, one(element, /<size>\s*([0-9]+)\s*<\/size>/)),
    type: one(element, /^<data\s[^>]*?\btype="([^"]*)"/),
  }));
}

/** Reads the packages of `primary.xml` in parts. @throws FormError */
export async function* readPrimary(bytes: AsyncIterable<Buffer>): AsyncGenerator<NamedFile> {
  let rest = '';
  let count = 0;
  let declared: number | undefined;
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('</package>');
    rest = parts.pop()!;
    if (rest.length > documentBytes) throw new FormError('a package is too long');
    for (const part of parts) {
      requirePlain(part);
      declared ??= toCount(part);
      const start = part.search(/<package[\s>]/);
      if (start < 0) throw new FormError('the end of a package without its start');
      const element = part.slice(start);
      count += 1;
      yield toFile(element, one(element, /<size\s[^>]*?\bpackage="([0-9]+)"/));
    }
  }
  requirePlain(rest);
  declared ??= toCount(rest);
  if (/<package[\s>]/.test(rest) || !rest.includes('</metadata>')) throw new FormError('it is cut off');
  if (declared !== undefined && declared !== count) throw new FormError('another number of packages');
}

const toCount = (text: string): number | undefined => {
  const count = /<metadata\s[^>]*?\bpackages="([0-9]+)"/.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
};

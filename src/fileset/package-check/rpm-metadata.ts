import { FormError, type NamedFile, toHash, toSize } from './model.ts';
import { splitText } from './split-text.ts';
import { attributeOf, listTags, type XmlTag } from './xml-tags.ts';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the text of an attribute. @throws FormError for an entity of a document type */
function decode(text: string): string {
  return text.replaceAll(/&([^;&]*);?/g, (_, name: string) => {
    const code = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
    const point = code && Number.parseInt(code[1] ?? code[2]!, code[1] === undefined ? 10 : 16);
    const character =
      point === null ? entities[name] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
    if (character === undefined) throw new FormError('an unknown entity');
    return character;
  });
}

/** The one tag of a name. @throws FormError when there is none, or several */
function one(tags: readonly XmlTag[], name: string): XmlTag {
  const found = tags.filter((tag) => tag.name === name);
  if (found.length !== 1) throw new FormError('a tag is missing, or there twice');
  return found[0]!;
}

/** An attribute that must be there. @throws FormError */
function requireAttribute(tag: XmlTag, name: string): string {
  const value = attributeOf(tag, name);
  if (value === undefined) throw new FormError('an attribute is missing');
  return value;
}

/** Reads the location and the checksum of an element. @param size of its file, as written */
function toFile(tags: readonly XmlTag[], size: string): NamedFile {
  const checksums = tags.filter(({ name }) => name === 'checksum');
  if (checksums.length > 1) throw new FormError('two checksums');
  const [checksum] = checksums;
  const type = checksum && attributeOf(checksum, 'type');
  const location = one(tags, 'location');
  // packages elsewhere are not of this repository
  if (location.attributes.includes('xml:base=')) throw new FormError('a base of its own');
  return {
    path: decode(requireAttribute(location, 'href')),
    size: toSize(size),
    hash: type === 'sha256' || type === 'sha512' ? toHash(type, checksum!.text.trim()) : undefined,
  };
}

/** Removes the declaration at the beginning of a document. */
const withoutDeclaration = (text: string): string => text.replace(/^\s*<\?xml[^>]*>/, '');

/** Reads the files that `repomd.xml` names, each with its type. @throws FormError */
export function toRepomdFiles(text: string): readonly (NamedFile & { readonly type: string })[] {
  const files: (NamedFile & { readonly type: string })[] = [];
  let open: XmlTag[] | undefined;
  for (const tag of listTags(withoutDeclaration(text))) {
    if (tag.name === 'data') {
      if (open !== undefined) throw new FormError('a file inside of another');
      open = [tag];
    } else if (tag.name === '/data') {
      if (open === undefined) throw new FormError('the end of a file without its start');
      // the size of the uncompressed file has another tag
      files.push({
        ...toFile(open, one(open, 'size').text.trim()),
        type: requireAttribute(open[0]!, 'type'),
      });
      open = undefined;
    } else open?.push(tag);
  }
  if (files.length === 0 || open !== undefined) throw new FormError('no list of files');
  return files;
}

/** Reads the packages of `primary.xml` in parts. @throws FormError */
export async function* readPrimary(bytes: AsyncIterable<Buffer>): AsyncGenerator<NamedFile> {
  let count = 0;
  let declared: number | undefined;
  let isFirst = true;
  /** The tags of a package, without those before it. */
  const open = (part: string): readonly XmlTag[] => {
    const tags = [...listTags(isFirst ? withoutDeclaration(part) : part)];
    isFirst = false;
    declared ??= toCount(tags);
    return tags;
  };
  let rest: readonly string[] = [];
  for await (const parts of splitText(bytes, '</package>')) {
    for (const part of rest) {
      const tags = open(part);
      const start = tags.findIndex(({ name }) => name === 'package');
      if (start < 0) throw new FormError('the end of a package without its start');
      const own = tags.slice(start);
      count += 1;
      yield toFile(own, requireAttribute(one(own, 'size'), 'package'));
    }
    rest = parts;
  }
  const tags = open(rest[0] ?? '');
  if (tags.some(({ name }) => name === 'package') || !tags.some(({ name }) => name === '/metadata'))
    throw new FormError('it is cut off');
  if (declared !== undefined && declared !== count) throw new FormError('another number of packages');
}

/** The number of packages that the list declares. */
function toCount(tags: readonly XmlTag[]): number | undefined {
  const list = tags.find(({ name }) => name === 'metadata');
  const count = list && attributeOf(list, 'packages');
  return count !== undefined && /^[0-9]{1,15}$/.test(count) ? Number(count) : undefined;
}

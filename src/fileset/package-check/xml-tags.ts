import { FormError } from './model.ts';

/** A tag of an XML text; an end tag has a name that begins with `/`. */
export interface XmlTag {
  readonly name: string;
  /** As written, from the name to the end of the tag. */
  readonly attributes: string;
  /** Text behind the tag, up to the next one. */
  readonly text: string;
}

/**
 * Lists the tags of a text in time of its length.
 *
 * Refuses constructs of XML other than tags: comments, sections, instructions and document types could hide a package
 * from this reader. They could also show it one that package managers do not see. Of these, `createrepo_c` writes only
 * the declaration at the beginning, which the caller removes.
 *
 * @throws FormError
 */
export function* listTags(text: string): Generator<XmlTag> {
  for (let at = text.indexOf('<'); at >= 0; ) {
    const next = text.indexOf('<', at + 1);
    const stop = next < 0 ? text.length : next;
    const inside = text.slice(at + 1, stop);
    if (/^[!?]/.test(inside)) throw new FormError('a comment, section, instruction or document type');
    const end = inside.indexOf('>');
    if (end < 0) throw new FormError('a tag without an end');
    const tag = inside.slice(0, end);
    const space = tag.search(/\s/);
    const cut = space < 0 ? tag.length : space;
    yield {
      name: tag.slice(0, cut).replace(/\/$/, ''),
      attributes: tag.slice(cut),
      text: inside.slice(end + 1),
    };
    at = next;
  }
}

/** Reads an attribute in double quotes. @returns undefined without it @throws FormError when it is there twice */
export function attributeOf({ attributes }: XmlTag, name: string): string | undefined {
  const parts = attributes.split('"');
  if (parts.length % 2 === 0) throw new FormError('a quote without its end');
  let found: string | undefined;
  for (let i = 0; i + 1 < parts.length; i += 2) {
    if (parts[i]!.trim() !== `${name}=`) continue;
    if (found !== undefined) throw new FormError('an attribute twice');
    found = parts[i + 1]!;
  }
  return found;
}

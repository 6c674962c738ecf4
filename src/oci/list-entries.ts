import { type Digest, isDigest } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { findRepeatedMember, toRepeatedRule } from '../base/json/parse-json.ts';
import { fr } from '../text/language.ts';
import { Rule, rule } from '../text/rule.ts';
import { announcedAs, mergeEntries } from './announced.ts';
import type { Descriptor } from './descriptor.ts';
import { decodeDocument, ManifestError, manifestLimits, toDescriptor } from './manifest.ts';
import { isIndexType } from './media-types.ts';

/** The entries of a list of manifests that another party wrote: an index of referrers. */
export interface ListEntries {
  readonly manifests: readonly Descriptor[];
  /** The entries that cannot be used; absent when all can. */
  readonly skipped?: SkippedEntries;
}

export interface SkippedEntries {
  /** 0: nothing tells how many there are, as where an object of the list has a member twice. */
  readonly count: number;
  /** The rule that the first of them breaks. */
  readonly rule: Rule;
  /** Whether one of them may be a signature: all but those that are announced as something else. */
  readonly mayBeSignature: boolean;
}

/** Selects entries. Others are not returned, and count for no limit. */
export type AcceptsEntry = (entry: Descriptor) => boolean;

/**
 * Reads a list of referrers entry by entry: an entry that cannot be used is skipped and does not make the others
 * unusable. Nothing verifies such a list, and each manifest that it names is verified by its digest. An entry is usable
 * with a media type, a digest and a size; annotations that are not strings are left out.
 *
 * Several entries for one manifest become one.
 *
 * @param bytes at most 4 MiB, which is the limit of the number of entries
 * @param accepts default: every entry
 * @throws ManifestError when the bytes are not an index at all
 */
export function readListEntries(bytes: Uint8Array, accepts: AcceptsEntry = () => true): ListEntries {
  const { text, document } = decodeDocument(bytes, manifestLimits);
  const listed = selectList(document);
  // some programs write an empty list so; others write it after failing to make a list
  if (listed === null)
    return {
      manifests: [],
      skipped: { count: 0, rule: rule(['manifests is null', fr`manifests vaut null`]), mayBeSignature: true },
    };
  if (!Array.isArray(listed))
    throw new ManifestError(rule(['manifests must be an array', fr`manifests doit être un tableau`]));
  const found = new Map<Digest, Descriptor>();
  let skipped: SkippedEntries | undefined;
  const skip = (broken: Rule, mayBeSignature: boolean): void => {
    skipped = {
      count: (skipped?.count ?? 0) + 1,
      rule: skipped?.rule ?? broken,
      mayBeSignature: skipped?.mayBeSignature === true || mayBeSignature,
    };
  };
  for (const [i, entry] of listed.entries()) {
    const read = toListed(entry, `manifests[${i}]`);
    if (read instanceof Rule) skip(read, !isJsonObject(entry) || announcedAs(entry) !== 'other');
    else if (accepts(read)) found.set(read.digest, mergeEntries(found.get(read.digest) ?? read, read));
  }
  const manifests = [...found.values()];
  // other readers take the other one of two equal members, which may list a signature
  const repeated = findRepeatedMember(text, document);
  if (repeated !== undefined)
    skipped = {
      count: 0,
      rule: toRepeatedRule(repeated),
      mayBeSignature: true,
    };
  return { manifests, ...(skipped === undefined ? {} : { skipped }) };
}

/**
 * Returns the member `manifests` of a document that may be an index; the member can have any type.
 *
 * @throws ManifestError when the document is something else
 */
export function selectList(document: unknown): unknown {
  if (!isJsonObject(document)) throw new ManifestError(rule(['not a JSON object', fr`pas un objet JSON`]));
  const { mediaType, manifests, config, layers } = document;
  if (
    mediaType !== undefined &&
    mediaType !== '' &&
    !(typeof mediaType === 'string' && isIndexType(mediaType))
  )
    throw new ManifestError(
      rule(['not an image index, but {mediaType}', fr`ce n’est pas un index d’images, mais {mediaType}`], {
        mediaType: String(mediaType).slice(0, 100),
      }),
    );
  if (config !== undefined || layers !== undefined)
    throw new ManifestError(
      rule(['an index has neither config nor layers', fr`un index n’a ni config ni layers`]),
    );
  return manifests;
}

/**
 * Reads the layers of a manifest of signatures, which is a list too: the last 10 000 different ones of those that can be used.
 *
 * @param accepts selects layers; others do not count
 * @returns undefined when the bytes are not an image manifest at all
 */
export function readLayerEntries(
  bytes: Uint8Array,
  accepts: AcceptsEntry,
): readonly Descriptor[] | undefined {
  let layers: unknown;
  try {
    const { document } = decodeDocument(bytes, manifestLimits);
    layers = isJsonObject(document) ? document.layers : undefined;
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
  if (!Array.isArray(layers)) return undefined;
  const read = layers.map((layer, i) => toListed(layer, `layers[${i}]`));
  const usable = read.flatMap((one) => (one instanceof Rule || !accepts(one) ? [] : [one]));
  return [...new Map(usable.map((one) => [JSON.stringify(one), one])).values()].slice(
    -manifestLimits.children,
  );
}

/** Reads one entry. @returns the rule that it breaks when it cannot be used */
function toListed(entry: unknown, where: string): Descriptor | Rule {
  try {
    return toDescriptor(withoutOddAnnotations(entry), where);
  } catch (error) {
    if (error instanceof ManifestError) return error.rule;
    throw error;
  }
}

function withoutOddAnnotations(entry: unknown): unknown {
  if (!isJsonObject(entry) || !isDigest(entry.digest)) return entry;
  const { annotations, ...rest } = entry;
  if (!isJsonObject(annotations)) return rest;
  const strings = Object.entries(annotations).filter(([, value]) => typeof value === 'string');
  return { ...rest, annotations: Object.fromEntries(strings) };
}

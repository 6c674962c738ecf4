import { isDigest } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { findRepeatedMembers, toRepeatedRule } from '../base/json/parse-json.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { selectList } from '../oci/list-entries.ts';
import { type DocumentLimits, decodeDocument, ManifestError, toDescriptor } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import { fr } from '../text/language.ts';
import { Rule, rule } from '../text/rule.ts';
import { containerdAnnotation, nameAnnotation } from './entry-name.ts';
import type { LostEntry } from './model.ts';

/** Limits of the `index.json` of a layout, which can list a whole store. */
export const layoutIndexLimits: DocumentLimits = {
  bytes: 32 << 20,
  children: 100_000,
  jsonDepth: 64,
  jsonValues: 2_000_000,
};

/** The entries of an `index.json`, in their order. */
interface LayoutIndex {
  readonly entries: readonly Descriptor[];
  /** The entries that cannot be used. */
  readonly lost: readonly LostEntry[];
}

/**
 * Reads an `index.json` entry by entry: one that cannot be used does not make the others unusable.
 *
 * @throws ManifestError when the document is not an index, or exceeds the limits
 */
export function parseLayoutIndex(bytes: Uint8Array): LayoutIndex {
  const { text, document } = decodeDocument(bytes, layoutIndexLimits);
  const listed = selectList(document);
  if (!Array.isArray(listed))
    throw new ManifestError(
      rule(['{member} must be an array', fr`{member} doit être un tableau`], { member: 'manifests' }),
    );
  const { children } = layoutIndexLimits;
  if (listed.length > children)
    throw new ManifestError(
      rule(['{member} has more than {n} entries', fr`{member} a plus de {n} entrées`], {
        member: 'manifests',
        n: children,
      }),
    );
  const repeated = new Map<number, Rule>();
  for (const { member, path } of findRepeatedMembers(text, document)) {
    const broken = toRepeatedRule(member);
    const [list, position] = path;
    // another reader could take another list, or other entries
    if (list !== 'manifests' || typeof position !== 'number') throw new ManifestError(broken);
    if (!repeated.has(position)) repeated.set(position, broken);
  }
  const entries: Descriptor[] = [];
  const lost: LostEntry[] = [];
  for (const [position, value] of listed.entries()) {
    const read = repeated.get(position) ?? toEntry(value, `manifests[${position}]`);
    if (read instanceof Rule) lost.push(toLost(value, position, read));
    else entries.push(read);
  }
  return { entries, lost };
}

/** Reads one entry. @returns the rule that it breaks when it cannot be used */
function toEntry(value: unknown, where: string): Descriptor | Rule {
  try {
    return toDescriptor(value, where);
  } catch (error) {
    if (error instanceof ManifestError) return error.rule;
    throw error;
  }
}

/** Reads the usable members of an unusable entry, for reports. */
function toLost(value: unknown, position: number, broken: Rule): LostEntry {
  const { digest, annotations } = isJsonObject(value) ? value : {};
  const { [nameAnnotation]: short, [containerdAnnotation]: full } = isJsonObject(annotations)
    ? annotations
    : {};
  const name = [short, full].find((one) => typeof one === 'string' && one !== '');
  return {
    position,
    ...(typeof name === 'string' ? { name: name.slice(0, 512) } : {}),
    ...(isDigest(digest) ? { digest } : {}),
    rule: broken,
  };
}

/** Formats the `index.json` of these entries: one line each, so that two files can be compared line by line. */
export function formatLayoutIndex(entries: readonly Descriptor[]): Buffer {
  const lines = entries.map((entry) => JSON.stringify(entry)).join(',\n');
  return Buffer.from(`{"schemaVersion":2,"mediaType":"${mediaTypes.ociIndex}","manifests":[\n${lines}\n]}\n`);
}

import type { SemVer } from 'semver';
import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';

export const versionLimit = 128;

/** A version that was read, for comparisons. */
export type ParsedVersion = SemVer;

// the pattern of semver.org; the `semver` package also accepts a leading `v` or `=`, which is for callers to allow
const strict =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/**
 * Reads a SemVer 2.0.0 version of at most 128 characters, with components that a number represents exactly.
 *
 * @returns undefined when `text` is not a version; a leading `v` is not accepted
 */
export function parseVersion(text: string): SemVer | undefined {
  if (text.length > versionLimit || !strict.test(text)) return undefined;
  return parse(text) ?? undefined;
}

/** Reads the version of a tag, with or without a leading `v`. */
export function parseVersionTag(tag: string): SemVer | undefined {
  return parseVersion(tag.startsWith('v') ? tag.slice(1) : tag);
}

/** Compares by SemVer 2.0.0 precedence (section 11), which ignores build metadata. */
export function compareParsed(a: SemVer, b: SemVer): number {
  // most pairs differ in a number, and are then ordered in a tenth of the time
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || compare(a, b);
}

/**
 * Orders version texts by SemVer precedence, ignoring a leading `v`. Other texts come before every version, in the order
 * of code units. Zero: neither is newer.
 */
export function compareVersions(a: string, b: string): number {
  const left = parseVersionTag(a);
  const right = parseVersionTag(b);
  if (left && right) return compareParsed(left, right);
  if (left || right) return left ? 1 : -1;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Selects the tag of the highest version; without any version, the last tag in the order of code units. */
export function selectNewest(tags: readonly string[]): string | undefined {
  return (
    selectHighest(tags) ??
    tags.reduce<string | undefined>(
      (last, tag) => (last !== undefined && last >= tag ? last : tag),
      undefined,
    )
  );
}

/**
 * Selects the tag of the highest version. Ignores tags that are not versions. Of equal versions the tag without `v` wins,
 * then the first in the order of code units.
 *
 * @param admits returns false for versions to leave out
 */
export function selectHighest(
  tags: readonly string[],
  admits: (version: SemVer) => boolean = () => true,
): string | undefined {
  let best: { readonly tag: string; readonly version: SemVer } | undefined;
  for (const tag of tags) {
    const candidate = parseVersionTag(tag);
    if (!candidate) continue;
    const order = best ? compareParsed(candidate, best.version) : 1;
    if (order < 0 || (order === 0 && !precedes(tag, best!.tag))) continue;
    if (admits(candidate)) best = { tag, version: candidate };
  }
  return best?.tag;
}

function precedes(tag: string, other: string): boolean {
  const prefixed = tag.startsWith('v');
  return prefixed === other.startsWith('v') ? tag < other : !prefixed;
}

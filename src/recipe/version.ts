import type { SemVer } from 'semver';
import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';

export const versionLimit = 128;

// semver.org's own pattern; the `semver` package also accepts a leading `v` or `=`, which the caller decides on
const strict =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/**
 * Reads a version of SemVer 2.0.0, at most 128 characters and with components that a number holds exactly.
 *
 * @returns undefined when `text` is none; a leading `v` is not accepted
 */
export function parseVersion(text: string): SemVer | undefined {
  if (text.length > versionLimit || !strict.test(text)) return undefined;
  return parse(text) ?? undefined;
}

/** The version a tag stands for, with or without a leading `v`. */
export function parseVersionTag(tag: string): SemVer | undefined {
  return parseVersion(tag.startsWith('v') ? tag.slice(1) : tag);
}

/** Precedence of SemVer 2.0.0 (section 11); build metadata does not order. */
export function compareParsed(a: SemVer, b: SemVer): number {
  return compare(a, b);
}

/**
 * Orders version texts by SemVer precedence, a leading `v` apart; what is no version comes before every version, in
 * the order of code units. Zero: neither is newer.
 */
export function compareVersions(a: string, b: string): number {
  const left = parseVersionTag(a);
  const right = parseVersionTag(b);
  if (left && right) return compareParsed(left, right);
  if (left || right) return left ? 1 : -1;
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * The tag of the highest version. Tags that are no version are ignored. Of equal versions the tag without `v` wins, then
 * the first in the order of code units.
 *
 * @param admits leaves versions out
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

import type { SemVer } from 'semver';
import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';
import { runAtOnce, type Steps } from '../base/pacer.ts';

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
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || compare(a, b) || compareLong(a, b);
}

/** Compares numeric identifiers of pre-releases that a number does not represent exactly, of versions that are equal in all else. */
function compareLong(a: SemVer, b: SemVer): number {
  if (a.prerelease.length === 0 || a.raw === b.raw) return 0;
  const [one = [], other = []] = [a, b].map(({ raw }) =>
    raw.split('+')[0]!.split('-').slice(1).join('-').split('.'),
  );
  const i = one.findIndex((part, at) => part !== other[at]);
  return i < 0 ? 0 : BigInt(one[i]!) < BigInt(other[i]!) ? -1 : 1;
}

interface ReadTag {
  readonly tag: string;
  readonly version: SemVer | undefined;
}

const readTag = (tag: string): ReadTag => ({ tag, version: parseVersionTag(tag) });

function compareRead(a: ReadTag, b: ReadTag): number {
  if (a.version && b.version) return compareParsed(a.version, b.version);
  if (a.version || b.version) return a.version ? 1 : -1;
  return a.tag === b.tag ? 0 : a.tag < b.tag ? -1 : 1;
}

/**
 * Orders version texts by SemVer precedence, ignoring a leading `v`. Other texts come before every version, in the order
 * of code units. Zero: neither is newer.
 */
export function compareVersions(a: string, b: string): number {
  return compareRead(readTag(a), readTag(b));
}

/** Tags of a step: a hundred versions are read in a tenth of a millisecond. */
const tagsOfStep = 100;

/** Lists the newest tags in the order of `compareVersions`, the newest first. Reads each once, in short steps. */
export function* listNewest(tags: readonly string[], count: number): Steps<readonly string[]> {
  const newest: ReadTag[] = [];
  for (const [i, tag] of tags.entries()) {
    if (i % tagsOfStep === 0) yield;
    const read = readTag(tag);
    const after = newest.findIndex((one) => compareRead(one, read) < 0);
    if (after >= 0) newest.splice(after, 0, read);
    else newest.push(read);
    if (newest.length > count) newest.pop();
  }
  return newest.map(({ tag }) => tag);
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
  admits?: (version: SemVer) => boolean,
): string | undefined {
  return runAtOnce(findHighest(tags, admits));
}

/** As `selectHighest`, in short steps. */
export function* findHighest(
  tags: readonly string[],
  admits: (version: SemVer) => boolean = () => true,
): Steps<string | undefined> {
  let best: { readonly tag: string; readonly version: SemVer } | undefined;
  for (const [i, tag] of tags.entries()) {
    if (i % tagsOfStep === 0) yield;
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

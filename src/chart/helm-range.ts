import type { SemVer } from 'semver';
import { constraintLimit } from '../recipe/constraint.ts';
import { compareParsed, parseVersion, versionLimit } from '../recipe/version.ts';

// The ranges of chart dependencies, as helm reads them (the constraints of Masterminds/semver 3). They differ from those
// of recipes: alternatives, hyphens, spaces after operators, partial versions, and pre-releases of any version if the
// range has one.

type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

interface Term {
  readonly operator: Operator;
  /** Missing components are zero. */
  readonly version: SemVer;
  /** Number of fixed components: `1.2`, `1.2.x` and `1.2.*` have two. */
  readonly fixed: number;
}

/** Alternatives; a version must match all terms of one of them. */
type HelmRange = readonly (readonly Term[])[];

const partPattern = '[0-9]+|[xX*]';
const versionPattern = `v?(${partPattern})(?:\\.(${partPattern}))?(?:\\.(${partPattern}))?(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?`;
const termPattern = new RegExp(`(=>|=<|>=|<=|~>|!=|[=><^~])?\\s*${versionPattern}`, 'y');
const hyphenPattern = new RegExp(`\\s+-\\s+${versionPattern}`, 'y');
const separatorPattern = /\s*,\s*|\s+/y;

const aliases: Readonly<Record<string, Operator>> = { '=>': '>=', '=<': '<=', '~>': '~' };

function toTerm(
  operator: Operator,
  [major = '', minor, patch, prerelease]: readonly (string | undefined)[],
): Term | undefined {
  const parts = [major, minor ?? 'x', patch ?? 'x'];
  const open = parts.findIndex((part) => !/^[0-9]+$/.test(part));
  const fixed = open < 0 ? 3 : open;
  const numbers = parts.map((part, i) => (i < fixed ? part : '0'));
  const version = parseVersion(`${numbers.join('.')}${prerelease === undefined ? '' : `-${prerelease}`}`);
  return version && { operator, version, fixed };
}

function parseAlternative(text: string): readonly Term[] | undefined {
  const terms: Term[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text) ?? undefined;
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (terms.length > 0 && !take(separatorPattern)) return undefined;
    const match = take(termPattern);
    if (!match) return undefined;
    const [, written, ...parts] = match;
    const upper = written === undefined ? take(hyphenPattern) : undefined;
    const operator = upper ? '>=' : ((aliases[written ?? '='] ?? written ?? '=') as Operator);
    const term = toTerm(operator, parts);
    const last = upper && toTerm('<=', upper.slice(1));
    if (!term || (upper && !last)) return undefined;
    terms.push(term, ...(last ? [last] : []));
  }
  return terms.length > 0 ? terms : undefined;
}

/**
 * Reads the range that a chart declares for a dependency.
 *
 * @returns undefined when helm cannot read it either
 */
export function parseHelmRange(text: string): HelmRange | undefined {
  if (text.length > constraintLimit) return undefined;
  const alternatives: (readonly Term[])[] = [];
  for (const part of text.split('||')) {
    const terms = parseAlternative(part.trim());
    if (!terms) return undefined;
    alternatives.push(terms);
  }
  return alternatives;
}

/** Reads the version of a chart, with or without a leading `v`; missing components are zero. */
export function parseHelmVersion(text: string): SemVer | undefined {
  if (text.length > versionLimit) return undefined;
  const match = /^v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?([-+].*)?$/s.exec(text);
  if (!match) return undefined;
  const [, major, minor = '.0', patch = '.0', rest = ''] = match;
  return parseVersion(`${major}${minor}${patch}${rest}`);
}

function isTilde(version: SemVer, { version: base, fixed }: Term): boolean {
  if (compareParsed(version, base) < 0) return false;
  const isZero = base.major === 0 && base.minor === 0 && base.patch === 0;
  if (isZero && (fixed === 3 || fixed === 0)) return true;
  return version.major === base.major && (version.minor === base.minor || fixed < 2);
}

function isCaret(version: SemVer, { version: base, fixed }: Term): boolean {
  if (compareParsed(version, base) < 0) return false;
  if (fixed === 0) return true;
  if (base.major > 0 || fixed === 1) return version.major === base.major;
  if (version.major > 0) return false;
  if (base.minor > 0 || fixed === 2) return version.minor === base.minor;
  return version.minor === 0 && version.patch === base.patch;
}

function holds(version: SemVer, term: Term): boolean {
  const { operator, version: base, fixed } = term;
  const order = compareParsed(version, base);
  switch (operator) {
    case '=':
      return fixed < 3 ? isTilde(version, term) : order === 0;
    case '!=':
      return fixed < 3 ? !isTilde(version, term) : order !== 0;
    case '>':
      if (fixed === 3 || version.major !== base.major) return order > 0;
      return fixed === 2 && version.minor > base.minor;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0 || (fixed < 3 && isTilde(version, term));
    case '~':
      return isTilde(version, term);
    case '^':
      return isCaret(version, term);
  }
}

/** Returns whether a version is in a range; a pre-release matches only an alternative that has one. */
export function isInHelmRange(version: SemVer, range: HelmRange): boolean {
  return range.some((terms) => {
    const admits =
      version.prerelease.length === 0 || terms.some((term) => term.version.prerelease.length > 0);
    return admits && terms.every((term) => holds(version, term));
  });
}

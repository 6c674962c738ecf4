import type { SemVer } from 'semver';
import { runAtOnce, type Steps } from '../base/pacer.ts';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';
import { compareParsed, findHighest, parseVersion, parseVersionTag } from './version.ts';

export { compareVersions } from './version.ts';

export const constraintLimit = 256;

/** An invalid constraint, with the rule that it breaks. Callers add its location. */
export class ConstraintError extends RuleError {
  override name = 'ConstraintError';
}

/** Versions from `from` to before `below`; `outside` inverts the range. */
interface Range {
  readonly from?: SemVer;
  readonly below?: SemVer;
  /** Excludes `from` itself. */
  readonly after?: boolean;
  /** Includes `below` itself. */
  readonly through?: boolean;
  readonly outside?: boolean;
}

interface Constraint {
  readonly ranges: readonly Range[];
  /** `major.minor.patch` of every pre-release in the expression. */
  readonly prereleases: ReadonlySet<string>;
}

const operators = ['!=', '>=', '<=', '^', '~', '=', '>', '<'] as const;
type Operator = (typeof operators)[number];

const isPlaceholder = (part: string): boolean => part === 'x' || part === 'X' || part === '*';
const isDigits = (part: string): boolean => /^[0-9]+$/.test(part);

/** Returns whether a version text is a constraint; otherwise it is an exact tag: `1.2.3` is a tag and not `=1.2.3`. */
export function isConstraint(text: string): boolean {
  if (text === '') return false;
  if ('^~><=!'.includes(text[0]!) || /[\s,]/.test(text)) return true;
  const parts = text.split('.');
  return parts.some(isPlaceholder) && parts.every((part) => isPlaceholder(part) || isDigits(part));
}

/**
 * Reads a constraint: terms separated by spaces or commas, all of which must hold.
 *
 * @throws ConstraintError with the rule that is broken
 */
export function parseConstraint(text: string): Constraint {
  if (text.length > constraintLimit)
    throw new ConstraintError(
      rule(['at most {constraintLimit} characters', fr`au plus {constraintLimit} caractères`], {
        constraintLimit,
      }),
    );
  if (text.includes('|'))
    throw new ConstraintError(
      rule(['alternatives (||) are not accepted', fr`les alternatives (||) ne sont pas acceptées`]),
    );
  const ranges: Range[] = [];
  const prereleases = new Set<string>();
  for (const part of text.split(',')) {
    const terms = part.split(/\s+/).filter((term) => term !== '');
    if (terms.length === 0) throw new ConstraintError(rule(['a term is missing', fr`un terme manque`]));
    for (const term of terms) ranges.push(parseTerm(term, prereleases));
  }
  return { ranges, prereleases };
}

const notVersion = (text: string): ConstraintError =>
  new ConstraintError(
    rule(['{text} is not a version', fr`{text} n’est pas une version`], { text: text.slice(0, 40) }),
  );

function parseTerm(term: string, prereleases: Set<string>): Range {
  if (term.startsWith('=='))
    throw new ConstraintError(
      rule(['== is not an operator: write =', fr`== n’est pas un opérateur, écrivez =`]),
    );
  const operator = operators.find((candidate) => term.startsWith(candidate));
  if (operator === undefined) return parseWildcard(term);
  const written = term.slice(operator.length);
  if (written === '')
    throw new ConstraintError(
      rule(
        [
          '{operator} must be followed by a version without a space',
          fr`{operator} doit être suivi d’une version, sans espace`,
        ],
        { operator },
      ),
    );
  const literal = parseLiteral(written.startsWith('v') ? written.slice(1) : written);
  const { version } = literal;
  if (version.prerelease.length > 0) prereleases.add(coreOf(version));
  return toRange(operator, literal);
}

function parseWildcard(term: string): Range {
  const parts = components(term);
  const fixed = parts.findIndex(isPlaceholder);
  if (fixed < 0) {
    throw new ConstraintError(
      rule(
        [
          '{term} needs an operator or a placeholder at its end',
          fr`{term} exige un opérateur, ou un joker à la fin`,
        ],
        { term: term.slice(0, 40) },
      ),
    );
  }
  if (!parts.slice(fixed).every(isPlaceholder))
    throw new ConstraintError(
      rule(['placeholders stand only at the end', fr`les jokers ne sont admis qu’à la fin`]),
    );
  if (fixed === 0) return {};
  const numbers = parts.slice(0, fixed).map(toNumber);
  return { from: toVersion(numbers), below: bump(numbers, fixed - 1) };
}

interface Literal {
  readonly numbers: readonly number[];
  /** Missing components are zero. */
  readonly version: SemVer;
}

function parseLiteral(text: string): Literal {
  if (text.includes('+'))
    throw new ConstraintError(
      rule(['build metadata is not accepted', fr`les métadonnées de construction ne sont pas acceptées`]),
    );
  const dash = text.indexOf('-');
  const parts = components(dash < 0 ? text : text.slice(0, dash));
  if (parts.some(isPlaceholder))
    throw new ConstraintError(
      rule(['a placeholder stands without an operator', fr`un joker n’admet pas d’opérateur`]),
    );
  const numbers = parts.map(toNumber);
  if (dash < 0) return { numbers, version: toVersion(numbers) };
  if (numbers.length < 3)
    throw new ConstraintError(
      rule(['a pre-release needs all three components', fr`une préversion exige les trois composants`]),
    );
  const version = parseVersion(text);
  if (!version) throw notVersion(text);
  return { numbers, version };
}

function toRange(operator: Operator, { numbers, version }: Literal): Range {
  const whole = numbers.length === 3;
  const next = (): SemVer => bump(numbers, numbers.length - 1);
  switch (operator) {
    case '^': {
      const leading = numbers.findIndex((number) => number > 0);
      return { from: version, below: bump(numbers, leading < 0 ? numbers.length - 1 : leading) };
    }
    case '~':
      return { from: version, below: bump(numbers, Math.min(numbers.length - 1, 1)) };
    case '=':
      return whole ? { from: version, below: version, through: true } : { from: version, below: next() };
    case '!=':
      return { ...toRange('=', { numbers, version }), outside: true };
    case '>':
      return whole ? { from: version, after: true } : { from: next() };
    case '>=':
      return { from: version };
    case '<':
      return { below: version };
    case '<=':
      return whole ? { below: version, through: true } : { below: next() };
  }
}

function components(text: string): string[] {
  const parts = text.split('.');
  if (parts.length > 3)
    throw new ConstraintError(rule(['at most three components', fr`au plus trois composants`]));
  for (const part of parts) {
    if (isPlaceholder(part)) continue;
    if (!isDigits(part)) throw notVersion(text);
    if (part.length > 1 && part.startsWith('0'))
      throw new ConstraintError(
        rule(['leading zeros are not accepted', fr`les zéros en tête ne sont pas acceptés`]),
      );
  }
  return parts;
}

function toNumber(part: string): number {
  const number = Number(part);
  // the component can still be incremented exactly
  if (number >= Number.MAX_SAFE_INTEGER)
    throw new ConstraintError(rule(['a component is too large', fr`un composant est trop grand`]));
  return number;
}

function toVersion([major = 0, minor = 0, patch = 0]: readonly number[]): SemVer {
  return parseVersion(`${major}.${minor}.${patch}`)!;
}

/** Returns the first version after all versions with the same components up to `position`. */
function bump(numbers: readonly number[], position: number): SemVer {
  return toVersion(numbers.slice(0, position + 1).map((number, i) => (i === position ? number + 1 : number)));
}

const coreOf = (version: SemVer): string => `${version.major}.${version.minor}.${version.patch}`;

function isWithin(version: SemVer, range: Range): boolean {
  const fromBelow = range.from === undefined ? 1 : compareParsed(version, range.from);
  const toAbove = range.below === undefined ? -1 : compareParsed(version, range.below);
  const inside =
    (range.after ? fromBelow > 0 : fromBelow >= 0) && (range.through ? toAbove <= 0 : toAbove < 0);
  return inside !== (range.outside ?? false);
}

/** Returns whether a version matches; a pre-release only if the expression has one of the same `major.minor.patch`. */
function isMatch(version: SemVer, constraint: Constraint): boolean {
  if (version.prerelease.length > 0 && !constraint.prereleases.has(coreOf(version))) return false;
  return constraint.ranges.every((range) => isWithin(version, range));
}

/**
 * Selects a tag by a version text: the exact tag, or the highest version that a constraint allows.
 *
 * @throws ConstraintError when `version` is an invalid constraint
 */
export function selectVersion(version: string, tags: readonly string[]): string | undefined {
  return runAtOnce(findVersion(version, tags));
}

/** As `selectVersion`, in short steps. @throws ConstraintError */
export function* findVersion(version: string, tags: readonly string[]): Steps<string | undefined> {
  if (!isConstraint(version)) return tags.includes(version) ? version : undefined;
  const constraint = parseConstraint(version);
  return yield* findHighest(tags, (candidate) => isMatch(candidate, constraint));
}

/**
 * Selects all tags that a constraint allows, from the highest version to the lowest.
 *
 * @throws ConstraintError when `constraint` is invalid
 */
export function selectVersions(constraint: string, tags: readonly string[]): readonly string[] {
  const parsed = parseConstraint(constraint);
  return tags
    .flatMap((tag) => {
      const version = parseVersionTag(tag);
      return version && isMatch(version, parsed) ? [{ tag, version }] : [];
    })
    .sort((a, b) => compareParsed(b.version, a.version))
    .map(({ tag }) => tag);
}

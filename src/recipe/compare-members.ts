import { runAtOnce, type Steps } from '../base/pacer.ts';
import type { MemberDifference, MemberValue } from '../contract/authoring.ts';
import { formatPlatform } from '../oci/platform.ts';
import { formatReference } from '../oci/reference.ts';
import type { Ingredient } from './model.ts';

/** An ingredient as its document has it: references and platforms are texts. */
export type WrittenIngredient<T extends Ingredient = Ingredient> = Omit<T, 'ref' | 'platforms'> & {
  readonly ref: string;
  readonly platforms: readonly string[];
};

/** Every other member is copied unchanged, so that later members of the format are never left out. */
export function toWritten<T extends Ingredient>(ingredient: T): WrittenIngredient<T> {
  const { ref, platforms, ...others } = ingredient;
  return { ...others, ref: formatReference(ref), platforms: platforms.map(formatPlatform) };
}

/**
 * Lists the members of a part of a document, at any depth, by their paths. A member that is false or an empty list
 * means the same as its absence, and is left out.
 */
export function listMembers(part: object): ReadonlyMap<string, MemberValue> {
  const members = new Map<string, MemberValue>();
  runAtOnce(collect(part, '', members));
  return members;
}

function* collect(part: object, path: string, members: Map<string, MemberValue>): Steps<void> {
  for (const [key, value] of Object.entries(part) as [string, unknown][]) {
    const own = joinPath(path, key);
    if (value === undefined || value === false) continue;
    if (isTexts(value)) {
      if (value.length > 0) members.set(own, value);
    } else if (typeof value === 'object' && value !== null) yield* collect(value, own, members);
    else members.set(own, value === true ? true : String(value));
    yield;
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The whole key: two long ones may differ at their ends only. */
function joinPath(parent: string, key: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** Compares two parts of documents member by member. The order of a list counts. Pure. */
export function compareMembers(before: object, after: object): readonly MemberDifference[] {
  return runAtOnce(compareMembersSteps(before, after));
}

/** As {@link compareMembers}, in short steps. */
export function* compareMembersSteps(before: object, after: object): Steps<readonly MemberDifference[]> {
  const old = new Map<string, MemberValue>();
  const now = new Map<string, MemberValue>();
  yield* collect(before, '', old);
  yield* collect(after, '', now);
  const differences: MemberDifference[] = [];
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(path), now.get(path)];
    if (!isSame(from, to))
      differences.push({
        path,
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      });
    yield;
  }
  return differences;
}

const isSame = (a: MemberValue | undefined, b: MemberValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** A value as one text; a dash where there is none. */
export function formatMember(value: MemberValue | undefined): string {
  if (value === undefined) return '-';
  if (value === '') return '""';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

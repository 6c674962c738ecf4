import type { Message } from './error.ts';
import { condition, fill, listPlaceholders, optionalPart, toGeneralName, toGeneralSentence } from './fill.ts';
import type { Language } from './language.ts';

/** A cause of an error with the remedies of this cause. */
interface Case {
  readonly cause: string;
  readonly actions: readonly string[];
}

/** The causes of an error code with their remedies, and the sentences that hold for all of them. */
export interface Cases extends Pick<Message, 'cause' | 'action'> {
  /** None: the code has one cause. */
  readonly cases: readonly Case[];
}

/** Whether causes have remedies of their own: only then does each remedy stand beside its cause. */
export const isPaired = ({ cases }: Cases): boolean =>
  cases.some(({ cause }) => cause !== '') && cases.some(({ actions }) => actions.join('') !== '');

/** A part of a template: a text that is always there, or one that depends on parameters. */
interface Part {
  readonly raw: string;
  readonly names: readonly string[];
  readonly conditions: readonly (readonly [name: string, value: string | undefined])[];
  readonly isOptional: boolean;
  readonly otherwise: string;
}

/** The parameter that makes a case, and its value; without a value it only has one. */
type Situation = readonly [name: string, value?: string] | undefined;

const isSentence = (text: string): boolean => /^\s*[\p{Lu}{].*[.?!]\s*$/u.test(text);
const join = (texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');

function splitParts(template: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  const add = (raw: string, otherwise?: string): void => {
    const conditions = [...raw.matchAll(condition)].map(([, name, value]) => [name!, value] as const);
    const names = listPlaceholders(raw);
    parts.push({ raw, names, conditions, isOptional: otherwise !== undefined, otherwise: otherwise ?? '' });
  };
  for (const { 0: raw, 2: otherwise = '', index } of template.matchAll(optionalPart)) {
    if (index > end) add(template.slice(end, index));
    add(raw, otherwise);
    end = index + raw.length;
  }
  if (end < template.length) add(template.slice(end));
  return parts;
}

/** A part that is there when a parameter is, without a condition on it. */
const isPlain = ({ isOptional, conditions, otherwise }: Part): boolean =>
  isOptional && conditions.length === 0 && otherwise === '';

/** A text of another error, which says nothing without its value. */
const isBare = ({ raw }: Part): boolean => /^\[\s*\{\w+\}\s*\]$/.test(raw);

/** One sentence where a parameter is present, and another where it is absent. */
const isEither = ({ raw, conditions, otherwise }: Part): boolean =>
  conditions.length === 0 && isSentence(otherwise) && isSentence(raw.slice(1, raw.indexOf('|')));

/** The situations that parts tell apart, in the order of their sentences. */
function listSituations(parts: readonly Part[]): readonly Situation[] {
  const tested = new Set(parts.flatMap(({ conditions }) => conditions.map(([name]) => name)));
  const found = new Map<string, Situation>();
  const add = (situation: Situation): unknown => found.set(String(situation), situation);
  for (const part of parts) {
    const { conditions, otherwise, names } = part;
    if (otherwise !== '' && (conditions.length > 0 || isEither(part))) add(undefined);
    if (isEither(part)) add([names[0]!]);
    for (const [name, value] of conditions)
      if (value !== undefined) add([name, value]);
      else if (otherwise === '') add(undefined);
      else add([name]);
    if (isPlain(part)) for (const name of names) if (tested.has(name)) add([name]);
  }
  return [...found.values()];
}

/**
 * Splits the cause and the remedy of a code, for a list of errors. Parts of both that depend on the same value of a
 * parameter belong together; parameters remain by their names.
 */
export function toCases({ cause, action }: Pick<Message, 'cause' | 'action'>, language: Language): Cases {
  const sides = [cause, action].map((text) => splitParts(text).filter((part) => !isBare(part)));
  const situations = listSituations(sides.flat());
  const switches = new Set(situations.flatMap((each) => (each === undefined ? [] : [each[0]])));
  const say = (parts: readonly Part[], situation: Situation): string =>
    fill(
      parts.map(({ raw }) => raw).join(''),
      (name, value) =>
        name === situation?.[0]
          ? value === undefined || value === situation[1]
          : value === undefined && !switches.has(name),
      toGeneralName,
    ).trim();
  const isNote = (part: Part): boolean =>
    isPlain(part) && isSentence(part.raw.slice(1, -1)) && !part.names.some((name) => switches.has(name));
  const isCommon = (part: Part): boolean => !part.isOptional && isSentence(part.raw);
  const bodies = sides.map((parts) => parts.filter((part) => !isNote(part) && !isCommon(part)));
  // sentences on one parameter are a cause and its remedy too
  const notes = sides.map((parts) => parts.filter(isNote));
  const [causeNames, actionNames] = notes.map((parts) => new Set(parts.flatMap(({ names }) => names)));
  const paired = [...causeNames!].filter((name) => actionNames!.has(name));
  const isOfPair = ({ names }: Part): boolean => names.some((name) => paired.includes(name));
  const rows = [
    ...situations.map((situation) => bodies.map((parts) => say(parts, situation))),
    ...paired.map((name) =>
      notes.map((parts) =>
        join(parts.filter(({ names }) => names.includes(name)).map((part) => say([part], undefined))),
      ),
    ),
  ];
  const cases = new Map<string, string[]>();
  for (const [why = '', what = ''] of rows) {
    if (why === '' && what === '') continue;
    const actions = cases.get(why) ?? [];
    if (!actions.includes(what)) actions.push(what);
    cases.set(why, actions);
  }
  const isOne = [...cases.values()].flat().length < 2;
  if (isOne)
    return {
      cases: [],
      cause: toGeneralSentence(cause, language),
      action: toGeneralSentence(action, language),
    };
  const [causeRest, actionRest] = sides.map((parts) =>
    join(
      parts
        .filter((part) => isCommon(part) || (isNote(part) && !isOfPair(part)))
        .map((part) => say([part], undefined)),
    ),
  );
  return {
    cases: [...cases].map(([why, actions]) => ({ cause: why, actions })),
    cause: causeRest!,
    action: actionRest!,
  };
}

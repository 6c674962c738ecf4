import type { ErrorRecord, Message, SvcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { renderError, sayDetail } from '../../src/text/message.ts';
import { renderOmitted } from './count.ts';
import { headingOf, renderRemedy } from './remedy.ts';

/** Maximum length of a technical detail, in characters. */
const detailLimit = 1000;

/** One error of a report. */
export interface Problem {
  readonly error: Omit<ErrorRecord, 'class'>;
  /** The subject of the error, such as a recipe. */
  readonly name?: string;
  /** Text after the sentence, such as `(waived)`. */
  readonly note?: string;
  /** Lines that belong to this error only. */
  readonly more?: readonly string[];
}

interface RenderProblemsOptions {
  readonly language: Language;
  /** Spaces before the line of a problem; default 2. Lines that belong to it have two more. */
  readonly indent?: number;
  /** Maximum number of problems that are shown with the same cause and action. Default: 20. */
  readonly shown?: number;
  /** An error that is printed after the list: its detail, cause and action are left out here. */
  readonly principal?: SvcError | undefined;
}

/** Problems that have the same code, cause and action. */
interface Group {
  readonly message: Message;
  readonly problems: Problem[];
}

/**
 * Renders errors for a report: one line each, and after the errors that have the same cause and action, these two once. Empty
 * when there is no error.
 */
export function renderProblems(problems: readonly Problem[], options: RenderProblemsOptions): string {
  const { language, shown = 20, principal, indent = 2 } = options;
  const last = principal && toKey(principal.code, renderError(principal, language));
  const groups = new Map<string, Group>();
  for (const problem of problems) {
    const message = toMessage(problem, language);
    const key = toKey(problem.error.code, message);
    const group = groups.get(key) ?? { message, problems: [] };
    groups.set(key, group);
    group.problems.push(problem);
  }
  const lines = [...groups].flatMap(([key, { message, problems: own }]) => {
    const omitted = own.length - shown;
    return [
      ...own.slice(0, shown).flatMap((problem) => renderProblem(problem, key !== last, language)),
      ...(omitted > 0 ? [renderOmitted(omitted, language)] : []),
      ...(key === last ? [] : renderRemedy(message, language).map((line) => `  ${line}`)),
    ];
  });
  return lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('');
}

function renderProblem(problem: Problem, withDetail: boolean, language: Language): string[] {
  const { name, error, note = '', more = [] } = problem;
  const before = name === undefined ? '' : `${escapeText(name)}${speak(language)(': ', fr` : `)}`;
  const { what } = toMessage(problem, language);
  const given = withDetail ? (sayDetail(error, language) ?? '').slice(0, detailLimit) : '';
  const detail = given === '' ? [] : [`  ${headingOf('detail', language)} ${escapeText(given)}`];
  return [
    `${before}${error.code}${name === undefined ? '  ' : ' '}${what}${note}`,
    ...more.map((line) => `  ${line}`),
    ...detail,
  ];
}

function toMessage({ error }: Problem, language: Language): Message {
  // the class has no sentence
  return renderError({ ...error, class: 'failure' }, language);
}

const toKey = (code: string, { cause, action }: Message): string => `${code}\n${cause}\n${action}`;

import { isSvcError, type SvcError, svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import type { Faults, FaultyFields, Fields, PageCall, Posted } from './ui-route.ts';

/** The error of a field without a value. */
export function missingField(name: string): SvcError {
  return svcError('SVC-VAL-001', { file: 'form', path: `/${name}`, rule: rule(['is missing', fr`manque`]) });
}

/** The field of a form that SVC-VAL-001 names; a path without the slash is a member of a document. */
export function namedField({ code, params: { path, file, problem } }: SvcError): string {
  if (code !== 'SVC-VAL-001') return '';
  if (problem === 'source') return String(file);
  return /^\/([A-Za-z][\w-]*)(?:\/|$)/.exec(String(path))?.[1] ?? '';
}

/** Every wrong field of a form, by the error that the first of them led to. */
const several = new WeakMap<SvcError, Faults>();

/** Notes every wrong field beside the error that is thrown. @returns the error */
export function noteFaults(error: SvcError, faults: Faults): SvcError {
  if (faults.size > 0) several.set(error, faults);
  return error;
}

/** The fields whose check fails, by name. */
export function listWrong(checks: Readonly<Record<string, () => unknown>>): Map<string, SvcError> {
  const wrong = new Map<string, SvcError>();
  for (const [name, check] of Object.entries(checks))
    try {
      check();
    } catch (error) {
      if (!isSvcError(error)) throw error;
      wrong.set(name, error);
    }
  return wrong;
}

/** The fields that an error of a form is about. */
export function findFaults(error: SvcError, fields: Fields, faulty: FaultyFields = {}): Faults {
  const all = several.get(error);
  if (all !== undefined) return all;
  const named = faulty[error.code];
  const declared = typeof named === 'function' ? named(fields) : named;
  // the field of a document has the name of the document
  const document = error.code === 'SVC-VAL-001' ? String(error.params.file) : '';
  const name = namedField(error) || declared || document;
  return new Map(name === '' ? [] : [[name, error]]);
}

/** The input of a GET form that was refused: its page marks the field as that of an action does. */
export function toRefused({ search }: PageCall, error: SvcError, faulty?: FaultyFields): Posted {
  const fields = new Map([...new Set(search.keys())].map((name) => [name, search.getAll(name)]));
  return { fields, error, wrong: findFaults(error, fields, faulty) };
}

/** A field as the page shows it. */
export interface NotedField {
  readonly label: string;
  /** Identifier of its control. */
  readonly id: string;
  /** Its values, as they were typed. */
  readonly given?: readonly string[] | undefined;
}

/** Most characters of a wrong value that its message repeats. */
const mostShown = 64;

/**
 * The wrong value of a field, as it was typed: that of the list item which the error names. Empty where there is none to
 * show, such as a key.
 */
export function wrongValue({ params: { path } }: SvcError, values: readonly string[] = []): string {
  const item = /^\/[^/]+\/(\d+)$/.exec(String(path))?.[1];
  const lines = values.flatMap((value) => value.split(/\r?\n/)).filter((line) => line.trim() !== '');
  const value = item !== undefined ? lines[Number(item)] : lines.length === 1 ? lines[0] : undefined;
  if (value === undefined || lines.some((line) => line.startsWith('-----BEGIN'))) return '';
  return value.length > mostShown ? `${value.slice(0, mostShown)}…` : value;
}

/** The fields of a form that is shown again, as they are made: its error is worded with their labels, and leads to them. */
const noted = new WeakMap<object, Map<string, NotedField>>();

/** Notes a field of a form. @param posted the input of the form, or the wrong parameters of its query */
export function noteField(posted: object | undefined, name: string, field: NotedField): void {
  if (posted === undefined) return;
  const known = noted.get(posted) ?? new Map<string, NotedField>();
  noted.set(posted, known.set(name, field));
}

/** A field as it was noted; undefined when the page does not have it. */
export function notedField(posted: object | undefined, name: string): NotedField | undefined {
  return posted && noted.get(posted)?.get(name);
}

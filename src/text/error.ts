import { errorKinds } from './errors/codes.ts';
import type { ErrorClass, ErrorCode, ErrorParams, ParamValue } from './errors/registry.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { mapRule, Rule, type StoredRule } from './rule.ts';
import { withoutUrlSecrets } from './secrets/url-secrets.ts';
import { isShortage } from './transient-code.ts';

export { type ExitCode, exitCodes } from './exit-codes.ts';

/** A coded error as it is stored and sent: without sentences or a stack. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly class: ErrorClass;
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Parameters that are texts of this program, in both languages; `params` has them in English. */
  readonly rules?: Readonly<Record<string, StoredRule>> | undefined;
  /** Technical detail, such as the operating system's message. */
  readonly detail?: string | undefined;
  /** The lines of a detail that is a text of this program, in both languages; `detail` has them in English. */
  readonly detailRules?: readonly StoredRule[] | undefined;
}

/** Sentences of an error: the event, the probable cause, and the remedy. */
export interface Message {
  readonly what: string;
  readonly cause: string;
  readonly action: string;
}

/** A technical detail: a text of another program, or one or several lines of this one. */
type Detail = string | Rule | readonly Rule[];

interface ErrorOptions {
  /** Kept; its message, or its detail when it is coded, becomes the technical detail unless `detail` is given. */
  readonly cause?: unknown;
  /** An empty one says that the parameters already tell everything. */
  readonly detail?: Detail | undefined;
}

/** The one error class of the product: a registered code with its parameters; the cause is kept. */
export class SvcError extends Error {
  readonly code: ErrorCode;
  /** Class of the code, or a more severe one that the context gives: a failure that blocks a recipe of a medium is a verdict. */
  readonly class: ErrorClass;
  /** Parameters; texts are English. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Parameters that are texts of this program, in both languages. */
  readonly rules: Readonly<Record<string, StoredRule>>;
  readonly detail: string | undefined;
  /** The lines of the detail in both languages, if it is a text of this program. */
  readonly detailRules: readonly StoredRule[];
  /** Sentences of another process, which are shown if this version does not know the code. */
  given: Message | undefined;
  /** Identifies the log records of this error, if the error came from another process. */
  correlationId: string | undefined;

  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, ParamValue>>,
    options: Pick<ErrorRecord, 'rules' | 'detailRules'> & {
      readonly cause?: unknown;
      readonly detail?: string | undefined;
      readonly class?: ErrorClass;
    } = {},
  ) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    const { rules = {}, detailRules = [], cause } = options;
    this.name = 'SvcError';
    this.code = code;
    this.class = toClass(code, options.class);
    this.params = withoutSecrets(params);
    this.rules = Object.fromEntries(
      Object.entries(rules).map(([name, rule]) => [name, mapRule(rule, withoutUrlSecrets)]),
    );
    const own = options.detail ?? toDetail(cause);
    this.detail = own ? withoutUrlSecrets(own) : undefined;
    const lines = options.detail === undefined ? toDetailRules(cause) : detailRules;
    this.detailRules = lines.map((line) => mapRule(line, withoutUrlSecrets));
  }
}

/** Parameters without the secrets of the URLs in them: the text of an input may become a parameter. */
function withoutSecrets(params: Readonly<Record<string, ParamValue>>): Readonly<Record<string, ParamValue>> {
  // an error of a newer instance may have lists of other values
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return withoutUrlSecrets(value);
    return Array.isArray(value) ? value.map(clean) : value;
  };
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, clean(value) as ParamValue]),
  );
}

/** Returns the message of the system without the advice that the runtime adds. A coded cause has its own detail. */
function toDetail(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (cause instanceof SvcError) return cause.detail;
  const { message } = cause;
  const advice = message.indexOf('; if the root CA is installed locally');
  const own = advice < 0 ? message : message.slice(0, advice);
  // a path relative to an open folder: the number of its descriptor means nothing to a reader
  return own.replace(/\/proc\/self\/fd\/\d+\//g, '');
}

/** Returns the detail of a coded cause, or the rule that is the message of another one, in both languages. */
function toDetailRules(cause: unknown): readonly StoredRule[] {
  if (cause instanceof SvcError) return cause.detailRules;
  const { rule } = (cause ?? {}) as { readonly rule?: unknown };
  return cause instanceof Error && rule instanceof Rule ? [rule] : [];
}

/**
 * Makes a coded error.
 *
 * @param params the parameters that the code declares; absent optional ones may be `undefined`
 */
export function svcError<C extends ErrorCode>(
  code: C,
  params: ErrorParams<C>,
  { cause, detail }: ErrorOptions = {},
): SvcError {
  const present: Record<string, ParamValue> = {};
  const rules: Record<string, StoredRule> = {};
  for (const [name, value] of Object.entries(params as Record<string, ParamValue | Rule | undefined>)) {
    if (value instanceof Rule) rules[name] = value;
    if (value !== undefined) present[name] = value instanceof Rule ? String(value) : value;
  }
  const lines = typeof detail === 'object' ? [detail].flat() : [];
  return new SvcError(code, present, {
    cause,
    rules,
    detail: typeof detail === 'object' ? lines.join('\n') : detail,
    detailRules: lines,
  });
}

/** Returns whether this version knows a code. A record of another process can have one of a newer version. */
export function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorKinds, code);
}

/** Returns whether `error` has this code; without `code`, whether it is a coded error. */
export function isSvcError(error: unknown, code?: ErrorCode): error is SvcError {
  return error instanceof SvcError && (code === undefined || error.code === code);
}

/**
 * Converts any thrown value to a coded error: `SVC-STO-014` for a system call without descriptors or memory,
 * `SVC-SRV-001` for other values without a code. Keeps the cause.
 */
export function toSvcError(error: unknown): SvcError {
  if (isSvcError(error)) return error;
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (isShortage(code))
    return svcError('SVC-STO-014', { path: path ?? syscall ?? 'a file', detail: code }, { cause: error });
  return svcError('SVC-SRV-001', {}, { cause: error });
}

/** Converts any thrown value to its stored form, as `toSvcError` converts it. */
export function toErrorRecord(error: unknown): ErrorRecord {
  const coded = toSvcError(error);
  const { code, params, detail } = coded;
  return {
    code,
    class: coded.class,
    params,
    ...(detail === undefined ? {} : { detail }),
    ...toStoredRules(coded),
  };
}

/** Returns the texts of an error in both languages as a document has them; empty when it has none. */
export function toStoredRules({ rules, detailRules }: SvcError): Pick<ErrorRecord, 'rules' | 'detailRules'> {
  return {
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    ...(detailRules.length === 0 ? {} : { detailRules }),
  };
}

/** Restores the error of a stored record, with its class. */
export function fromErrorRecord({ code, params, ...options }: ErrorRecord): SvcError {
  return new SvcError(code, params, options);
}

/** The same error with further parameters, which its sentences show. */
export function addParams(error: SvcError, params: SvcError['params']): SvcError {
  const record = toErrorRecord(error);
  return fromErrorRecord({ ...record, params: { ...record.params, ...params } });
}

/** The members of an error that decide its rank and exit code. Without `class`, the class of its code applies. */
interface Ranked {
  readonly code: ErrorCode;
  readonly class?: ErrorClass;
}

const severity: Record<ErrorClass, number> = { failure: 0, policy: 1, verification: 2 };

/**
 * Returns the given class if it is more severe than that of the code: a record never lowers the class of its code. A code
 * of a newer version, which is not registered, counts as a failure.
 */
function toClass(code: ErrorCode, given?: ErrorClass): ErrorClass {
  const own = isKnownCode(code) ? errorKinds[code].class : 'failure';
  return given !== undefined && severity[given] > severity[own] ? given : own;
}

const classOf = (error: Ranked): ErrorClass => toClass(error.code, error.class);

/**
 * Selects the error that represents several: the most severe class, then the most frequent code, then the smallest code.
 *
 * @returns undefined when there is no error
 */
export function selectPrincipal<E extends Ranked>(errors: Iterable<E>): E | undefined {
  const byCode = new Map<string, { first: E; count: number }>();
  for (const error of errors) {
    const key = `${classOf(error)} ${error.code}`;
    const seen = byCode.get(key);
    if (seen) seen.count += 1;
    else byCode.set(key, { first: error, count: 1 });
  }
  const ranked = [...byCode.values()].sort(
    (a, b) =>
      severity[classOf(b.first)] - severity[classOf(a.first)] ||
      b.count - a.count ||
      (a.first.code < b.first.code ? -1 : 1),
  );
  return ranked[0]?.first;
}

export function toExitCode(error: Ranked): ExitCode {
  return exitCodes[classOf(error)];
}

import {
  catalogue,
  type ErrorClass,
  type ErrorCode,
  type ErrorParams,
  type ParamValue,
} from './catalogue.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

export { type ExitCode, exitCodes } from './exit-codes.ts';

/** A coded error in the form in which it is stored and sent: no sentence, no stack. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly class: ErrorClass;
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Untranslated technical detail, such as the operating system's message. */
  readonly detail?: string;
}

/** The one error class of the product: a code of the catalogue with its parameters; the cause is kept. */
export class SvcError extends Error {
  readonly code: ErrorCode;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly detail: string | undefined;
  /** Finds the log records that belong to this error, where the error crossed a process. */
  correlationId: string | undefined;

  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, ParamValue>>,
    options?: { cause?: unknown; detail?: string },
  ) {
    super(code, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SvcError';
    this.code = code;
    this.params = params;
    this.detail = options?.detail ?? (options?.cause instanceof Error ? toDetail(options.cause) : undefined);
  }

  get class(): ErrorClass {
    return catalogue[this.code].class;
  }
}

/** What the system said, without the advice that the runtime has for its own users. */
function toDetail({ message }: Error): string {
  const advice = message.indexOf('; if the root CA is installed locally');
  return advice < 0 ? message : message.slice(0, advice);
}

/**
 * Makes a coded error.
 *
 * @param params the parameters that the code declares; absent optional ones may be `undefined`
 * @param options `cause` is kept; its message becomes the technical detail unless `detail` is given
 */
export function svcError<C extends ErrorCode>(
  code: C,
  params: ErrorParams<C>,
  options?: { cause?: unknown; detail?: string },
): SvcError {
  const present: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(params as Record<string, ParamValue | undefined>)) {
    if (value !== undefined) present[name] = value;
  }
  return new SvcError(code, present, options);
}

/** Whether `error` carries this code; without `code`, whether it is coded at all. */
export function isSvcError(error: unknown, code?: ErrorCode): error is SvcError {
  return error instanceof SvcError && (code === undefined || error.code === code);
}

/** Any thrown value as a coded error; what is not coded becomes `SVC-SRV-001` with the cause kept. */
export function toSvcError(error: unknown): SvcError {
  return isSvcError(error) ? error : svcError('SVC-SRV-001', {}, { cause: error });
}

export function toErrorRecord(error: unknown): ErrorRecord {
  const coded = toSvcError(error);
  return {
    code: coded.code,
    class: coded.class,
    params: coded.params,
    ...(coded.detail === undefined ? {} : { detail: coded.detail }),
  };
}

/** The error that a stored record stands for. */
export function fromErrorRecord(record: ErrorRecord): SvcError {
  return new SvcError(
    record.code,
    record.params,
    record.detail === undefined ? {} : { detail: record.detail },
  );
}

const severity: Record<ErrorClass, number> = { failure: 0, policy: 1, verification: 2 };

/**
 * The error that speaks for several: the most severe class, then the most frequent code, then the smallest code.
 *
 * @returns undefined when there is none
 */
export function selectPrincipal<E extends { readonly code: ErrorCode }>(errors: Iterable<E>): E | undefined {
  const byCode = new Map<ErrorCode, { first: E; count: number }>();
  for (const error of errors) {
    const seen = byCode.get(error.code);
    if (seen) seen.count += 1;
    else byCode.set(error.code, { first: error, count: 1 });
  }
  const ranked = [...byCode.values()].sort(
    (a, b) =>
      severity[catalogue[b.first.code].class] - severity[catalogue[a.first.code].class] ||
      b.count - a.count ||
      (a.first.code < b.first.code ? -1 : 1),
  );
  return ranked[0]?.first;
}

export function toExitCode(error: { readonly code: ErrorCode }): ExitCode {
  return exitCodes[catalogue[error.code].class];
}

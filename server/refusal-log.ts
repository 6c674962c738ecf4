import type { Identity } from '../src/account/model.ts';
import { type Clock, systemClock, toStamp } from '../src/base/clock.ts';
import { type AuditEvent, actors, type LogFields, type Report } from '../src/base/report.ts';
import { resources } from '../src/base/shares/resources.ts';
import type { Bounds } from '../src/base/shares/shares.ts';
import { actionGroups } from '../src/contract/history.ts';
import { isKnownCode } from '../src/text/error.ts';
import { errorKinds } from '../src/text/errors/codes.ts';
import { addEvent, type EventSum, type SeenEvent, toSumRecord } from './shares/event-sum.ts';
import { toHolder, toOriginHolder, toShownHolder } from './shares/holder.ts';
import { RecordBudget } from './shares/record-budget.ts';

/** A refusal as it is logged. */
export interface Refusal {
  /** Error code, or one of the Distribution specification. */
  readonly code: string;
  readonly status: number;
  readonly params?: unknown;
  readonly detail?: unknown;
  /** Of an internal error. */
  readonly stack?: string | undefined;
}

/** Actors that are no account or token: their records are counted by origin. */
const nameless: ReadonlySet<string> = new Set([actors.unauthenticated, actors.anonymous]);

/** Whether an audit record may be counted: it tells of no change. */
const isCountable = ({ outcome, action, origin }: AuditEvent): boolean =>
  origin !== undefined &&
  (outcome !== 'success' || action === 'session.login' || action === 'session.logout');

/** Actions that change nothing where they succeed either. */
const accesses: ReadonlySet<string> = new Set([...actionGroups['sign-ins'], ...actionGroups.requests]);

interface RefusalLogOptions {
  readonly clock?: Pick<Clock, 'wall' | 'monotonic'>;
  /** Audit records in a minute, instead of those of sign-ins and refused requests, and of those of failed changes. */
  readonly auditRecords?: Bounds | undefined;
  /** Whether the actor of an audit record is an administrator now. */
  readonly isAdmin?: (actor: string) => boolean;
}

/** A stopping or busy instance refuses by design. */
const isFailure = ({ status, code }: Refusal): boolean => status >= 500 && code !== 'SVC-SRV-006';

/**
 * Logs and audits refusals and failures. For each account, and each origin before sign-in, some per minute are single
 * records with the correlation id of the request. The rest is one sum. This limits the growth of both logs.
 */
export class RefusalLog implements Disposable {
  /** The given report, with the audit records of refusals, failures and sign-ins counted; changes are always recorded. */
  readonly report: Report;
  readonly #report: Report;
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #logged: RecordBudget<undefined, number>;
  readonly #accesses: RecordBudget<SeenEvent, EventSum>;
  /** Attempts at changes, which a flood of refused requests does not push out of the records. */
  readonly #attempts: RecordBudget<SeenEvent, EventSum>;
  readonly #isAdmin: (actor: string) => boolean;

  constructor(
    report: Report,
    { clock = systemClock, auditRecords, isAdmin = () => false }: RefusalLogOptions = {},
  ) {
    this.#report = report;
    this.#clock = clock;
    this.#isAdmin = isAdmin;
    const now = () => clock.monotonic();
    this.#logged = new RecordBudget(resources.refusalRecords, {
      add: (count = 0) => count + 1,
      tell: ({ holder, sums }) => {
        const count = [...sums.values()].reduce((sum, one) => sum + one);
        const codes = Object.fromEntries(sums);
        report.log('info', 'further requests refused', { ...toShownHolder(holder), count, codes });
      },
      now,
    });
    const options = {
      add: addEvent,
      tell: ({ sums }: { readonly sums: ReadonlyMap<string, EventSum> }) => {
        for (const sum of sums.values()) report.audit(toSumRecord(sum));
      },
      now,
    };
    this.#accesses = new RecordBudget(auditRecords ?? resources.auditRecords, options);
    this.#attempts = new RecordBudget(auditRecords ?? resources.attemptRecords, options);
    this.report = this.#toCounted(report);
  }

  /**
   * Logs or counts one refusal or failure.
   *
   * @param identity of the caller, once it is known
   * @param fields fields of the record, if it is logged on its own
   */
  record(address: string, refusal: Refusal, fields: LogFields, identity?: Identity | undefined): void {
    const { code, status, params, detail, stack } = refusal;
    if (status < 500) this.#meter(code);
    const holder = identity === undefined ? toOriginHolder(address) : toHolder(identity, address);
    if (!this.#logged.isAlone(holder, code, undefined)) return;
    const [level, message] = isFailure(refusal)
      ? (['error', 'request failed'] as const)
      : (['info', 'request refused'] as const);
    const shown = { ...fields, origin: address, code, status, params, detail };
    this.#report.log(level, message, { ...shown, ...(stack === undefined ? {} : { stack }) });
  }

  /** Logs the sums of the minute, if it is over. */
  sum(): void {
    this.#logged.sum();
    this.#accesses.sum();
    this.#attempts.sum();
  }

  [Symbol.dispose](): void {
    this.#logged[Symbol.dispose]();
    this.#accesses[Symbol.dispose]();
    this.#attempts[Symbol.dispose]();
  }

  #toCounted(report: Report): Report {
    return {
      log: (level, message, fields) => report.log(level, message, fields),
      audit: (event) => {
        if (!isCountable(event) || this.#isAlone(event)) report.audit(event);
      },
      meter: report.meter,
      child: (fields) => this.#toCounted(report.child(fields)),
    };
  }

  #isAlone(event: AuditEvent): boolean {
    const { actor, action, outcome, origin } = event;
    const holder = nameless.has(actor)
      ? toOriginHolder(origin ?? '')
      : ({ name: actor, rank: this.#isAdmin(actor) ? 'admin' : 'account' } as const);
    const budget = accesses.has(action) ? this.#accesses : this.#attempts;
    return budget.isAlone(holder, JSON.stringify([actor, action, outcome]), {
      event,
      at: toStamp(this.#clock),
    });
  }

  /** Counts a refusal by policy or a failed verification. A code of the Distribution specification is neither. */
  #meter(code: string): void {
    if (!isKnownCode(code)) return;
    const { class: kind } = errorKinds[code];
    if (kind === 'policy') this.#report.meter.add('svc_policy_rejections_total', 1, { code });
    if (kind === 'verification') this.#report.meter.add('svc_verification_failures_total', 1, { code });
  }
}

import type { Identity } from '../src/account/model.ts';
import { type AuditEvent, actors, type LogFields, type Report, targets } from '../src/base/report.ts';
import { resources } from '../src/base/shares/resources.ts';
import type { Bounds } from '../src/base/shares/shares.ts';
import { isKnownCode } from '../src/text/error.ts';
import { errorKinds } from '../src/text/errors/codes.ts';
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

interface RefusalLogOptions {
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Audit records of refusals, failures and sign-ins in a minute. */
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
  readonly #logged: RecordBudget;
  readonly #audited: RecordBudget;
  readonly #isAdmin: (actor: string) => boolean;

  constructor(
    report: Report,
    {
      now = () => performance.now(),
      auditRecords = resources.auditRecords,
      isAdmin = () => false,
    }: RefusalLogOptions = {},
  ) {
    this.#report = report;
    this.#isAdmin = isAdmin;
    this.#logged = new RecordBudget(
      resources.refusalRecords,
      ({ holder, counts }) => {
        const count = [...counts.values()].reduce((sum, one) => sum + one);
        const codes = Object.fromEntries(counts);
        report.log('info', 'further requests refused', { ...toShownHolder(holder), count, codes });
      },
      now,
    );
    this.#audited = new RecordBudget(
      auditRecords,
      ({ holder, counts }) => {
        for (const [kind, count] of counts) {
          const [actor, action, outcome] = JSON.parse(kind) as [
            string,
            AuditEvent['action'],
            AuditEvent['outcome'],
          ];
          const { origin } = toShownHolder(holder);
          const target = targets.several;
          report.audit({ actor, action, target, outcome, origin, details: { further: count } });
        }
      },
      now,
    );
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
    if (!this.#logged.isAlone(holder, code)) return;
    const [level, message] = isFailure(refusal)
      ? (['error', 'request failed'] as const)
      : (['info', 'request refused'] as const);
    const shown = { ...fields, origin: address, code, status, params, detail };
    this.#report.log(level, message, { ...shown, ...(stack === undefined ? {} : { stack }) });
  }

  /** Logs the sums of the minute, if it is over. */
  sum(): void {
    this.#logged.sum();
    this.#audited.sum();
  }

  [Symbol.dispose](): void {
    this.#logged[Symbol.dispose]();
    this.#audited[Symbol.dispose]();
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

  #isAlone({ actor, action, outcome, origin }: AuditEvent): boolean {
    const holder = nameless.has(actor)
      ? toOriginHolder(origin ?? '')
      : ({ name: actor, rank: this.#isAdmin(actor) ? 'admin' : 'account' } as const);
    return this.#audited.isAlone(holder, JSON.stringify([actor, action, outcome]));
  }

  /** Counts a refusal by policy or a failed verification. A code of the Distribution specification is neither. */
  #meter(code: string): void {
    if (!isKnownCode(code)) return;
    const { class: kind } = errorKinds[code];
    if (kind === 'policy') this.#report.meter.add('svc_policy_rejections_total', 1, { code });
    if (kind === 'verification') this.#report.meter.add('svc_verification_failures_total', 1, { code });
  }
}

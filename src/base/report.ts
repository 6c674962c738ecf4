import type { Details } from './details.ts';

/** Log level of a record. Messages are stable English; values go into fields, never into the message. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogFields {
  readonly runId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly recipe?: string | undefined;
  readonly ingredient?: string | undefined;
  readonly digest?: string | undefined;
  readonly source?: string | undefined;
  readonly effective?: string | undefined;
  readonly destination?: string | undefined;
  readonly mediaId?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly [name: string]: unknown;
}

/** Closed list of the audited actions. */
export const auditActions = [
  'instance.start',
  'instance.stop',
  'auth.override_active',
  'auth.authenticate',
  'session.login',
  'session.logout',
  'account.create',
  'account.delete',
  'account.role_change',
  'account.password_change',
  'token.create',
  'token.revoke',
  'ui.access',
  'api.access',
  'registry.access',
  'import.create',
  'sync.create',
  'task.cancel',
  'recipe.publish',
  'recipe.sign',
  'receipt.write',
  'receipt.accept',
  'custody.note',
  'custody.approve',
  'content.push',
  'content.retag',
  'content.delete',
  'config.interval',
  'config.rate-limit',
  'config.windows',
  'config.certificate',
  'config.key',
  'media.verify',
  'media.verify_cancel',
  'media.import',
  'media.prove',
  'media.prove_cancel',
  'media.waiver',
  'store.reset',
  'store.repair',
  'store.adopt',
  'store.quarantine',
  'layout.export',
  'media.write',
  'media.forget',
  'evidence.pack',
  'layout.import',
  'fileset.pack',
  'fileset.change',
  'preflight.override',
  'prune',
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditEvent {
  readonly actor: string;
  readonly action: AuditAction;
  /** What it was about, as an auditor asks for it: a file, a folder, a zone, the name of a token. */
  readonly target: string;
  readonly outcome: 'success' | 'failure' | 'denied';
  readonly origin?: string | undefined;
  readonly details?: Details | undefined;
}

/** Records metrics. Label values come from closed sets, never from hosts, repositories or recipes. */
export interface Meter {
  /** Adds to a counter or observes a histogram value. */
  add(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
}

export interface Report {
  log(level: LogLevel, message: string, fields?: LogFields): void;
  audit(event: AuditEvent): void;
  readonly meter: Meter;
  /** Returns a report that adds these fields to every record. */
  child(fields: LogFields): Report;
}

const silentMeter: Meter = { add: () => {}, set: () => {} };

/** A report that discards everything: for pure uses, and for tests that check results only. */
export const silentReport: Report = {
  log: () => {},
  audit: () => {},
  meter: silentMeter,
  child: () => silentReport,
};

/** Actors of records when no account or token acts. No account may have such a name. */
export const actors = {
  /** The instance itself. */
  system: 'system',
  /** The scheduler that starts synchronizations. */
  schedule: 'schedule',
  /** A client that has presented no valid credential. */
  unauthenticated: 'unauthenticated',
  /** Any client, while authentication is disabled. */
  anonymous: 'anonymous',
} as const;

/** Targets of records that are about no one thing with a name. No account may have such a name. */
export const targets = {
  /** A name that no account has: people type passwords into the field of the name. */
  unknown: '(unknown)',
  /** A credential without a name. */
  nameless: '(no name)',
  /** A sum of records about different things. */
  several: '(several)',
} as const;

/** Most different targets, and addresses, that a sum of records tells apart: clients choose them. */
export const mostToldApart = 100;

/** Prefixes, before a colon, of the actors of tokens and of commands. */
export const actorPrefixes: readonly string[] = ['token', 'local'];

/** Where an operation tells what it does. Messages are stable English; values go into fields, never into the sentence. */

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

/** The closed list of audited actions. */
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
  'recipe.publish',
  'content.delete',
  'config.interval',
  'config.certificate',
  'config.key',
  'media.verify',
  'media.import',
  'media.waiver',
  'store.reset',
  'store.repair',
  'store.adopt',
  'store.quarantine',
  'layout.export',
  'layout.import',
  'fileset.pack',
  'preflight.override',
  'prune',
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditEvent {
  readonly actor: string;
  readonly action: AuditAction;
  readonly target?: string | undefined;
  readonly outcome: 'success' | 'failure' | 'denied';
  readonly origin?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The names and kinds of what is counted; labels are closed sets, never a host, repository or recipe. */
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
  /** The same report with these fields on every record. */
  child(fields: LogFields): Report;
}

const silentMeter: Meter = { add: () => {}, set: () => {} };

/** A report that keeps nothing: for pure uses and tests that look at results only. */
export const silentReport: Report = {
  log: () => {},
  audit: () => {},
  meter: silentMeter,
  child: () => silentReport,
};

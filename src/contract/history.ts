import { actors, targets } from '../base/report.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { ofAddress } from './check-value.ts';
import {
  choice,
  component,
  described,
  integer,
  list,
  mapOf,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

/** Outcome of an audited action. */
export const auditOutcome = choice('Outcome of the action', {
  success: 'it was done',
  failure: 'it did not work',
  denied: 'a rule or a missing right refused it',
});

/** Outcome of a record. */
export const historyOutcome = choice('Outcome of the action', {
  success: 'it was done',
  failure: 'it did not work',
  denied: 'a rule or a missing right refused it',
  open: 'the custody ledger has its intent and no outcome: it runs, or was killed',
});

/** Actions of records in place of lost ones. */
export const lossActions = ['audit.lost', 'custody.lost'] as const;

/** The actions by subject: a filter takes one action, or a group of them. */
export const actionGroups = {
  'sign-ins': ['auth.authenticate', 'session.login', 'session.logout', 'auth.override_active'],
  requests: ['ui.access', 'api.access', 'registry.access'],
  accounts: [
    'account.create',
    'account.delete',
    'account.role_change',
    'account.password_change',
    'token.create',
    'token.revoke',
  ],
  tasks: ['sync.create', 'import.create', 'task.cancel', 'preflight.override'],
  recipes: [
    'recipe.publish',
    'recipe.sign',
    'custody.approve',
    'custody.approved',
    'config.key',
    'custody.roots-changed',
  ],
  content: [
    'content.push',
    'content.retag',
    'content.delete',
    'custody.fetched',
    'prune',
    'custody.pruned',
    'fileset.pack',
    'fileset.change',
    'layout.export',
    'layout.import',
  ],
  media: [
    'media.write',
    'custody.written',
    'media.prove',
    'media.prove_cancel',
    'custody.proved',
    'custody.handed-over',
    'custody.received',
    'media.verify',
    'media.verify_cancel',
    'custody.verified',
    'media.import',
    'custody.imported',
    'media.waiver',
    'custody.waived',
    'media.forget',
    'receipt.write',
    'custody.receipt-issued',
    'receipt.accept',
    'custody.receipt-accepted',
    'evidence.pack',
  ],
  settings: ['config.interval', 'config.rate-limit', 'config.windows', 'config.certificate'],
  store: [
    'instance.start',
    'instance.stop',
    'store.adopt',
    'store.repair',
    'custody.store-repaired',
    'store.quarantine',
    'store.reset',
    'custody.reset',
  ],
  records: ['custody.note', 'custody.resumed', ...lossActions],
} as const;
export type ActionGroup = keyof typeof actionGroups;
/** An action that is in a group. */
export type GroupedAction = (typeof actionGroups)[ActionGroup][number];

/** The name of all actions but sign-ins and requests, in a filter. */
export const changesName = 'changes';
const changes: readonly string[] = Object.entries(actionGroups).flatMap(([group, actions]) =>
  group === 'sign-ins' || group === 'requests' ? [] : actions,
);

/** The actions that a filter names; undefined: all. @param named an action or a group */
export function selectActions(named: string | undefined): readonly string[] | undefined {
  if (named === undefined) return undefined;
  if (named === changesName) return changes;
  return Object.hasOwn(actionGroups, named) ? actionGroups[named as ActionGroup] : [named];
}

/** Actions that an auditor looks at although they worked: they took a protection or content away, or changed trust. */
export const graveActions = {
  waivers: ['media.waiver', 'custody.waived'],
  deletions: [
    'content.delete',
    'account.delete',
    'media.forget',
    'prune',
    'custody.pruned',
    'store.reset',
    'custody.reset',
  ],
  trust: ['config.key', 'custody.roots-changed'],
} as const satisfies Readonly<Record<string, readonly GroupedAction[]>>;

/** Actions whose medium is not the store of the instance alone, or that replace this store. */
const ofMedium = /^(?:media\.(?:verify|import|waiver)|custody\.|store\.)/;

/** Whether an action is about a medium. Every record of an instance names its store: beside other actions it would stand as one. */
export const isOfMedium = (action: string): boolean => ofMedium.test(action);

const millisecondsOfDay = 86_400_000;

/** The last millisecond of a day, or of a time to the second (RFC 3339, UTC). */
export function toLast(text: string): number {
  const at = Date.parse(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return at + millisecondsOfDay - 1;
  return text.includes('.') ? at : at + 999;
}

/** Whether a range ends before it begins: no record could be in it. @param from, to days, or times in UTC */
export const isReversed = (from: unknown, to: unknown): boolean =>
  typeof from === 'string' && typeof to === 'string' && toLast(to) < Date.parse(from);

/** @throws SVC-VAL-001 when the range of a query is reversed */
export function requireRange({ from, to }: { readonly from?: unknown; readonly to?: unknown }): void {
  if (!isReversed(from, to)) return;
  throw svcError('SVC-VAL-001', {
    file: ofAddress,
    path: '/to',
    rule: rule(['must not be before the first day', fr`ne doit pas précéder le premier jour`]),
  });
}

export const HistoryRecord = component(
  'HistoryRecord',
  object({
    ts: described('When it was recorded', timestamp),
    actor: string,
    action: described(
      'Action, such as `content.delete`. `audit.lost` and `custody.lost` stand in place of records that could not be written, or lines of the ledger that are gone: `details.records` is their number, `details.since` the time before them',
      string,
    ),
    'target?': described('Target of the action', string),
    outcome: historyOutcome,
    'origin?': described('Address of the client; absent for work of the instance and of commands', string),
    'taskId?': described('Task that did it', string),
    'runId?': described('Run of that task', string),
    details: described('Further members of the audit record', mapOf({})),
  }),
);
export type HistoryRecord = TypeOf<typeof HistoryRecord>;

const general: ReadonlySet<string> = new Set(Object.values(targets));

/** The name with which somebody tried to sign in, and could not. Undefined for other records, and without such a name. */
export const triedName = ({ action, actor, target }: HistoryRecord): string | undefined =>
  action !== 'auth.authenticate' || actor !== actors.unauthenticated || general.has(target ?? '')
    ? undefined
    : target;

/** Longest name of the filter `actor`. */
export const longestActor = 256;

/** The filter `actor` that selects a whole name; undefined for one that is too long. */
export const toWholeActor = (actor: string): string | undefined =>
  actor.length + 2 > longestActor ? undefined : `"${actor}"`;

/** Whether a record stands in place of lost ones. */
export const isLoss = ({ action }: HistoryRecord): boolean =>
  (lossActions as readonly string[]).includes(action);

/**
 * Makes the record in place of lost ones.
 *
 * @param lost `ts`: when writing resumed, `since`: time of the first lost one, or of the one before; both RFC 3339
 */
export function toLoss(
  action: (typeof lossActions)[number],
  { ts, ...details }: { readonly ts: string; readonly records: number; readonly since?: string },
): HistoryRecord {
  return { ts, actor: actors.system, action, outcome: 'failure', details };
}

export const HistoryPage = component(
  'HistoryPage',
  object({
    records: described('The records', list(HistoryRecord)),
    'next?': described(
      'Cursor of the records behind, in the order asked for; absent when there are none',
      string,
    ),
    'searchedTo?': described(
      'Time of the last record that was looked at. Beside `next`, a page may have few records, or none: the next one continues the search',
      timestamp,
    ),
    keep: described('Bytes of audit records that are kept: `audit.keep`; 0: none', integer),
  }),
);
export type HistoryPage = TypeOf<typeof HistoryPage>;

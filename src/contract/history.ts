import { actors } from '../base/report.ts';
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

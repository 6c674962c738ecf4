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

export const HistoryRecord = component(
  'HistoryRecord',
  object({
    ts: described('When it was recorded', timestamp),
    actor: string,
    action: described('Action, such as `content.delete`', string),
    'target?': described('Target of the action', string),
    outcome: auditOutcome,
    'origin?': described('Address of the client; absent for work of the instance and of commands', string),
    'taskId?': described('Task that did it', string),
    'runId?': described('Run of that task', string),
    details: described('Further members of the audit record', mapOf({})),
  }),
);
export type HistoryRecord = TypeOf<typeof HistoryRecord>;

export const HistoryPage = component(
  'HistoryPage',
  object({
    records: described('The records', list(HistoryRecord)),
    'next?': described('Cursor of the older records; absent when there are none', string),
    'searchedTo?': described(
      'Time of the oldest record that was looked at. Beside `next`, a page may have few records, or none: the next one continues the search',
      timestamp,
    ),
    keep: described('Bytes of audit records that are kept: `audit.keep`; 0: none', integer),
  }),
);
export type HistoryPage = TypeOf<typeof HistoryPage>;

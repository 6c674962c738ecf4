import { code, contentStatus, itemStatus, paging, taskStatus, taskType } from './common.ts';
import {
  boolean,
  choice,
  described,
  digest,
  integer,
  list,
  object,
  ref,
  type Schema,
  string,
  timestamp,
} from './schema.ts';

/** Members that lists show. */
const head = {
  id: { type: 'string', pattern: '^tsk_[0-9a-f]{12}$' },
  runId: string,
  'requestId?': string,
  'sourceRunId?': string,
  type: taskType,
  reference: string,
  actor: string,
  'command?': described('The command that ran the task on its machine; absent of tasks of the queue', string),
  status: taskStatus,
  createdAt: timestamp,
  'startedAt?': timestamp,
  'finishedAt?': timestamp,
  resumed: boolean,
  'prune?': boolean,
  'error?': ref('ErrorRecord'),
  'principalCode?': described('Code that represents all errors of the task', code),
  'waiting?': described(
    'Why the task does not go on now, and until when; absent while it waits for other tasks only',
    object({
      reason: choice('Reason', { window: 'transfers run in the daily windows only' }),
      'until?': described('When the task goes on; absent when that is not known', timestamp),
    }),
  ),
  'cancelledBy?': string,
  'alreadyImportedAt?': described(
    'When this medium had been imported as it is; absent when the import brought something',
    timestamp,
  ),
  counts: object({ total: integer, done: integer, failed: integer, skipped: integer }),
  progress: object({
    bytesDone: integer,
    bytesTotal: integer,
    'bytesPerSecond?': integer,
    'secondsLeft?': integer,
  }),
};

/** Tasks and their logs. */
export const taskSchemas = {
  TaskSummary: object(head),
  Task: object({
    ...head,
    items: list(
      object({
        name: string,
        'digest?': digest,
        'sizeBytes?': integer,
        status: itemStatus,
        transferredBytes: integer,
        'error?': ref('ErrorRecord'),
        'warning?': ref('ErrorRecord'),
        'absentLayers?': list(digest),
        'blobs?': list(
          object({ digest, sizeBytes: integer, receivedBytes: integer, resumed: boolean, done: boolean }),
        ),
      }),
    ),
    'resolutions?': list(
      object({
        recipe: string,
        'ingredient?': string,
        requested: string,
        resolved: string,
        digest,
        status: contentStatus,
        'lowerThan?': described(
          'Higher version that was here and that the source no longer offered; the prune left the recipe out',
          string,
        ),
        'effective?': string,
        'absentLayers?': list(digest),
        'trustScope?': string,
        'destination?': string,
        'destinationStatus?': choice('What happened at the destination', {
          pushed: 'it was pushed',
          'up-to-date': 'it was there',
          failed: 'the push failed',
          skipped: 'nothing was pushed because the run failed before',
        }),
        'pushedBytes?': integer,
      }),
    ),
    'pruned?': list(object({ repository: string, tag: string, digest, recipe: string, 'restored?': digest })),
    'verification?': ref('MediumReport'),
    'layout?': described(
      'Result of a layout task; absent for other tasks',
      object({
        manifests: integer,
        blobs: integer,
        bytes: integer,
        'movedBytes?': integer,
        'missing?': list(
          object({
            repository: string,
            'tag?': string,
            digest,
            reason: described('Why it is missing', string),
            'reasonRule?': ref('Rule'),
          }),
        ),
        'blocked?': ref('ErrorRecord'),
      }),
    ),
  }),
  TaskAnswer: object({ task: ref('Task') }),
  SyncAnswer: object({ task: ref('Task'), 'prunePreview?': ref('PruneProjection') }),
  TaskList: object({ tasks: list(ref('Task')), ...paging }),
  TaskSummaryList: object({
    tasks: list(ref('TaskSummary')),
    ...paging,
  }),
  CancelledTasks: object({
    cancelled: described('Identifiers of the tasks that were cancelled', list(string)),
    refused: described('Tasks that were not', list(object({ id: string, code }))),
  }),
  TaskLog: object({ chunk: string, next: integer }),
} satisfies Record<string, Schema>;

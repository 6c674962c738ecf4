import { contentStatus, itemStatus, pace, paging, taskStatus, taskType } from './common.ts';
import { Delivery } from './delivery.ts';
import { code, ErrorRecord } from './error.ts';
import { MediumReport } from './medium.ts';
import { taskId } from './patterns.ts';
import { PruneProjection } from './recipe.ts';
import { Rule } from './rule.ts';
import {
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

/** Members that lists show. */
const head = {
  id: taskId,
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
  'error?': ErrorRecord,
  'principalCode?': described('Code that represents all errors of the task', code),
  'principal?': described(
    'The first item with that code, where the task has no error of its own',
    object({
      item: described('Its name', string),
      error: ErrorRecord,
      others: described('Number of the other items with that code', integer),
    }),
  ),
  'waiting?': described(
    'Why the task does not go on now, and until when; absent while it waits for other tasks only',
    object({
      reason: choice('Reason', { window: 'transfers run in the daily windows only' }),
      'until?': described('When the task goes on; absent when that is not known', timestamp),
    }),
  ),
  'written?': described(
    'The delivery that the task wrote; absent of other tasks, and until all of it is written',
    object({
      delivery: described('Its identifier', string),
      zone: string,
      parts: integer,
      recipes: described('Number of its recipes', integer),
      bytes: integer,
      proved: described('Whether an import of a zone passed with what was written', boolean),
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
    ...pace,
    'retry?': described(
      'The wait for a host that failed, or asked to come back later; absent while none is waited for',
      object({
        host: string,
        attempt: described('Number of the next attempt', integer),
        attempts: described('Number of attempts at most', integer),
      }),
    ),
  }),
};

/** Tasks and their logs. */
export const TaskSummary = component('TaskSummary', object(head));
export type TaskSummary = TypeOf<typeof TaskSummary>;

export const Task = component(
  'Task',
  object({
    ...head,
    items: list(
      object({
        name: string,
        'digest?': digest,
        'sizeBytes?': integer,
        status: itemStatus,
        transferredBytes: integer,
        'finishedAt?': described(
          'When it was done, failed or skipped; absent of one that never began',
          timestamp,
        ),
        'error?': ErrorRecord,
        'warning?': ErrorRecord,
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
    'movedTags?': described(
      'The tags of the zone that an import gave to other content, and those that stay with theirs',
      list(
        object({
          ingredient: described('Recipe and name of the ingredient', string),
          tag: string,
          from: described('Recipe whose content had the tag', string),
          kept: described('Whether the tag stays: this content is there by its digest', boolean),
        }),
      ),
    ),
    'verification?': MediumReport,
    'delivery?': described('The delivery of which the medium is a part, after the import', Delivery),
    'receipt?': described(
      'The receipt that the zone wrote after the import',
      object({
        zone: string,
        sequence: integer,
        path: described('Its file in the state folder of the zone', string),
        'onMedium?': described('Its file on the medium; absent where the medium cannot be written', string),
      }),
    ),
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
            'reasonRule?': Rule,
          }),
        ),
        'blocked?': ErrorRecord,
      }),
    ),
  }),
);
export type Task = TypeOf<typeof Task>;
export type TaskItem = Task['items'][number];

export const TaskAnswer = component('TaskAnswer', object({ task: Task }));
export type TaskAnswer = TypeOf<typeof TaskAnswer>;

export const SyncAnswer = component('SyncAnswer', object({ task: Task, 'prunePreview?': PruneProjection }));
export type SyncAnswer = TypeOf<typeof SyncAnswer>;

export const TaskList = component('TaskList', object({ tasks: list(Task), ...paging }));
export type TaskList = TypeOf<typeof TaskList>;

export const TaskSummaryList = component(
  'TaskSummaryList',
  object({
    tasks: list(TaskSummary),
    ...paging,
  }),
);
export type TaskSummaryList = TypeOf<typeof TaskSummaryList>;

export const CancelledTasks = component(
  'CancelledTasks',
  object({
    cancelled: described('Identifiers of the tasks that were cancelled', list(string)),
    refused: described('Tasks that were not', list(object({ id: string, code }))),
  }),
);
export type CancelledTasks = TypeOf<typeof CancelledTasks>;

export const TaskLog = component('TaskLog', object({ chunk: string, next: integer }));
export type TaskLog = TypeOf<typeof TaskLog>;
export type TaskBlob = NonNullable<TaskItem['blobs']>[number];
export type LayoutResult = NonNullable<Task['layout']>;
export type MovedTag = NonNullable<Task['movedTags']>[number];
export type PrunedItem = NonNullable<Task['pruned']>[number];
export type TaskResolution = NonNullable<Task['resolutions']>[number];
export type TaskWait = NonNullable<Task['waiting']>;

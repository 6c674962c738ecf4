import {
  boolean,
  digest,
  integer,
  list,
  object,
  oneOf,
  ref,
  type Schema,
  string,
  timestamp,
} from '../schema.ts';
import { code, contentStatus, taskStatus } from './common.ts';

/** Members that lists show. */
const head = {
  id: { type: 'string', pattern: '^tsk_[0-9a-f]{12}$' },
  runId: string,
  'sourceRunId?': string,
  type: oneOf('sync', 'import', 'media-import', 'layout-export', 'layout-import'),
  reference: string,
  actor: string,
  status: taskStatus,
  createdAt: timestamp,
  'startedAt?': timestamp,
  'finishedAt?': timestamp,
  resumed: boolean,
  'prune?': boolean,
  'error?': ref('ErrorRecord'),
  'principalCode?': code,
  'cancelledBy?': string,
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
        status: oneOf('pending', 'running', 'done', 'failed', 'skipped'),
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
        'effective?': string,
        'absentLayers?': list(digest),
        'trustScope?': string,
        'destination?': string,
        'destinationStatus?': string,
        'pushedBytes?': integer,
      }),
    ),
    'pruned?': list(object({ repository: string, tag: string, digest, recipe: string, 'restored?': digest })),
    'verification?': ref('MediumReport'),
    'layout?': object({
      manifests: integer,
      blobs: integer,
      bytes: integer,
      'movedBytes?': integer,
      'missing?': list(object({ repository: string, 'tag?': string, digest, reason: string })),
      'blocked?': ref('ErrorRecord'),
    }),
  }),
  TaskAnswer: object({ task: ref('Task') }),
  SyncAnswer: object({ task: ref('Task'), 'prunePreview?': ref('PruneProjection') }),
  TaskList: object({ tasks: list(ref('Task')), page: integer, totalPages: integer, total: integer }),
  TaskSummaryList: object({
    tasks: list(ref('TaskSummary')),
    page: integer,
    totalPages: integer,
    total: integer,
  }),
  TaskLog: object({ chunk: string, next: integer }),
} satisfies Record<string, Schema>;

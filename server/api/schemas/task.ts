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

/** Tasks and their logs. */
export const taskSchemas = {
  Task: object({
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
    items: list(
      object({
        name: string,
        'digest?': digest,
        'sizeBytes?': integer,
        status: oneOf('pending', 'running', 'done', 'failed', 'skipped'),
        transferredBytes: integer,
        'error?': ref('ErrorRecord'),
        'blobs?': list(
          object({ digest, sizeBytes: integer, receivedBytes: integer, resumed: boolean, done: boolean }),
        ),
      }),
    ),
    counts: object({ total: integer, done: integer, failed: integer, skipped: integer }),
    'resolutions?': list(
      object({
        recipe: string,
        'ingredient?': string,
        requested: string,
        resolved: string,
        digest,
        status: contentStatus,
        'effective?': string,
        'trustScope?': string,
        'destination?': string,
        'destinationStatus?': string,
        'pushedBytes?': integer,
      }),
    ),
    'pruned?': list(object({ repository: string, tag: string, digest, recipe: string })),
    progress: object({ bytesDone: integer, bytesTotal: integer }),
  }),
  TaskAnswer: object({ task: ref('Task') }),
  TaskList: object({ tasks: list(ref('Task')), page: integer, totalPages: integer, total: integer }),
  TaskLog: object({ chunk: string, next: integer }),
} satisfies Record<string, Schema>;

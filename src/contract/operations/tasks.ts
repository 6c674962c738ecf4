import { fr } from '../../text/language.ts';
import { taskStatus, taskType } from '../common.ts';
import { field, operation } from '../operation.ts';
import { anyOf, described, list, object, oneOf, text, whole } from '../schema.ts';
import { CancelledTasks, TaskAnswer, TaskList, TaskLog, TaskSummaryList } from '../task.ts';
import { reading, writing } from './error-codes.ts';
import { paging } from './paging.ts';
import { sorting } from './sorting.ts';

export const listTasks = operation({
  id: 'listTasks',
  method: 'GET',
  path: '/tasks',
  floor: 'viewer',
  errors: reading,
  polled: true,
  summary: 'Tasks, the newest first unless told',
  query: {
    q: field(
      text({ maxLength: 256 }),
      [
        'words, or parts of them, of the identifier, run, reference, actor or handled content',
        fr`mots, ou parties de mots, de l’identifiant, de l’exécution, de la référence, de l’acteur ou du contenu traité`,
      ],
      'library/alpine',
    ),
    status: field(taskStatus, ['only tasks in this state', fr`seulement les tâches dans cet état`], 'failed'),
    type: field(taskType, ['only tasks of this type', fr`seulement les tâches de ce type`], 'sync'),
    view: field(
      { ...oneOf('full', 'summary'), default: 'full' },
      '`full`: complete; `summary`: without items, resolutions, pruned tags and results',
      'summary',
    ),
    ...sorting(['created', 'type', 'status', 'actor', 'bytes', 'duration']),
    ...paging(),
  },
  answer: {
    status: 200,
    description: 'One page of tasks',
    schema: anyOf(TaskList, TaskSummaryList),
  },
});

export const cancelTasks = operation({
  id: 'cancelTasks',
  method: 'POST',
  path: '/tasks/cancel',
  floor: 'operator',
  errors: [...reading, ...writing],
  summary: 'Cancels several pending or running tasks; each requires the role that starts such a task',
  body: {
    schema: object({
      ids: {
        ...list(described('Identifier of a task', text({ maxLength: 64 }))),
        minItems: 1,
        maxItems: 256,
      },
    }),
    required: true,
    examples: {
      two: { summary: 'Cancels two tasks', value: { ids: ['tsk_5f0c2a9be471', 'tsk_8c1d30e47a52'] } },
    },
  },
  answer: {
    status: 200,
    description: 'The tasks that were cancelled, and why others were not',
    schema: CancelledTasks,
  },
});

export const getTask = operation({
  id: 'getTask',
  method: 'GET',
  path: '/tasks/{id}',
  floor: 'viewer',
  errors: [...reading, 'SVC-TSK-001'],
  polled: true,
  summary: 'One task',
  answer: { status: 200, description: 'The task', schema: TaskAnswer },
});

export const cancelTask = operation({
  id: 'cancelTask',
  method: 'POST',
  path: '/tasks/{id}/cancel',
  floor: 'operator',
  errors: [...reading, ...writing, 'SVC-TSK-001', 'SVC-TSK-005', 'SVC-TSK-007'],
  summary: 'Cancels a pending or running task; requires the role that starts such a task',
  body: {
    schema: object({}),
    examples: { cancel: { summary: 'Cancels the task', value: {} } },
  },
  answer: {
    status: 200,
    description: 'The task; one that runs ends when its work has stopped',
    schema: TaskAnswer,
  },
});

export const getTaskLog = operation({
  id: 'getTaskLog',
  method: 'GET',
  path: '/tasks/{id}/logs',
  floor: 'viewer',
  errors: [...reading, 'SVC-TSK-001'],
  summary: 'The log of a task',
  query: {
    after: field(
      whole({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
      'Byte cursor: the `next` of the last answer',
      0,
    ),
    format: field(
      { ...oneOf('json', 'raw'), default: 'json' },
      '`json`: the part from the cursor on; `raw`: the whole log as text',
      'raw',
    ),
  },
  answer: {
    status: 200,
    description: 'A part of the log, or the whole log as text',
    schema: TaskLog,
    contentTypes: ['application/json', 'text/plain'],
  },
});

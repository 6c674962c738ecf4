import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { listTasks } from '../../../../src/contract/operations/tasks.ts';
import type { TaskSummaryList } from '../../../../src/contract/task.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { toWaitSentence } from '../../../../src/view/link-words.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../../parts/filters.ts';
import { form, submit } from '../../parts/form.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { mayCancel } from './may-cancel.ts';
import { statusWords, taskBadge, typeWords } from './task-words.ts';

/** The control of each parameter of the page. */
const controls = {
  q: tasks.search,
  status: { label: tasks.status, words: statusWords },
  type: { label: tasks.type, words: typeWords },
  view: 'kept',
} as const;
const names = namesOf(controls);
const perPage = 50;

/** Parameters of the page: those of the operation, with more entries by default. */
export const taskFilters = { ...listTasks.query, ...paging(perPage) };

function rowTable(call: PageCall, found: TaskSummaryList): Html {
  const { say, format } = call.words;
  return table<TaskHead>({
    caption: say(tasks.title),
    empty:
      pastEnd(call, found) ??
      (isFiltered(call, names) ? nothingMatches(call, '/tasks', names) : html`<p>${say(tasks.empty)}</p>`),
    rows: found.tasks,
    columns: [
      {
        label: say(tasks.task),
        isHeader: true,
        cell: ({ id, type }) =>
          html`<a href="${toPath('/tasks/{id}', { id })}">${say(typeWords[type])}</a> <span class="muted code">${id}</span>`,
      },
      {
        label: say(tasks.status),
        cell: (task) =>
          html`${taskBadge(call.words, task)}${task.waiting === undefined ? '' : html` <span class="muted">${toWaitSentence(call.words, task.waiting)}</span>`}${task.principalCode === undefined ? '' : html` <a href="/help#${task.principalCode}">${task.principalCode}</a>`}`,
      },
      {
        label: say(tasks.reference),
        cell: ({ reference }) => untrusted(sayConcealed(reference, call.words.language)),
      },
      { label: say(tasks.actor), cell: ({ actor }) => untrusted(actor) },
      {
        label: say(tasks.bytes),
        isNumber: true,
        cell: ({ progress }) => format.size(progress.bytesDone),
      },
      { label: say(tasks.created), cell: ({ createdAt }) => format.time(createdAt) },
    ],
  });
}

/** Ends every waiting task of the list at once: a search for an account narrows it. */
function cancelSection(call: PageCall, waiting: readonly string[]): readonly Section[] {
  const { say } = call.words;
  if (waiting.length === 0) return [];
  const ids = waiting.map((id) => html`<input type="hidden" name="ids" value="${id}">`);
  const text = say(tasks.cancelWaiting, { count: waiting.length });
  return [
    {
      id: 'cancel-waiting',
      html: form(
        '/tasks/cancel',
        html`${ids}${submit(text, { kind: 'danger', working: say(tasks.cancelling) })}`,
      ),
    },
  ];
}

/** The page `/tasks`. */
export function showTasks(call: PageCall<QueryOf<typeof taskFilters>>): Page {
  const { say } = call.words;
  const { q, status, type, pageSize = perPage } = call.query;
  const found = listTaskSummaries(call, call.identity, { ...call.query, pageSize });
  const isBusy = found.tasks.some((task) => task.status === 'running' || task.status === 'pending');
  const waiting = found.tasks.flatMap((task) =>
    task.status === 'pending' && mayCancel(call, task) ? [task.id] : [],
  );
  return {
    title: say(tasks.title),
    lead: say(tasks.lead),
    ...(isBusy ? { reload: 10 } : {}),
    sections: [
      {
        id: 'filters',
        html: filters(call, {
          path: '/tasks',
          section: 'list',
          query: taskFilters,
          controls,
        }),
      },
      {
        id: 'list',
        every: isBusy ? 3 : 15,
        html: html`${rowTable(call, found)}${pager(call, { ...found, pageSize })}`,
      },
      ...cancelSection(call, waiting),
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', toPath('/tasks', {}, { q, status, type, view: 'summary' })),
          ...(waiting.length === 0
            ? []
            : [curlCommand(call, 'POST', '/tasks/cancel', JSON.stringify({ ids: waiting }))]),
        ]),
      },
    ],
  };
}

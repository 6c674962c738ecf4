import type { TaskStatus } from '../../../../src/contract/common.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { listTasks } from '../../../../src/contract/operations/tasks.ts';
import type { TaskSummaryList } from '../../../../src/contract/task.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { fromErrorRecord, isKnownCode } from '../../../../src/text/error.ts';
import { toHeading } from '../../../../src/text/fill.ts';
import { getMessage } from '../../../../src/text/message.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { history } from '../../../../src/text/words/history.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { isInPart, isPartial } from '../../../../src/view/task-state.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { bar, hatchPattern } from '../../parts/bar.ts';
import { curlCommand } from '../../parts/curl.ts';
import { showSentence, wordError } from '../../parts/error.ts';
import { filters, isFiltered, namesOf, nothingMatches } from '../../parts/filters.ts';
import { form, submit } from '../../parts/form.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { pager, pastEnd } from '../../parts/pager.ts';
import { columnForm, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { noValue, showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { countsBytes, goingOn, outcomeSoFar, shareBeside, withItems } from './import-step.ts';
import { mayCancel } from './may-cancel.ts';
import { itemsSoFar, resultOf } from './outcome.ts';
import { findSuperseded } from './superseded.ts';
import {
  isStalled,
  outcomeText,
  placeInQueue,
  shareOf,
  statusWords,
  taskBadge,
  tookOf,
  typeWords,
  waitOf,
} from './task-words.ts';

/** The control of each parameter of the page. */
const controls = {
  q: tasks.search,
  status: { label: tasks.status, words: statusWords },
  type: { label: tasks.type, words: typeWords },
  view: 'kept',
  sort: 'kept',
  order: 'kept',
} as const;
const names = namesOf(controls);
const perPage = 50;

/** Parameters of the page: those of the operation, with more entries by default. */
export const taskFilters = { ...listTasks.query, ...paging(perPage) };

/** Rows from which on each day stands once above its tasks, when they are in the order of their times. */
const long = 12;

/** The sentence of a code, without the subjects that only items know; empty for a code of a newer instance. */
const headingOf = ({ language }: Words, code: string): string =>
  isKnownCode(code) ? toHeading(getMessage(code, language).what) : '';

/** Whether the outcome of a task has its bytes. */
function isCounted({ words }: PageCall, task: ReturnType<typeof withItems>): boolean {
  if (task.status !== 'running') return false;
  if (outcomeSoFar(words, task) !== undefined) return countsBytes(task);
  return outcomeText(words, task) !== '' && task.progress.bytesTotal > 0;
}

/** How much of a task came, with the bar of one that runs. */
function outcomeCell(call: PageCall, head: TaskHead): Html {
  const { words } = call;
  const task = withItems(call, head);
  const share = shareOf(task);
  const isRunning = task.status === 'running';
  const { bytesDone: done, bytesTotal: total } = task.progress;
  const items = outcomeText(words, task);
  const result = resultOf(words, task);
  const soFar = outcomeSoFar(words, task);
  const pace =
    isRunning && task.waiting === undefined
      ? goingOn(words, task).join(' · ')
      : (placeInQueue(call, task) ?? '');
  const outcome =
    soFar !== undefined
      ? html`${untrusted(soFar)}${countsBytes(task) ? html` <span class="muted">${[shareBeside(words, task, soFar), itemsSoFar(words, { ...task, items: task.items ?? [] }), pace].filter((text) => text !== '').join(' · ')}</span>` : ''}`
      : isRunning && items !== '' && total > 0
        ? words.say(tasks.ofBytes, { outcome: items, done, total, percent: words.format.percent(share) })
        : items;
  // the line of the items ends with the pace
  const isTold = soFar !== undefined && countsBytes(task);
  const isStill = isStalled(task);
  const { principalCode, error, principal } = task;
  const what =
    principalCode === undefined
      ? ''
      : error?.code === principalCode
        ? showSentence(wordError(words, fromErrorRecord(error)).what)
        : principal !== undefined
          ? html`${showSentence(wordError(words, fromErrorRecord(principal.error)).what)} ${untrusted(words.say(tasks.principalItem, { item: principal.item, others: principal.others || undefined }))}`
          : headingOf(words, principalCode);
  const came = outcome || (result === undefined ? '' : untrusted(result));
  // beside the outcome, the code is enough on a phone
  const reason = what === '' || came === '' ? what : html`<span class="why">· ${what}</span>`;
  const failure =
    principalCode === undefined ? '' : html` ${reason} <a href="/help#${principalCode}">${principalCode}</a>`;
  return html`${isStill ? hatchPattern() : ''}${came || (principalCode === undefined && pace === '' ? noValue : '')}${task.waiting === undefined ? '' : html` <span class="muted">${waitOf(words, task)}</span>`}${pace === '' || isTold ? '' : html` <span class="muted">${pace}</span>`}${failure}${isRunning ? html`<div>${bar({ thin: true, parts: [{ kind: isStill ? 'stalled' : 'done', share }] })}</div>` : ''}`;
}

function rowTable(call: PageCall<QueryOf<typeof taskFilters>>, found: TaskSummaryList): Html {
  const { say, format } = call.words;
  const isByDay = found.tasks.length >= long && (call.query.sort ?? 'created') === 'created';
  return table<TaskHead>({
    caption: say(tasks.title),
    empty:
      pastEnd(call, found) ??
      (isFiltered(call, names)
        ? nothingMatches(call, '/tasks', names, controls)
        : html`<p>${say(tasks.empty)}</p>${firstStep(call)}`),
    rows: found.tasks,
    ...(isByDay ? { groupOf: ({ createdAt }: TaskHead) => format.day(createdAt) } : {}),
    list: { call, name: 'tasks', sort: 'created' },
    columns: [
      {
        label: say(tasks.type),
        isHeader: true,
        sort: 'type',
        cell: ({ id, type }) =>
          html`<a href="${toPath('/tasks/{id}', { id })}">${say(typeWords[type])}</a> <span class="below code unbroken">${id}</span>`,
      },
      {
        id: 'status',
        label: say(tasks.status),
        sort: 'status',
        isState: true,
        isWhole: true,
        cell: (task) => taskBadge(call.words, task),
      },
      {
        id: 'outcome',
        label: say(tasks.outcomeHead),
        isLead: true,
        cell: (task) => outcomeCell(call, task),
      },
      {
        id: 'reference',
        label: say(tasks.reference),
        isBelow: true,
        cell: ({ reference }) => untrusted(sayConcealed(reference, call.words.language)),
      },
      {
        id: 'actor',
        label: say(tasks.actor),
        sort: 'actor',
        isBelow: true,
        cell: ({ actor }) => showActor(call.words, actor),
      },
      {
        id: 'size',
        label: say(tasks.bytes),
        sort: 'bytes',
        isNumber: true,
        isBelow: true,
        cell: (head) => {
          const { bytesDone } = head.progress;
          return bytesDone === 0 || isCounted(call, withItems(call, head)) ? noValue : format.size(bytesDone);
        },
      },
      {
        id: 'took',
        label: say(tasks.took),
        sort: 'duration',
        isNumber: true,
        cell: (task) => tookOf(call.words, task) ?? noValue,
      },
      {
        id: 'created',
        isTime: true,
        label: say(tasks.created),
        sort: 'created',
        cell: ({ createdAt }) => (isByDay ? format.clock(createdAt) : format.time(createdAt)),
      },
    ],
  });
}

/** The way to the first task, for a reader who may start it. */
function firstStep(call: PageCall): Html | string {
  if (!call.can('operator') || describeRetriever(call).source === undefined) return '';
  return html`<p><a class="button button-primary" href="/recipes/sync">${call.words.say(sync.title)}</a></p>`;
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

/**
 * How many tasks run, wait and failed; the stamp says what happens now, else how the last task ended. It says that all is in
 * order only where the sentence beside it names no failure, and nothing that was left undone.
 */
function verdictOf(call: PageCall<QueryOf<typeof taskFilters>>, every: number): readonly Section[] {
  const { say } = call.words;
  const find = (query: Parameters<typeof listTaskSummaries>[2]) =>
    listTaskSummaries(call, call.identity, { ...query, pageSize: 1 });
  const total = find({}).total;
  if (total === 0) return [];
  const [running, pending, failed, done] = (['running', 'pending', 'failed', 'done'] as const).map((status) =>
    find({ status }),
  ) as [TaskSummaryList, TaskSummaryList, TaskSummaryList, TaskSummaryList];
  const endOf = ({ tasks: [task] }: TaskSummaryList): string => task?.finishedAt ?? '';
  const some = ({ total: count }: TaskSummaryList): number | undefined => (count === 0 ? undefined : count);
  const headsOf = ({ total: pageSize }: TaskSummaryList, status: TaskStatus) =>
    pageSize === 0 ? [] : call.tasks.listHeads({ status, pageSize }).tasks;
  const superseded =
    failed.total === 0 ? undefined : findSuperseded(call.tasks.listHeads({ pageSize: total }).tasks);
  const open = headsOf(failed, 'failed').filter(({ id }) => !superseded?.has(id));
  const again = failed.total - open.length;
  const partial = open.filter(isPartial).length;
  const inPart = headsOf(done, 'done').filter(isInPart).length;
  const [now] = running.tasks;
  const stalled = headsOf(running, 'running').filter(isStalled).length;
  const [kind, mark] =
    now !== undefined
      ? stalled > 0
        ? (['warn', tasks.stampStalled] as const)
        : (['plain', tasks.stampRunning] as const)
      : pending.total > 0
        ? (['plain', tasks.stampWaiting] as const)
        : open[0] !== undefined && (open[0].finishedAt ?? '') > endOf(done)
          ? isPartial(open[0])
            ? (['warn', tasks.partial] as const)
            : (['bad', tasks.stampFailed] as const)
          : open.length > 0
            ? (['warn', history.stampTroubled] as const)
            : inPart > 0
              ? (['plain', tasks.stampInPart] as const)
              : (['ok', tasks.stampFine] as const);
  const params = {
    stalled: stalled || undefined,
    running: running.total - stalled || undefined,
    pending: some(pending),
    failed: open.length || undefined,
    partial: partial || undefined,
    again,
    inPart: inPart || undefined,
    total,
  };
  const step =
    failed.total === 0 || call.query.status !== undefined
      ? ''
      : html`<p class="answer-step"><a class="button button-plain" href="/tasks?status=failed">${say(tasks.onlyFailed)}</a></p>`;
  const verdict = answer({
    kind,
    mark: say(mark),
    what: say(again === 0 ? tasks.allStates : tasks.allStatesSince, params),
    step,
  });
  return [{ id: 'verdict', every, html: verdict }];
}

/** The places that also have the transfers of commands: those that the reader may open. */
function besideLine(call: PageCall): Html | string {
  if (!call.can('operator')) return '';
  const { say } = call.words;
  const records = hasHistory(call) ? html` · <a href="/history">${say(history.title)}</a>` : '';
  return html`<p class="way">${say(tasks.beside)} <a href="/deliveries">${say(dossier.title)}</a>${records}</p>`;
}

/** The page `/tasks`. */
export function showTasks(call: PageCall<QueryOf<typeof taskFilters>>): Page {
  const { say } = call.words;
  const { q, status, type, sort, order, pageSize = perPage } = call.query;
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
      ...verdictOf(call, isBusy ? 3 : 15),
      {
        id: 'filters',
        html: html`<div class="table-tools">${filters(call, {
          path: '/tasks',
          section: 'list',
          query: taskFilters,
          controls,
        })}${columnForm(call, 'tasks')}</div>`,
      },
      {
        id: 'list',
        every: isBusy ? 3 : 15,
        html: html`${rowTable(call, found)}${pager(call, { ...found, pageSize })}${besideLine(call)}`,
      },
      ...cancelSection(call, waiting),
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', toPath('/tasks', {}, { q, status, type, sort, order, view: 'summary' })),
          ...(waiting.length === 0
            ? []
            : [curlCommand(call, 'POST', '/tasks/cancel', JSON.stringify({ ids: waiting }))]),
        ]),
      },
    ],
  };
}

import type { QueryOf } from '../../../../src/contract/operation.ts';
import type { Task } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { toWaitSentence } from '../../../../src/view/link-words.ts';
import { compareWithPlan } from '../../../views/confirmed-plan.ts';
import { takesMedia } from '../../../views/media.ts';
import { showTask } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { bar } from '../../parts/bar.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { cancelledNote, errorBlock } from '../../parts/error.ts';
import { form } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { type itemFilters, itemTable } from './items.ts';
import { mayCancel } from './may-cancel.ts';
import { listHere, resultBlocks } from './results.ts';
import { countsOf, partlyImported, shareOf, taskBadge, taskState, typeWords } from './task-words.ts';

/** Recipes that a comparison with the plan lists. */
const mostCompared = 20;

function progressBlock({ words }: PageCall, task: Task): Html {
  const { say, format } = words;
  const { bytesDone, bytesTotal, bytesPerSecond, secondsLeft } = task.progress;
  const isRunning = task.status === 'running';
  const share = shareOf(task);
  const percent = format.percent(share);
  const line = [
    ...(bytesTotal > 0 ? [say(parts.bytesOf, { used: bytesDone, total: bytesTotal })] : []),
    ...(isRunning && bytesPerSecond ? [say(tasks.rate, { rate: bytesPerSecond })] : []),
    ...(isRunning && secondsLeft !== undefined
      ? [say(tasks.left, { duration: format.duration(secondsLeft * 1000) })]
      : []),
  ];
  const partly = partlyImported(words, task);
  const mark = html`${partly === undefined ? taskBadge(words, task) : badge('warn', partly)}${task.resumed ? html` ${badge('plain', say(tasks.resumed))}` : ''}`;
  const text = line.map((part, i) => html`${i === 0 ? '' : html` <span class="muted">·</span> `}${part}`);
  const counts = task.counts.total === 0 ? '' : html`<p class="muted">${countsOf(words, task.counts)}</p>`;
  // the bar of an ended task would show nothing that the words do not say
  if (isOver(task)) return html`<p class="progress-line">${mark} ${text}</p>${counts}`;
  return html`<p class="progress-line">${mark} <strong>${percent}</strong> ${text.length === 0 ? '' : html`<span class="muted">·</span> ${text}`}</p>
${bar({ parts: [{ kind: 'done', share }] })}
${counts}`;
}

function factsOf({ words }: PageCall, task: Task): Html {
  const { say, format } = words;
  const { startedAt, finishedAt, cancelledBy, sourceRunId } = task;
  const took =
    startedAt !== undefined && finishedAt !== undefined
      ? [[say(tasks.took), format.duration(Date.parse(finishedAt) - Date.parse(startedAt))] as const]
      : [];
  return facts([
    [say(tasks.reference), untrusted(sayConcealed(task.reference, words.language))],
    [say(tasks.actor), untrusted(task.actor)],
    ...(task.command === undefined
      ? []
      : [[say(tasks.origin), say(tasks.commandLine, { command: task.command })] as const]),
    [say(tasks.created), format.time(task.createdAt)],
    ...(startedAt === undefined ? [] : [[say(tasks.started), format.time(startedAt)] as const]),
    ...(finishedAt === undefined ? [] : [[say(tasks.finished), format.time(finishedAt)] as const]),
    ...took,
    ...(cancelledBy === undefined ? [] : [[say(tasks.cancelledBy), untrusted(cancelledBy)] as const]),
    [say(tasks.run), copyable(words, task.runId, say(tasks.run))],
    ...(task.requestId === undefined
      ? []
      : [[say(tasks.request), copyable(words, task.requestId, say(tasks.request))] as const]),
    ...(sourceRunId === undefined ? [] : [[say(tasks.sourceRun), code(sourceRunId)] as const]),
  ]);
}

function cancelForm({ words: { say } }: PageCall, { id }: Task): Html {
  return form(
    toPath('/tasks/{id}/cancel', { id }),
    html`<p class="hint">${say(tasks.cancelHint)}</p><button class="button button-danger" type="submit" data-working="${say(tasks.cancelling)}">${say(tasks.cancel)}</button>`,
  );
}

/** Why the task does not go on, and until when. */
function waitNote({ words }: PageCall, { waiting }: Task): Html | string {
  if (waiting === undefined) return '';
  return html`<div class="note">${icon('info')}<p>${toWaitSentence(words, waiting)}</p></div>`;
}

/** How the run differs from the plan from which it was started; only operators see it. */
function planBlock(call: PageCall, task: Task): Html | string {
  const compared = call.can('operator') ? compareWithPlan(call, task) : undefined;
  if (compared === undefined) return '';
  const { say, format } = call.words;
  const { madeAt, onlyPlanned, onlyTaken } = compared;
  const time = format.time(madeAt);
  if (onlyPlanned.length === 0 && onlyTaken.length === 0)
    return html`<p class="muted">${say(tasks.asPlanned, { time })}</p>`;
  const list = (names: readonly string[]): Html =>
    html`<dd>${untrusted(names.slice(0, mostCompared).join(', '))}${names.length > mostCompared ? ' …' : ''}</dd>`;
  return html`<div class="note">${icon('info')}<div><p>${say(tasks.notAsPlanned, { time })}</p><dl class="facts">${onlyPlanned.length === 0 ? '' : html`<dt>${say(tasks.onlyPlanned)}</dt>${list(onlyPlanned)}`}${onlyTaken.length === 0 ? '' : html`<dt>${say(tasks.onlyTaken)}</dt>${list(onlyTaken)}`}</dl></div></div>`;
}

function stateSection(call: PageCall, task: Task): Section {
  const { words, exchange } = call;
  const { say, format } = words;
  const error =
    task.error === undefined
      ? ''
      : task.status === 'cancelled'
        ? cancelledNote(words, fromErrorRecord(task.error))
        : errorBlock({
            words,
            error: fromErrorRecord(task.error),
            hasHelp: true,
            hasMedium: takesMedia(call),
            correlationId: task.runId || exchange.correlationId,
          });
  // in steps of ten per cent, so that it is not read out each second
  const tenth = format.percent(Math.floor(shareOf(task) * 10) / 10);
  return {
    id: 'state',
    // the share of an ended task would contradict the word of a failure
    status: say(tasks.statusLine, {
      type: say(typeWords[task.type]),
      status: partlyImported(words, task) ?? taskState(words, task),
      percent: isOver(task) ? undefined : tenth,
    }),
    html: html`${error}${progressBlock(call, task)}${waitNote(call, task)}
${planBlock(call, task)}${mayCancel(call, task) ? cancelForm(call, task) : ''}
${factsOf(call, task)}`,
  };
}

/** The page `/tasks/{id}`. */
export async function showOneTask(
  call: PageCall<QueryOf<typeof itemFilters>, { readonly id: string }>,
): Promise<Page> {
  const { words } = call;
  const { say, format } = words;
  const { id } = call.path;
  const task = await showTask(call, call.identity, id);
  const every = isOver(task) ? {} : { every: 1 };
  const type = say(typeWords[task.type]);
  const state =
    task.status === 'running'
      ? format.percent(shareOf(task))
      : (partlyImported(words, task) ?? taskState(words, task));
  return {
    title: `${state} · ${type} ${id}`,
    heading: html`<span class="sentence-start">${type}</span> <span class="muted code">${id}</span>`,
    crumbs: [[say(tasks.title), '/tasks']],
    ...(isOver(task) ? {} : { reload: 10 }),
    sections: [
      { ...stateSection(call, task), ...every },
      {
        id: 'items',
        html: html`${itemTable(call, task)}${resultBlocks(call, task, await listHere(call, task))}`,
        ...(isOver(task) ? {} : { every: 2 }),
      },
      {
        id: 'more',
        html: html`<p><a class="button button-plain" href="${toPath('/tasks/{id}/log', { id })}">${say(tasks.log)}</a></p>
${terminal(words, [
  curlCommand(call, 'GET', `/tasks/${id}`),
  curlCommand(call, 'GET', `/tasks/${id}/logs?format=raw`),
  ...(mayCancel(call, task) ? [curlCommand(call, 'POST', `/tasks/${id}/cancel`)] : []),
])}`,
      },
    ],
  };
}

import { hasStalled } from '../../../../src/base/rate.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import type { Task } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { startSentence } from '../../../../src/text/start-sentence.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { compareWithPlan } from '../../../views/confirmed-plan.ts';
import { findVerification, takesMedia } from '../../../views/media.ts';
import { showTask } from '../../../views/tasks.ts';
import { hasZones } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { cancelledNote, errorBlock, showSentence, wordError } from '../../parts/error.ts';
import { mediumPage } from '../../parts/history-link.ts';
import { icon } from '../../parts/icons.ts';
import { remedyButton } from '../../parts/remedies.ts';
import { factColumns } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, showActor, untrusted } from '../../parts/text.ts';
import { stagePicture } from '../../pictures/stages.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { cancelStep } from './cancel.ts';
import { countsBytes, goingOn, importStep, sayStep, shareBeside } from './import-step.ts';
import { underWay } from './item-state.ts';
import { type itemFilters, itemTable, listArrived, listHere } from './items.ts';
import { logTail } from './log.ts';
import { mayCancel } from './may-cancel.ts';
import {
  causesOf,
  itemsSoFar,
  namesOfCause,
  outcomeOf,
  resultOf,
  runningOutcome,
  saysError,
} from './outcome.ts';
import { resultBlocks } from './results.ts';
import { findSuperseded } from './superseded.ts';
import {
  averageOf,
  isStalled,
  nowOf,
  partlyImported,
  shareOf,
  stalledFor,
  stallRemedy,
  taskBar,
  taskKind,
  taskState,
  tookOf,
  typeWords,
  waitOf,
  waitsBehind,
} from './task-words.ts';

/** Recipes that a comparison with the plan lists. */
const mostCompared = 20;

/** The page that starts a task like this one; undefined where the reader may not, or where only a command does. */
function againOf(
  call: PageCall,
  { type, reference }: Task,
): readonly [path: string, text: Sentence] | undefined {
  switch (type) {
    case 'sync':
      return call.instance.context.config.retriever.source === undefined
        ? undefined
        : ['/recipes/sync', tasks.syncAgain];
    case 'media-import':
      return takesMedia(call) ? ['/media', tasks.mediumAgain] : undefined;
    case 'import':
      return [toPath('/import', {}, { reference }), tasks.formAgain];
    case 'layout-export':
    case 'layout-import':
      return call.can('admin') ? ['/admin/oci-layout', tasks.formAgain] : undefined;
    case 'fileset-pack':
      return call.can('admin') ? ['/filesets/pack', tasks.formAgain] : undefined;
    case 'media-write':
      return undefined;
  }
}

/** Tasks of one type among which a later one with the same work is looked for. */
const mostLater = 200;

/** The later task that did the work of a failed one. */
function laterOf(call: PageCall, { id, type, status }: Task): TaskHead | undefined {
  if (status !== 'failed') return undefined;
  return findSuperseded(call.tasks.listHeads({ type, pageSize: mostLater }).tasks).get(id);
}

/** Says of a failed task that a later one did its work. */
function laterNote(call: PageCall, task: Task): Html | string {
  const later = laterOf(call, task);
  if (later === undefined) return '';
  const { say, format } = call.words;
  const time = format.time(later.finishedAt ?? later.createdAt);
  return html`<div class="note">${icon('info')}<p>${say(tasks.superseded, { time })} <a class="code" href="${toPath('/tasks/{id}', { id: later.id })}">${later.id}</a></p></div>`;
}

/** The next step of a task: to cancel it, the remedy of its error, or to run it again where that alone may help. */
function stepOf(call: PageCall, task: Task): Html | string {
  const { say } = call.words;
  if (mayCancel(call, task)) return cancelStep(call, task);
  if (!isOver(task) || task.status === 'done') return '';
  const error = causesOf(call.words, task)[0]?.error;
  const again = call.can('operator') ? againOf(call, task) : undefined;
  const isFailure = error === undefined || error.class === 'failure';
  const kind = isFailure && laterOf(call, task) === undefined ? 'primary' : 'plain';
  const remedy = remedyButton(call.words, error);
  if (remedy === '' && again === undefined) return '';
  return html`<p class="buttons">${remedy}${again === undefined ? '' : html`<a class="button button-${kind}" href="${again[0]}">${say(again[1])}</a>`}</p>`;
}

/** Progress and rate of a running task, or the outcome of an ended one. */
function answerOf(call: PageCall, task: Task): Html {
  const { words } = call;
  const { say, format } = words;
  const { bytesDone, bytesTotal } = task.progress;
  const share = shareOf(task);
  const bytes = bytesTotal > 0 ? say(parts.bytesOf, { used: bytesDone, total: bytesTotal }) : '';
  const resumed = task.resumed ? say(tasks.resumed) : '';
  const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(' · ');
  const isRunning = task.status === 'running';
  const outcome = runningOutcome(words, task);
  const step = countsBytes(task) ? undefined : importStep(task);
  // the headline names the one item that is under way
  const now = isRunning && (outcome === undefined || underWay(task).length > 1) ? nowOf(words, task) : '';
  const head = {
    kind: taskKind(task),
    mark: taskState(words, task),
    step: stepOf(call, task),
  } as const;
  // the bar of an ended task would show nothing that the words do not say
  if (isOver(task))
    return answer({
      ...head,
      what: saysError(task)
        ? showSentence(wordError(words, fromErrorRecord(task.error!)).what)
        : untrusted(resultOf(words, task) ?? outcomeOf(words, task)),
      notes: [joined([bytes, resumed])],
    });
  const behind = waitsBehind(call, task);
  if (behind !== undefined) return answer({ ...head, what: behind, notes: [resumed] });
  return answer({
    ...head,
    bar: taskBar(words, task),
    what:
      outcome !== undefined
        ? untrusted(outcome)
        : step === undefined
          ? joined([format.percent(share), bytes])
          : sayStep(words, step),
    lines: [
      outcome === undefined || !countsBytes(task)
        ? ''
        : joined([shareBeside(words, task, outcome), itemsSoFar(words, task)]),
      !isRunning || task.waiting !== undefined
        ? ''
        : // the note below says for how long nothing has moved
          joined(isStalled(task) ? averageOf(words, task.progress) : goingOn(words, task)),
    ],
    notes: [
      // the chips of the items have their numbers, and are asked for at another time
      resumed,
      now === '' ? '' : untrusted(now),
    ],
  });
}

/** The verification with which an import of the instance begins: no byte was sent yet. */
function walkNote(call: PageCall, { type, command, status, progress }: Task): Html | string {
  const { words } = call;
  const isFirst = type === 'media-import' && command === undefined && status === 'running';
  const isVerifying = isFirst && progress.bytesTotal === 0 && call.can('operator');
  const walk = isVerifying ? findVerification(call)?.running : undefined;
  if (walk === undefined) return '';
  const isStill = hasStalled(walk);
  const note = isStill
    ? html`<div class="note">${icon('warn')}<p>${words.say(media.stalled, { duration: stalledFor(words, walk) })}</p></div>`
    : '';
  return html`<h2>${words.say(media.walk)}</h2>${stagePicture(words, walk, { isStalled: isStill })}${note}`;
}

/** The places to look at while nothing moves. */
function stallNote(call: PageCall, task: Task): Html | string {
  const { words } = call;
  const remedy = stallRemedy(words, task);
  if (remedy === undefined) return '';
  const kept = mayCancel(call, task) ? html` ${words.say(tasks.stalledKept)}` : '';
  const log = html` <a href="#log-tail">${words.say(tasks.logTail)}</a>`;
  return html`<div class="note note-warn">${icon('warn')}<p>${remedy}${kept}${log}</p></div>`;
}

/** A zone, which leads to its page where the instance follows it. */
function zoneLink(call: PageCall, zone: string): Html {
  const isFollowed = hasZones(call) && call.instance.context.config.zones.some(({ name }) => name === zone);
  return isFollowed
    ? html`<a href="${toPath('/zones/{zone}', { zone })}">${untrusted(zone)}</a>`
    : untrusted(zone);
}

function factsOf(call: PageCall, task: Task): Html {
  const { words } = call;
  const { say, format } = words;
  const { startedAt, finishedAt, cancelledBy, sourceRunId } = task;
  const took = tookOf(words, task);
  return factColumns([
    [
      say(task.type === 'layout-export' ? tasks.output : tasks.reference),
      untrusted(sayConcealed(task.reference, words.language)),
    ],
    ...(task.written === undefined
      ? []
      : [
          [say(tasks.forZone), zoneLink(call, task.written.zone)] as const,
          [say(deliveries.delivery), deliveryLink(call, task.written.delivery)] as const,
        ]),
    [say(tasks.actor), showActor(words, task.actor)],
    ...(task.command === undefined
      ? []
      : [[say(tasks.origin), say(tasks.commandLine, { command: task.command })] as const]),
    // of a task that did not wait, both are the same
    ...(startedAt !== undefined && format.time(startedAt) === format.time(task.createdAt)
      ? []
      : [[say(tasks.created), format.time(task.createdAt)] as const]),
    ...(startedAt === undefined ? [] : [[say(tasks.started), format.time(startedAt)] as const]),
    ...(finishedAt === undefined ? [] : [[say(tasks.finished), format.time(finishedAt)] as const]),
    ...(took === undefined ? [] : [[say(tasks.took), took] as const]),
    ...(cancelledBy === undefined ? [] : [[say(tasks.cancelledBy), untrusted(cancelledBy)] as const]),
    [say(tasks.run), copyable(words, task.runId, say(tasks.run))],
    ...(task.requestId === undefined
      ? []
      : [[say(tasks.request), copyable(words, task.requestId, say(tasks.request))] as const]),
    ...(sourceRunId === undefined ? [] : [[say(tasks.sourceRun), code(sourceRunId)] as const]),
  ]);
}

/** Why the task does not go on, and until when. */
function waitNote({ words }: PageCall, task: Task): Html | string {
  if (task.waiting === undefined) return '';
  return html`<div class="note">${icon('info')}<p>${startSentence(waitOf(words, task))}</p></div>`;
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

/** The head of the page, whose share is read out in steps of ten per cent, so not each second. */
function verdictSection(call: PageCall, task: Task): Section {
  const { words } = call;
  const { say, format } = words;
  const tenth = Math.floor(shareOf(task) * 10) / 10;
  return {
    id: 'verdict',
    // the share of an ended task would contradict the word of a failure
    status: say(tasks.statusLine, {
      type: say(typeWords[task.type]),
      status: partlyImported(words, task) ?? taskState(words, task),
      percent:
        task.status !== 'running' || !countsBytes(task)
          ? undefined
          : tenth === 0
            ? say(tasks.belowTenth)
            : say(tasks.fromTenth, { percent: format.percent(tenth) }),
    }),
    html: answerOf(call, task),
  };
}

/** Why a task failed or does not go on, and its facts. */
function stateBlock(call: PageCall, task: Task): Html {
  const { words, exchange } = call;
  const causes = isOver(task) ? causesOf(words, task) : [];
  const errors = causes.map((cause) => {
    const shown = { words, error: fromErrorRecord(cause.error), isTold: saysError(task) || !cause.isOne };
    if (task.status === 'cancelled') return cancelledNote(shown);
    return errorBlock({
      ...shown,
      hasHelp: true,
      mediumPage: mediumPage(call),
      correlationId: task.runId || exchange.correlationId,
      heading: cause.items.length === 0 ? undefined : html`<h3>${untrusted(namesOfCause(words, cause))}</h3>`,
    });
  });
  return html`${laterNote(call, task)}${errors}${stallNote(call, task)}${walkNote(call, task)}${waitNote(call, task)}
${planBlock(call, task)}
${factsOf(call, task)}`;
}

/** The page `/tasks/{id}`. */
export async function showOneTask(
  call: PageCall<QueryOf<typeof itemFilters>, { readonly id: string }>,
): Promise<Page> {
  const { words } = call;
  const { say, format } = words;
  const { id } = call.path;
  const task = await showTask(call, call.identity, id);
  const live = (every: number) => (isOver(task) ? {} : { every });
  const type = say(typeWords[task.type]);
  const percent = format.percent(shareOf(task));
  const state = isStalled(task)
    ? say(tasks.stalledTitle, { state: taskState(words, task), percent })
    : task.status === 'running'
      ? countsBytes(task)
        ? percent
        : sayStep(words, importStep(task)!)
      : (partlyImported(words, task) ?? taskState(words, task));
  // before its start, a task knows no items
  const items =
    task.status === 'pending' && task.items.length === 0
      ? html``
      : itemTable(call, task, await listHere(call), await listArrived(call, task));
  return {
    title: `${state} · ${type} ${id}`,
    heading: html`${startSentence(type)} <span class="muted code">${id}</span>`,
    crumbs: [[say(tasks.title), '/tasks']],
    paper: [],
    ...(isOver(task) ? {} : { reload: 10 }),
    sections: [
      { ...verdictSection(call, task), ...live(1) },
      { id: 'state', ...live(2), html: stateBlock(call, task) },
      { id: 'items', column: 1, ...live(2), html: items },
      {
        id: 'results',
        column: 2,
        ...live(5),
        html: html`${resultBlocks(call, task)}${await logTail(call, task)}`,
      },
      {
        id: 'more',
        html: html`${terminal(words, [
          curlCommand(call, 'GET', `/tasks/${id}`),
          curlCommand(call, 'GET', `/tasks/${id}/logs?format=raw`),
          ...(mayCancel(call, task) ? [curlCommand(call, 'POST', `/tasks/${id}/cancel`)] : []),
        ])}`,
      },
    ],
  };
}

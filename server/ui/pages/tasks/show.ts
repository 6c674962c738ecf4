import { hasRole } from '../../../../src/account/model.ts';
import { fromErrorRecord } from '../../../../src/base/error.ts';
import { parts } from '../../../../src/base/words/parts.ts';
import { tasks } from '../../../../src/base/words/tasks.ts';
import type { PrunedItem, Task, TaskResolution } from '../../../../src/task/model.ts';
import { taskFloors } from '../../../api/tasks.ts';
import { showTask } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { bar } from '../../parts/bar.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { form } from '../../parts/form.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { itemTable } from './items.ts';
import { countsOf, isOver, shareOf, statusBadge, statusWords, typeWords } from './task-words.ts';

function progressBlock({ words }: PageCall, task: Task): Html {
  const { say, format } = words;
  const { bytesDone, bytesTotal, bytesPerSecond, secondsLeft } = task.progress;
  const isRunning = task.status === 'running';
  const share = shareOf(task);
  const percent = format.percent(share);
  const line = [
    ...(bytesTotal > 0 ? [say(parts.bytesOf, { used: bytesDone, total: bytesTotal })] : []),
    ...(isRunning && bytesPerSecond !== undefined ? [say(tasks.rate, { rate: bytesPerSecond })] : []),
    ...(isRunning && secondsLeft !== undefined
      ? [say(tasks.left, { duration: format.duration(secondsLeft * 1000) })]
      : []),
  ];
  return html`${bar({ parts: [{ kind: task.status === 'failed' ? 'warn' : 'done', share }] })}
<p class="progress-line"><strong>${percent}</strong>${line.map((part) => html` <span class="muted">·</span> ${part}`)}</p>
<p class="muted">${countsOf(words, task.counts)}</p>`;
}

function factsOf({ words }: PageCall, task: Task): Html {
  const { say, format } = words;
  const { startedAt, finishedAt, cancelledBy, sourceRunId } = task;
  const took =
    startedAt !== undefined && finishedAt !== undefined
      ? [[say(tasks.took), format.duration(Date.parse(finishedAt) - Date.parse(startedAt))] as const]
      : [];
  return facts([
    [say(tasks.reference), untrusted(task.reference)],
    [say(tasks.actor), untrusted(task.actor)],
    [say(tasks.created), format.time(task.createdAt)],
    ...(startedAt === undefined ? [] : [[say(tasks.started), format.time(startedAt)] as const]),
    ...(finishedAt === undefined ? [] : [[say(tasks.finished), format.time(finishedAt)] as const]),
    ...took,
    ...(cancelledBy === undefined ? [] : [[say(tasks.cancelledBy), untrusted(cancelledBy)] as const]),
    [say(tasks.run), copyable(words, task.runId, say(tasks.run))],
    ...(sourceRunId === undefined ? [] : [[say(tasks.sourceRun), code(sourceRunId)] as const]),
  ]);
}

const resolutionWords = { new: tasks.new, outdated: tasks.outdated, 'up-to-date': tasks.upToDate } as const;

function resolutionTable({ words: { say } }: PageCall, rows: readonly TaskResolution[]): Html {
  return html`<h2>${say(tasks.resolutions)}</h2>${table<TaskResolution>({
    caption: say(tasks.resolutions),
    empty: '',
    rows,
    columns: [
      {
        label: say(tasks.recipe),
        isHeader: true,
        cell: ({ recipe, ingredient }) =>
          ingredient === undefined
            ? untrusted(recipe)
            : html`<span class="muted">${untrusted(recipe)} /</span> ${untrusted(ingredient)}`,
      },
      { label: say(tasks.requested), cell: ({ requested }) => untrusted(requested) },
      { label: say(tasks.resolved), cell: ({ resolved }) => untrusted(resolved) },
      { label: say(tasks.digest), cell: ({ digest }) => code(digest) },
      {
        label: say(tasks.status),
        cell: ({ status }) => badge(status === 'up-to-date' ? 'plain' : 'ok', say(resolutionWords[status])),
      },
    ],
  })}`;
}

function prunedTable({ words: { say } }: PageCall, rows: readonly PrunedItem[]): Html {
  return html`<h2>${say(tasks.pruned)}</h2>${table<PrunedItem>({
    caption: say(tasks.pruned),
    empty: '',
    rows,
    columns: [
      { label: say(tasks.repository), isHeader: true, cell: ({ repository }) => untrusted(repository) },
      { label: say(tasks.tag), cell: ({ tag }) => untrusted(tag) },
      { label: say(tasks.recipe), cell: ({ recipe }) => untrusted(recipe) },
      { label: say(tasks.digest), cell: ({ digest }) => code(digest) },
    ],
  })}`;
}

function cancelForm({ words: { say } }: PageCall, { id }: Task): Html {
  return form(
    toPath('/tasks/{id}/cancel', { id }),
    html`<p class="hint">${say(tasks.cancelHint)}</p><button class="button button-danger" type="submit" data-working="${say(tasks.cancelling)}">${say(tasks.cancel)}</button>`,
  );
}

function stateSection(call: PageCall, task: Task): Section {
  const { words, exchange, identity } = call;
  const { say, format } = words;
  const mayCancel =
    !isOver(task) && task.cancelledBy === undefined && hasRole(identity.role, taskFloors[task.type]);
  const error =
    task.error === undefined
      ? ''
      : errorBlock({
          words,
          error: fromErrorRecord(task.error),
          hasHelp: true,
          correlationId: task.runId || exchange.correlationId,
        });
  // in steps of ten per cent, so that it is not read out each second
  const tenth = format.percent(Math.floor(shareOf(task) * 10) / 10);
  return {
    id: 'state',
    status: say(tasks.statusLine, {
      type: say(typeWords[task.type]),
      status: say(statusWords[task.status]),
      percent: tenth,
    }),
    html: html`${error}<p>${statusBadge(words, task.status)}${task.resumed ? html` ${badge('plain', say(tasks.resumed))}` : ''}</p>
${progressBlock(call, task)}
${mayCancel ? cancelForm(call, task) : ''}
${factsOf(call, task)}`,
  };
}

/** The page `/tasks/{id}`. */
export async function showOneTask(call: PageCall): Promise<Page> {
  const { words } = call;
  const { say, format } = words;
  const id = call.path.id!;
  const task = await showTask(call, call.identity, id);
  const { resolutions = [], pruned = [], layout } = task;
  const every = isOver(task) ? {} : { every: 1 };
  const type = say(typeWords[task.type]);
  const state = task.status === 'running' ? format.percent(shareOf(task)) : say(statusWords[task.status]);
  return {
    title: `${state} · ${type} ${id}`,
    heading: html`${type} <span class="muted code">${id}</span>`,
    crumbs: [[say(tasks.title), '/tasks']],
    ...(isOver(task) ? {} : { reload: 10 }),
    sections: [
      { ...stateSection(call, task), ...every },
      ...(layout === undefined
        ? []
        : [
            {
              id: 'layout',
              html: html`<h2>${say(tasks.result)}</h2><p>${say(tasks.resultLine, { manifests: layout.manifests, blobs: layout.blobs, bytes: layout.bytes })}</p>`,
            },
          ]),
      { id: 'items', html: itemTable(call, task), ...(isOver(task) ? {} : { every: 2 }) },
      ...(resolutions.length === 0 ? [] : [{ id: 'resolutions', html: resolutionTable(call, resolutions) }]),
      ...(pruned.length === 0 ? [] : [{ id: 'pruned', html: prunedTable(call, pruned) }]),
      {
        id: 'more',
        html: html`<p><a class="button button-plain" href="${toPath('/tasks/{id}/log', { id })}">${say(tasks.log)}</a></p>
${terminal(words, [curlCommand(call, 'GET', `/tasks/${id}`), curlCommand(call, 'GET', `/tasks/${id}/logs?format=raw`)])}`,
      },
    ],
  };
}

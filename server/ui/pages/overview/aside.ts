import type { Status } from '../../../../src/contract/status.ts';
import type { ZoneBoard } from '../../../../src/contract/zone-board.ts';
import { isToCarry, toCarry } from '../../../../src/engine/zone/to-carry.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { zones as zoneWords } from '../../../../src/text/words/delivering/zones.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Run } from '../../../../src/view/runs.ts';
import { isLate, standingOf } from '../../../../src/view/zone/standing.ts';
import { keepsReceipts } from '../../../views/delivering.ts';
import type { Troubles } from '../../../views/troubles.ts';
import { hasZones, mostShown } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { facts } from '../../parts/table.ts';
import { showActor, untrusted } from '../../parts/text.ts';
import { sideOf } from '../../side.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { toWantedPlan } from '../deliver/wanted.ts';
import { countsBytes, goingOn, outcomeSoFar, withItems } from '../tasks/import-step.ts';
import { isStalled, shareOf, taskBadge, taskBar, typeWords } from '../tasks/task-words.ts';
import { peekBoards } from '../zones/of-recipe.ts';
import { isAwaited, isFollowed, nameFew, sayLate, sayZone } from '../zones/words.ts';
import type { Troubles as WideTroubles } from './todo.ts';

/** The running task with its progress, or that none runs. */
export function runningBlock(call: PageCall, head: TaskHead | undefined, pending: number): Html {
  const { words } = call;
  const { say, format } = words;
  const waiting = pending === 0 ? [] : [say(overview.waiting, { count: pending })];
  if (head === undefined)
    return html`<h2>${say(overview.running)}</h2><p class="muted">${[say(overview.idle), ...waiting].join(' ')}</p>`;
  const task = withItems(call, head);
  const share = shareOf(task);
  // the remedy of a stalled task is a step of its own
  const parts = [...goingOn(words, task), ...waiting];
  const soFar = outcomeSoFar(words, task);
  return html`<h2>${say(overview.running)}</h2><p class="running-head"><a href="${toPath('/tasks/{id}', { id: task.id })}">${say(typeWords[task.type])}</a><strong>${isStalled(task) ? html`${taskBadge(words, task)} ` : ''}${countsBytes(task) ? format.percent(share) : ''}</strong></p>
${taskBar(words, task)}
<p class="running-line">${soFar === undefined ? '' : html`${untrusted(soFar)}<br>`}<span class="muted">${parts.join(' · ')}</span></p>`;
}

/** The part of a delivery that arrived; its name leads to the delivery, for those who may open it. */
function deliveryLine(
  call: PageCall,
  part: { readonly id: string; readonly part: number; readonly parts: number },
): Html {
  return deliveryLink(call, part.id, untrusted(call.words.say(overview.part, part)));
}

/** The last arrival: the part of a delivery, the disk, or the synchronization, with its date. */
export function carriedBlock(call: PageCall, runs: readonly Run[], lastImport: Status['lastImport']): Html {
  const { words } = call;
  const { say, format, language } = words;
  const title = html`<h2>${say(overview.carried)}</h2>`;
  const last = runs.find(({ recipes, delivery }) => recipes.length > 0 || delivery !== undefined);
  const at = last && (last.task.finishedAt ?? last.task.createdAt);
  if (lastImport !== undefined && (at === undefined || lastImport.importedAt > at))
    return html`${title}${facts([
      [say(overview.disk), untrusted(lastImport.mediaId)],
      [say(overview.when), format.time(lastImport.importedAt)],
    ])}`;
  if (last === undefined || at === undefined)
    return html`${title}<p class="muted">${say(overview.notCarried)}</p>`;
  const { task, delivery } = last;
  const done = last.recipes.filter(({ status }) => status === 'done');
  const before = done.filter(({ wasHere }) => wasHere).length;
  const landed = delivery?.landed.reduce(
    (a, b) => (b.importedAt > a.importedAt ? b : a),
    delivery.landed[0]!,
  );
  return html`${title}${facts([
    ...(delivery === undefined || landed === undefined
      ? []
      : [
          [
            say(overview.delivery),
            deliveryLine(call, { id: delivery.id, part: landed.part, parts: delivery.parts }),
          ] as const,
          [say(overview.disk), untrusted(landed.mediaId)] as const,
        ]),
    [
      say(tasks.type),
      html`<a href="${toPath('/tasks/{id}', { id: task.id })}">${say(typeWords[task.type])}</a> ${say(overview.by)} ${showActor(words, task.actor)}`,
    ],
    [
      say(task.type === 'media-import' && landed === undefined ? overview.disk : overview.source),
      untrusted(sayConcealed(task.reference, language)),
    ],
    ...(done.length === 0 && task.progress.bytesDone === 0
      ? []
      : [
          [
            say(overview.brought),
            say(overview.broughtLine, {
              count: done.length - before,
              size: task.progress.bytesDone,
              before: before || undefined,
            }),
          ] as const,
        ]),
    [say(overview.when), format.time(at)],
  ])}`;
}

/** Zones that the overview names; their page lists all. */
const mostNamed = 8;

/** The zones that lack recipes, and those whose records cannot be read, the most urgent first. */
export async function listLacking(
  call: PageCall,
): Promise<WideTroubles['zones'] & { readonly isFollowed: boolean }> {
  const boards = await peekBoards(call);
  const lacking = boards.filter((board) => standingOf(board) === 'lacks' || board.code !== undefined);
  const isAll = call.instance.context.config.zones.length <= mostShown && !boards.some(isAwaited);
  return {
    names: lacking.map(({ name }) => name),
    helped: lacking.filter(({ recipes }) => recipes.some(isToCarry)).map(({ name }) => name),
    lacking: boards.filter((board) => standingOf(board) === 'lacks').length,
    late: boards.filter(isLate).length,
    lateDeliveries: boards
      .filter((board) => standingOf(board) === 'overdue' && !board.receipt?.overdue)
      .map((board) => ({ zone: board.name, why: sayLate(call.words, board)! })),
    unknown: boards.filter((board) => standingOf(board) === 'unknown' && !isAwaited(board)).length,
    total: boards.length,
    isAll,
    isFollowed: isFollowed(boards),
  };
}

/** What is wrong with the receipt of a zone; empty where nothing is. */
function receiptMark(
  { words: { say } }: PageCall,
  receipts: Troubles['receipts'],
  zone: string,
): Html | string {
  const wrong = receipts.find((each) => each.zone === zone);
  return wrong === undefined
    ? ''
    : html` ${badge('warn', say(wrong.error === undefined ? overview.receiptOverdue : overview.receiptWrong))}`;
}

/** Whether the sentence about a zone says what is wrong with its receipt. */
const isTold = (board: ZoneBoard | undefined): boolean =>
  board !== undefined && (standingOf(board) === 'unknown' || standingOf(board) === 'overdue');

/** What must be carried to a zone, or why nothing must. */
function sayLack({ words }: PageCall, board: ZoneBoard | undefined): string {
  const { say, format } = words;
  if (board === undefined) return say(overview.unknown);
  const { recipes } = board;
  const unsigned = recipes.filter((one) => one.unsigned).map(({ name }) => name);
  const { lacking, inTransit, refused, bytes } = toCarry(board);
  const parts = [
    ...(lacking.length === 0 ? [] : [say(overview.lackRecipes, { count: lacking.length, bytes })]),
    ...(
      [
        ['in-transit', inTransit],
        ['blocked', refused],
      ] as const
    )
      .filter(([, all]) => all.length > 0)
      .map(([state, all]) => say(zoneWords.stateCounts[state], { count: all.length })),
    ...(unsigned.length === 0 ? [] : [say(zoneWords.unsignedNames, { names: nameFew(format, unsigned) })]),
  ];
  const late = standingOf(board) === 'overdue' ? [say(zoneWords.overdue)] : [];
  if (parts.length > 0) return [...parts, ...late].join(', ');
  if (standingOf(board) === 'has') return say(overview.lackNothing);
  const sentence = sayZone(words, board);
  // the link before it is the name
  const name = `${isolate(board.name)} `;
  return sentence.startsWith(name) ? sentence.slice(name.length) : sentence;
}

/** The zones that this instance is the source for, each with the recipes to carry to it, and the way there. */
export async function carryBlock(call: PageCall, receipts: Troubles['receipts']): Promise<Html | string> {
  const { say } = call.words;
  const { zones: configured } = sideOf(call);
  const mayPlan = call.can('operator');
  if (configured.length === 0 || !keepsReceipts(call) || !(mayPlan || hasZones(call))) return '';
  const rest = configured.length - mostNamed;
  const pathOf = (zone: string): string => {
    if (mayPlan && !hasZones(call)) return toPath('/deliver', {}, { zone });
    const isHelped = boards.get(zone)?.recipes.some(isToCarry) ?? true;
    return mayPlan && isHelped ? toWantedPlan(zone) : toPath('/zones/{zone}', { zone });
  };
  const boards = new Map((await peekBoards(call)).map((board) => [board.name, board]));
  const zones = [...new Set([...boards.keys(), ...configured])];
  const names = zones
    .slice(0, mostNamed)
    .map(
      (zone) =>
        html`<li><a href="${pathOf(zone)}">${untrusted(zone)}</a> <span class="muted">${sayLack(call, boards.get(zone))}</span>${isTold(boards.get(zone)) ? '' : receiptMark(call, receipts, zone)}</li>`,
    );
  return html`<div class="cell"><h2>${say(overview.toCarry)}</h2><ul class="plain-list">${names}${
    rest > 0 ? html`<li><a href="/zones">${say(overview.moreZones, { count: rest })}</a></li>` : ''
  }</ul></div>`;
}

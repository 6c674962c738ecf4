import type { Status } from '../../../../src/contract/status.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { network } from '../../../../src/text/words/network.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { toLinkParts } from '../../../../src/view/link-words.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { lastGoodSync, type Run, selectWanting } from '../../../../src/view/runs.ts';
import { besideMedium, splitBlocked } from '../../../../src/view/zone/blocked.ts';
import { isOfDeliveries, listStanding } from '../../../../src/view/zone/waits.ts';
import { listOwed, toVerdictSentence, toZoneVerdict } from '../../../../src/view/zone-verdict.ts';
import { listBlocked } from '../../../views/blocked.ts';
import { toDeliveries } from '../../../views/deliveries.ts';
import { isUnimported, showMediumDelivery, takesMedia } from '../../../views/media.ts';
import { listOrigins } from '../../../views/origins.ts';
import { describeOccupancy, takesPushesOnly } from '../../../views/retriever.ts';
import { listRuns } from '../../../views/runs.ts';
import { showProgress } from '../../../views/status.ts';
import { listTroubles } from '../../../views/troubles.ts';
import { showVolume } from '../../../views/volume.ts';
import { readImports, receiptToCarry } from '../../../views/zone/imports.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { mediumPage } from '../../parts/history-link.ts';
import { terminal } from '../../parts/terminal.ts';
import { occupancyBar } from '../../pictures/occupancy.ts';
import { timeline } from '../../pictures/timeline.ts';
import type { Page, PageCall, UiRoute } from '../../ui-route.ts';
import { isStalled } from '../tasks/task-words.ts';
import { followEvery } from '../zones/words.ts';
import { carriedBlock, carryBlock, listLacking, runningBlock } from './aside.ts';
import { type FlowEnd, flowOf } from './flow.ts';
import { lastPushBlock, pullBlock, receivedList } from './received.ts';
import { addTroubles, todoList } from './todo.ts';
import { countUnsound } from './unsound.ts';
import { verdictBlock } from './verdict-block.ts';
import { wantedList } from './wanted.ts';

/** @param isCarried whether all content came on a medium: the instance then fills no medium, even as a mirror */
function endOf(
  { can, instance }: PageCall,
  runs: readonly Run[],
  { isCarried, isMirror }: { readonly isCarried: boolean; readonly isMirror: boolean },
): FlowEnd {
  const { registry: destination } = instance.context.config.destination;
  if (isMirror && !isCarried) return { kind: 'medium' };
  if (destination === undefined) return { kind: 'clients' };
  // configured and unused hosts are for administrators only
  const name = can('admin') ? destination : runs.find((run) => run.destination !== undefined)?.destination;
  return { kind: 'destination', name };
}

async function flowBlock(
  call: PageCall,
  runs: readonly Run[],
  recipes: Awaited<ReturnType<typeof listRecipes>>,
  { lastImport, delivery }: Pick<Status, 'lastImport' | 'delivery'>,
): Promise<Html> {
  const { instance, gate, store } = call;
  const isClosed = gate.refusal() !== undefined;
  const latest = runs.find((run) => run.recipes.length > 0);
  // a run that failed before it reached a host says nothing of the ways
  const contacting = runs.find((run) => run.effective.size > 0);
  const isCarried = takesMedia(call) && (gate.guarded || latest?.task.type === 'media-import');
  const isMirror = instance.context.config.mode === 'mirror';
  const medium = {
    id: store.mediaId,
    ...(lastImport === undefined ? {} : { importedAt: lastImport.importedAt }),
    isByOthers: delivery?.imported === true,
  };
  return html`<h2>${call.words.say(overview.flow)}</h2>${flowOf(call, {
    origins: isClosed ? [] : await listOrigins(call, recipes, contacting ?? latest, takesPushesOnly(call)),
    ...(isCarried ? { medium } : {}),
    recipes: new Set(recipes.map(({ name }) => name)).size,
    end: endOf(call, runs, { isCarried, isMirror }),
    isClosed,
  })}`;
}

/** The recipes at a destination before the import of the medium. */
const none: Awaited<ReturnType<typeof listRecipes>> = [];

async function showOverview(call: PageCall): Promise<Page> {
  const { words, gate, identity } = call;
  const { say } = words;
  const [runs, recipes, volume, isWaiting, delivery, waits] = await Promise.all([
    listRuns(call, identity),
    listRecipes(call),
    showVolume(call),
    isUnimported(call),
    showMediumDelivery(call),
    listWaitsNow(call, identity),
  ]);
  const { running, pending, link, lastImport } = await showProgress(call, identity);
  const stalled = running !== undefined && isStalled(running) ? running : undefined;
  const lacking = await listLacking(call);
  const troubles = { ...(await listTroubles(call)), zones: lacking, stalled };
  const unsound = await countUnsound(call);
  const limits = link === undefined ? [] : toLinkParts(words, link);
  const last = selectWanting(runs);
  const latest = runs.find((run) => run.recipes.length > 0);
  const names = new Set(recipes.map(({ name }) => name));
  const isClosed = gate.refusal() !== undefined;
  // the disk in the drive lists only its own delivery: a zone that imports has other ones
  const isCarried = waits !== undefined && waits.arrived.length > 0 && latest?.task.type === 'media-import';
  const isAway = (await call.conditions()).has('store-away');
  const wanted = listStanding(latest, { recipes, delivery, waits });
  const split = splitBlocked(listBlocked(call), waits);
  const { lacking: blocked, copies } = split;
  const isDelivered = isOfDeliveries(latest, waits);
  // others push its content: it wants nothing itself
  const isReceiver = takesPushesOnly(call) && latest === undefined && recipes.length > 0;
  const isFed = takesMedia(call) && latest?.task.type !== 'sync';
  const toCarry = isFed && !isAway ? receiptToCarry(await readImports(call, {})) : undefined;
  const verdict = toZoneVerdict({
    refusal: gate.refusal(),
    delivery,
    last,
    good: lastGoodSync(runs),
    wanted: latest === last ? wanted : listStanding(last, { recipes, delivery, waits }),
    recipes: names.size,
    isUnimported: isWaiting,
    blocked,
    isDelivered,
  });
  const error =
    verdict.kind === 'run-failed' && last?.task.error !== undefined
      ? errorBlock({
          words,
          error: fromErrorRecord(last.task.error),
          hasHelp: true,
          mediumPage: mediumPage(call),
          correlationId: last.task.runId,
        })
      : '';
  return {
    title: say(overview.title),
    layout: 'board',
    ...(running === undefined && !lacking.isFollowed ? {} : { reload: 10 }),
    sections: [
      {
        id: 'now',
        every: lacking.isFollowed ? followEvery : running === undefined ? 15 : 5,
        status: addTroubles(words, toVerdictSentence(words, verdict), troubles),
        html: html`${verdictBlock(call, verdict, { last, running, lastImport, isAway, troubles, toCarry })}
${error}
<div class="board">
<div class="cell board-main">${isClosed ? todoList(call, latest, listOwed(wanted), { blocked: [], copies: [], troubles, unsound }) : todoList(call, latest, wanted, { blocked, copies, delivery, troubles, unsound })}</div>
<div class="cell board-wanted">${
          isReceiver
            ? await receivedList(call, recipes)
            : !isClosed && latest === undefined && wanted.length > 0
              ? ''
              : isClosed || latest === undefined
                ? html`<h2>${say(isDelivered ? overview.delivered : overview.wanted)}</h2><div class="empty"><p>${say(isClosed ? overview.wantedClosed : overview.wantedUnknown)}</p></div>`
                : verdict.kind === 'unimported'
                  ? ''
                  : wantedList(call, latest, besideMedium(wanted, split), recipes, isDelivered)
        }</div>
<div class="board-side">
<div class="cell">${runningBlock(call, running, pending)}
${limits.length === 0 ? '' : html`<p class="muted">${say(network.link)}: ${limits.join(' · ')}</p>`}</div>
<div class="cell">${isReceiver ? await lastPushBlock(call, recipes) : carriedBlock(call, runs, lastImport)}</div>
<div class="cell"><h2>${say(overview.store)}</h2>${occupancyBar(call, { measured: describeOccupancy(call), volume })}
<p class="way"><a href="/content?sort=size">${say(overview.fills)}</a></p></div>
${isReceiver ? await pullBlock(call) : ''}
${await carryBlock(call, troubles.receipts)}
</div>
<div class="board-more">${isReceiver ? '' : html`<h2>${say(overview.deliveries)}</h2>${isClosed ? html`<div class="empty">${say(overview.deliveriesClosed)}</div>` : timeline(call, toDeliveries(isCarried ? waits.arrived : isWaiting ? none : recipes, runs), recipes.length > 0 && !isWaiting ? overview.deliveriesPushed : overview.noDeliveries)}`}
${await flowBlock(call, runs, recipes, { lastImport, delivery })}</div>
</div>`,
      },
      {
        id: 'terminal',
        html: terminal(words, [curlCommand(call, 'GET', '/status'), curlCommand(call, 'GET', '/recipes')]),
      },
    ],
  };
}

export const overviewPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/',
    floor: 'viewer',
    title: overview.title,
    page: showOverview,
  },
];

import { hasStalled } from '../../../../src/base/rate.ts';
import type {
  MediumBlock,
  MediumReport,
  RecipeVerdict,
  VerificationState,
} from '../../../../src/contract/medium.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { splitBlocked } from '../../../../src/view/zone/blocked.ts';
import { compareWithZone } from '../../../../src/view/zone/compare.ts';
import type { Waits } from '../../../../src/view/zone/waits.ts';
import { showMediumDelivery, showVerificationNow } from '../../../views/media.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { bar, toTimeLeft } from '../../parts/bar.ts';
import { curlCommand } from '../../parts/curl.ts';
import { cancelledNote, errorBlock } from '../../parts/error.ts';
import { icon } from '../../parts/icons.ts';
import { pageRemedies } from '../../parts/remedies.ts';
import { terminal, toConfigFlag } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { shareOfStage, stagePicture, stageWords } from '../../pictures/stages.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { stalledFor } from '../tasks/task-words.ts';
import { type DeliveriesCall, deliveriesBlock } from './deliveries.ts';
import { findingTable } from './finding-lines.ts';
import { foldFindings } from './fold-findings.ts';
import { cancelForm, importForm, verifyForm, waiverForm, waivers } from './forms.ts';
import { identityOf } from './identity.ts';
import {
  bringsLine,
  bringsNothing,
  findHeldBack,
  type HeldBack,
  type Imported,
  importedHead,
  readImported,
  toBrings,
} from './imported.ts';
import { problemCard } from './problem-card.ts';
import { type PagedCall, recipeVerdicts } from './recipe-list.ts';
import {
  blocksTitle,
  isHeldBack,
  partLine,
  sentencesOf,
  sortVerdicts,
  standingLine,
  verdictLine,
  verdictState,
  withoutMetNeeds,
} from './verdict.ts';

/** Blocked recipes that the head of the page names. */
const shownBlocked = 3;

type Walk = NonNullable<VerificationState['running']>;

/** How far a verification is: its share and the time left, or that nothing moves, with the recipes blocked already. */
function walkAnswer(call: PageCall, walk: Walk): Html {
  const { words } = call;
  const { say, format } = words;
  const { files, totalFiles, bytes, totalBytes, bytesPerSecond, secondsLeft, stalledSeconds, recipes } = walk;
  const share = shareOfStage(walk);
  const stage = say(stageWords[walk.stage]);
  const isStill = hasStalled(walk);
  const blocked = recipes.filter(({ pushable }) => !pushable).length;
  const joined = (texts: readonly string[]): string => texts.join(' · ');
  return answer({
    kind: isStill ? 'warn' : 'plain',
    mark: say(isStill ? media.stampStalled : media.stampWalk),
    bar:
      share === undefined
        ? ''
        : bar({ parts: [{ kind: isStill ? 'stalled' : 'done', share }], name: say(media.walk) }),
    what: joined([
      share === undefined ? stage : `${stage}${say(parts.colon)} ${format.percent(share)}`,
      ...(secondsLeft === undefined ? [] : [say(media.left, { left: toTimeLeft(secondsLeft) })]),
    ]),
    lines: [
      joined([
        ...(totalFiles === undefined ? [] : [say(media.filesOf, { done: files, total: totalFiles })]),
        ...(totalBytes === undefined ? [] : [say(parts.bytesOf, { used: bytes, total: totalBytes })]),
        ...(bytesPerSecond === undefined || bytesPerSecond === 0
          ? []
          : [say(media.rate, { rate: bytesPerSecond })]),
      ]),
      isStill ? say(media.stalled, { duration: stalledFor(words, { stalledSeconds }) }) : '',
      blocked === 0 ? '' : say(media.blockedSoFar, { count: blocked }),
    ],
    step: cancelForm(call),
  });
}

/** A verification under way: its stage, and the recipes judged so far. */
function walkBlock(call: PagedCall, walk: Walk): Html {
  const { words } = call;
  const { say } = words;
  const { recipe, recipes } = walk;
  return html`<h2>${say(media.walk)}</h2>${stagePicture(words, walk, { isStalled: hasStalled(walk) })}
${recipe === undefined ? '' : html`<p class="muted">${say(media.judging, { recipe })}</p>`}
${recipes.length === 0 ? '' : html`<h2>${say(media.soFar)}</h2><p class="muted">${say(media.soFarHint)}</p>${recipeVerdicts(call, recipes)}`}`;
}

/** The option of `svc media` for a member of a request: `--allow-stale` for `allowStale`. */
const toOption = (member: string): string =>
  ` --${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * The commands equivalent to the forms of the page: the check and the import, each with the waived guards.
 * Administrators also see a check that waives a blocking guard.
 */
function mediaCommands(
  call: PageCall,
  report: MediumReport | undefined,
  isRunning: boolean,
): readonly string[] {
  const isAdmin = call.can('admin');
  const config = toConfigFlag(call);
  const membersOf = (isWaived: boolean): readonly string[] =>
    (isAdmin ? (report?.blocks ?? []) : [])
      .filter(({ waivable, waived }) => waivable && waived === isWaived)
      .flatMap(({ code }) => waivers[code]?.[0] ?? []);
  const run = (action: 'verify' | 'import', members: readonly string[]): readonly string[] => {
    const body = Object.fromEntries(members.map((member) => [member, true]));
    return [
      // runs on the machine of the instance and reads its settings; other users call the API
      ...(isAdmin ? [`svc media ${action}${config}${members.map(toOption).join('')}`] : []),
      curlCommand(call, 'POST', `/media/${action}`, JSON.stringify(body)),
    ];
  };
  return [
    ...run('verify', []),
    ...membersOf(false).flatMap((member) => run('verify', [member])),
    ...run('import', membersOf(true)),
    ...(isRunning ? [curlCommand(call, 'POST', '/media/verify/cancel')] : []),
  ];
}

function blockCard(call: PageCall, block: MediumBlock): Html {
  const { say } = call.words;
  const { code, waived } = block;
  const message = sentencesOf(call, block);
  const remedy = pageRemedies[code];
  return problemCard(call, {
    title: say(media.wholeMedium),
    state: waived ? badge('warn', say(media.waived)) : badge('bad', say(media.blocked)),
    code,
    message: remedy === undefined ? message : { ...message, action: say(remedy) },
    consequence: say(waived ? media.waiverGoesOn : media.mediumStaysOut),
    rest: waiverForm(call, block),
    isMild: waived,
  });
}

/** The recipes that are blocked and that the zone lacks, by their remedies: the head of the page names the first ones. */
function blockedByRemedy(
  call: PageCall,
  { recipes }: Pick<MediumReport, 'recipes'>,
  waits: Waits | undefined,
): readonly (readonly [action: string, recipes: readonly RecipeVerdict[]])[] {
  const refused = sortVerdicts(recipes).filter(({ reason }) => reason !== undefined);
  const { lacking } = splitBlocked(refused, waits);
  return [...Map.groupBy(lacking, ({ reason }) => sentencesOf(call, reason!).action)].slice(0, shownBlocked);
}

/** The recipes that the last import held back and that the zone still lacks, as blocked ones: with the reason of that import. */
const heldAsBlocked = (held: HeldBack, waits: Waits | undefined): readonly RecipeVerdict[] =>
  [...held].flatMap(([recipe, { code, params }]) =>
    waits !== undefined && compareWithZone(recipe, waits).standing === 'same'
      ? []
      : [{ ...recipe, pushable: false, reason: { code, params } }],
  );

/** The first recipes that are blocked, with their remedies, those with one remedy together. */
function blockedLines(call: PageCall, groups: ReturnType<typeof blockedByRemedy>): readonly Html[] {
  return groups.map(([action, all]) => {
    const named = all.slice(0, shownBlocked).map(({ name, version }) => `${name} ${version}`);
    const names = call.words.format.list(all.length > named.length ? [...named, '…'] : named);
    const codes = [...new Set(all.map(({ reason }) => reason!.code))];
    return html`<strong>${untrusted(names)}</strong> ${codes.map((code) => html`<a href="/help#${code}">${code}</a> `)}· ${action}`;
  });
}

/** Records of the zone beside the report on the medium. */
interface Beside {
  readonly delivery: MediumDelivery | undefined;
  readonly waits: Waits | undefined;
  readonly imported: Imported;
}

/** The verdict of a report, with the import beside it. */
function reportAnswer(call: PagedCall, report: MediumReport, { delivery, waits, imported }: Beside): Html {
  const { say, format } = call.words;
  const { checked, finishedAt } = report;
  const { kind, text } = verdictState(call.words, report);
  const held = findHeldBack(report, imported);
  const brings = toBrings(report, { waits, delivery, held });
  const heldNow = heldAsBlocked(held, waits);
  const [passed, standing] = [verdictLine(call, report), standingLine(call, report, delivery, brings)];
  const isHeld = isHeldBack(report);
  const head = isHeld ? undefined : importedHead(call, report, { imported, delivery });
  const line = head === undefined && !isHeld ? bringsLine(call, report, brings) : '';
  const isImported = imported.own !== undefined;
  const isSettled = head !== undefined || bringsNothing(brings) || (isImported && brings === undefined);
  const isHeldIn = head === undefined && kind === 'ok' && heldNow.length > 0;
  return answer({
    kind: head?.isInPart || isHeldIn ? 'warn' : kind,
    mark: isHeldIn
      ? say(inZone.stampHeld)
      : head === undefined || (kind === 'warn' && !head.isInPart)
        ? text
        : say(head.mark),
    what: head?.isInPart ? head.what : standing === undefined ? passed : `${passed}. ${standing}`,
    lines: [
      ...blockedLines(call, blockedByRemedy(call, report, waits)),
      line,
      ...blockedLines(call, blockedByRemedy(call, { recipes: heldNow }, waits)),
      ...(head?.lines ?? []),
    ],
    notes: [
      html`${say(media.checked, { files: checked.files, bytes: checked.bytes })} · ${format.time(finishedAt)}`,
      partLine(call, report, delivery),
    ],
    step: importForm(call, report, { isSettled, isImported }),
  });
}

/** The ways on from a report, then the problems that block the medium. */
function reportBlock(call: PagedCall, { blocks }: MediumReport): Html {
  const { say } = call.words;
  const listed =
    blocks.length === 0
      ? ''
      : html`<h2>${say(blocksTitle(blocks))}</h2><ul class="blocks">${blocks.map((block) => blockCard(call, block))}</ul>`;
  return html`<div class="buttons"><a class="button button-plain" href="/media/report">${say(media.print)}</a><a class="button button-plain" href="/media/report.json" download>${icon('download')} ${say(media.json)}</a>${verifyForm(call, media.verifyAgain, 'plain')}</div>
${listed}`;
}

/** The recipes of the report, the blocked ones first, with its other findings. */
function recipesBlock(
  call: PagedCall,
  report: MediumReport,
  { waits, imported }: Pick<Beside, 'waits' | 'imported'>,
): Html {
  const { say } = call.words;
  const folded = foldFindings(call.store.index, report);
  const told = new Set(blockedByRemedy(call, report, waits).flatMap(([, all]) => all));
  return html`${report.recipes.length === 0 ? '' : html`<h2>${say(media.recipes)}</h2>`}${recipeVerdicts(call, report.recipes, { findings: folded.ofRecipe, isHeld: isHeldBack(report), held: findHeldBack(report, imported), waits, told })}${findingTable(call, folded.others)}`;
}

/** @param isHead whether the head of the page says it: without a report of an earlier verification */
function failureBlock(
  { words }: PageCall,
  failure: NonNullable<VerificationState['failure']>,
  isHead: boolean,
): Html {
  const error = fromErrorRecord(failure);
  const heading = isHead ? undefined : html`<h2>${words.say(media.walkFailed)}</h2>`;
  return failure.code === 'SVC-TSK-004'
    ? cancelledNote({ words, error })
    : errorBlock({ words, error, hasHelp: true, heading });
}

/** The text that is read out: it changes with the stage, each ten per cent of one, and at the end. */
function statusOf(
  { words }: PageCall,
  { running, report, replaced }: VerificationState,
  isAway: boolean,
): string {
  const { say, format } = words;
  if (running !== undefined) {
    const tenth = Math.floor((shareOfStage(running) ?? 0) * 10) / 10;
    return say(media.statusRunning, {
      stage: say(stageWords[running.stage]),
      percent: format.percent(tenth),
    });
  }
  if (isAway) return say(media.away);
  if (replaced === true) return say(media.statusReplaced);
  return report === undefined
    ? say(media.statusIdle)
    : say(media.statusEnded, { verdict: verdictState(words, report).text });
}

/** Whether the content of the medium is another one, which was not verified yet. */
const isReplaced = ({ replaced, failure }: VerificationState): boolean =>
  replaced === true && (failure === undefined || failure.code === 'SVC-MED-033');

/** The head of the page: the state of the medium, and the next step. */
function answerOf(
  call: PagedCall,
  state: VerificationState,
  { isAway, ...beside }: Beside & { readonly isAway: boolean },
): Html {
  const { say } = call.words;
  const { running, report, failure } = state;
  // the findings of a removed disk mean nothing, and nothing can be imported from it
  if (isAway) return answer({ kind: 'warn', mark: say(media.stampAway), what: say(media.away) });
  if (running !== undefined) return walkAnswer(call, running);
  if (isReplaced(state))
    return answer({
      kind: 'warn',
      mark: say(media.stampReplaced),
      what: say(media.statusReplaced),
      lines: [say(media.replacedHint)],
      step: verifyForm(call, media.verify, 'plain'),
    });
  if (report !== undefined) return reportAnswer(call, report, beside);
  const isCancelled = failure?.code === 'SVC-TSK-004';
  const step = verifyForm(call, media.verify, 'primary');
  if (failure !== undefined)
    return answer({
      kind: isCancelled ? 'plain' : 'bad',
      mark: say(isCancelled ? media.stampCancelled : media.stampFailed),
      what: say(media.walkFailed),
      step,
    });
  return answer({
    kind: 'plain',
    mark: say(media.stampNever),
    what: say(media.never),
    lines: [say(media.neverHint)],
    step,
  });
}

/** @param about the facts of the medium: they follow the problems that block it */
function stateOf(
  call: PagedCall,
  state: VerificationState,
  { about, ...beside }: Pick<Beside, 'waits' | 'imported'> & { readonly about: Html },
): Html {
  const { running, report, failure } = state;
  if (running !== undefined) return html`${walkBlock(call, running)}${about}`;
  if (isReplaced(state)) return about;
  const failed = failure === undefined ? '' : failureBlock(call, failure, report === undefined);
  if (report === undefined) return html`${failed}${about}`;
  return html`${failed}${reportBlock(call, report)}${about}${recipesBlock(call, report, beside)}`;
}

/** The page `/media`. @throws SVC-CFG-001 without a zone */
export async function showMediumPage(call: DeliveriesCall): Promise<Page> {
  const { words } = call;
  const { say, format } = words;
  const [found, volume, arrived, delivery, waits, imported] = await Promise.all([
    showVerificationNow(call),
    call.volumes.store.look(),
    deliveriesBlock(call),
    showMediumDelivery(call),
    listWaitsNow(call, call.identity),
    readImported(call),
  ]);
  const isAway = volume.state === 'away';
  const { report: verified, ...others } = found;
  const state = verified === undefined ? found : { ...others, report: withoutMetNeeds(verified, delivery) };
  const { running, report } = state;
  const share = running && shareOfStage(running);
  const every = running === undefined ? 10 : 1;
  const head =
    running !== undefined
      ? `${hasStalled(running) ? `${say(tasks.stalledState)} · ` : ''}${share === undefined ? say(stageWords[running.stage]) : format.percent(share)} · `
      : report === undefined || isAway
        ? ''
        : `${verdictState(words, report).text} · `;
  return {
    title: `${head}${say(media.title)}`,
    heading: html`${say(media.title)}`,
    lead: say(media.lead),
    ...(running === undefined ? {} : { reload: 10 }),
    sections: [
      {
        id: 'verdict',
        every,
        status: statusOf(call, state, isAway),
        html: answerOf(call, state, { isAway, delivery, waits, imported }),
      },
      {
        id: 'walk',
        every,
        html: isAway
          ? html``
          : stateOf(call, state, { about: identityOf(call, state, imported), waits, imported }),
      },
      { id: 'deliveries', every: 10, html: arrived },
      {
        id: 'terminal',
        html: terminal(words, mediaCommands(call, report, running !== undefined)),
      },
    ],
  };
}

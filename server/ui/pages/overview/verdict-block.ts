import type { Status } from '../../../../src/contract/status.ts';
import { selectObstacles } from '../../../../src/engine/medium/report.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { media } from '../../../../src/text/words/media.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { shell } from '../../../../src/text/words/shell.ts';
import { store } from '../../../../src/text/words/store.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { isLast } from '../../../../src/view/medium-standing.ts';
import type { Run } from '../../../../src/view/runs.ts';
import { toVerdictSentence, type Verdict } from '../../../../src/view/zone-verdict.ts';
import { findVerification, takesMedia } from '../../../views/media.ts';
import { hasListChanged } from '../../../views/plan.ts';
import { takesPushesOnly } from '../../../views/retriever.ts';
import { listReasons } from '../../../views/status.ts';
import type { MediumImports } from '../../../views/zone/imports.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { showSentence, wordError } from '../../parts/error.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { isWaived } from '../media/verdict.ts';
import { saySource } from '../sync/source.ts';
import { typeWords } from '../tasks/task-words.ts';
import { sayCheck } from './received.ts';
import { hasTroubles, type Troubles, troublesText } from './todo.ts';

const looks: Readonly<Record<Verdict['kind'], readonly [kind: 'ok' | 'bad' | 'plain', stamp: Sentence]>> = {
  closed: ['bad', overview.stampClosed],
  'run-failed': ['bad', overview.stampIncomplete],
  missing: ['bad', overview.stampIncomplete],
  gone: ['bad', overview.stampIncomplete],
  damaged: ['bad', store.stampDamaged],
  complete: ['ok', overview.stampComplete],
  overtaken: ['ok', overview.stampOvertaken],
  blocked: ['bad', overview.stampBlocked],
  unimported: ['plain', overview.stampOpen],
  here: ['plain', recipeWords.stampHere],
  nothing: ['plain', overview.stampOpen],
};

const closedLines = {
  unverified: overview.closedLine,
  refused: overview.refusedLine,
  replaced: overview.replacedLine,
  elsewhere: shell.gateElsewhere,
} as const;

/**
 * A medium that only waits for other disks is no fault. Content that no run compared with the wanted recipes is here, and no more,
 * except on a medium: its verification compared it with the list of the medium.
 */
function lookOf(verdict: Verdict, { guarded }: Pick<PageCall['gate'], 'guarded'>) {
  if (verdict.kind === 'closed' && verdict.because === 'elsewhere')
    return ['warn', overview.stampWaits] as const;
  // content that is here stays here
  if (verdict.kind === 'run-failed' && verdict.of !== undefined && !(verdict.count || verdict.damaged))
    return ['warn', overview.stampAttention] as const;
  return looks[verdict.kind === 'here' && guarded ? 'complete' : verdict.kind];
}

/** The next step that a verdict asks for, if the reader may take it. */
function nextStep(call: PageCall, verdict: Verdict): Html | string {
  const {
    can,
    gate,
    words: { say },
  } = call;
  const { kind } = verdict;
  if (kind === 'complete' || kind === 'overtaken' || !can('operator')) return '';
  // without a Retriever there is nothing to synchronize with: content comes on a medium
  const isWithout = call.instance.context.config.retriever.source === undefined;
  const isCarried = takesMedia(call) && (gate.guarded || isWithout);
  if (!isCarried && (kind === 'closed' || isWithout)) return '';
  // a replaced medium is verified by itself, and one whose recipes need another disk is verified
  // one that was refused is verified: its page has the reason, and the way on
  const isToVerify = verdict.kind === 'closed' && verdict.because === 'unverified';
  const text = isToVerify ? overview.verify : isCarried ? overview.openMedium : overview.synchronize;
  const source = saySource(call);
  const from =
    isCarried || source === undefined
      ? ''
      : html` <span class="muted">${untrusted(say(overview.syncFrom, { source }))}</span>`;
  return html`<p class="answer-step"><a class="button button-primary" href="${isCarried ? '/media' : '/recipes/sync'}">${say(text)}</a>${from}</p>`;
}

/** How the first content comes, where nothing is configured yet. */
function firstLines(call: PageCall, { kind }: Verdict): readonly string[] {
  if (kind !== 'nothing' || !call.can('operator') || saySource(call) !== undefined) return [];
  const { say } = call.words;
  return [say(overview.nothingNetwork), say(overview.nothingDisk)];
}

/** The receipt to carry to the source, once no disk is awaited. */
function homeLine(call: PageCall, verdict: Verdict, toCarry: MediumImports['receipt']): Html | string {
  const isAwaiting = verdict.kind === 'closed' || (verdict.kind === 'missing' && verdict.parts !== undefined);
  if (toCarry === undefined || isAwaiting || !call.can('operator')) return '';
  return untrusted(call.words.say(inZone.carryReceipt, { ...toCarry }));
}

/** The fault for which the last verification refused the medium first, and its remedy, for those who may open its page. */
function refusalLines(call: PageCall, verdict: Verdict): readonly Html[] {
  const { report } = findVerification(call) ?? {};
  const [first] = report === undefined ? [] : selectObstacles(report);
  if (verdict.kind !== 'closed' || verdict.because !== 'refused' || first === undefined) return [];
  if (!call.can('operator')) return [];
  const { what, action } = wordError(call.words, first);
  return [showSentence(what), showSentence(action)];
}

/** Whether the zone has the recipes that it wants, in one sentence, with the next step. */
export function verdictBlock(
  call: PageCall,
  verdict: Verdict,
  {
    last,
    running,
    lastImport,
    isAway,
    troubles,
    toCarry,
  }: {
    readonly last: Run | undefined;
    readonly running: Pick<TaskHead, 'id'> | undefined;
    /** Whether the disk of the store is not there. */
    readonly isAway: boolean;
    /** The recorded import of the medium: a command made it where no run of the instance did. */
    readonly lastImport: Status['lastImport'];
    readonly troubles: Troubles;
    /** The receipt of the last import, which the source does not have yet. */
    readonly toCarry: MediumImports['receipt'];
  },
): Html {
  const { say, format } = call.words;
  const isChanged =
    last?.task.type === 'sync' &&
    last.recipes.length > 0 &&
    hasListChanged(call, last.recipes, last.task.finishedAt ?? last.task.createdAt);
  // a tick would speak for a list that is no longer the wanted one
  const look = isChanged && verdict.kind === 'complete' ? looks.nothing : lookOf(verdict, call.gate);
  const { report } = findVerification(call) ?? {};
  const [kind, mark] =
    look[0] !== 'bad' && hasTroubles(troubles)
      ? (['warn', overview.stampAttention] as const)
      : (look[0] === 'ok' || verdict.kind === 'unimported') && report !== undefined && isWaived(report)
        ? (['warn', media.passedWaived] as const)
        : look;
  const latest =
    last !== undefined
      ? { type: last.task.type, at: last.task.finishedAt ?? last.task.createdAt }
      : lastImport && ({ type: 'media-import', at: lastImport.importedAt } as const);
  const why =
    verdict.kind === 'closed' && isAway
      ? say(overview.awayLine)
      : verdict.kind === 'closed'
        ? say(
            verdict.because === 'elsewhere' && isLast(verdict)
              ? shell.gateLast
              : closedLines[verdict.because],
            {
              codes: listReasons(call).join(', ') || undefined,
            },
          )
        : verdict.kind === 'nothing'
          ? say(overview.nothingLine)
          : latest === undefined
            ? say(
                verdict.kind === 'here' && takesPushesOnly(call) ? overview.receivedLine : overview.hereLine,
              )
            : '';
  const run =
    why === '' && latest !== undefined
      ? say(overview.lastRun, { type: say(typeWords[latest.type]), time: format.time(latest.at) })
      : '';
  const link =
    last === undefined || verdict.kind === 'closed'
      ? ''
      : html`<a href="${toPath('/tasks/{id}', { id: last.task.id })}">${say(overview.openRun)}</a>`;
  // the worst first: the recipes where some are absent, else the other troubles
  const both = [toVerdictSentence(call.words, verdict), troublesText(call.words, troubles)].filter(
    (text) => text !== '',
  );
  const [what, other] = look[0] === 'bad' ? both : both.toReversed();
  return answer({
    kind,
    mark: say(mark),
    what: what!,
    lines: [
      other ?? '',
      why,
      ...firstLines(call, verdict),
      ...(isAway ? [] : refusalLines(call, verdict)),
      isChanged ? say(overview.listChanged) : '',
      homeLine(call, verdict, toCarry),
    ],
    notes: [
      link === '' ? run : run === '' ? link : html`${run} · ${link}`,
      last === undefined && takesPushesOnly(call) ? sayCheck(call) : '',
    ],
    // a verification may begin while a task runs
    step:
      running !== undefined && verdict.kind !== 'closed'
        ? html`<p class="answer-step"><a class="button button-plain" href="${toPath('/tasks/{id}', { id: running.id })}">${say(overview.openRunning)}</a></p>`
        : nextStep(call, verdict),
  });
}

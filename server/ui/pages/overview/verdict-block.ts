import type { Status } from '../../../../src/contract/status.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import type { Run, WantedRecipe } from '../../../../src/view/runs.ts';
import { toVerdictSentence, type Verdict } from '../../../../src/view/zone-verdict.ts';
import { takesMedia } from '../../../views/media.ts';
import { hasListChanged } from '../../../views/plan.ts';
import { listReasons } from '../../../views/status.ts';
import { type Html, html } from '../../html.ts';
import { type IconName, icon } from '../../parts/icons.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { typeWords } from '../tasks/task-words.ts';

const looks: Readonly<Record<Verdict['kind'], readonly [kind: string, icon: IconName]>> = {
  closed: ['bad', 'lock'],
  'run-failed': ['bad', 'bad'],
  missing: ['bad', 'bad'],
  gone: ['bad', 'bad'],
  complete: ['ok', 'ok'],
  blocked: ['bad', 'bad'],
  unimported: ['plain', 'info'],
  here: ['ok', 'ok'],
  nothing: ['plain', 'info'],
};

const closedLines = {
  unverified: overview.closedLine,
  refused: overview.refusedLine,
  replaced: overview.replacedLine,
} as const;

/** Names that the verdict itself says. */
const mostNames = 3;

/** Which recipes are missing: the names of the first, and how many more. */
function missingLine({ words: { say, format } }: PageCall, recipes: readonly WantedRecipe[]): Html {
  const missing = recipes.filter(({ standing }) => standing !== 'here');
  const rest = missing.length - mostNames;
  const shown = missing.slice(0, mostNames).map(({ name, version }) => `${name} ${version}`.trim());
  const text =
    rest > 0
      ? say(overview.missingMore, { names: shown.join(', '), count: rest })
      : say(overview.missingNames, { names: format.list(shown) });
  return html`<p class="answer-names">${untrusted(text)}</p>`;
}

/** The next step that a verdict asks for, if the reader may take it. */
function nextStep(call: PageCall, verdict: Verdict): Html | string {
  const {
    can,
    gate,
    words: { say },
  } = call;
  const { kind } = verdict;
  if (kind === 'complete' || !can('operator')) return '';
  // without a Retriever there is nothing to synchronize with: content comes on a medium
  const isWithout = call.instance.context.config.retriever.source === undefined;
  const isCarried = takesMedia(call) && (gate.guarded || isWithout);
  if (!isCarried && (kind === 'closed' || isWithout)) return '';
  // a replaced medium is verified by itself
  const isToVerify = verdict.kind === 'closed' && verdict.because !== 'replaced';
  const text = isToVerify ? overview.verify : isCarried ? overview.openMedium : overview.synchronize;
  return html`<a class="button button-primary" href="${isCarried ? '/media' : '/recipes/sync'}">${say(text)}</a>`;
}

/** Whether the zone has the recipes that it wants, in one sentence, with the next step. */
export function verdictBlock(
  call: PageCall,
  verdict: Verdict,
  {
    last,
    wanted,
    isRunning,
    lastImport,
  }: {
    readonly last: Run | undefined;
    readonly wanted: readonly WantedRecipe[];
    readonly isRunning: boolean;
    /** The recorded import of the medium: a command made it where no run of the instance did. */
    readonly lastImport: Status['lastImport'];
  },
): Html {
  const { say, format } = call.words;
  const isChanged =
    last?.task.type === 'sync' &&
    wanted.length > 0 &&
    hasListChanged(call, wanted, last.task.finishedAt ?? last.task.createdAt);
  // a tick would speak for a list that is no longer the wanted one
  const [kind, name] = isChanged && verdict.kind === 'complete' ? looks.nothing : looks[verdict.kind];
  const latest =
    last !== undefined
      ? { type: last.task.type, at: last.task.finishedAt ?? last.task.createdAt }
      : lastImport && ({ type: 'media-import', at: lastImport.importedAt } as const);
  const line =
    verdict.kind === 'closed'
      ? say(closedLines[verdict.because], { codes: listReasons(call).join(', ') || undefined })
      : verdict.kind === 'nothing'
        ? say(overview.nothingLine)
        : latest === undefined
          ? say(overview.hereLine)
          : say(overview.lastRun, { type: say(typeWords[latest.type]), time: format.time(latest.at) });
  return html`<div class="answer answer-${kind}">${icon(name)}<div class="answer-text"><p class="answer-what">${toVerdictSentence(call.words, verdict)}</p>${verdict.kind === 'missing' || verdict.kind === 'gone' ? missingLine(call, wanted) : ''}<p class="muted">${line}</p>${isChanged ? html`<p>${say(overview.listChanged)}</p>` : ''}</div>
<div class="buttons">${last === undefined ? '' : html`<a class="button button-plain" href="${toPath('/tasks/{id}', { id: last.task.id })}">${say(overview.openRun)}</a>`}${isRunning ? '' : nextStep(call, verdict)}</div></div>`;
}

import { overview } from '../../../../src/base/words/overview.ts';
import type { Run } from '../../../views/runs.ts';
import { type Html, html } from '../../html.ts';
import { type IconName, icon } from '../../parts/icons.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { typeWords } from '../tasks/task-words.ts';
import type { Verdict } from './verdict.ts';

const looks: Readonly<Record<Verdict['kind'], readonly [kind: string, icon: IconName]>> = {
  closed: ['bad', 'lock'],
  'run-failed': ['bad', 'bad'],
  missing: ['bad', 'bad'],
  complete: ['ok', 'ok'],
  here: ['ok', 'ok'],
  nothing: ['plain', 'info'],
};

/** The verdict in one sentence. */
export function sentenceOf({ words: { say } }: PageCall, verdict: Verdict): string {
  switch (verdict.kind) {
    case 'closed':
      return say(overview.closed);
    case 'run-failed':
      return say(overview.runFailed);
    case 'missing':
      return say(overview.missing, { count: verdict.count, total: verdict.total });
    case 'complete':
      return say(overview.complete, { count: verdict.count });
    case 'here':
      return say(overview.here, { count: verdict.count });
    case 'nothing':
      return say(overview.nothing);
  }
}

/** The next step that a verdict asks for, for who may take it. */
function nextStep({ can, operations, gate, words: { say } }: PageCall, { kind }: Verdict): Html | string {
  if (kind === 'complete' || !can('operator')) return '';
  const isCarried = operations.media !== undefined && gate.guarded;
  if (kind === 'closed' && !isCarried) return '';
  const text = kind === 'closed' ? overview.verify : isCarried ? overview.openMedium : overview.synchronize;
  return html`<a class="button button-primary" href="${isCarried ? '/media' : '/recipes/sync'}">${say(text)}</a>`;
}

/** Whether the zone has what it wants, in one sentence, with the next step. */
export function verdictBlock(
  call: PageCall,
  verdict: Verdict,
  { last, isRunning }: { readonly last: Run | undefined; readonly isRunning: boolean },
): Html {
  const { say, format } = call.words;
  const [kind, name] = looks[verdict.kind];
  const line =
    verdict.kind === 'closed'
      ? say(verdict.isRefused ? overview.refusedLine : overview.closedLine)
      : verdict.kind === 'nothing'
        ? say(overview.nothingLine)
        : last === undefined
          ? say(overview.hereLine)
          : say(overview.lastRun, {
              type: say(typeWords[last.task.type]),
              time: format.time(last.task.finishedAt ?? last.task.createdAt),
            });
  return html`<div class="verdict verdict-${kind}">${icon(name)}<div class="verdict-text"><p class="verdict-what">${sentenceOf(call, verdict)}</p><p class="muted">${line}</p></div>
<div class="buttons">${last === undefined ? '' : html`<a class="button button-plain" href="${toPath('/tasks/{id}', { id: last.task.id })}">${say(overview.openRun)}</a>`}${isRunning ? '' : nextStep(call, verdict)}</div></div>`;
}

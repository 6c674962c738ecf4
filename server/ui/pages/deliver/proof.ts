import { systemClock } from '../../../../src/base/clock.ts';
import { hasStalled } from '../../../../src/base/rate.ts';
import { requireAbsolutes } from '../../../../src/base/require-absolute.ts';
import { breaksZoneName } from '../../../../src/config/keys/instance.ts';
import { cancelProof, proveMedium } from '../../../../src/contract/operations/media.ts';
import type { ProofState } from '../../../../src/contract/proof.ts';
import type { ReceiptSummary } from '../../../../src/contract/receipt.ts';
import { text } from '../../../../src/contract/schema.ts';
import { fromErrorRecord, svcError } from '../../../../src/text/error.ts';
import { proof as words } from '../../../../src/text/words/delivering/proof.ts';
import { media } from '../../../../src/text/words/media.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { toPolicy } from '../../../../src/trust/given-roots.ts';
import { showReceipts } from '../../../../src/view/receipts.ts';
import { keepsReceipts, showProof } from '../../../views/delivering.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { bar, toTimeLeft } from '../../parts/bar.ts';
import { curlCommand } from '../../parts/curl.ts';
import { cancelledNote, errorBlock, showSentence, wordError } from '../../parts/error.ts';
import { checkbox, form, selectField, submit, textArea, textField } from '../../parts/form.ts';
import { terminal } from '../../parts/terminal.ts';
import { stepPicture } from '../../pictures/stages.ts';
import { action, type Page, type PageCall, type PageFields, page, type UiRoute } from '../../ui-route.ts';
import { stalledFor } from '../tasks/task-words.ts';
import { foldersOf, proofAnswer, proofBlock } from './proof-report.ts';

const path = '/deliver/proof';
const stepNames = Object.keys(words.steps);

type Running = NonNullable<ProofState['running']>;

/** The share that is hashed, in the step that hashes. */
const shareOf = ({ step = 'media', bytes, totalBytes }: Running): number | undefined =>
  step === 'media' && totalBytes ? Math.min(1, bytes / totalBytes) : undefined;

function runningAnswer(call: PageCall, running: Running): Html {
  const { say, format } = call.words;
  const { startedAt, folders, cancelledBy, step = 'media', ...hashed } = running;
  const { files, bytes, totalBytes, bytesPerSecond = 0, secondsLeft, stalledSeconds } = hashed;
  const isStalled = hasStalled(running);
  const isHashing = step === 'media';
  const share = shareOf(running);
  return answer({
    kind: isStalled ? 'warn' : 'plain',
    mark: say(isStalled ? tasks.stampStalled : tasks.stampRunning),
    bar:
      share === undefined
        ? ''
        : bar({ parts: [{ kind: isStalled ? 'stalled' : 'done', share }], name: say(words.running) }),
    what: [
      say(words.steps[step]),
      say(words.stepOf, { at: stepNames.indexOf(step) + 1, total: stepNames.length }),
      ...(share === undefined ? [] : [format.percent(share)]),
      ...(isHashing && secondsLeft !== undefined ? [say(media.left, { left: toTimeLeft(secondsLeft) })] : []),
    ].join(' · '),
    lines: [
      [
        say(words.runningLine, { done: files, bytes, total: totalBytes }),
        ...(isHashing && bytesPerSecond > 0 ? [say(media.rate, { rate: bytesPerSecond })] : []),
      ].join(' · '),
      isStalled ? say(media.stalled, { duration: stalledFor(call.words, { stalledSeconds }) }) : '',
    ],
    notes: [html`${foldersOf(call, folders)} · ${format.time(startedAt)}`],
    step:
      cancelledBy === undefined
        ? form(
            `${path}/cancel`,
            html`<button class="button button-plain" type="submit" data-working="${say(words.cancelling)}">${say(words.cancel)}</button>`,
          )
        : html`<p>${say(words.cancelling)}</p>`,
  });
}

/** How far the proof under way is; else the verdict of the last one, or that it was broken off. */
function answerOf(call: PageCall, { running, proof, failure }: ProofState): Html {
  const { say } = call.words;
  if (running !== undefined) return runningAnswer(call, running);
  if (failure?.code === 'SVC-TSK-004')
    return answer({
      kind: 'plain',
      mark: say(media.stampCancelled),
      what: showSentence(wordError(call.words, fromErrorRecord(failure)).what),
    });
  if (failure !== undefined)
    return answer({ kind: 'bad', mark: say(media.stampFailed), what: say(words.failed) });
  if (proof === undefined)
    return answer({ kind: 'plain', mark: say(words.stampNone), what: say(words.none) });
  return proofAnswer(call, proof);
}

/** The steps of the proof under way; else the findings of the last one, or why it was broken off. */
function stateBlock(call: PageCall, state: ProofState): Html {
  const { words: spoken } = call;
  const { running, proof, failure } = state;
  if (running !== undefined) {
    const { step = 'media' } = running;
    const at = stepNames.indexOf(step);
    return html`<h2>${spoken.say(words.stepTable)}</h2>${stepPicture(spoken, Object.values(words.steps), { at, share: shareOf(running), isStalled: hasStalled(running) })}`;
  }
  if (failure !== undefined) {
    const error = fromErrorRecord(failure);
    return failure.code === 'SVC-TSK-004'
      ? cancelledNote({ words: spoken, error, isTold: true })
      : errorBlock({ words: spoken, error, hasHelp: true });
  }
  return proof === undefined ? html`` : proofBlock(call, proof, state);
}

function statusOf({ words: { say } }: PageCall, { running, proof, failure }: ProofState): string {
  if (running !== undefined) return say(words.running);
  if (failure !== undefined) return say(words.failed);
  if (proof === undefined) return say(words.none);
  return say(proof.verdict === 'proved' ? words.statusProved : words.statusNot);
}

/** A delivery to prove, which a link names: its folders, one a line, and its zone. */
const proofQuery = {
  folders: { schema: text({ maxLength: 65_536 }) },
  zone: { schema: text({ maxLength: 1024 }) },
} as const satisfies PageFields;

/** The registries that a proof may assume: an empty one, and that of each zone whose last receipt is believed. */
function listBases({ say }: Words, receipts: readonly ReceiptSummary[]) {
  return [
    ['empty', say(words.baseEmpty)] as const,
    ...receipts
      .filter(({ own, verified }) => !own && verified)
      .map(({ zone, sequence }) => [`zone:${zone}`, say(words.baseReceipt, { zone, sequence })] as const),
  ];
}

function proofForm(call: PageCall, receipts: readonly ReceiptSummary[]): Html {
  const { say } = call.words;
  const bases = listBases(call.words, receipts);
  const {
    folders = [],
    trustRoots = [],
    zone = '',
    against = 'empty',
    platforms = [],
    strict = false,
  } = call.instance.proofs.input;
  const lines = (texts: readonly string[]): string => texts.join('\n');
  const isNamed = call.search.has('folders');
  const [named, ofNamed] = [call.search.get('zone') ?? '', `zone:${call.search.get('zone')}`];
  const base = isNamed ? (bases.some(([value]) => value === ofNamed) ? ofNamed : 'empty') : against;
  return html`<h2>${say(words.prove)}</h2>${form(
    path,
    html`<input type="hidden" name="wait" value="false">
${textArea(call, { name: 'folders', label: say(words.foldersLabel), hint: say(words.foldersHint), value: isNamed ? (call.search.get('folders') ?? '') : lines(folders), rows: 3 })}
${textArea(call, { name: 'trustRoots', label: say(words.roots), hint: say(words.rootsHint), value: lines(trustRoots), rows: 3 })}
${textField(call, { name: 'zone', label: say(words.zone), hint: say(words.zoneHint), value: isNamed ? named : zone })}
${bases.length === 1 ? '' : selectField(call, { name: 'against', label: say(words.base), hint: say(words.baseHint), value: base, options: bases })}
${textArea(call, { name: 'platforms', label: say(words.platforms), hint: say(words.platformsHint), value: lines(platforms), rows: 2 })}
${checkbox(call, { name: 'strict', label: say(words.strict), checked: strict })}
${submit(say(words.start), { working: say(words.starting) })}`,
    { isWide: true },
  )}`;
}

/** The page `/deliver/proof`: the last proof, and the form that begins one. It continues when the page is closed. */
async function showProofPage(call: PageCall): Promise<Page> {
  const { say } = call.words;
  const { receipts } = keepsReceipts(call)
    ? await showReceipts(call.instance.context, systemClock.wall())
    : { receipts: [] };
  const state = showProof(call);
  const { running } = state;
  const every = running === undefined ? {} : { every: 2 };
  const body = JSON.stringify({ folders: ['/mnt/disk-1/delivery'], wait: false });
  return {
    title: say(words.title),
    lead: say(words.lead),
    paper: [],
    ...(running === undefined ? {} : { reload: 5 }),
    sections: [
      { id: 'verdict', ...every, status: statusOf(call, state), html: answerOf(call, state) },
      { id: 'state', ...every, html: stateBlock(call, state) },
      ...(running === undefined ? [{ id: 'prove', html: proofForm(call, receipts) }] : []),
      {
        id: 'terminal',
        html: terminal(call.words, [
          'svc media prove /mnt/disk-1/delivery --trust-root zone-b-roots.pub',
          curlCommand(call, 'POST', '/media/prove', body),
          curlCommand(call, 'GET', '/media/proof'),
          ...(running === undefined ? [] : [curlCommand(call, 'POST', '/media/proof/cancel')]),
        ]),
      },
    ],
  };
}

/** @throws SVC-VAL-001 for a text that is no name of a zone */
function requireZoneName(text: string): void {
  const broken = text === '' ? undefined : breaksZoneName(text);
  if (broken !== undefined) throw svcError('SVC-VAL-001', { file: 'form', path: '/zone', rule: broken });
}

export const proofPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path,
    floor: proveMedium.floor,
    title: words.title,
    query: proofQuery,
    page: showProofPage,
  }),
  action(proveMedium, {
    path,
    faulty: { 'SVC-FIL-003': 'folders', 'SVC-FIL-005': 'folders', 'SVC-RCP-001': 'against' },
    checks: () => ({
      folders: (_text, items) => requireAbsolutes(items, 'folders'),
      trustRoots: (_text, items) => toPolicy(items),
      zone: requireZoneName,
    }),
    page: path,
    // without a folder the store is meant, which an empty list is not
    complete: ({ fields }) =>
      new Map([...fields].filter(([, values]) => values.some((value) => value !== ''))),
    done: () => ({ location: path }),
  }),
  action(cancelProof, { path: `${path}/cancel`, page: path, done: () => ({ location: path }) }),
];

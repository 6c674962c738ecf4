import {
  type MediumProof,
  mayBeRefused,
  type ProofFinding,
  type ProofState,
} from '../../../../src/contract/proof.ts';
import { type ProofLimit, proofLimits } from '../../../../src/engine/prove/limits.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { errorKinds } from '../../../../src/text/errors/codes.ts';
import { renderError } from '../../../../src/text/message.ts';
import { proof as words } from '../../../../src/text/words/delivering/proof.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { facts, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

/** Findings that a page lists; the API has up to a thousand. */
const mostFindings = 100;
/** Folders that are named. */
const mostFolders = 20;

type Step = MediumProof['steps'][number];

const kinds = { proved: 'ok', incomplete: 'bad', refused: 'bad' } as const;

/** The folders of a proof; none are those of the store. */
export function foldersOf({ words: { say } }: PageCall, folders: readonly string[] = []): Html {
  if (folders.length === 0) return html`${say(words.store)}`;
  const rest = folders.length > mostFolders ? ', …' : '';
  return html`${folders.slice(0, mostFolders).map((folder, i) => html`${i === 0 ? '' : ', '}${code(folder)}`)}${rest}`;
}

function against({ words: { say } }: PageCall, { kind, zone, sequence }: MediumProof['against']): string {
  return kind === 'empty' ? say(words.empty) : say(words.receipt, { zone, sequence });
}

function stepTable({ words: { say, format } }: PageCall, steps: readonly Step[]): Html {
  return html`<h2>${say(words.stepTable)}</h2>${table<Step>({
    caption: say(words.stepTable),
    empty: '',
    rows: steps,
    columns: [
      { label: say(words.step), isHeader: true, cell: ({ name }) => say(words.steps[name]) },
      { label: say(words.checked), isNumber: true, cell: ({ checked }) => format.number(checked) },
      {
        label: say(words.size),
        isNumber: true,
        cell: ({ bytes }) => (bytes === 0 ? '–' : format.size(bytes)),
      },
      {
        label: say(words.time),
        isNumber: true,
        cell: ({ milliseconds }) =>
          milliseconds < 1000
            ? `${format.number(milliseconds)}\u00a0ms`
            : `${format.number(milliseconds / 1000)}\u00a0s`,
      },
    ],
  })}`;
}

function findingCell({ words: { language } }: PageCall, { code: reason, params, rules }: ProofFinding): Html {
  const error = fromErrorRecord({
    code: reason,
    class: errorKinds[reason].class,
    params,
    ...(rules === undefined ? {} : { rules }),
  });
  const { what, action } = renderError(error, language, isolate);
  return html`<p>${what}</p><p>${action}</p><p><a href="/help#${reason}">${reason}</a></p>`;
}

function findingTable(call: PageCall, findings: readonly ProofFinding[]): Html {
  const { say } = call.words;
  const more =
    findings.length > mostFindings
      ? html`<p class="muted">${say(words.more, { shown: mostFindings, total: findings.length })}</p>`
      : '';
  return html`<h2 id="findings">${say(words.findings)}</h2>${more}${table<ProofFinding>({
    caption: say(words.findings),
    empty: html`<p>${say(words.noFindings)}</p>`,
    rows: findings.slice(0, mostFindings),
    columns: [
      { label: say(words.subject), isHeader: true, cell: ({ subject }) => untrusted(subject) },
      {
        label: say(words.severity),
        cell: ({ severity }) => badge(severity === 'error' ? 'bad' : 'warn', say(words[severity])),
      },
      { label: say(words.step), cell: ({ step }) => say(words.steps[step]) },
      { label: say(words.remedy), cell: (finding) => findingCell(call, finding) },
    ],
  })}`;
}

/** A proved delivery is written; the findings of another one have the remedies. */
function nextStep({ words: { say } }: PageCall, verdict: MediumProof['verdict']): Html {
  const [path, text] =
    verdict === 'proved'
      ? (['/deliver', words.toDeliver] as const)
      : (['#findings', words.toFindings] as const);
  return html`<p class="answer-step"><a class="button button-plain" href="${path}">${say(text)}</a></p>`;
}

/** Whether the zone would come up from the delivery. */
export function proofAnswer(call: PageCall, { verdict, findings }: MediumProof): Html {
  const { say } = call.words;
  const sentence = verdict === 'proved' && mayBeRefused(findings) ? 'provedUnless' : verdict;
  return answer({
    kind: sentence === 'provedUnless' ? 'warn' : kinds[verdict],
    mark: say(words[verdict]),
    what: say(words.sentences[sentence], { count: findings.length }),
    step: nextStep(call, verdict),
  });
}

/** Below its verdict: the findings of a proof with their remedies, the steps, and its limits. */
export function proofBlock(call: PageCall, proof: MediumProof, { folders, finishedAt }: ProofState): Html {
  const { say, format } = call.words;
  const { findings, steps, limits } = proof;
  return html`${facts([
    [say(words.folders), foldersOf(call, folders)],
    [say(words.against), against(call, proof.against)],
    ...(finishedAt === undefined ? [] : [[say(words.ended), format.time(finishedAt)] as const]),
  ])}
${findingTable(call, findings)}
${stepTable(call, steps)}
<details class="fold"><summary>${say(words.limits)}</summary><ul>${limits.map(({ name }) => html`<li>${say(proofLimits[name as ProofLimit])}</li>`)}</ul></details>`;
}

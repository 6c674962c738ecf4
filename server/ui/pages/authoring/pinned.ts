import type { PinAnswer, PinChange, PinProblem } from '../../../../src/contract/authoring.ts';
import { svcError } from '../../../../src/text/error.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { type Html, html } from '../../html.ts';
import { resultName } from '../../kept-result.ts';
import { answer } from '../../parts/badge.ts';
import { copyButton } from '../../parts/copy.ts';
import { errorLine } from '../../parts/error.ts';
import { form, submit } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { excerptOf } from '../../parts/offending-line.ts';
import { table } from '../../parts/table.ts';
import { code, noValue, untrusted } from '../../parts/text.ts';
import { toExactName } from '../../read-form.ts';
import { toPath } from '../../to-href.ts';
import type { FileRoute, PageCall } from '../../ui-route.ts';
import { changedCell, changedDigest, errorCell, ingredientCell, moreNote, mostRows } from './rows.ts';

/** Problems that the head of the page says. */
const shownFirst = 3;
const downloadPath = '/recipes/check/pinned.yaml';

/** The name of the file of a pinned recipe; a header has it, so it is of harmless characters. */
function toFileName({ name, version }: PinAnswer): string {
  return `${`${name}-${version}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 200)}.yaml`;
}

/** The document of a pin that this session keeps. @throws SVC-SRV-002 when it is kept no more */
export const pinnedFile: FileRoute = {
  method: 'GET',
  path: downloadPath,
  floor: 'operator',
  file: (call) => {
    const kept = call.results.look(call.holder, call.search.get(resultName) ?? '');
    const { pinned } = (kept?.path === '/recipes/check' ? kept.of : {}) as { readonly pinned?: PinAnswer };
    if (pinned?.document === undefined) throw svcError('SVC-SRV-002', { path: downloadPath });
    return {
      name: toFileName(pinned),
      contentType: 'application/yaml; charset=utf-8',
      content: pinned.document,
    };
  },
};

function changeTable(call: PageCall, changes: readonly PinChange[]): Html {
  const { say } = call.words;
  return html`<h3>${say(authoring.changes)}</h3>${moreNote(call, changes.length)}${table<PinChange>({
    caption: say(authoring.changes),
    empty: '',
    rows: changes.slice(0, mostRows),
    columns: [
      {
        label: say(authoring.ingredient),
        isHeader: true,
        cell: ({ name, ref }) => ingredientCell(name, ref),
      },
      { label: say(authoring.version), cell: ({ from, to }) => changedCell(from.version, to.version) },
      { label: say(authoring.digest), cell: ({ from, to }) => changedDigest(call, from.digest, to.digest) },
      ...(changes.some(({ platforms }) => platforms !== undefined)
        ? [
            {
              label: say(authoring.writtenPlatforms),
              cell: ({ platforms = [] }: PinChange) => untrusted(platforms.join(', ')),
            },
          ]
        : []),
    ],
  })}`;
}

/** @param given the document that was to be pinned */
function problemTable(call: PageCall, problems: readonly PinProblem[], given: string): Html {
  const { say, format } = call.words;
  const lines = given.split(/\r?\n/);
  return html`${moreNote(call, problems.length)}${table<PinProblem>({
    caption: say(authoring.problems),
    empty: '',
    rows: problems.slice(0, mostRows),
    columns: [
      {
        label: say(authoring.line),
        isNumber: true,
        cell: ({ line }) => (line === undefined ? noValue : format.number(line)),
      },
      {
        label: say(authoring.ingredient),
        isHeader: true,
        cell: ({ name, path }) => ingredientCell(name, path),
      },
      {
        label: say(authoring.problem),
        isLead: true,
        cell: ({ error, line }) => html`${errorCell(call, error)}${excerptOf(lines, line)}`,
      },
    ],
  })}`;
}

/** Tags that point to another digest than the recipe pins. */
function findingList({ findings }: PinAnswer): Html | string {
  if (findings.length === 0) return '';
  const shown = findings.slice(0, mostRows);
  // the answer of the API has these sentences in English alone
  return html`<ul lang="en">${shown.map(({ message, fix = '' }) => html`<li>${untrusted(`${message} ${fix}`.trim())}</li>`)}</ul>`;
}

/** The pinned document: to read, copy, download and publish. */
function documentBlock(call: PageCall, answer: PinAnswer, document: string): Html {
  const { words } = call;
  const { say } = words;
  const file = toFileName(answer);
  const kept = call.search.get(resultName);
  const exact = Buffer.from(document).toString('base64');
  const download =
    kept === null
      ? ''
      : html`<p><a class="button button-plain" href="${toPath(downloadPath, {}, { [resultName]: kept })}">${icon('download')} ${say(authoring.download)}</a></p>`;
  return html`<h3>${say(authoring.result)}</h3><figure class="file"><figcaption>${code(file)}${copyButton(words, document, file)}</figcaption><pre translate="no" tabindex="0"><code>${document.split(/\r?\n/).map((line) => `${escapeText(line)}\n`)}</code></pre></figure>
${download}${form('/recipes/publish/preview', html`<input type="hidden" name="${toExactName('document')}" value="${exact}"><div>${submit(say(authoring.toPublish), { kind: 'plain', working: say(authoring.previewing) })}</div>`)}`;
}

/** The reasons of the first ingredients that could not be pinned. */
function firstProblems({ words }: PageCall, problems: readonly PinProblem[]): readonly Html[] {
  return problems
    .slice(0, shownFirst)
    .map(
      ({ name, error }) =>
        html`<strong>${untrusted(name)}</strong>${words.say(parts.colon)} ${errorLine(words, error)}`,
    );
}

/**
 * The result of a pin: the document with its changes, or every ingredient that could not be pinned.
 *
 * @param given the document that was to be pinned
 */
export function pinnedBlock(call: PageCall, pin: PinAnswer, given: string): Html {
  const { say } = call.words;
  const { name, version, outcome, changes, problems, ingredients: total, document } = pin;
  const named = untrusted(`${name} ${version}`);
  if (outcome === 'failed' || document === undefined)
    return html`${answer({ kind: 'bad', mark: say(authoring.notPinned), what: named, lines: [say(authoring.problemCount, { count: problems.length }), ...firstProblems(call, problems)] })}${problemTable(call, problems, given)}`;
  const count = changes.length;
  const isSame = outcome === 'unchanged';
  const head = answer({
    kind: 'ok',
    mark: say(isSame ? authoring.unchanged : authoring.pinned),
    what: named,
    lines: [isSame ? say(authoring.unchangedHint) : say(authoring.pinnedCount, { count, total })],
  });
  return html`${head}${findingList(pin)}${count === 0 ? '' : changeTable(call, changes)}${documentBlock(call, pin, document)}`;
}

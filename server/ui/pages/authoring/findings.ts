import {
  type LintReport,
  type SaidFinding,
  sayFindings,
  withMember,
} from '../../../../src/authoring/door.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { excerptOf } from '../../parts/offending-line.ts';
import { table } from '../../parts/table.ts';
import { code, noValue } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { moreNote, mostRows } from './rows.ts';

/** Findings that the head of the page says. */
const shownFirst = 3;

function findingCell(
  { words: { say } }: PageCall,
  { message, fix, rule, path, line }: SaidFinding,
  lines: readonly string[],
): Html {
  return html`<div><p>${message}</p>${fix === undefined ? '' : html`<p>${say(authoring.fix)} ${fix}</p>`}${excerptOf(lines, line)}<p class="item-digest muted">${path === '' || rule === 'format' ? '' : html`${code(path)} · `}${code(rule)}</p></div>`;
}

/** How many findings a check of a document has, and the first of them. */
export async function findingsVerdict(
  { words }: PageCall,
  { findings, errors, warnings }: LintReport,
): Promise<Html> {
  const { say } = words;
  const count = errors + warnings;
  if (count === 0)
    return answer({ kind: 'ok', mark: say(authoring.stampClean), what: say(authoring.nothing) });
  const worst = findings.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  const first = await sayFindings(worst.slice(0, shownFirst).map(withMember), words);
  return answer({
    kind: errors > 0 ? 'bad' : 'warn',
    mark: say(errors > 0 ? authoring.error : authoring.warning),
    what: say(authoring.findingsCount, { count, errors, warnings }),
    lines: first.map(({ message, line }) => say(authoring.findingAt, { line, message })),
  });
}

/** The findings of a check of a document, each with its line and its remedy. */
export async function findingsBlock(
  call: PageCall,
  { findings, errors, warnings }: LintReport,
  document: string,
): Promise<Html> {
  const { words } = call;
  const { say, format } = words;
  if (findings.length === 0) return html`<p class="muted">${say(authoring.nothingHint)}</p>`;
  const lines = document.split(/\r?\n/);
  return html`<h2>${say(authoring.findings)}</h2>${moreNote(call, errors + warnings)}${table<SaidFinding>({
    caption: say(authoring.findings),
    empty: '',
    rows: await sayFindings(findings.slice(0, mostRows).map(withMember), words),
    columns: [
      {
        label: say(authoring.line),
        isHeader: true,
        isNumber: true,
        cell: ({ line }) => (line === undefined ? noValue : format.number(line)),
      },
      {
        label: say(authoring.severity),
        cell: ({ severity }) => badge(severity === 'error' ? 'bad' : 'warn', say(authoring[severity])),
      },
      {
        label: say(authoring.finding),
        isLead: true,
        cell: (finding) => findingCell(call, finding, lines),
      },
    ],
  })}`;
}

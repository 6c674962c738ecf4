import { actionGroups } from '../../../../src/contract/history.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { listHistory } from '../../../../src/contract/operations/history.ts';
import {
  actionGroupWords,
  actionWords,
  askedWords,
  history,
  outcomeWords,
} from '../../../../src/text/words/history.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { countHistory } from '../../../../src/view/history/totals.ts';
import { type Html, html } from '../../html.ts';
import { sayFilter } from '../../paper.ts';
import { namesOf } from '../../parts/filters.ts';
import type { PageCall } from '../../ui-route.ts';

const { format: _, ...parameters } = listHistory.query;

/** Parameters of the page `/history`. */
export const historyQuery = parameters;
export type HistoryCall = PageCall<QueryOf<typeof historyQuery>>;

/** The control of each of them. */
export const controls = {
  actor: { label: history.actor, suggestions: [] as readonly string[] },
  subject: history.subject,
  action: {
    label: history.action,
    words: { changes: askedWords.changes, ...actionGroupWords, ...actionWords },
    all: history.all,
    groups: actionGroups,
    wholeGroup: history.wholeGroup,
  },
  outcome: { label: history.outcome, words: outcomeWords },
  from: { label: history.from, isDay: true },
  to: { label: history.to, isDay: true },
} as const;
export const filterNames = namesOf(controls);

/** The filter in words. */
export function wordFilter(call: PageCall): string {
  const { say } = call.words;
  const wordOf = (words: Readonly<Record<string, Sentence>>, value: string): string =>
    Object.hasOwn(words, value) ? say(words[value]!) : value;
  return sayFilter(
    call,
    Object.entries<
      Sentence | { readonly label: Sentence; readonly words?: Readonly<Record<string, Sentence>> }
    >(controls).map(([name, control]) =>
      'label' in control
        ? [name, say(control.label), (value) => wordOf(control.words ?? {}, value)]
        : [name, say(control), (value) => value],
    ),
  );
}

/** Milliseconds for which a page counts, and the requests after it, which find the page shown. */
const [atFirst, afterwards] = [5, 120] as const;

const outcomes = ['success', 'denied', 'failure', 'open'] as const;

/** How many records the filter selects, by outcome: as many as its table (CSV) has. A long history is counted in parts. */
export async function sayTotals(
  call: HistoryCall,
): Promise<{ readonly line: Html | string; readonly isWhole: boolean }> {
  const { say } = call.words;
  const isSection = call.exchange.req.headers['hx-target'] !== undefined;
  const { config } = call.instance.context;
  const { counts, isWhole } = await countHistory(config, call.query, isSection ? afterwards : atFirst);
  const some = outcomes.filter((outcome) => counts[outcome] > 0);
  const count = some.reduce((sum, outcome) => sum + counts[outcome], 0);
  const list = some.map((outcome) => say(history.ofOutcome[outcome], { n: counts[outcome] })).join(', ');
  const said = say(isWhole ? history.totals : history.totalsSoFar, { count, outcomes: list });
  return { line: count === 0 ? '' : html`<p>${said}</p>`, isWhole };
}

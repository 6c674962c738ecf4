import { type HistoryPage, type HistoryRecord, isLoss, triedName } from '../../src/contract/history.ts';
import { fr, speak } from '../../src/text/language.ts';
import { actorWords } from '../../src/text/words/accounts.ts';
import { history, outcomeWords } from '../../src/text/words/history.ts';
import { words } from '../../src/text/words/words.ts';
import { showLoss } from '../../src/view/history.ts';
import { renderTable } from '../cli/print.ts';
import type { RenderOptions } from './options.ts';
import { toTime } from './time.ts';

/** Renders kept audit records as a table, with the cursor of the next ones. */
export function renderHistory(
  { records, next, keep }: HistoryPage,
  { language, width }: RenderOptions,
): string {
  const { say } = words[language];
  const off = keep === 0 ? `${say(history.off)}\n` : '';
  const text = speak(language);
  if (records.length === 0) return `${text('no audit record', fr`aucun enregistrement d’audit`)}\n${off}`;
  const headings = [
    text('TIME', fr`HEURE`),
    text('ACTOR', fr`ACTEUR`),
    text('ACTION', fr`ACTION`),
    text('OUTCOME', fr`ISSUE`),
    text('FROM', fr`DEPUIS`),
    text('TARGET', fr`CIBLE`),
  ];
  const rows = records.map((record) => {
    const { ts, actor, action, target = '', outcome, origin = '' } = record;
    const about = isLoss(record) ? showLoss(record, words[language], (at) => toTime(at, language)) : target;
    const tried = triedName(record);
    const by = tried === undefined ? actor : `${tried} (${say(actorWords.unauthenticated)})`;
    return [toTime(ts, language), by, action, say(outcomeWords[outcome]), origin, about + reasonOf(record)];
  });
  const further =
    next === undefined
      ? ''
      : text(`further records: --cursor ${next}\n`, fr`enregistrements suivants : --cursor ${next}\n`);
  return `${renderTable(headings, rows, width)}${further}${off}`;
}

/** The reason of a waiver, as an administrator gave it. */
function reasonOf({ action, details: { reason } }: HistoryRecord): string {
  const isWaiver = action === 'media.waiver' || action.startsWith('custody.');
  return isWaiver && typeof reason === 'string' ? ` (${reason})` : '';
}

import type { CustodyCheck, CustodyLine, CustodyPage } from '../../src/contract/custody.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, speak } from '../../src/text/language.ts';
import { sayRule } from '../../src/text/rule.ts';
import { actionWords, outcomeWords } from '../../src/text/words/history.ts';
import { words } from '../../src/text/words/words.ts';
import { renderTable } from '../cli/print.ts';
import { count } from '../render/count.ts';
import type { RenderOptions } from '../render/options.ts';
import { toTime } from '../render/time.ts';

/** Lines without a result in words. */
const stepWords: Readonly<Record<CustodyLine['step'], Sentence>> = {
  intent: ['begun', fr`commencé`],
  outcome: ['ended', fr`terminé`],
  event: ['recorded', fr`noté`],
};

/** Renders lines of a ledger as a table, with the cursor of the older ones. */
export function renderLines(
  { lines, next, broken }: CustodyPage,
  { language, width }: RenderOptions,
): string {
  const text = speak(language);
  const flaws =
    broken === undefined
      ? ''
      : text(
          `${broken} lines are broken: svc custody verify names the first\n`,
          fr`${broken} lignes sont rompues : svc custody verify nomme la première\n`,
        );
  const older =
    next === undefined
      ? ''
      : text(`older lines: --cursor ${next}\n`, fr`lignes plus anciennes : --cursor ${next}\n`);
  if (lines.length === 0) return `${text('no line', fr`aucune ligne`)}\n${older}${flaws}`;
  const headings = [
    text('LINE', fr`LIGNE`),
    text('TIME', fr`HEURE`),
    text('ACTOR', fr`ACTEUR`),
    text('EVENT', fr`ÉVÉNEMENT`),
    text('STATE', fr`ÉTAT`),
    text('SUBJECTS', fr`OBJETS`),
  ];
  const rows = lines.map((line) => [
    String(line.seq),
    toTime(line.ts, language),
    escapeText(line.actor),
    words[language].say(actionWords[`custody.${line.type}`]),
    toState(line, language),
    escapeText(toSubjects(line)),
  ]);
  return `${renderTable(headings, rows, width)}${older}${flaws}`;
}

function toState({ step, result }: CustodyLine, language: Language): string {
  return words[language].say(result === undefined ? stepWords[step] : outcomeWords[result]);
}

/** Names of the subjects, else the note or the delivery. */
function toSubjects({ subjects, details: { text, delivery, zone } }: CustodyLine): string {
  if (text !== undefined) return `${delivery}: ${text}`;
  const names = subjects.map(({ name }) => name).join(', ');
  return [delivery ?? zone, names].filter(Boolean).join(': ');
}

/** Renders the outcome of a check; its errors are printed by the command. */
export function renderCheck({ peer, open, ...own }: CustodyCheck, language: Language): string {
  const text = speak(language);
  const listed = open.map(
    ({ seq, ts, type, actor }) =>
      `  ${seq}  ${toTime(ts, language)}  ${words[language].say(actionWords[`custody.${type}`])}  ${escapeText(actor)}\n`,
  );
  const heading = text('without an outcome:', fr`sans résultat :`);
  return [
    renderChecked(own, language),
    listed.length === 0 ? '' : `${heading}\n${listed.join('')}`,
    peer === undefined ? '' : renderChecked(peer, language),
  ].join('');
}

function renderChecked(
  { files, lines, last, unfinished, known, error }: Omit<CustodyCheck, 'open' | 'peer'>,
  language: Language,
): string {
  const text = speak(language);
  const none = text('no ledger', fr`aucun journal de garde`);
  if (files.length === 0 && error === undefined) return `${none}\n`;
  const site = last === undefined ? none : escapeText(last.site);
  const name = files.length === 0 ? site : `${site} (${files.map(escapeText).join(', ')})`;
  const verdict = error === undefined ? text('whole', fr`entier`) : text('not whole', fr`pas entier`);
  const torn =
    unfinished === undefined
      ? ''
      : text(
          `  the last line was not finished (${unfinished} bytes), as after a kill; the next line will name it\n`,
          fr`  la dernière ligne n’a pas été terminée (${unfinished} octets), comme après un arrêt brutal ; la ligne suivante la nommera\n`,
        );
  const witnesses = known.map(({ seq, from, fromRule }) => {
    const by = escapeText(fromRule === undefined ? from : sayRule(fromRule, language));
    return text(`  line ${seq} is named by ${by}\n`, fr`  la ligne ${seq} est nommée par ${by}\n`);
  });
  const head =
    last === undefined
      ? ''
      : text(`  last line ${last.seq}: ${last.head}\n`, fr`  dernière ligne ${last.seq} : ${last.head}\n`);
  const amount = `${verdict}, ${count(lines, 'line', language)}`;
  return `${text(`${name}: ${amount}`, fr`${name} : ${amount}`)}\n${head}${torn}${witnesses.join('')}`;
}

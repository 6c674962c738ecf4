import { type PinReport, sayFindings, type ToPinCommand } from '../../src/authoring/door.ts';
import { isSingular } from '../../src/text/amount.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { words } from '../../src/text/words/words.ts';
import { renderTable } from '../cli/print.ts';
import { count } from '../render/count.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderProblems } from '../render/problems.ts';

/** Renders the changes of a pin: the versions and digests of the ingredients. */
export function renderPin(
  { name, version, ingredients, changes }: PinReport,
  { language, width }: RenderOptions,
): string {
  const text = speak(language);
  const changed = changes.length;
  const head = text(
    `${name} ${version}: ${changed} of ${count(ingredients, 'ingredient', 'en')} ${isSingular(changed, 'en') ? 'changes' : 'change'}`,
    fr`${name} ${version} : ${count(changed, 'ingredient', 'fr')} sur ${ingredients} ${isSingular(changed, 'fr') ? 'change' : 'changent'}`,
  );
  const headings = [
    text('INGREDIENT', fr`INGRÉDIENT`),
    'VERSION',
    text('DIGEST', fr`EMPREINTE`),
    ...(changes.some(({ platforms }) => platforms) ? [text('PLATFORMS', fr`PLATEFORMES`)] : []),
  ];
  const vendored = changes.flatMap(({ name: ingredient, to, vendored: chart }) =>
    chart === undefined
      ? []
      : [
          text(
            `${ingredient} with its dependencies (${chart.dependencies.join(', ')}): ${chart.ref}:${to.version}`,
            fr`${ingredient} avec ses dépendances (${chart.dependencies.join(', ')}) : ${chart.ref}:${to.version}`,
          ),
        ],
  );
  const rows = changes.map(({ name: ingredient, from, to, platforms = [] }) => [
    ingredient,
    from.version === to.version ? to.version : `${from.version} -> ${to.version}`,
    from.digest === undefined || from.digest === to.digest ? to.digest : `${from.digest} -> ${to.digest}`,
    platforms.join(', '),
  ]);
  return `${escapeText(head)}\n${rows.length === 0 ? '' : renderTable(headings, rows, width)}${vendored.map((line) => `${escapeText(line)}\n`).join('')}`;
}

/** Renders the findings on tags that point to another digest than the recipe pins. */
export async function renderPinFindings(
  { findings }: PinReport,
  language: Language,
  toPinCommand: ToPinCommand,
): Promise<string> {
  const text = speak(language);
  const said = await sayFindings(findings, words[language], toPinCommand);
  return said
    .map(({ message, fix = '', line }) => {
      const at = line === undefined ? '' : text(`line ${line}: `, fr`ligne ${line} : `);
      return `${text('svc: warning: ', fr`svc: avertissement : `)}${at}${message} ${fix}`.trimEnd();
    })
    .map((line) => `${escapeText(line)}\n`)
    .join('');
}

/** Renders why a pin wrote nothing: every ingredient that failed, with its line. */
export function renderPinProblems({ problems }: PinReport, language: Language): string {
  const text = speak(language);
  const failed = problems.length;
  const head = text(
    `svc: nothing was written: ${count(failed, 'ingredient', 'en')} could not be pinned`,
    fr`svc: rien n’a été écrit : ${count(failed, 'ingredient', 'fr')} ${failed === 1 ? 'n’a pas pu être figé' : 'n’ont pas pu être figés'}`,
  );
  const listed = problems.map(({ name, line, error }) => ({
    name: line === undefined ? name : text(`${name}, line ${line}`, fr`${name}, ligne ${line}`),
    error,
  }));
  return `${head}\n${renderProblems(listed, { language })}`;
}

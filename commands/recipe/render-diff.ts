import { isDifferent, listOtherMembers } from '../../src/authoring/door.ts';
import type { RecipeDiff } from '../../src/contract/authoring.ts';
import { formatMember } from '../../src/recipe/compare-members.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { renderTable } from '../cli/print.ts';
import { renderUnlisted } from '../render/count.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderProblems } from '../render/problems.ts';

/**
 * Renders a comparison of recipes: a row for each ingredient that differs, a row for each other member that differs, then
 * the totals.
 */
export function renderDiff(diff: RecipeDiff, { language, width }: RenderOptions): string {
  const text = speak(language);
  const { added, removed, changed, totals, addedMore = 0, removedMore = 0, changedMore = 0 } = diff;
  const more = addedMore + removedMore + changedMore;
  const size = (bytes: number | undefined) => (bytes === undefined ? '-' : formatByteSize(bytes, language));
  const headings = [
    '',
    text('INGREDIENT', fr`INGRÉDIENT`),
    'VERSION',
    text('NEW BYTES', fr`NOUVEAU`),
    text('PLATFORMS', fr`PLATEFORMES`),
    text('DIGEST', fr`EMPREINTE`),
  ];
  const rows = [
    ...added.map(({ name, version, bytes, platforms, digest }) => [
      '+',
      name,
      version,
      size(bytes),
      platforms.join(' '),
      digest,
    ]),
    ...removed.map(({ name, version, platforms, digest }) => [
      '-',
      name,
      version,
      '',
      platforms.join(' '),
      digest,
    ]),
    ...changed.map(({ name, from, to, newBytes, platformsAdded, platformsRemoved }) => [
      '~',
      name,
      from.version === to.version ? to.version : `${from.version} -> ${to.version}`,
      size(newBytes),
      [...platformsAdded.map((one) => `+${one}`), ...platformsRemoved.map((one) => `-${one}`)].join(' '),
      from.digest === to.digest ? to.digest : `${from.digest} -> ${to.digest}`,
    ]),
  ];
  const head = `${diff.old.name} ${diff.old.version} -> ${diff.new.name} ${diff.new.version}`;
  const tables = [
    ...(rows.length === 0 ? [] : [`${renderTable(headings, rows, width)}${renderMore(more, language)}`]),
    ...renderMembers(diff, { language, width }),
  ];
  const isSameText = diff.old.documentDigest === diff.new.documentDigest;
  const none = isSameText
    ? text('no difference', fr`aucune différence`)
    : text(
        'no difference, except in comments, order or layout of the document',
        fr`aucune différence, sauf dans les commentaires, l’ordre ou la mise en page du document`,
      );
  const body = isDifferent(diff) ? tables.join('\n') : `${none}\n`;
  const sums =
    totals === undefined
      ? ''
      : `${text(
          `${size(totals.transferBytes)} to transfer, of ${size(totals.newBytes)} (before: ${size(totals.oldBytes)})`,
          fr`${size(totals.transferBytes)} à transférer, sur ${size(totals.newBytes)} (avant : ${size(totals.oldBytes)})`,
        )}\n`;
  const problems = diff.problems.map(({ recipe, name, error }) => ({
    name: `${recipe === 'old' ? diff.old.version : diff.new.version} ${name}`,
    error,
  }));
  const unread = `${renderProblems(problems, { language, indent: 0 })}${renderMore(diff.problemsMore ?? 0, language)}`;
  return `${escapeText(head)}\n${body}${sums}${unread}`;
}

const renderMore = (number: number, language: RenderOptions['language']): string =>
  number === 0 ? '' : `${renderUnlisted(number, language)}\n`;

/** A table of the members that differ and that the table of ingredients does not show; none without such. */
function renderMembers(diff: RecipeDiff, { language, width }: RenderOptions): readonly string[] {
  const text = speak(language);
  const rows = listOtherMembers(diff).map(({ ingredient = text('recipe', fr`recette`), path, from, to }) => [
    ingredient,
    path,
    formatMember(from),
    formatMember(to),
  ]);
  if (rows.length === 0) return [];
  const headings = [
    text('INGREDIENT', fr`INGRÉDIENT`),
    text('MEMBER', fr`MEMBRE`),
    text('OLD', fr`ANCIEN`),
    text('NEW', fr`NOUVEAU`),
  ];
  return [renderTable(headings, rows, width)];
}

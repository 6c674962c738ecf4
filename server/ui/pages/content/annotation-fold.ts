import type { Tag } from '../../../../src/contract/content.ts';
import { versionWords } from '../../../../src/text/words/version.ts';
import { type Html, html } from '../../html.ts';
import { apiBase } from '../../parts/curl.ts';
import { table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** Annotations that a page lists, and characters that it shows of each text: both are as others chose them. */
const shown = { rows: 100, characters: 2000 } as const;

const cut = (text: string): string =>
  text.length > shown.characters ? `${text.slice(0, shown.characters - 1)}…` : text;

/** The annotations of a version, folded. The API has those that are not on the page. */
export function annotationFold(
  { words: { say } }: PageCall,
  { annotations, repository, tag }: Tag,
): Html | string {
  const rows: (readonly [string, string])[] = [];
  let total = 0;
  for (const name in annotations) {
    total += 1;
    if (rows.length < shown.rows) rows.push([name, annotations[name]!]);
  }
  if (total === 0) return '';
  const isCut = rows.flat().some((text) => text.length > shown.characters);
  const notes = [
    ...(total > rows.length ? [say(versionWords.annotationsMore, { shown: rows.length, total })] : []),
    ...(isCut ? [say(versionWords.annotationsCut, { limit: shown.characters })] : []),
  ];
  const whole = apiBase + toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag });
  const note =
    notes.length === 0
      ? ''
      : html`<p class="muted">${notes.join(' ')} <a href="${whole}">${say(versionWords.annotationsWhole)}</a></p>`;
  return html`<details class="fold"><summary>${say(versionWords.annotationCount, { count: total })}</summary>${note}${table<
    readonly [string, string]
  >({
    caption: say(versionWords.annotations),
    empty: '',
    rows,
    columns: [
      { label: say(versionWords.annotation), isHeader: true, cell: ([name]) => code(cut(name)) },
      {
        label: say(versionWords.value),
        cell: ([, value]) => html`<span class="wrap">${untrusted(cut(value))}</span>`,
      },
    ],
  })}</details>`;
}

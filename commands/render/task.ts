import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { Task } from '../../src/task/model.ts';

/** Maximum number of failed items in the text output; the JSON document lists all. */
const shownItems = 50;

/** Renders the outcome of a task: `tsk_0123456789ab done: 12 items (9 done, 3 skipped), 1.5 GiB`. */
export function renderTask({ id, status, counts, progress, pruned = [] }: Task): string {
  if (status === 'pending' || status === 'running') return `${id} ${status}\n`;
  const shares = (['done', 'skipped', 'failed'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name}`);
  const detail = shares.length === 0 ? '' : ` (${shares.join(', ')})`;
  const removed = pruned.length === 0 ? '' : `, ${pruned.length} pruned`;
  return `${id} ${status}: ${counts.total} items${detail}, ${formatByteSize(progress.bytesDone)}${removed}\n`;
}

/** Renders the destination references of the recipes of a task, one per line; empty without a destination. */
export function renderLanded({ resolutions = [], items }: Task): string {
  const landed = new Set(items.filter(({ status }) => status === 'done').map(({ name }) => name));
  return (
    resolutions
      .filter(({ recipe, ingredient, destination }) => !ingredient && destination && landed.has(recipe))
      .map(({ recipe, destination }) => `  ${escapeText(recipe)} -> ${escapeText(destination!)}\n`)
      // several entries may request the same recipe
      .filter((line, i, lines) => lines.indexOf(line) === i)
      .join('')
  );
}

/** Renders the warnings of items that were copied nevertheless, one per line; empty when there are none. */
export function renderWarnings({ items }: Task, language: Language): string {
  const colon = language === 'fr' ? ' :' : ':';
  const lines = items.flatMap(({ name, warning }) =>
    warning === undefined
      ? []
      : [`  ! ${escapeText(name)}${colon} ${warning.code} ${renderError(warning, language).what}\n`],
  );
  if (lines.length <= shownItems) return lines.join('');
  return `${lines.slice(0, shownItems).join('')}  and ${lines.length - shownItems} more\n`;
}

/** Renders the failed items, one per line; empty when there are none. */
export function renderFailures({ items }: Task, language: Language): string {
  const failed = items.filter(({ error }) => error !== undefined);
  const lines = failed
    .slice(0, shownItems)
    .map(
      ({ name, error }) => `  ${escapeText(name)}: ${error!.code} ${renderError(error!, language).what}\n`,
    );
  if (failed.length > shownItems) lines.push(`  and ${failed.length - shownItems} more\n`);
  return lines.join('');
}

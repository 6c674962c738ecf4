import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { PruneItem } from '../../src/engine/sync/model.ts';
import type { PruneProjection } from '../../src/operation/prune-preview.ts';
import type { Task } from '../../src/task/model.ts';
import { renderTable } from '../cli/print.ts';

/** Maximum number of tags in the text output; the JSON document lists all. */
const shownItems = 50;

function renderMore(count: number): string {
  return count > shownItems ? `  and ${count - shownItems} more\n` : '';
}

/** Renders the digest that a tag points at again when the recipe that moved it is pruned. */
function renderRestored(digest: string | undefined): string {
  return digest === undefined ? '' : `; the tag then names ${digest} again`;
}

/** Renders the tags that a prune would remove, one per line. */
export function renderPruneItems(items: readonly PruneItem[]): string {
  const rows = items
    .slice(0, shownItems)
    .map(({ repository, tag, recipe, sizeBytes, restored }) => [
      `  ${repository}:${tag}`,
      formatByteSize(sizeBytes),
      `from ${recipe}${renderRestored(restored)}`,
    ]);
  return `${renderTable(['  CONTENT', 'SIZE', 'RECIPE'], rows)}${renderMore(items.length)}`;
}

/** Renders what a sync triggered without `--prune` will remove; empty when it removes nothing. */
export function renderProjection(projection: PruneProjection, language: Language): string {
  if ('error' in projection) {
    const { code } = projection.error;
    const { what } = renderError(projection.error, language);
    return `Prune: on by default; the tags it will remove could not be determined: ${code} ${what}\n`;
  }
  const { items, count, totalBytes } = projection;
  if (count === 0) return '';
  const head = `Prune: on by default, ${count} will be removed, ${formatByteSize(totalBytes)}`;
  return `${head} (pass --prune=false to keep them)\n${renderPruneItems(items)}`;
}

/** Renders the tags that a task removed, one per line; empty when there were none. */
export function renderPruned({ pruned = [] }: Task): string {
  const lines = pruned
    .slice(0, shownItems)
    .map(
      ({ repository, tag, digest, recipe, restored }) =>
        `  pruned ${escapeText(`${repository}:${tag}`)} ${digest} of ${escapeText(recipe)}${renderRestored(restored)}\n`,
    );
  return lines.join('') + renderMore(pruned.length);
}

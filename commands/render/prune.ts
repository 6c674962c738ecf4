import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { PruneItem } from '../../src/engine/sync/model.ts';
import type { PruneProjection } from '../../src/operation/prune-preview.ts';
import type { Task } from '../../src/task/model.ts';
import { renderTable } from '../cli/print.ts';

/** Tags shown to people; the JSON document has them all. */
const shownItems = 50;

function renderMore(count: number): string {
  return count > shownItems ? `  and ${count - shownItems} more\n` : '';
}

/** A tag that names again what it named before a recipe pointed it elsewhere. */
function renderRestored(digest: string | undefined): string {
  return digest === undefined ? '' : `; the tag then names ${digest} again`;
}

/** The tags that a prune would remove, a line a tag. */
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

/** What a synchronization that was triggered without `--prune` will remove; empty when that is nothing. */
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

/** The tags that a task removed, a line a tag; empty when there were none. */
export function renderPruned({ pruned = [] }: Task): string {
  const lines = pruned
    .slice(0, shownItems)
    .map(
      ({ repository, tag, digest, recipe, restored }) =>
        `  pruned ${escapeText(`${repository}:${tag}`)} ${digest} of ${escapeText(recipe)}${renderRestored(restored)}\n`,
    );
  return lines.join('') + renderMore(pruned.length);
}

import { escapeText } from '../src/base/escape.ts';
import { formatByteSize } from '../src/base/size.ts';
import type { Task } from '../src/task/model.ts';

/** Failed items shown to people; the JSON document has them all. */
const shownItems = 50;

/** `tsk_0123456789ab done: 12 items (9 done, 3 skipped), 1.5 GiB`, and what failed, item by item. */
export function renderTask({ id, status, counts, progress, items, pruned = [] }: Task): string {
  if (status === 'pending' || status === 'running') return `${id} ${status}`;
  const shares = (['done', 'skipped', 'failed'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name}`);
  const detail = shares.length === 0 ? '' : ` (${shares.join(', ')})`;
  const removed = pruned.length === 0 ? '' : `, ${pruned.length} pruned`;
  const failed = items.filter(({ error }) => error !== undefined);
  const named = failed
    .slice(0, shownItems)
    .map(({ name, error }) => `\n  ${escapeText(name)}: ${error!.code}`);
  const more = failed.length > shownItems ? `\n  and ${failed.length - shownItems} more` : '';
  return `${id} ${status}: ${counts.total} items${detail}, ${formatByteSize(progress.bytesDone)}${removed}${named.join('')}${more}`;
}

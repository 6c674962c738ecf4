import { escapeText } from '../src/base/escape.ts';
import { formatByteSize } from '../src/base/size.ts';
import type { Task } from '../src/task/model.ts';

/** Failed items shown to people; the JSON document has them all. */
const shownItems = 50;

/** `tsk_0123456789ab done: 12 items (9 done, 3 skipped), 1.5 GiB`. */
export function renderTask({ id, status, counts, progress, pruned = [] }: Task): string {
  if (status === 'pending' || status === 'running') return `${id} ${status}\n`;
  const shares = (['done', 'skipped', 'failed'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name}`);
  const detail = shares.length === 0 ? '' : ` (${shares.join(', ')})`;
  const removed = pruned.length === 0 ? '' : `, ${pruned.length} pruned`;
  return `${id} ${status}: ${counts.total} items${detail}, ${formatByteSize(progress.bytesDone)}${removed}\n`;
}

/** What failed, a line an item; empty when nothing did. */
export function renderFailures({ items }: Task): string {
  const failed = items.filter(({ error }) => error !== undefined);
  const lines = failed
    .slice(0, shownItems)
    .map(({ name, error }) => `  ${escapeText(name)}: ${error!.code}\n`);
  if (failed.length > shownItems) lines.push(`  and ${failed.length - shownItems} more\n`);
  return lines.join('');
}

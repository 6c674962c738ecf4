// A process of its own that opens the store of a folder, collects it, and says as JSON how long each took in
// milliseconds, and for how long the collection held the event loop at most. Modules are loaded before the clock runs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { hashBytes } from '../../src/base/digest.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { openStore } from '../../src/store/opening/open-store.ts';
import { toLargeStoreOptions } from './large-store.ts';

/** Runs some work and measures the longest time between two turns of the event loop. */
async function watchSlices(work: () => Promise<unknown>): Promise<{ total: number; longest: number }> {
  const began = performance.now();
  let last = began;
  let longest = 0;
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  const end = performance.now();
  return { total: end - began, longest: Math.max(longest, end - last) };
}

const options = toLargeStoreOptions(argv[2]!);
// something to remove: without it there would be nothing to walk for
const stray = Buffer.from(`stray ${Date.now()}`);
writeFileSync(join(options.root, 'blobs', 'sha256', hashBytes(stray).slice(7)), stray);

const began = performance.now();
await using store = await openStore(options);
const open = performance.now() - began;
const { total, longest } = await watchSlices(async () => {
  const { blobs } = await collectGarbage(store);
  if (blobs !== 1) throw new Error(`${blobs} files were collected`);
});
stdout.write(JSON.stringify({ open, collect: total, slice: longest }));

// A process of its own that opens the store of a folder, collects it, and says as JSON how long each took in
// milliseconds, and for how long the collection held the event loop at most. Modules are loaded before the clock runs.
import { argv, stdout } from 'node:process';
import { openStore } from '../../src/store/open-store.ts';
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

const began = performance.now();
await using store = await openStore(toLargeStoreOptions(argv[2]!));
const open = performance.now() - began;
const { total, longest } = await watchSlices(() => store.collect());
stdout.write(JSON.stringify({ open, collect: total, slice: longest }));

// A process of its own that opens the store of a folder and collects it. It prints as JSON how many milliseconds each
// took, and how long the collection held the event loop at most. Modules are loaded before the clock runs.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, stdout, threadCpuUsage } from 'node:process';
import { hashBytes } from '../../src/base/digest.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import type { ContentStore } from '../../src/store/content-store.ts';
import { openStore } from '../../src/store/opening/open-store.ts';
import { toLargeStoreOptions } from './large-store.ts';

interface Slices {
  /** Milliseconds. */
  readonly total: number;
  /** Milliseconds at most between two turns of the event loop, with the processor time of other programs. */
  readonly longest: number;
  /** The same as processor time of the thread. */
  readonly longestCpu: number;
}

const cpuMilliseconds = (): number => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
};

/** Runs some work and measures the longest time between two turns of the event loop. */
async function watchSlices(work: () => Promise<unknown>): Promise<Slices> {
  const began = performance.now();
  let last = { at: began, cpu: cpuMilliseconds() };
  const longest = { at: 0, cpu: 0 };
  let isOver = false;
  const look = (): void => {
    const now = { at: performance.now(), cpu: cpuMilliseconds() };
    longest.at = Math.max(longest.at, now.at - last.at);
    longest.cpu = Math.max(longest.cpu, now.cpu - last.cpu);
    last = now;
  };
  const turn = (): void => {
    look();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  look();
  return { total: performance.now() - began, longest: longest.at, longestCpu: longest.cpu };
}

/** Memory that the open store holds, and bytes of its ledgers: both grow with each entry. */
function inspectHeld(): { readonly objects: number; readonly arrays: number; readonly ledger: number } {
  globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const { tags, digests } = countEntries();
  const folder = join(options.root, 'ledger');
  const ledger = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return {
    objects: (heapUsed - before.heapUsed) / tags,
    arrays: (arrayBuffers - before.arrayBuffers) / digests,
    ledger: ledger / tags,
  };
}

function countEntries(): { readonly tags: number; readonly digests: number } {
  const { graph } = (store as ContentStore).core;
  let tags = 0;
  for (const repository of graph.repositories.values()) tags += repository.tags.size;
  return { tags, digests: graph.contents.end };
}

const options = toLargeStoreOptions(argv[2]!);
// something to remove: without it there would be nothing to walk for
const stray = Buffer.from(`stray ${Date.now()}`);
writeFileSync(join(options.root, 'blobs', 'sha256', hashBytes(stray).slice(7)), stray);

globalThis.gc!();
const before = process.memoryUsage();
const began = performance.now();
await using store = await openStore(options);
const open = performance.now() - began;
const held = inspectHeld();
const { total, longest, longestCpu } = await watchSlices(async () => {
  const { blobs } = await collectGarbage(store);
  if (blobs !== 1) throw new Error(`${blobs} files were collected`);
});
stdout.write(JSON.stringify({ open, collect: total, slice: longestCpu, sliceWall: longest, ...held }));

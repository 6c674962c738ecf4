import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { isSvcError } from '../../../src/text/error.ts';

/** Content made with bad intent, and the reading of it. */
export interface HostileContent {
  readonly name: string;
  run(): Promise<void>;
}

/** Microseconds of processor time of a piece of work. */
interface Cost {
  /** The longest stretch of the main thread between two turns of the event loop. */
  readonly held: number;
  /** All threads of the process. */
  readonly whole: number;
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** Measures some work; errors that name the content as the cause are as good as success. */
export async function measureCost(work: () => Promise<unknown>): Promise<Cost> {
  let held = 0;
  let isDone = false;
  await turn();
  const before = process.cpuUsage();
  const watching = (async () => {
    while (!isDone) {
      const cpu = process.threadCpuUsage();
      const began = performance.now();
      await turn();
      // the kernel counts processor time in ticks of some milliseconds, and the time of the clock includes other work
      const passed = (performance.now() - began) * 1000;
      held = Math.max(held, Math.min(sum(process.threadCpuUsage(cpu)), passed));
    }
  })();
  await work().catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
  await turn();
  isDone = true;
  await watching;
  return { held, whole: sum(process.cpuUsage(before)) };
}

function isRefusal(error: unknown): boolean {
  return isSvcError(error) || error instanceof SyntaxError || (error as Error).name === 'ManifestError';
}

/** The permitted cost of content, in microseconds. */
export interface CostLimits {
  readonly held: number;
  /** Besides the bytes: threads start, and caches are filled. */
  readonly base: number;
  readonly perByte: number;
}

/**
 * Requires both limits of some work. Work that exceeds one is measured again, up to four times. A collection of memory or a
 * compilation falls into one by chance; hostile content costs as much each time.
 */
export async function requireCost(
  bytes: number,
  limits: CostLimits,
  work: () => Promise<unknown>,
): Promise<void> {
  const most = limits.base + limits.perByte * bytes;
  let best: Cost = { held: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < 5 && (best.held > limits.held || best.whole > most); attempt += 1) {
    const { held, whole } = await measureCost(work);
    best = { held: Math.min(best.held, held), whole: Math.min(best.whole, whole) };
  }
  assert.ok(best.held <= limits.held, `${bytes} bytes held the event loop for ${best.held.toFixed()} µs`);
  assert.ok(best.whole <= most, `${bytes} bytes cost ${best.whole} µs of ${most}`);
}

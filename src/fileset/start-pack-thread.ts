import { Worker } from 'node:worker_threads';
import { packThreadUrl } from './pack-thread-url.ts';

/**
 * Starts a thread that waits for a tree to pack. Starting takes as long as reading thousands of files, so callers start
 * it early. An unused thread does not keep the process alive.
 */
export function startPackThread(): Worker {
  // most objects of the thread are short-lived
  const thread = new Worker(packThreadUrl, { resourceLimits: { maxYoungGenerationSizeMb: 32 } });
  thread.unref();
  return thread;
}

import { Worker } from 'node:worker_threads';
import { packThreadUrl } from './pack-thread-url.ts';

/**
 * Starts a thread that waits for a tree to pack. It takes as long to start as thousands of files take to read: who can
 * starts it early. It keeps no process alive that does not use it.
 */
export function startPackThread(): Worker {
  // what is looked at is garbage at once
  const thread = new Worker(packThreadUrl, { resourceLimits: { maxYoungGenerationSizeMb: 32 } });
  thread.unref();
  return thread;
}

/** URL of the code of a hash thread: beside this module in the sources, one file beside the chunks in a bundle. */
export const hashWorkerUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './hash-worker.ts' : './hash-worker.cjs',
  import.meta.url,
);

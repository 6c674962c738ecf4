/** The code of a thread of the hash pool: beside this module in the sources, and one file beside the chunks in a bundle. */
export const hashWorkerUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './hash-worker.ts' : './hash-worker.cjs',
  import.meta.url,
);

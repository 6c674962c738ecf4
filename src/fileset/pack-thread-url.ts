/** URL of the code of the packing thread: beside this module in the sources, one file beside the chunks in a bundle. */
export const packThreadUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './pack-thread.ts' : './pack-thread.cjs',
  import.meta.url,
);

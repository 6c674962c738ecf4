/** The code of the thread that packs: beside this module in the sources, and one file beside the chunks in a bundle. */
export const packThreadUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './pack-thread.ts' : './pack-thread.cjs',
  import.meta.url,
);

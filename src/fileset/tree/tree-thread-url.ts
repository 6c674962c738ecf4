/** URL of the code of the tree thread: beside this module in the sources, beside the chunks in a bundle. */
export const treeThreadUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './tree-thread.ts' : './tree-thread.cjs',
  import.meta.url,
);

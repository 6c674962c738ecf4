/** URL of the code of the document thread: beside this module in the sources, beside the chunks in a bundle. */
export const documentThreadUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './document-thread.ts' : './document-thread.cjs',
  import.meta.url,
);

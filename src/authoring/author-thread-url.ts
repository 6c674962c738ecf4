/** URL of the code of the thread for documents of authors, as `documentThreadUrl`. */
export const authorThreadUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './author-thread.ts' : './author-thread.cjs',
  import.meta.url,
);

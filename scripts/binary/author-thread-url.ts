import { toModuleUrl } from './asset.ts';

export const authorThreadUrl: URL = toModuleUrl('author-thread.mjs');

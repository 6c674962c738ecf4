import { toModuleUrl } from './asset.ts';

export const documentThreadUrl: URL = toModuleUrl('document-thread.mjs');

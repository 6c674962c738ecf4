import { toModuleUrl } from './asset.ts';

export const treeThreadUrl: URL = toModuleUrl('tree-thread.mjs');

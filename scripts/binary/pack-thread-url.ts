import { toModuleUrl } from './asset.ts';

export const packThreadUrl: URL = toModuleUrl('pack-thread.mjs');

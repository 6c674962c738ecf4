import { toModuleUrl } from './asset.ts';

export const hashWorkerUrl: URL = toModuleUrl('hash-worker.mjs');

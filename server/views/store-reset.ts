import { countContent, type StoreContent } from '../../src/store/occupancy.ts';
import type { ViewParts } from './parts.ts';

/** Shows the content that emptying the store would remove. */
export function showResetPreview({ store }: Pick<ViewParts, 'store'>): StoreContent {
  return countContent(store);
}

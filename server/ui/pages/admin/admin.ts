import type { UiRoute } from '../../ui-route.ts';
import { accountChangePages } from './account.ts';
import { accountsPages } from './accounts.ts';
import { layoutPages } from './layout.ts';
import { networkPages } from './network.ts';
import { retrieverPages } from './retriever.ts';
import { storePages } from './store.ts';
import { tokenPages } from './tokens.ts';

/** The pages of the administration. */
export const adminPages: readonly UiRoute[] = [
  ...storePages,
  ...accountsPages,
  ...tokenPages,
  ...accountChangePages,
  ...retrieverPages,
  ...networkPages,
  ...layoutPages,
];

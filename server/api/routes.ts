import { accountRoutes } from './accounts.ts';
import type { ApiRoute } from './api-route.ts';
import { authoringRoutes } from './authoring/routes.ts';
import { clientRoutes } from './clients.ts';
import { contentRoutes } from './content.ts';
import { custodyRoutes } from './custody.ts';
import { documentRoutes } from './documents.ts';
import { evidenceRoutes } from './evidence.ts';
import { filesetPackRoutes } from './fileset-pack.ts';
import { filesetFileRoutes, filesetRoutes } from './filesets.ts';
import { historyRoutes } from './history.ts';
import { importRoutes } from './import.ts';
import { layoutRoutes } from './layout.ts';
import { mediaRoutes } from './media.ts';
import { networkRoutes } from './network.ts';
import { planRoutes } from './plan.ts';
import { publishRoutes } from './publish.ts';
import { receiptRoutes } from './receipts.ts';
import { recipeRoutes } from './recipes.ts';
import { retrieverRoutes } from './retriever.ts';
import { statusRoutes } from './status.ts';
import { storeResetRoutes } from './store-reset.ts';
import { syncRoutes } from './sync.ts';
import { taskRoutes } from './tasks.ts';
import { tokenRoutes } from './tokens.ts';
import { zoneRoutes } from './zones.ts';

/** Every endpoint of the API. Router, role checks and OpenAPI document are derived from this list. */
export const apiRoutes: readonly ApiRoute[] = [
  ...documentRoutes(() => apiRoutes),
  ...statusRoutes,
  ...filesetFileRoutes,
  ...contentRoutes,
  ...importRoutes,
  ...taskRoutes,
  ...recipeRoutes,
  ...clientRoutes,
  ...publishRoutes,
  ...authoringRoutes,
  ...syncRoutes,
  ...retrieverRoutes,
  ...planRoutes,
  ...mediaRoutes,
  ...receiptRoutes,
  ...zoneRoutes,
  ...filesetRoutes,
  ...layoutRoutes,
  ...filesetPackRoutes,
  ...storeResetRoutes,
  ...accountRoutes,
  ...tokenRoutes,
  ...networkRoutes,
  ...historyRoutes,
  ...custodyRoutes,
  ...evidenceRoutes,
];

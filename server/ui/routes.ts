import { aboutPages } from './pages/about.ts';
import { accountPages } from './pages/account.ts';
import { adminPages } from './pages/admin/admin.ts';
import { apiDocsPages } from './pages/api-docs.ts';
import { authoringPages } from './pages/authoring/authoring.ts';
import { choiceRoutes } from './pages/choices.ts';
import { clientPages } from './pages/clients/clients.ts';
import { contentPages } from './pages/content/content.ts';
import { deliverPages } from './pages/deliver/deliver.ts';
import { proofPages } from './pages/deliver/proof.ts';
import { deliveryPages } from './pages/deliveries/deliveries.ts';
import { evidencePages } from './pages/evidence.ts';
import { filesetFilePages } from './pages/filesets/files.ts';
import { filesetPages } from './pages/filesets/filesets.ts';
import { helpPages } from './pages/help.ts';
import { historyPages } from './pages/history/history.ts';
import { importPages } from './pages/import/import.ts';
import { loginRoutes } from './pages/login.ts';
import { mediaPages } from './pages/media/media.ts';
import { overviewPages } from './pages/overview/overview.ts';
import { publishPages } from './pages/publish/publish.ts';
import { receiptPages } from './pages/receipts/receipts.ts';
import { recipePages } from './pages/recipes/recipes.ts';
import { searchPages } from './pages/search/search.ts';
import { syncPages } from './pages/sync/sync.ts';
import { taskPages } from './pages/tasks/tasks.ts';
import { zonePages } from './pages/zones/zones.ts';
import type { UiRoute } from './ui-route.ts';

/**
 * Every page and action of the web interface; each is guarded, shown in the navigation and tested. No other exists.
 * Of two paths that match the same, the first one counts: a path in a FileSet may look like that of any page.
 */
export const uiRoutes: readonly UiRoute[] = [
  ...loginRoutes,
  ...choiceRoutes,
  ...overviewPages,
  ...recipePages,
  ...filesetFilePages,
  ...contentPages,
  ...searchPages,
  ...taskPages,
  ...mediaPages,
  ...deliverPages,
  ...proofPages,
  ...receiptPages,
  ...zonePages,
  ...deliveryPages,
  ...syncPages,
  ...adminPages,
  ...historyPages,
  ...evidencePages,
  ...importPages,
  ...filesetPages,
  ...clientPages,
  ...publishPages,
  ...authoringPages,
  ...accountPages,
  ...helpPages,
  ...apiDocsPages,
  ...aboutPages,
];

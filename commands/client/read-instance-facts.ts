import { hasRole } from '../../src/account/model.ts';
import type { RecipeVerdict } from '../../src/contract/medium.ts';
import { getVerification } from '../../src/contract/operations/media.ts';
import { listRecipes } from '../../src/contract/operations/recipes.ts';
import { getIdentity, getStatus } from '../../src/contract/operations/status.ts';
import { listTasks } from '../../src/contract/operations/tasks.ts';
import { TaskSummaryList } from '../../src/contract/task.ts';
import { isOver } from '../../src/task/model.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import { readRuns, runTypes } from '../../src/view/read-runs.ts';
import type { StatusFacts } from '../../src/view/zone-status.ts';
import type { InstanceClient } from './instance-client.ts';

/**
 * Asks an instance for the parts of its status. Parts that the token may not read are left out.
 *
 * @throws SVC-SRV-003 when the instance cannot be reached, else the error that it answers
 */
export async function readInstanceFacts(client: InstanceClient): Promise<StatusFacts> {
  const [status, { recipes }, heads] = await Promise.all([
    client.ask(getStatus, {}),
    client.ask(listRecipes, { query: { q: undefined, sort: undefined, order: undefined } }),
    listRunHeads(client),
  ]);
  const { version, mode, zone, gate, occupancy, volume, nextSync, link, running, pending, notices } = status;
  const { lastImport, delivery, owed, landed = [], arrived = [], unservedFilesets } = status;
  return {
    instance: client.url,
    version,
    mode,
    zone,
    gate,
    occupancy,
    volume,
    nextSync,
    lastImport,
    delivery,
    ...(owed === undefined ? {} : { waits: { owed, landed, arrived } }),
    link,
    running,
    pending,
    // an older instance does not say
    unimported: status.unimported ?? false,
    notices,
    unservedFilesets,
    recipes,
    runs: await readRuns(heads, (id) => client.getTask(id)),
    refused: notices.includes('recipes-blocked') ? await listRefused(client) : [],
  };
}

async function listRunHeads(client: InstanceClient): Promise<readonly TaskHead[]> {
  const lists = await Promise.all(
    runTypes.map((type) =>
      client.ask(listTasks, {
        query: {
          q: undefined,
          status: undefined,
          sort: undefined,
          order: undefined,
          type,
          view: 'summary',
          page: 1,
          pageSize: 10,
        },
        as: TaskSummaryList,
      }),
    ),
  );
  return lists
    .flatMap(({ tasks }) => tasks)
    .filter(isOver)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/**
 * Lists the recipes that the last verification of the medium withholds. The report is for operators: for a viewer, whose
 * question would be recorded as denied, the notices say that there are some.
 */
async function listRefused(client: InstanceClient): Promise<readonly RecipeVerdict[]> {
  const { role } = await client.ask(getIdentity, {});
  if (!hasRole(role, 'operator')) return [];
  const { report } = await client.ask(getVerification, {});
  return (report?.recipes ?? []).filter(({ pushable }) => !pushable);
}

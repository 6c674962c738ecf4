import { hasRole, type Identity } from '../../src/account/model.ts';
import type { RecipeVerdict, VerificationState } from '../../src/contract/medium.ts';
import type { Status } from '../../src/contract/status.ts';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import { isOver } from '../../src/task/model.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import { readRuns, runTypes } from '../../src/view/read-runs.ts';
import type { StatusFacts } from '../../src/view/zone-status.ts';
import type { InstanceClient } from './instance-client.ts';

/**
 * Asks an instance what its status is made of. What the token may not read is left out.
 *
 * @throws SVC-SRV-003 when the instance cannot be reached, else the error that it answers
 */
export async function readInstanceFacts(client: InstanceClient): Promise<StatusFacts> {
  const [status, { recipes }, heads] = await Promise.all([
    client.get<Status>('/status', 'Status'),
    client.get<{ readonly recipes: readonly ListedRecipe[] }>('/recipes', 'RecipeList'),
    listRunHeads(client),
  ]);
  const { version, mode, zone, gate, occupancy, volume, nextSync, link, running, pending, notices } = status;
  const { lastImport, unservedFilesets } = status;
  return {
    instance: client.url,
    version,
    mode,
    ...(zone === undefined ? {} : { zone }),
    gate,
    occupancy,
    ...(volume === undefined ? {} : { volume }),
    ...(nextSync === undefined ? {} : { nextSync }),
    ...(lastImport === undefined ? {} : { lastImport }),
    ...(link === undefined ? {} : { link }),
    ...(running === undefined ? {} : { running }),
    pending,
    // an older instance does not say
    unimported: status.unimported ?? false,
    notices,
    ...(unservedFilesets === undefined ? {} : { unservedFilesets }),
    recipes,
    runs: await readRuns(heads, (id) => client.getTask(id)),
    refused: notices.includes('recipes-blocked') ? await listRefused(client) : [],
  };
}

async function listRunHeads(client: InstanceClient): Promise<readonly TaskHead[]> {
  const lists = await Promise.all(
    runTypes.map((type) =>
      client.get<{ readonly tasks: readonly TaskHead[] }>('/tasks', 'TaskSummaryList', {
        type,
        view: 'summary',
        pageSize: 10,
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
  const { role } = await client.get<Pick<Identity, 'role'>>('/whoami', 'Identity');
  if (!hasRole(role, 'operator')) return [];
  const { report } = await client.get<VerificationState>('/media/verification', 'VerificationState');
  return (report?.recipes ?? []).filter(({ pushable }) => !pushable);
}

import { loadConfig } from '../../../src/config/load-config.ts';
import type { ConfigFor } from '../../../src/config/requirements.ts';
import type { Task } from '../../../src/contract/task.ts';
import { openContext, selectPrune } from '../../../src/operation/context.ts';
import { sync } from '../../../src/operation/sync.ts';
import { toStoreOptions } from '../../../src/operation/to-store-options.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';
import { createMemoryJournal } from '../instance/memory-journal.ts';
import { createRecordingReport } from '../instance/recording-report.ts';

/**
 * Synchronizes in this process as an instance with the configuration does, which takes much longer to start.
 *
 * @param configPath path of a valid configuration
 * @returns the task as it ended
 */
export async function syncHere(configPath: string): Promise<Task> {
  const config = (await loadConfig({ configPath })).config as ConfigFor<'serve'>;
  const [report, version] = [createRecordingReport(), '0.0.0-test'];
  await using store = await openStore({ ...toStoreOptions(config, version, report), access: 'write' });
  await using context = await openContext(config, { report, version, spool: true });
  const { journal, task } = createMemoryJournal();
  await sync(context, { store, task, journal, prune: selectPrune(config, undefined, undefined) });
  return journal.toEnded(new Date(), undefined).task;
}

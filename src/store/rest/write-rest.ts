import { toMedium } from '../medium.ts';
import type { Store } from '../model.ts';
import { vouchHashed } from '../vouch.ts';
import { compactLedgers } from './compact-ledgers.ts';
import { RestAbandoned } from './rest-files.ts';

/**
 * Writes `index.json`, and in mirror mode `media.jsonl`, unless this process may not change the store. A
 * medium is incomplete without these files. In passthrough mode nothing reads them: there a failure is logged
 * as a warning, and the next call tries again.
 *
 * @throws SVC-STO-002, SVC-STO-004 outside passthrough mode
 */
export async function writeRest(store: Store): Promise<void> {
  const { core } = store;
  const { files, keeper, parts, report, state } = core;
  if (!state.isWriter) return;
  await files.makeAllDurable();
  await vouchHashed(store);
  await parts.contentLedger.sync();
  await compactLedgers(core, toMedium(state.mediaId));
  try {
    await keeper.write();
  } catch (error) {
    if (parts.mode !== 'passthrough') throw error;
    report.log('warn', 'index.json of the store could not be written', { error });
  }
  await parts.remember(state.mediaId);
  try {
    await keeper.atRest((signal) => parts.saveIndex(state.mediaId, signal));
  } catch (error) {
    if (error instanceof RestAbandoned) return;
    report.log('warn', 'The index of the store could not be saved; its next opening takes longer', { error });
  }
}

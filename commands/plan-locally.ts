import type { Report } from '../src/base/report.ts';
import type { Config } from '../src/config/model.ts';
import type { PlanAnswer } from '../src/engine/model.ts';
import { openContext } from '../src/operation/context.ts';
import { planSync } from '../src/operation/plan-sync.ts';
import { toStoreOptions } from '../src/operation/to-store-options.ts';
import { peekStore } from '../src/store/open-store.ts';
import { getBuildInfo } from './build-info.ts';

/**
 * Plans on this machine against the store folder: no lock is taken and nothing is written, also beside an instance, and
 * a store that does not exist yet is not made.
 *
 * @param config with `mode`, `storage.root` and `retriever.source`
 */
export async function planLocally(
  config: Config,
  options: { readonly skipDestination: boolean; readonly report: Report; readonly signal: AbortSignal },
): Promise<PlanAnswer> {
  const { report, signal, skipDestination } = options;
  const { version } = getBuildInfo();
  await using context = await openContext(config, { report, version });
  await using store = await peekStore(toStoreOptions(config, version, report));
  return await planSync(context, { store, skipDestination, signal });
}

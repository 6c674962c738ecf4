import type { Report } from '../src/base/report.ts';
import type { ConfigWith } from '../src/config/requirements.ts';
import type { PlanAnswer } from '../src/contract/plan.ts';
import { openLink } from '../src/link/link.ts';
import { forecastLink } from '../src/link/show-link.ts';
import { openContext } from '../src/operation/context.ts';
import { planSync } from '../src/operation/plan-sync.ts';
import { toStoreOptions } from '../src/operation/to-store-options.ts';
import { peekStore } from '../src/store/opening/open-store.ts';
import { getBuildInfo } from './build-info.ts';

/**
 * Plans a sync on this machine against the store folder. Takes no lock and writes nothing, so that it can run
 * beside an instance. A missing store is not created.
 */
export async function planLocally(
  config: ConfigWith<'storage.root' | 'retriever.source'>,
  options: {
    readonly skipDestination: boolean;
    readonly report: Report;
    readonly signal: AbortSignal;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<PlanAnswer> {
  const { report, signal, skipDestination, env } = options;
  const { version } = getBuildInfo();
  await using context = await openContext(config, { report, version, env });
  await using store = await peekStore(toStoreOptions(config, version, report));
  const answer = await planSync(context, { store, skipDestination, signal });
  const link = await openLink({
    stateRoot: config.state.root,
    configured: { rateLimit: config.network.rateLimit, ...config.sync },
    report,
  });
  link.stop();
  const forecast = forecastLink(link.record, answer.plan);
  return forecast === undefined ? answer : { ...answer, link: forecast };
}

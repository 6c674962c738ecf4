import type { Report } from '../src/base/report.ts';
import type { Store } from '../src/store/model.ts';
import { getBuildInfo } from './build-info.ts';

/** Opens the store of a configuration for reading. @returns undefined where there is none that can be read */
export async function peekConfiguredStore(
  root: string | undefined,
  report: Report,
): Promise<Store | undefined> {
  if (root === undefined) return undefined;
  const { peekStore } = await import('../src/store/opening/open-store.ts');
  const { version } = getBuildInfo();
  return peekStore({ root, producer: { version }, report }).catch(() => undefined);
}

import type { Report } from '../src/base/report.ts';
import type { ConfigWith } from '../src/config/requirements.ts';
import type { Store } from '../src/store/model.ts';
import { getBuildInfo } from './build-info.ts';
import { actAsOwner } from './cli/act-as-owner.ts';

/**
 * Opens the store of a configuration for writing. Creates it when it is missing. Notices about the store are
 * logged. Run as root, the command acts as the owner of the store from here on.
 *
 * @param holder name of the command, shown to other processes that find the store locked
 * @throws the errors of opening the store; SVC-STO-007 beside a running instance
 */
export async function openToWrite(
  config: ConfigWith<'storage.root'>,
  report: Report,
  holder: string,
): Promise<Store> {
  const [{ openStore }, { toStoreOptions }] = await Promise.all([
    import('../src/store/opening/open-store.ts'),
    import('../src/operation/to-store-options.ts'),
  ]);
  actAsOwner(config.storage.root);
  const store = await openStore({
    ...toStoreOptions(config, getBuildInfo().version, report),
    access: 'write',
    holder,
  });
  for (const notice of store.notices) report.log('warn', String(notice), { mediaId: store.mediaId });
  return store;
}

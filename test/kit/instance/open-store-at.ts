import { silentReport } from '../../../src/base/report.ts';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';

/** Opens the store of a place, made where it is missing: to write, and as a mirror, unless told. */
export function openStoreAt(
  place: { readonly root: string; readonly stateRoot?: string | undefined },
  options: Partial<OpenStoreOptions> = {},
): Promise<Store> {
  const { root, stateRoot } = place;
  return openStore({
    root,
    stateRoot,
    mode: 'mirror',
    access: 'write',
    producer: { version: '0.0.0-test' },
    report: silentReport,
    ...options,
  });
}

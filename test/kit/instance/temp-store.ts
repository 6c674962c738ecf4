import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentReport } from '../../../src/base/report.ts';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';

export interface TempStore extends AsyncDisposable {
  readonly folder: string;
  readonly root: string;
  readonly stateRoot: string;
  /** The store that is open now. */
  readonly store: Store;
  /** Closes it and opens it again, with other options where given. */
  reopen(options?: Partial<OpenStoreOptions>): Promise<Store>;
  close(): Promise<void>;
}

/** A store in a folder of its own, which is removed with it. Its state root lies beside it. */
export async function openTempStore(options: Partial<OpenStoreOptions> = {}): Promise<TempStore> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-store-'));
  const root = join(folder, 'store');
  const stateRoot = join(folder, 'state');
  const open = (more: Partial<OpenStoreOptions>): Promise<Store> =>
    openStore({
      root,
      stateRoot,
      access: 'write',
      producer: { version: '0.0.0-test' },
      report: silentReport,
      ...options,
      ...more,
    });
  let store = await open({}).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    folder,
    root,
    stateRoot,
    get store() {
      return store;
    },
    reopen: async (more = {}) => {
      await store[Symbol.asyncDispose]();
      store = await open(more);
      return store;
    },
    close: async () => store[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

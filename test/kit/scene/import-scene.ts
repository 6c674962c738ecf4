import type { Inspection } from '../../../src/contract/content.ts';
import type { Task } from '../../../src/contract/task.ts';
import { type Context, openContext } from '../../../src/operation/context.ts';
import { type AskedImport, importArtifact, toImportTask } from '../../../src/operation/import-artifact.ts';
import { inspectArtifact } from '../../../src/operation/inspect-artifact.ts';
import type { Store } from '../../../src/store/model.ts';
import { openBlob } from '../../../src/store/open-blob.ts';
import { createMemoryJournal } from '../instance/memory-journal.ts';
import { tlsPair } from '../program/tls-pair.ts';
import { openSyncScene, type SyncScene } from './sync-scene.ts';

export interface ImportScene extends AsyncDisposable {
  /** Origin, folder, report, and synchronizations of the same store. */
  readonly scene: SyncScene;
  readonly store: Store;
  readonly context: Context;
  inspect(reference: string, signal?: AbortSignal): Promise<Inspection>;
  /** Imports the reference of a request. @throws the error that ends the task */
  run(
    request: Partial<AskedImport> & Pick<AskedImport, 'reference'>,
    options?: { before?: Task; signal?: AbortSignal },
  ): Promise<{ readonly task: Task; readonly lines: readonly string[] }>;
  /** Inspects, and imports everything that is offered. */
  take(
    reference: string,
    more?: Partial<AskedImport>,
  ): Promise<{ readonly inspection: Inspection; readonly task: Task; readonly lines: readonly string[] }>;
  /** The archive or other bytes of a blob of the store. */
  readBlob(digest: Inspection['digest']): Promise<Buffer>;
}

/** A store with an origin to import from: real registry, real store, one process. */
export async function openImportScene(
  change: Parameters<SyncScene['config']>[0] = {},
  options: Parameters<typeof openSyncScene>[0] = {},
): Promise<ImportScene> {
  const scene = await openSyncScene(options);
  const store = await scene.openStore();
  const config = scene.config({
    ...change,
    import: { inspectTimeout: 20_000, ...change?.import },
    network: { ...change?.network, tls: { ca: tlsPair.ca, ...change?.network?.tls } },
  });
  const context = await openContext(config, { report: scene.report, version: '0.0.0-test', spool: true });

  const inspect: ImportScene['inspect'] = (reference, signal) =>
    inspectArtifact(context, { store, reference, signal });
  const run: ImportScene['run'] = async (
    { reference, platforms = [], vendorDependencies = false, replaces },
    { before, signal } = {},
  ) => {
    const request = toImportTask(context, store, {
      reference,
      platforms,
      vendorDependencies,
      replaces,
      actor: 'test',
    });
    const { journal, task, lines } = createMemoryJournal(before);
    await importArtifact(context, { store, task, request, journal, signal });
    return { task: journal.task, lines };
  };
  return {
    scene,
    store,
    context,
    inspect,
    run,
    take: async (reference, more = {}) => {
      const inspection = await inspect(reference);
      const platforms = inspection.platforms.map(({ name, digest }) => ({ name, digest }));
      return { inspection, ...(await run({ reference, platforms, ...more })) };
    },
    readBlob: async (digest) => {
      const { file } = await openBlob(store, digest);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

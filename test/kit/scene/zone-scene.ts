import type { PlanAnswer } from '../../../src/contract/plan.ts';
import type { PrunePreview } from '../../../src/contract/recipe.ts';
import type { Task } from '../../../src/contract/task.ts';
import type { SyncOutcome } from '../../../src/engine/sync/run-sync.ts';
import { type Context, openContext } from '../../../src/operation/context.ts';
import { importArtifact, toImportTask } from '../../../src/operation/import-artifact.ts';
import { inspectArtifact } from '../../../src/operation/inspect-artifact.ts';
import { planSync } from '../../../src/operation/plan-sync.ts';
import { previewPrune } from '../../../src/operation/prune-preview.ts';
import { sync } from '../../../src/operation/sync.ts';
import type { Store } from '../../../src/store/model.ts';
import { putManifest } from '../../../src/store/put-manifest.ts';
import type { Artifact } from '../content/content.ts';
import { uploadAsClient } from '../content/push-as-client.ts';
import { createMemoryJournal } from '../instance/memory-journal.ts';
import { openSyncScene, type SyncScene } from './sync-scene.ts';

/** A zone whose content comes in every way: recipes, unit imports and pushes. */
export interface ZoneScene extends AsyncDisposable {
  readonly scene: SyncScene;
  /** The store as it is open now. */
  readonly store: Store;
  /** The local repository of a repository of the origin. */
  toLocal(repository: string): string;
  /** Imports a tag of the origin with all its platforms. */
  take(repository: string, tag: string): Promise<void>;
  push(repository: string, tag: string, image: Artifact): Promise<void>;
  sync(prune: boolean): Promise<{ readonly task: Task; readonly outcome: SyncOutcome }>;
  plan(prune: boolean): Promise<PlanAnswer>;
  preview(): Promise<PrunePreview>;
  /** Closes the store and opens it again. */
  restart(): Promise<void>;
}

export async function openZoneScene(options: Parameters<typeof openSyncScene>[0] = {}): Promise<ZoneScene> {
  const scene = await openSyncScene(options);
  let store = await scene.openStore();
  const config = scene.config({ import: { inspectTimeout: 20_000 } });
  const context: Context = await openContext(config, {
    report: scene.report,
    version: '0.0.0-test',
    spool: true,
  });
  return {
    scene,
    get store() {
      return store;
    },
    toLocal: (repository) => `${scene.origin.host.replace(':', '_')}/${repository}`,
    take: async (repository, tag) => {
      const reference = `${scene.origin.host}/${repository}:${tag}`;
      const inspection = await inspectArtifact(context, { store, reference });
      const platforms = inspection.platforms.map(({ name, digest }) => ({ name, digest }));
      const asked = { reference, platforms, vendorDependencies: false, actor: 'test' };
      const request = toImportTask(context, store, asked);
      const { journal, task } = createMemoryJournal();
      await importArtifact(context, { store, task, request, journal });
    },
    push: async (repository, tag, { manifest, blobs }) => {
      for (const blob of blobs) await uploadAsClient(store, repository, blob);
      await putManifest(store, repository, manifest, { owner: { provenance: 'push' }, tag });
    },
    sync: async (prune) => {
      const { journal, task } = createMemoryJournal();
      const outcome = await sync(context, { store, task, journal, prune: prune ? 'asked' : 'off' });
      return { task: journal.task, outcome };
    },
    plan: (prune) => planSync(context, { store, prune }),
    preview: () => previewPrune(context, store),
    restart: async () => {
      await store[Symbol.asyncDispose]();
      store = await scene.openStore();
    },
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

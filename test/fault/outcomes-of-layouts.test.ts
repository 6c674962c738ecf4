import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { selectTaskError, toTaskExitCode } from '../../commands/client/wait-for-task.ts';
import { renderImport } from '../../commands/render/layout.ts';
import { importLayout } from '../../src/operation/import-layout.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { type Artifact, buildImage, pushArtifact } from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { openMemoryFolder } from '../kit/instance/memory-folder.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { loadSettings } from '../kit/scene/load-settings.ts';
import { times } from './rig/form.ts';
import { findPrincipal, toExpectedExit } from './rig/principal.ts';
import { type Histories, runHistories } from './rig/run-histories.ts';

/** The fault of an entry: a layer with another byte, no layer, or no manifest. */
const faults = ['none', 'none', 'damaged', 'no layer', 'no manifest'] as const;

interface World extends AsyncDisposable {
  readonly drafts: Map<string, (typeof faults)[number]>;
}

const blobOf = (root: string, digest: string): string => join(root, 'blobs', ...digest.split(':'));

/** A layout of one image a draft, as a store leaves it at rest, with the fault of each. */
async function makeLayout(
  folder: string,
  layout: string,
  drafts: World['drafts'],
): Promise<Map<string, Artifact>> {
  const made = join(folder, 'made');
  const images = new Map([...drafts.keys()].map((name) => [name, buildImage(name)]));
  {
    await using store = await openStoreAt({ root: made, stateRoot: join(folder, 'maker') });
    for (const [name, image] of images)
      await pushArtifact(openRepository(store, name, { owner: { provenance: 'import' } }), image, 'v1');
  }
  for (const name of ['oci-layout', 'index.json', 'blobs'])
    await cp(join(made, name), join(layout, name), { recursive: true });
  for (const [name, fault] of drafts) {
    const { manifest, blobs } = images.get(name)!;
    const layer = blobOf(layout, blobs.at(-1)!.descriptor.digest);
    if (fault === 'damaged') await damageFile(layer, 100);
    if (fault === 'no layer') await rm(layer);
    if (fault === 'no manifest') await rm(blobOf(layout, manifest.descriptor.digest));
  }
  return images;
}

const histories: Histories<World> = {
  name: 'outcomes-of-layouts',
  count: times(10, 5000),
  length: 4,
  checks: 'end',
  open: async () => ({ drafts: new Map(), [Symbol.asyncDispose]: async () => {} }),
  draw: (draw) => {
    const fault = draw.pick(faults);
    const name = `images/one-${draw.below(1000)}`;
    return { name: `${fault} ${name}`, run: async ({ drafts }) => void drafts.set(name, fault) };
  },
  check: async ({ drafts }) => {
    await using temporary = await openMemoryFolder('svc-layouts-');
    const folder = temporary.path;
    // an instance reads no layout below /dev
    await using layouts = await openTempFolder();
    const images = await makeLayout(folder, layouts.path, drafts);
    await using store = await openStoreAt({ root: join(folder, 'store'), stateRoot: join(folder, 'state') });
    const report = createRecordingReport();
    const { journal } = createMemoryJournal();
    const config = await loadSettings(join(folder, 'settings.json'), {
      storage: { root: join(folder, 'store') },
      state: { root: join(folder, 'state') },
    });
    const input = layouts.path;
    const openStore = async () => store;
    const result = await importLayout({ config, report }, { openStore, input, actor: 'test', journal });
    const { task } = journal.toEnded(new Date(), undefined);
    const errors = result.entries.flatMap(({ error }) => error ?? []);
    const principal = findPrincipal(errors);
    assert.equal(result.failed, [...drafts.values()].filter((fault) => fault !== 'none').length);
    assert.equal(result.failed, errors.length);
    assert.equal(task.counts.failed, errors.length);
    assert.equal(task.status, principal ? 'failed' : 'done');
    assert.equal(task.principalCode, principal?.code);
    assert.equal(selectTaskError(task)?.code, principal?.code);
    assert.equal(toTaskExitCode(task), toExpectedExit(errors));
    const audit = report.audits.find(({ action }) => action === 'layout.import');
    assert.equal(audit?.outcome, principal ? 'failure' : 'success');
    const text = renderImport(result, 'en');
    for (const [name, fault] of drafts) {
      const reference = `${name}:v1`;
      const item = task.items.find((one) => one.name === reference);
      const isThere = store.index.tag(name, 'v1')?.digest === images.get(name)!.manifest.descriptor.digest;
      assert.equal(item?.status, fault === 'none' ? 'done' : 'failed', reference);
      assert.equal(isThere, fault === 'none', reference);
      if (item?.error) assert.ok(text.includes(`${reference}: ${item.error.code}`), text);
    }
  },
};

test('of a layout the gravest error is named everywhere, and no success is shown over a failure', async (t) => {
  await runHistories(t, histories);
});

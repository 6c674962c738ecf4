import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createScrub, type ScrubOptions, type StoreScrub } from '../../src/operation/scrub-store.ts';
import { deleteTag } from '../../src/store/delete-content.ts';
import type { Store } from '../../src/store/model.ts';
import { occupancyOf } from '../../src/store/occupancy.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import { buildImage, digestsOf, pushArtifact } from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { createRecordingReport, type RecordingReport } from '../kit/instance/recording-report.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';
import { folderPrint } from '../kit/result/folder-print.ts';

const owner = { provenance: 'recipe', recipe: 'shop@1.0.0' } as const;
const image = buildImage('scrub', { ownLayers: 12, layerSize: 40_000 });
const all = digestsOf(image);
const layer = image.blobs.at(-1)!.descriptor;

async function openFilled(): Promise<TempStore> {
  const temp = await openTempStore();
  await pushArtifact(openRepository(temp.store, 'app', { owner }), image, 'v1');
  return temp;
}

interface Scrubbing extends AsyncDisposable {
  readonly scrub: StoreScrub;
  readonly report: RecordingReport;
}

/** The check of a store under way, with its own store and state unless told otherwise. */
function startScrub({ store, stateRoot }: TempStore, more: Partial<ScrubOptions> = {}): Scrubbing {
  const report = createRecordingReport();
  const scrub = createScrub({ store, stateRoot, report, isBusy: () => false, idleRate: 1 << 30, ...more });
  scrub.start();
  return { scrub, report, [Symbol.asyncDispose]: () => scrub.stop() };
}

const isOver = ({ scrub }: Scrubbing, count = 1): Promise<unknown> =>
  eventually('a whole pass', () => scrub.view().running === undefined && scrub.view().last && count);

const damage = ({ root }: Pick<Store, 'root'>, digest: string): Promise<void> =>
  damageFile(join(root, 'blobs', ...digest.split(':')), 7);

test('a pass reads every blob once and shows its totals', async () => {
  await using temp = await openFilled();
  await using run = startScrub(temp);
  await isOver(run);
  const { enabled, last, quarantine } = run.scrub.view();
  assert.deepEqual([enabled, last?.files, last?.damaged, last?.findings], [true, all.length, 0, []]);
  assert.equal(last?.bytes, occupancyOf(temp.store).bytes);
  assert.deepEqual(quarantine, { files: 0, bytes: 0 });
});

test('a damaged blob is quarantined at once, and reported with the tags that need it', async () => {
  await using temp = await openFilled();
  await damage(temp, layer.digest);
  await using run = startScrub(temp);
  await isOver(run);
  const { last, quarantine } = run.scrub.view();
  const path = `_svc/quarantine/sha256-${layer.digest.slice(7)}`;
  assert.deepEqual(
    last?.findings.map(({ digest, path: at, affects }) => ({ digest, at, affects })),
    [
      {
        digest: layer.digest,
        at: path,
        affects: [{ repository: 'app', tag: 'v1', recipes: ['shop@1.0.0'] }],
      },
    ],
  );
  const { lastAt, ...counted } = quarantine;
  assert.deepEqual(counted, { files: 1, bytes: layer.size });
  assert.ok(Date.parse(lastAt!) >= Date.parse(last!.startedAt), lastAt);
  assert.equal(temp.store.index.sizeOf(layer.digest), undefined);
  assert.deepEqual(
    run.report.audits.map(({ action, actor, target, outcome }) => [action, actor, target, outcome]),
    [['store.quarantine', 'system', layer.digest, 'success']],
  );
  assert.ok(
    run.report.records.some(({ level, fields }) => level === 'error' && fields.digest === layer.digest),
  );
  await temp.reopen();
  assert.equal(temp.store.index.sizeOf(layer.digest), undefined, 'also after a restart');
  await pushArtifact(openRepository(temp.store, 'app', { owner }), image, 'v1');
  assert.equal(temp.store.index.sizeOf(layer.digest), layer.size, 'a push brings it back');
  for await (const { name, problems } of checkContent(temp.store)) assert.deepEqual(problems, [], name);
});

test('a file that is gone counts as absent, and nothing is put in quarantine', async () => {
  await using temp = await openFilled();
  await rm(join(temp.root, 'blobs', ...layer.digest.split(':')));
  await using run = startScrub(temp);
  await isOver(run);
  assert.deepEqual(
    run.scrub.view().last?.findings.map(({ digest, path }) => [digest, path]),
    [[layer.digest, undefined]],
  );
  assert.equal(temp.store.index.sizeOf(layer.digest), undefined);
});

test('a pass keeps to its rate, and to a lower one beside others', async () => {
  await using temp = await openFilled();
  const { bytes } = occupancyOf(temp.store);
  for (const isBusy of [false, true]) {
    const rate = isBusy ? 1 << 30 : 2 * bytes;
    const start = performance.now();
    await using run = startScrub(
      { ...temp, stateRoot: join(temp.folder, `state-${isBusy}`) },
      { idleRate: rate, isBusy: () => isBusy },
    );
    await isOver(run);
    const seconds = (performance.now() - start) / 1000;
    const least = isBusy ? bytes / (2 << 20) : 0.5;
    assert.ok(seconds >= 0.9 * least, `${seconds} s`);
  }
});

test('a stopped pass is resumed by the next process', async () => {
  await using temp = await openFilled();
  const files: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await using run = startScrub(temp, { idleRate: 1 << 20 });
    const before = files.at(-1) ?? 0;
    await eventually('some files more', () => (run.scrub.view().running?.files ?? 0) > before + 1);
    await run.scrub.stop();
    files.push(run.scrub.view().running!.files);
    if (round > 0) assert.ok(run.report.records.some(({ fields }) => fields.resumed === true));
    await temp.reopen();
  }
  await using run = startScrub(temp);
  await isOver(run);
  assert.equal(run.scrub.view().last?.files, all.length, 'no blob was read twice');
});

test('after a whole pass the next one waits for its day, whatever the clock says', async () => {
  await using temp = await openFilled();
  {
    await using run = startScrub(temp);
    await isOver(run);
  }
  const hour = 3_600_000;
  for (const [skew, isDue] of [
    [hour, false],
    [25 * hour, true],
    [-hour, true],
  ] as const) {
    await using run = startScrub(temp, { now: () => Date.now() + skew });
    const begins = () => run.report.records.some(({ message }) => message.endsWith('started'));
    if (isDue) await eventually('the next pass', begins);
    else {
      await eventually('the record to be read', () => run.scrub.view().last);
      assert.equal(begins(), false);
    }
    await run.scrub.stop();
  }
});

test('an unreadable record is discarded', async () => {
  await using temp = await openFilled();
  const path = join(temp.stateRoot, 'scrub');
  const texts = [
    '',
    '{',
    'null',
    '[]',
    '{"format":2}',
    '{"format":1,"pass":{"mediaId":7}}',
    '{"format":1,"last":[]}',
  ];
  for (const text of texts) {
    await writeFile(path, text);
    await using run = startScrub(temp);
    await isOver(run);
    assert.equal(run.scrub.view().last?.files, all.length, text);
  }
  const { last } = JSON.parse(await readFile(path, 'utf8'));
  assert.equal(last.mediaId, temp.store.mediaId);
});

test('a foreign store is not read, and nothing of it is moved', async () => {
  await using temp = await openFilled();
  await damage(temp, layer.digest);
  const zone = { zone: 'zone-b', stateRoot: join(temp.folder, 'other'), access: 'serve' } as const;
  await temp.reopen(zone);
  const print = folderPrint(temp.root);
  await using run = startScrub({ ...temp, stateRoot: zone.stateRoot, store: temp.store });
  await run.scrub.stop();
  assert.equal(run.scrub.view().enabled, false);
  assert.deepEqual(run.report.records, []);
  assert.deepEqual(folderPrint(temp.root), print);
});

test('content that is added and removed during a pass is not reported as damage', async () => {
  await using temp = await openFilled();
  await using run = startScrub(temp, { idleRate: 4 << 20 });
  const { store } = temp;
  for (let n = 0; n < 8; n += 1) {
    const other = buildImage(`other ${n}`, { layerSize: 20_000 });
    await pushArtifact(openRepository(store, `other/${n}`, { owner }), other, 'v1');
    await deleteTag(store, `other/${n}`, 'v1');
  }
  await isOver(run);
  assert.deepEqual(run.scrub.view().last?.findings, []);
});

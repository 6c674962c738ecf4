import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { appendFile, chmod, cp, lstat, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { VerificationProgress } from '../../../src/contract/medium.ts';
import { maxFindings, toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { isSvcError, SvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

/** Every name below a folder with everything that a look at it gives, and its bytes. */
async function photograph(root: string): Promise<string[]> {
  const seen: string[] = [];
  for (const name of ['.', ...(await readdir(root, { recursive: true }))]) {
    const path = join(root, name);
    const info = await lstat(path, { bigint: true });
    const content = info.isFile() ? hashBytes(await readFile(path)) : '';
    seen.push(
      `${name} ${info.mode} ${info.ino} ${info.nlink} ${info.size} ${info.mtimeNs} ${info.ctimeNs} ${content}`,
    );
  }
  return seen.sort();
}

test('a medium inside another one is named as such, with its folder', async () => {
  const carried = await medium.carry();
  await cp(medium.root, join(carried, 'storage'), { recursive: true });
  const { report } = await verifyCarried(carried, trust(medium.signer));
  const [finding, ...others] = report.findings;
  assert.deepEqual(others, []);
  assert.equal(finding!.code, 'SVC-MED-020');
  const nested = join(carried, 'storage');
  assert.deepEqual(finding!.params.nested, nested);
  const { cause, action } = renderError(new SvcError(finding!.code, finding!.params), 'en');
  assert.match(cause, /is a medium itself/);
  assert.ok(action.includes(`--storage-root ${nested}`), action);
  assert.doesNotMatch(action, /No action/);
});

test('a medium as its maker left it is pushable, every recipe by its signature', async () => {
  const { report, cleared } = await verifyCarried(await medium.carry(), trust(medium.signer));
  assert.deepEqual(report.blocks, []);
  assert.deepEqual(report.findings, []);
  assert.equal(report.verdict, 'pushable');
  assert.equal(toMediumExitCode(report), 0);
  assert.deepEqual(
    report.recipes.map(({ name, pushable, keyFingerprint }) => [name, pushable, keyFingerprint]),
    [
      ['shop', true, medium.signer.fingerprint],
      ['depot', true, medium.signer.fingerprint],
    ],
  );
  assert.equal(cleared.length, 2);
  assert.equal(report.checked.files, report.medium!.files);
  assert.equal(report.checked.bytes, report.medium!.bytes);
});

test('the stages come in their order, with counters that only grow, and every recipe is named', async () => {
  const seen: VerificationProgress[] = [];
  await verifyCarried(medium.root, trust(medium.signer), { onProgress: (progress) => seen.push(progress) });
  const stages = seen.map(({ stage }) => stage).filter((stage, i, all) => stage !== all[i - 1]);
  assert.deepEqual(stages, ['inventory', 'manifest', 'recipes', 'ingredients', 'extraneous']);
  for (const [i, { files, bytes }] of seen.entries()) {
    assert.ok(i === 0 || files >= seen[i - 1]!.files);
    assert.ok(i === 0 || bytes >= seen[i - 1]!.bytes);
  }
  assert.equal(seen.at(-1)!.files, seen.at(-1)!.totalFiles);
  assert.equal(seen.at(-1)!.bytes, seen.at(-1)!.totalBytes);
  const named = (stage: string) =>
    new Set(seen.flatMap((one) => (one.stage === stage ? (one.recipe ?? []) : [])));
  for (const stage of ['recipes', 'ingredients'])
    assert.deepEqual([...named(stage)], ['shop@1.4.0', 'depot@2.0.0']);
});

test('the recipes judged so far are told with their verdict, and are those of the report at the end', async () => {
  const seen: VerificationProgress[] = [];
  const { report } = await verifyCarried(medium.root, trust(medium.signer), {
    onProgress: (progress) => seen.push(progress),
  });
  assert.deepEqual([...new Set(seen.map(({ recipes }) => recipes.length))], [0, 1, 2]);
  assert.deepEqual(seen.at(-1)!.recipes, report.recipes);
  assert.equal(seen.at(-1)!.totalRecipes, 2);
  assert.equal(seen[0]!.totalRecipes, undefined);
});

test('a recipe whose signature fails is settled before the ingredients of the others are judged', async () => {
  const seen: VerificationProgress[] = [];
  const { signer } = medium;
  const root = await medium.carry();
  const [record] = medium.records;
  await rm(join(root, 'blobs', 'sha256', record!.digest.slice(7)));
  const { report } = await verifyCarried(root, trust(signer), { onProgress: (one) => seen.push(one) });
  const first = seen.find(({ recipes }) => recipes.length > 0)!;
  assert.deepEqual(
    [first.stage, first.recipes[0]!.name, first.recipes[0]!.pushable],
    ['recipes', 'shop', false],
  );
  assert.deepEqual(seen.at(-1)!.recipes, report.recipes);
});

for (const [name, spoil] of [
  ['good', async () => {}],
  ['damaged', async (root: string) => truncate(join(root, 'index.json'), 3)],
  ['without a manifest', async (root: string) => rm(join(root, 'media.jsonl'))],
  [
    'with a torn ledger',
    async (root: string) => appendFile(join(root, 'ledger', 'content-00000001.jsonl'), '{"bat'),
  ],
  ['with a planted journal', async (root: string) => writeFile(join(root, '_svc', 'lock-journal'), 'x')],
] as [string, (root: string) => Promise<void>][]) {
  test(`verifying a medium leaves it as it was, byte by byte and name by name: ${name}`, async () => {
    const { root } = await carry(medium);
    await spoil(root);
    const before = await photograph(root);
    await verifyCarried(root, trust(medium.signer), { stateRoot: join(medium.folder, 'zone-state') });
    assert.deepEqual(await photograph(root), before);
  });
}

test('a copy without a writable bit anywhere verifies as well', async () => {
  const { root } = await carry(medium);
  const names = ['.', ...(await readdir(root, { recursive: true }))].map((name) => join(root, name));
  for (const path of names.toReversed()) await chmod(path, (await lstat(path)).isDirectory() ? 0o555 : 0o444);
  try {
    const { report } = await verifyCarried(root, trust(medium.signer));
    assert.equal(report.verdict, 'pushable');
  } finally {
    for (const path of names) await chmod(path, 0o755);
  }
});

const rewrite = (path: string): void => writeFileSync(path, readFileSync(path));
const changes: readonly [name: string, change: (root: string) => void][] = [
  ['a listed file grows', (root) => appendFileSync(join(root, 'index.json'), ' ')],
  ['a listed file is written again with the same bytes', (root) => rewrite(join(root, 'oci-layout'))],
  ['a listed file only looks older', (root) => utimesSync(join(root, 'oci-layout'), 1, 1)],
  ['a listed file goes', (root) => rmSync(join(root, 'index.json'))],
  ['the manifest is rewritten', (root) => rewrite(join(root, 'media.jsonl'))],
  ['the manifest goes', (root) => rmSync(join(root, 'media.jsonl'))],
];

for (const [name, change] of changes) {
  test(`there is no verdict when ${name} during the walk`, async () => {
    const { root } = await carry(medium);
    await writeFile(join(root, '_svc', 'lock-journal'), 'no lock is taken beside this');
    let isChanged = false;
    const verification = verifyCarried(root, trust(medium.signer), {
      onProgress: ({ stage }) => {
        if (stage !== 'recipes' || isChanged) return;
        isChanged = true;
        change(root);
      },
    });
    await assert.rejects(verification, (error) => {
      assert.ok(isSvcError(error, 'SVC-STO-007'));
      assert.match(renderError(error, 'en').what, /was changed while it was read\.$/);
      return true;
    });
    assert.ok(isChanged);
  });
}

test('a change through the same store during the walk ends it without a verdict', async () => {
  const folder = join(medium.folder, 'walked');
  await cp(medium.root, folder, { recursive: true });
  const { verifyMedium } = await import('../../../src/engine/medium/verify-medium.ts');
  const report = createRecordingReport();
  await using store = await openStoreAt(
    { root: folder, stateRoot: join(medium.folder, 'maker') },
    { zone: medium.zone, access: 'serve', report },
  );
  assert.equal(store.standing, 'ours');
  const { startReading } = await import('../../../src/engine/medium/read-medium.ts');
  const reading = startReading(folder);
  const read = reading.outcomes.then(async (outcomes) => {
    const target = openRepository(store, 'pushed/by/hand', { owner: { provenance: 'import' } });
    await pushArtifact(target, buildImage('by hand'), 'v1');
    return outcomes;
  });
  const walk = verifyMedium({
    reading: { ...reading, outcomes: read },
    store,
    zone: medium.zone,
    policy: trust(medium.signer),
    freshness: undefined,
    waive: { zoneMismatch: false, stale: false },
    report,
    now: Date.now,
  });
  await assert.rejects(walk, (error) => isSvcError(error, 'SVC-STO-007'));
});

test('only the highest version that a medium brings is compared with the imported one', async () => {
  const [shop] = defaultRecipes();
  const recipes = ['1.4.0', '1.5.0', '1.4.1'].map((version) => ({ ...shop!, version }));
  await using both = await buildMedium({ recipes });
  const codes = async (imported: string) => {
    const freshness = {
      mediaId: 'earlier',
      resolvedAt: '2025-01-01T00:00:00.000Z',
      importedAt: '2025-01-02T00:00:00.000Z',
      runId: 'run',
      recipes: { shop: imported },
    };
    const { report } = await verifyCarried(both.root, trust(both.signer), { freshness });
    return report.findings.map(({ code, params }) => [code, params.version]);
  };
  assert.deepEqual(await codes('1.5.0'), []);
  assert.deepEqual(await codes('1.6.0'), [['SVC-MED-023', '1.5.0']]);
});

test('an aborted walk ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const walk = verifyCarried(medium.root, trust(medium.signer), {
    signal: stop.signal,
    onProgress: ({ stage }) => {
      if (stage === 'ingredients') stop.abort(new Error('enough'));
    },
  });
  await assert.rejects(walk, /enough/);
});

test('findings are bounded, severe ones first, and the rest is counted in the log', async () => {
  const { root, blob, parts } = await carry(medium);
  for (let i = 0; i < maxFindings + 50; i += 1) await writeFile(join(root, 'blobs', `stranger ${i}`), '');
  await truncate(blob((await parts('shop')).layer), 1);
  const log = createRecordingReport();
  const { report } = await verifyCarried(root, trust(medium.signer), { report: log });
  assert.equal(report.findings.length, maxFindings);
  assert.equal(report.findings[0]!.code, 'SVC-MED-011');
  const counted = log.records.find(({ fields }) => fields?.unnamed !== undefined)!;
  assert.ok(Number(counted.fields.unnamed) >= 51);
});

test('everything that is reported or logged names the medium', async () => {
  const { root, blob, parts } = await carry(medium);
  await truncate(blob((await parts('shop')).layer), 1);
  await writeFile(join(root, 'stranger'), '');
  const log = createRecordingReport();
  const { report } = await verifyCarried(root, trust(medium.signer), { report: log, zone: 'zone-c' });
  const { mediaId } = report.medium!;
  assert.match(mediaId, /^[0-9a-f-]{36}$/);
  const params = [
    ...report.blocks.map((block) => block.params),
    ...report.findings.map((finding) => finding.params),
    ...report.recipes.flatMap(({ reason }) => (reason ? [reason.params] : [])),
  ];
  assert.ok(params.length > 4);
  for (const one of params) assert.equal(one.mediaId, mediaId);
  assert.ok(log.records.length > 0);
  for (const { fields, message } of log.records) assert.equal(fields.mediaId, mediaId, message);
});

test('what cannot be opened as a store still names the medium that its header names', async () => {
  const { root } = await carry(medium);
  await rm(join(root, 'ledger'), { recursive: true });
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.equal(report.verdict, 'blocked');
  assert.equal(report.blocks[0]!.params.mediaId, report.medium!.mediaId);
  await appendFile(join(root, 'media.jsonl'), 'cut off');
  const unreadable = await verifyCarried(root, trust(medium.signer));
  assert.equal(unreadable.report.blocks[0]!.code, 'SVC-MED-002');
  assert.equal(unreadable.report.blocks[0]!.params.mediaId, report.medium!.mediaId);
});

test('members that no header has are not passed on', async () => {
  const { root, editManifest } = await carry(medium);
  await editManifest((header, lines) => {
    header.producedBy.evil = 'x';
    header.totals = { files: lines.length, bytes: lines.reduce((sum, { size }) => sum + size, 0), evil: 'x' };
    return undefined;
  });
  const { report } = await verifyCarried(root, trust(medium.signer));
  assert.equal(report.verdict, 'pushable');
  assert.ok(!JSON.stringify(report).includes('evil'));
});

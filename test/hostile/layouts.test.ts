import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestAlgorithm, hashBytes } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { blobPath } from '../../src/oci/layout.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { importLayout } from '../../src/operation/import-layout.ts';
import { isSvcError } from '../../src/text/error.ts';
import type { Files, Mutation } from '../kit/hostile/hostile-layouts/mutation.ts';
import { toFolder, toTar } from '../kit/hostile/hostile-layouts/tar-members.ts';
import { image, nameKey, toEntry, toFiles, toIndex } from '../kit/hostile/hostile-layouts/victim.ts';
import { hostileLayouts } from '../kit/hostile/hostile-layouts.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';
import { folderPrint } from '../kit/result/folder-print.ts';

async function importInto(temp: TempStore, input: string, repository?: string) {
  const { config } = await loadConfig({
    flags: { 'storage.root': temp.root, 'state.root': temp.stateRoot },
    env: {},
    configPath: join(temp.folder, 'none.yaml'),
  });
  return importLayout(
    { config, report: silentReport },
    { openStore: async () => temp.store, input, repository, actor: 'test' },
  );
}

/** Every file among the blobs has the digest that it is named by, and nothing half-written lies about. */
async function requireClean(temp: TempStore, mutation: Mutation): Promise<void> {
  assert.deepEqual(await readdir(join(temp.root, '_svc', 'tmp')), [], mutation.name);
  for (const algorithm of ['sha256', 'sha512'] as const) {
    for (const name of await readdir(join(temp.root, 'blobs', algorithm))) {
      const bytes = await readFile(join(temp.root, 'blobs', algorithm, name));
      const digest = `${algorithm}:${name}` as const;
      assert.equal(hashBytes(bytes, digestAlgorithm(digest)), digest, mutation.name);
    }
  }
  assert.deepEqual(temp.store.index.repositories(), [], `${mutation.name}: a repository was kept`);
  assert.ok(!existsSync(join(temp.folder, 'planted')) && !existsSync('/tmp/svc-hostile-planted'));
}

test('there are more than sixty hostile layouts, each with a name of its own', () => {
  assert.ok(hostileLayouts.length > 150, String(hostileLayouts.length));
  assert.equal(new Set(hostileLayouts.map(({ name }) => name)).size, hostileLayouts.length);
});

test('each hostile layout is refused with its code, and nothing of it is kept', async (t) => {
  for (const mutation of hostileLayouts) {
    await t.test(mutation.name, async () => {
      await using temp = await openTempStore();
      const path = join(temp.folder, 'layout');
      await mutation.make(path);
      const before = mutation.whole ? folderPrint(temp.root) : undefined;
      const heap = process.memoryUsage().rss;
      if (mutation.whole) {
        await assert.rejects(importInto(temp, path), (error) => {
          assert.ok(isSvcError(error), String(error));
          assert.equal(error.code, mutation.code, JSON.stringify(error.params));
          return true;
        });
        assert.deepEqual(folderPrint(temp.root), before, 'the store is what it was');
      } else {
        const { entries, failed } = await importInto(temp, path);
        assert.ok(failed > 0 && failed === entries.length, JSON.stringify(entries));
        for (const { error } of entries)
          if (error?.code !== mutation.code)
            assert.equal(entries[0]!.error?.code, mutation.code, JSON.stringify(entries));
      }
      await requireClean(temp, mutation);
      assert.ok(process.memoryUsage().rss - heap < 400 << 20, 'memory is bounded');
    });
  }
});

test('what is damaged is lost alone: its neighbours come', async () => {
  await using temp = await openTempStore();
  const { buildImage } = await import('../kit/content/content.ts');
  const [good, bad] = [buildImage('good', { layerSize: 100_000 }), image];
  const files: Files = new Map([...toFiles(bad), ...toFiles(good)]);
  const damaged = bad.blobs[1]!;
  const [path] = [...files].find(([, bytes]) => bytes.equals(damaged.bytes))!;
  files.set(path, Buffer.concat([Buffer.from('x'), damaged.bytes.subarray(1)]));
  files.set(
    'index.json',
    toIndex([toEntry(bad, 'a/bad:1'), toEntry(good, 'b/good:1'), toEntry(good, 'c/good:2')]),
  );
  for (const form of ['tar', 'folder']) {
    const input = join(temp.folder, form);
    if (form === 'tar') await writeFile(input, toTar(files));
    else await toFolder(files, input);
    const { entries, failed } = await importInto(temp, input);
    assert.equal(failed, 1);
    assert.deepEqual(
      entries.map(({ reference, error }) => [reference, error?.code]),
      [
        ['a/bad:1', 'SVC-SIG-002'],
        ['b/good:1', undefined],
        ['c/good:2', undefined],
      ],
    );
    assert.deepEqual(temp.store.index.repositories(), ['b/good', 'c/good']);
  }
});

/** A layout of one image whose index has these entries, as its text. */
async function writeIndex(
  temp: TempStore,
  index: string | Buffer,
  files: Files = toFiles(),
): Promise<string> {
  const path = join(temp.folder, 'layout.tar');
  await writeFile(path, toTar(new Map([...files, ['index.json', Buffer.from(index)]])));
  return path;
}

test('an entry of the index that cannot be used is lost alone, and named by its position and its name', async () => {
  await using temp = await openTempStore();
  const broken = (change: object) => ({ ...toEntry(image, 'a/broken:1'), ...change });
  const repeated = '{"mediaType":"a","size":1,"size":2}';
  const listed = [
    toEntry(image, 'a/first:1'),
    broken({ digest: `md5:${'0'.repeat(32)}` }),
    broken({ size: -1 }),
    { ...image.manifest.descriptor, annotations: { other: 7 } },
    null,
    toEntry(image, 'b/last:1'),
  ];
  const index = toIndex(listed)
    .toString()
    .replace(/\]\s*\}\s*$/, `,\n${repeated}]}`);
  const { entries, failed } = await importInto(temp, await writeIndex(temp, index));
  assert.equal(failed, 5);
  const { digest } = image.manifest.descriptor;
  assert.deepEqual(
    entries.map((entry) => [entry.reference, entry.digest, entry.error?.code, entry.error?.params.detail]),
    [
      [
        'manifests[1] (a/broken:1)',
        undefined,
        'SVC-REG-009',
        'manifests[1].digest must be sha256:<64 hex> or sha512:<128 hex>',
      ],
      [
        'manifests[2] (a/broken:1)',
        digest,
        'SVC-REG-009',
        'manifests[2].size must be a whole number of bytes',
      ],
      ['manifests[3]', digest, 'SVC-REG-009', 'manifests[3].annotations.other must be a string'],
      ['manifests[4]', undefined, 'SVC-REG-009', 'manifests[4] must be a descriptor'],
      ['manifests[6]', undefined, 'SVC-REG-009', 'names size twice in one object'],
      ['a/first:1', digest, undefined, undefined],
      ['b/last:1', digest, undefined, undefined],
    ],
  );
  assert.deepEqual(temp.store.index.repositories(), ['a/first', 'b/last']);
});

test('a usable entry keeps its name beside an unusable one, and no name is given while it is unclear which entry it is for', async () => {
  await using temp = await openTempStore();
  const same = [toEntry(image, 'a/same:1'), { ...toEntry(image, 'a/same:1'), size: -1 }];
  const named = await importInto(temp, await writeIndex(temp, toIndex(same)));
  assert.deepEqual(
    named.entries.map(({ reference, error }) => [reference, error?.code]),
    [
      ['manifests[1] (a/same:1)', 'SVC-REG-009'],
      ['a/same:1', undefined],
    ],
  );
  const nameless = [image.manifest.descriptor, { ...image.manifest.descriptor, size: -1 }];
  const unclear = await importInto(temp, await writeIndex(temp, toIndex(nameless)), 'a/given');
  assert.equal(unclear.failed, 2, JSON.stringify(unclear.entries));
  assert.deepEqual(temp.store.index.repositories(), ['a/same']);
});

test('10 000 and 10 001 entries are read, whichever of them can be used; more than 100 000 are refused', async () => {
  for (const many of [10_000, 10_001, 100_000]) {
    await using temp = await openTempStore();
    const listed = [...Array(many - 1).fill({ mediaType: 'a', size: -1 }), toEntry(image, 'a/last:1')];
    const { entries, failed } = await importInto(
      temp,
      await writeIndex(temp, JSON.stringify({ manifests: listed })),
    );
    assert.deepEqual([entries.length, failed], [many, many - 1]);
    assert.equal(entries.at(-1)?.reference, 'a/last:1');
    assert.deepEqual(temp.store.index.repositories(), ['a/last']);
  }
});

test('an index inside a layout with an unusable entry loses the reference that needs it, with what only this reference names', async () => {
  await using temp = await openTempStore();
  const bytes = (manifests: readonly unknown[]) =>
    Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests }));
  const { buildImage } = await import('../kit/content/content.ts');
  const part = buildImage('part');
  const child = part.manifest.descriptor;
  for (const [n, spoiled] of [
    [child, { ...child, size: -1 }],
    [child, null],
    Array(10_001).fill(child),
  ].entries()) {
    const nested = bytes(spoiled);
    const digest = hashBytes(nested);
    const entry = {
      mediaType: mediaTypes.ociIndex,
      digest,
      size: nested.length,
      annotations: { [nameKey]: 'a/many:1' },
    };
    const files: Files = new Map([...toFiles(), ...toFiles(part), [blobPath(digest), nested]]);
    const listed = [entry, child, toEntry(image, `b/good:${n}`)];
    const { entries } = await importInto(temp, await writeIndex(temp, toIndex(listed), files), 'c/given');
    assert.deepEqual(
      entries.map(({ reference, error }) => [reference, error?.code]),
      [
        ['a/many:1', 'SVC-REG-009'],
        [`b/good:${n}`, undefined],
      ],
    );
  }
  assert.deepEqual(temp.store.index.repositories(), ['b/good']);
});

test('what is good is not refused: other orders, folders, padding, and names that tools write', async () => {
  const files = toFiles();
  const digest = image.manifest.descriptor.digest;
  const name = 'org.opencontainers.image.ref.name';
  const containerd = 'io.containerd.image.name';
  const cases: readonly (readonly [
    annotations: Record<string, string> | undefined,
    repository: string | undefined,
    expected: string,
  ])[] = [
    [{ [name]: 'a/b:1' }, undefined, 'a/b:1'],
    [{ [name]: 'a/b:1' }, 'other', 'a/b:1'],
    [{ [name]: `a/b:1@${digest}` }, undefined, 'a/b:1'],
    [{ [name]: 'docker.io/library/alpine:3' }, undefined, 'docker.io/library/alpine:3'],
    [{ [name]: 'index.docker.io/library/alpine:3' }, undefined, 'docker.io/library/alpine:3'],
    [{ [name]: '127.0.0.1:5000/x/y:z' }, undefined, '127.0.0.1_5000/x/y:z'],
    [{ [name]: 'alpine:3' }, undefined, 'alpine:3'],
    [{ [name]: 'latest' }, 'a/b', 'a/b:latest'],
    [{ [name]: 'latest', [containerd]: 'docker.io/library/redis:7' }, undefined, 'docker.io/library/redis:7'],
    [{ [containerd]: 'docker.io/library/redis:7' }, undefined, 'docker.io/library/redis:7'],
    [undefined, 'a/b', 'a/b:latest'],
    [undefined, 'a/b:v2', 'a/b:v2'],
  ];
  for (const [annotations, repository, expected] of cases) {
    await using temp = await openTempStore();
    const path = join(temp.folder, 'in.tar');
    const entry = { ...image.manifest.descriptor, ...(annotations ? { annotations } : {}) };
    files.set('index.json', toIndex([entry]));
    const reversed = new Map([...files].reverse());
    await writeFile(path, Buffer.concat([toTar(reversed), Buffer.alloc(9 * 1024)]));
    const { entries } = await importInto(temp, path, repository);
    assert.deepEqual(entries, [{ reference: expected, digest }]);
    const colon = expected.lastIndexOf(':');
    assert.equal(temp.store.index.tag(expected.slice(0, colon), expected.slice(colon + 1))?.digest, digest);
  }
});

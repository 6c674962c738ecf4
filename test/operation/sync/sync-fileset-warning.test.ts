import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderWarnings } from '../../../commands/render/task.ts';
import { type Artifact, seededBytes, toManifest } from '../../kit/content/content.ts';
import { type Packing, toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { toArchive, toRawArchive } from '../../kit/content/tar-archive.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const good = toArchive({ 'a/file': 'content', big: seededBytes('big', 3 << 20), 'a/link': ['file'] });
const sparse = toRawArchive([
  { path: 'disk.img', content: seededBytes('disk', 2 << 20) },
  { path: 'sparse.img', flag: 'S' },
]);
const below = toRawArchive([{ path: 'file' }, { path: 'file/below' }]);

/** Synchronizes one ingredient of each image and returns the warnings on them. */
async function syncAll(images: Readonly<Record<string, { kind: string; image: Artifact }>>) {
  const scene = await openSyncScene();
  for (const [name, { image }] of Object.entries(images))
    await toOrigin(scene.origin).put(`files/${name}`, image, '1.0.0');
  const ingredients = Object.entries(images).map(([name, { kind, image }]) =>
    toIngredient(name, `files/${name}`, '1.0.0', image.manifest.descriptor, { kind }),
  );
  scene.publish('shop', '1.0.0', ingredients);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { task, lines } = await scene.run();
  const warned = scene.report.records.filter(({ level }) => level === 'warn');
  return { scene, task, lines, warned };
}

const fileset = (packing: Packing, ...archives: readonly Buffer[]) => ({
  kind: 'FileSet',
  image: toFilesetImage(archives.map((archive) => toLayer(archive, packing))),
});

test('a FileSet that cannot be served is copied completely, with a warning in log, task and on the terminal', async () => {
  const images = {
    sound: fileset('gzip', good),
    plain: fileset('none', good, sparse),
    gzip: fileset('gzip', good, sparse),
    zstd: fileset('zstd', below),
    cut: fileset('none', good.subarray(0, 2 << 20)),
    image: { ...fileset('gzip', sparse), kind: 'ContainerImage' },
  };
  const { scene, task, lines, warned } = await syncAll(images);
  await using _scene = scene;
  assert.deepEqual(task.counts, { total: 7, done: 7, failed: 0, skipped: 0 });
  const rules = Object.fromEntries(
    task.items.map(({ name, warning }) => [name.slice(11), warning && [warning.code, warning.params.rule]]),
  );
  assert.deepEqual(rules, {
    '': undefined,
    sound: undefined,
    plain: ['SVC-FIL-004', 'an entry of type "S"'],
    gzip: ['SVC-FIL-004', 'an entry of type "S"'],
    zstd: ['SVC-FIL-004', 'it is below a file'],
    cut: ['SVC-FIL-004', 'the archive is cut off'],
    image: undefined,
  });
  assert.equal(warned.length, 4);
  assert.match(JSON.stringify(warned), /sparse\.img/);
  assert.equal(lines.filter((line) => line.includes('SVC-FIL-004')).length, 4);
  assert.match(renderWarnings(task, 'en'), /! shop@1\.0\.0\/plain: SVC-FIL-004 The FileSet .* is not served/);
  assert.match(
    renderWarnings(task, 'fr'),
    /! shop@1\.0\.0\/plain\u00a0: SVC-FIL-004 Le FileSet .* n’est pas servi/,
  );
  scene.report.records.length = 0;
  const again = await scene.run();
  assert.deepEqual(
    again.task.items.filter(({ warning }) => warning),
    [],
    'only what has just come is read',
  );
});

test('of a file set for several platforms each one that came is judged', async () => {
  const platforms = { 'linux/amd64': good, 'linux/arm64': sparse, 'linux/s390x': below };
  const children = Object.entries(platforms).map(([platform, archive]) => ({
    platform,
    artifact: toFilesetImage([toLayer(archive, 'gzip')], platform),
  }));
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: children.map(({ platform, artifact }) => {
      const [os, architecture] = platform.split('/');
      return { ...artifact.manifest.descriptor, platform: { os, architecture } };
    }),
  });
  const image = { manifest, children, blobs: [] };
  const warning = async (platforms?: readonly string[]) => {
    await using scene = await openSyncScene();
    await toOrigin(scene.origin).put('files/many', image, '1.0.0');
    const one = toIngredient('many', 'files/many', '1.0.0', manifest.descriptor, { kind: 'FileSet' });
    scene.publish('shop', '1.0.0', [platforms ? { ...one, platforms } : one]);
    await scene.setRetriever([['shop', '1.0.0']]);
    return (await scene.run()).task.items[0]?.warning?.params.path;
  };
  assert.equal(await warning(['linux/amd64']), undefined);
  assert.equal(await warning(['linux/s390x']), 'file/below');
  assert.equal(await warning(), 'sparse.img');
});

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { buildIndex } from '../kit/content/content.ts';
import { writeOciLayout } from '../kit/content/oci-layout.ts';
import { createSampleImage } from '../kit/content/sample-image.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { type ClientHome, openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import {
  attestation,
  attested,
  heavy,
  type LayoutScene,
  openLayoutScene,
  sparse,
} from '../kit/scene/layout-scene.ts';

const heavyName = 'registry.example_5000/heavy:2.0';
const heavyDigest = heavy.manifest.descriptor.digest;

interface World extends AsyncDisposable {
  readonly scene: LayoutScene;
  readonly home: ClientHome;
  /** Ours, as archive and as folder. */
  readonly archive: string;
  readonly folder: string;
  /** Brings a layout into a new store. @returns references and digests that came */
  bring(name: string, input: string, ...args: string[]): Promise<Record<string, string>>;
}

async function openWorld(): Promise<World> {
  const scene = await openLayoutScene();
  const home = await openClientHome(scene.folder);
  await scene.json('medium', ['export', 'ours.tar']);
  await scene.json('medium', ['export', 'ours', '--directory']);
  return {
    scene,
    home,
    archive: scene.path('ours.tar'),
    folder: scene.path('ours'),
    bring: async (name, input, ...args) => {
      const { entries, failed, exitCode } = await scene.json(name, ['import', input, ...args]);
      assert.equal(failed, 0, JSON.stringify(entries));
      assert.equal(exitCode, 0);
      return Object.fromEntries(entries.map(({ reference, digest }: any) => [reference, digest]));
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

test('skopeo reads what goes out and writes what comes in, as archive and as folder', async (t) => {
  // it sets the owner of files that it unpacks from an archive
  if (process.getuid?.() !== 0) return t.skip('not run: needs root for skopeo to unpack an archive');
  const skopeo = needs(t, 'skopeo');
  if (skopeo === undefined) return;
  await using world = await openWorld();
  const { home, bring, scene } = world;
  for (const source of [`oci-archive:${world.archive}`, `oci:${world.folder}`]) {
    const raw = await home.run(skopeo, ['inspect', '--raw', `${source}:${heavyName}`]);
    assert.equal(hashBytes(raw), heavyDigest, source);
  }
  const copy = (from: string, to: string) =>
    home.run(skopeo, ['--insecure-policy', 'copy', '--quiet', '--all', '--preserve-digests', from, to]);
  const from = `oci-archive:${world.archive}:${heavyName}`;
  await copy(from, `oci:${scene.path('named')}:registry.example/heavy:2`);
  await copy(from, `oci-archive:${scene.path('named.tar')}:registry.example/heavy:2`);
  await copy(from, `oci:${scene.path('tagged')}:only`);
  await copy(from, `oci-archive:${scene.path('bare.tar')}`);
  const full = { 'registry.example/heavy:2': heavyDigest };
  assert.deepEqual(await bring('s1', 'named'), full);
  assert.deepEqual(await bring('s2', 'named.tar'), full);
  assert.deepEqual(await bring('s3', 'tagged', '--repository', 'a/b'), { 'a/b:only': heavyDigest });
  assert.deepEqual(await bring('s4', 'bare.tar', '--repository', 'a/b:v1'), { 'a/b:v1': heavyDigest });
  const image = createSampleImage({ seed: 'skopeo layout' });
  await writeOciLayout(scene.path('sample'), 'x', image);
  await copy(
    `oci:${scene.path('sample')}:x`,
    `oci-archive:${scene.path('multi.tar')}:docker.io/library/multi:1`,
  );
  assert.deepEqual(await bring('s5', 'multi.tar'), {
    'docker.io/library/multi:1': image.root.descriptor.digest,
  });
});

test('what skopeo makes for docker is named with the command that converts it, and the command does', async (t) => {
  const skopeo = needs(t, 'skopeo');
  if (skopeo === undefined) return;
  await using world = await openWorld();
  const { home, scene, bring } = world;
  const image = createSampleImage({ seed: 'docker', platforms: ['linux/amd64'] });
  await writeOciLayout(scene.path('sample'), 'x', image);
  const policy = '--insecure-policy';
  await home.run(skopeo, [
    policy,
    'copy',
    '--quiet',
    `oci:${scene.path('sample')}:x`,
    `docker-archive:${scene.path('saved.tar')}:shop/app:1`,
  ]);
  const refused = await scene.svc('d1', ['import', 'saved.tar']);
  assert.equal(refused.exitCode, 4);
  const said = /`(skopeo copy docker-archive:<file> oci-archive:<new file>:<name>:<tag>)`/.exec(
    refused.stderr,
  )?.[1];
  assert.ok(said, refused.stderr);
  const command = said
    .replace('<file>', scene.path('saved.tar'))
    .replace('<new file>', scene.path('converted.tar'))
    .replace('<name>:<tag>', 'shop/app:1');
  await home.run(skopeo, [policy, ...command.split(' ').slice(1)]);
  assert.deepEqual(Object.keys(await bring('d2', 'converted.tar')), ['shop/app:1']);
});

test('oras reads what goes out, referrers included, and writes what comes in', async (t) => {
  const oras = needs(t, 'oras');
  if (oras === undefined) return;
  await using world = await openWorld();
  const { home, bring, scene } = world;
  for (const path of [world.archive, world.folder]) {
    const descriptor = await home.run(oras, [
      'manifest',
      'fetch',
      '--descriptor',
      '--oci-layout-path',
      path,
      heavyName,
    ]);
    assert.equal(JSON.parse(descriptor).digest, heavyDigest);
    const found = await home.run(oras, [
      'discover',
      '--format',
      'json',
      '--oci-layout-path',
      path,
      'local/attested:1',
    ]);
    assert.match(found, new RegExp(attestation.manifest.descriptor.digest));
  }
  await home.run(oras, [
    'cp',
    '--recursive',
    '--from-oci-layout-path',
    world.archive,
    'local/attested:1',
    '--to-oci-layout',
    `${scene.path('copied')}:v1`,
  ]);
  const copied = await bring('o1', 'copied', '--repository', 'a/b');
  assert.equal(copied['a/b:v1'], attested.manifest.descriptor.digest);
  const { digest } = attestation.manifest.descriptor;
  assert.equal(copied[digest], digest, 'what has no name goes where its subject went');
  const referrers = await scene.read('o1', ({ index }) =>
    index.referrers('a/b', attested.manifest.descriptor.digest),
  );
  assert.equal(referrers.length, 1);
  for (const platforms of [['linux/amd64'], ['linux/amd64', 'linux/arm64']]) {
    const { manifest, children } = buildIndex(`oras ${platforms.length}`, platforms);
    const blobs = children.flatMap(({ artifact }) => [...artifact.blobs, artifact.manifest]);
    const [plain, listed] = ['plain', 'listed'].map((name) => `${name}-${platforms.length}`);
    await writeOciLayout(scene.path(plain!), '1.0', { root: manifest, manifests: [manifest], blobs });
    await home.run(oras, [
      'cp',
      '--no-tty',
      '--from-oci-layout',
      `${scene.path(plain!)}:1.0`,
      '--to-oci-layout',
      `${scene.path(listed!)}:1.0`,
    ]);
    const { manifests } = JSON.parse(await readFile(scene.path(listed!, 'index.json'), 'utf8'));
    assert.equal(manifests.length, 1 + platforms.length, 'children are listed beside their index');
    assert.deepEqual(await bring(`o-${platforms.length}`, listed!, '--repository', 'multi/app'), {
      'multi/app:1.0': manifest.descriptor.digest,
    });
  }
  await writeFile(join(home.path, 'note.txt'), 'a note');
  await home.run(oras, ['push', '--oci-layout', `${scene.path('pushed')}:note`, 'note.txt:text/plain']);
  assert.deepEqual(Object.keys(await bring('o2', 'pushed', '--repository', 'notes')), ['notes:note']);
});

test('crane pushes what goes out and pulls what comes in', async (t) => {
  const crane = needs(t, 'crane');
  if (crane === undefined) return;
  await using world = await openWorld();
  const { home, bring, scene } = world;
  await mkdir(scene.path('registry'));
  await using registry = await startInstance({ folder: scene.path('registry') });
  const { host } = registry;
  await home.run(crane, ['auth', 'login', host, '-u', 'admin', '-p', adminPassword]);
  await scene.json('medium', ['export', 'one', '--directory', '--repository', 'other/heavy']);
  await home.run(crane, ['push', '--insecure', scene.path('one'), `${host}/crane/heavy:1`]);
  assert.equal(await home.run(crane, ['digest', '--insecure', `${host}/crane/heavy:1`]), heavyDigest);
  await home.run(crane, ['pull', '--insecure', '--format=oci', `${host}/crane/heavy:1`, scene.path('bare')]);
  await home.run(crane, [
    'pull',
    '--insecure',
    '--format=oci',
    '--annotate-ref',
    `${host}/crane/heavy:1`,
    scene.path('named'),
  ]);
  assert.deepEqual(await bring('c1', 'bare', '--repository', 'a/b'), { 'a/b:latest': heavyDigest });
  assert.deepEqual(await bring('c2', 'named'), { [`${host.replace(':', '_')}/crane/heavy:1`]: heavyDigest });
});

test('umoci lists what goes out, and makes what comes in', async (t) => {
  const umoci = needs(t, 'umoci');
  if (umoci === undefined) return;
  await using world = await openWorld();
  const { home, bring, scene } = world;
  const listed = (await home.run(umoci, ['list', '--layout', world.folder])).split('\n');
  for (const name of [heavyName, 'other/heavy:2.0', 'registry.example/sparse:1'])
    assert.ok(listed.includes(name), name);
  await home.run(umoci, ['init', '--layout', scene.path('made')]);
  await home.run(umoci, ['new', '--image', `${scene.path('made')}:first`]);
  assert.deepEqual(Object.keys(await bring('u1', 'made', '--repository', 'a/b')), ['a/b:first']);
});

test('an archive that GNU tar makes of a folder is as good', async (t) => {
  const tar = needs(t, 'tar');
  if (tar === undefined) return;
  await using world = await openWorld();
  const { home, bring, folder, scene } = world;
  const expected = await bring('t0', folder);
  for (const [n, args] of [
    ['--format=gnu'],
    ['--format=pax'],
    ['--format=ustar', '--exclude=sha512'],
  ].entries()) {
    const file = scene.path(`gnu-${n}.tar`);
    await home.run(tar, ['-c', ...args, '-f', file, '-C', folder, '.']);
    if (n < 2) assert.deepEqual(await bring(`t${n + 1}`, file), expected, args[0]);
    else {
      const { entries, failed } = await scene.json('t3', ['import', file]);
      assert.deepEqual(
        [failed, entries.length],
        [1, Object.keys(expected).length],
        'only what was left out is lost',
      );
    }
  }
  const index = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  const found = index.manifests.find(
    ({ digest }: { digest: string }) => digest === sparse.manifest.descriptor.digest,
  );
  assert.equal(found.mediaType, sparse.manifest.descriptor.mediaType);
});

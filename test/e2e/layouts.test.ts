import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLayout } from '../../src/archive/open-layout.ts';
import { blobPath } from '../../src/oci/layout.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { runCommand } from '../kit/program/run-command.ts';
import {
  attestation,
  attestationOfIt,
  describeStore,
  heavy,
  openLayoutScene,
  sparse,
  strong,
} from '../kit/scene/layout-scene.ts';

const print = async (path: string): Promise<Buffer> => readFile(path);

test('a store goes out in one archive and comes in somewhere else with every digest it had', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const result = await scene.json('medium', ['export', 'all.tar']);
  assert.equal(result.exitCode, 0);
  assert.equal(result.bytes, (await stat(scene.path('all.tar'))).size);
  assert.equal(result.totalBytes, result.bytes);
  const imported = await scene.json('copy', ['import', 'all.tar']);
  assert.equal(imported.exitCode, 0, JSON.stringify(imported));
  assert.equal(imported.failed, 0);
  const [before, after] = [
    await scene.read('medium', describeStore),
    await scene.read('copy', describeStore),
  ];
  assert.deepEqual(after, before);
  assert.ok(after.digests.includes(strong.manifest.descriptor.digest));
  assert.ok(after.digests.includes(attestation.manifest.descriptor.digest));
  assert.ok(
    after.digests.includes(attestationOfIt.manifest.descriptor.digest),
    'what refers to a referrer came too',
  );
  assert.equal(imported.manifests + imported.blobs, after.digests.length);
  assert.equal(imported.movedBytes, imported.bytes, 'content of two repositories counts once');
  const provenance = await scene.read('copy', ({ index }) => index.tag('other/heavy', '2.0')!.owners);
  assert.deepEqual(provenance, [{ provenance: 'import' }]);

  const again = await scene.json('copy', ['import', 'all.tar']);
  assert.equal(again.movedBytes, 0, 'importing again moves nothing');
  await scene.json('copy', ['export', 'back.tar']);
  assert.ok((await print(scene.path('back.tar'))).equals(await print(scene.path('all.tar'))));
});

test('the same store is the same bytes each time, as archive and as folder', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  for (const name of ['one', 'two']) {
    await scene.json('medium', ['export', `${name}.tar`]);
    await scene.json('medium', ['export', name, '--directory']);
  }
  assert.ok((await print(scene.path('one.tar'))).equals(await print(scene.path('two.tar'))));
  const names = async (folder: string) => (await readdir(scene.path(folder), { recursive: true })).sort();
  assert.deepEqual(await names('one'), await names('two'));
  for (const name of await names('one')) {
    if (!(await stat(scene.path('one', name))).isFile()) continue;
    assert.ok((await print(scene.path('one', name))).equals(await print(scene.path('two', name))), name);
  }
  const folder = await scene.json('copy', ['import', 'one']);
  assert.equal(folder.exitCode, 0);
  assert.deepEqual(await scene.read('copy', describeStore), await scene.read('medium', describeStore));
});

test('a folder that has lost or damaged content gets it again, with its index or before it had one', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  await scene.json('medium', ['export', 'whole', '--directory']);
  const expected = (await readdir(scene.path('whole'), { recursive: true })).sort();
  // a layer, below a manifest that the folder still has
  const { digest } = strong.manifest.descriptor;
  const layer = strong.blobs.at(-1)!.descriptor.digest;
  const spoil = {
    'a layer is gone': () => rm(scene.path('folder', blobPath(layer))),
    'a layer is damaged': () => damageFile(scene.path('folder', blobPath(layer)), 0),
    'a manifest is gone': () => rm(scene.path('folder', blobPath(digest))),
  };
  for (const [what, harm] of Object.entries(spoil))
    for (const isComplete of [true, false]) {
      await cp(scene.path('whole'), scene.path('folder'), { recursive: true });
      if (!isComplete) await rm(scene.path('folder', 'index.json'));
      await harm();
      const again = await scene.json('medium', ['export', 'folder', '--directory', '--overwrite']);
      assert.equal(again.exitCode, 0, `${what}: ${JSON.stringify(again)}`);
      assert.deepEqual((await readdir(scene.path('folder'), { recursive: true })).sort(), expected, what);
      for (const path of [layer, digest].map(blobPath))
        assert.ok((await print(scene.path('folder', path))).equals(await print(scene.path('whole', path))));
    }
});

test('a layout holds the marker, the index and the blobs, and entries say repository and tag', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const { bytes } = await scene.json('medium', ['export', 'out', '--directory']);
  const files = (await readdir(scene.path('out'), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  let sum = 0;
  for (const { name, parentPath } of files) {
    const path = join(parentPath, name).slice(scene.path('out').length + 1);
    assert.match(path, /^(?:oci-layout|index\.json|blobs\/sha(?:256\/[0-9a-f]{64}|512\/[0-9a-f]{128}))$/);
    sum += (await stat(join(parentPath, name))).size;
  }
  assert.equal(sum, bytes);
  const index = JSON.parse(await readFile(scene.path('out', 'index.json'), 'utf8'));
  const find = (digest: string) =>
    index.manifests.filter((entry: any) => entry.digest === digest).map((entry: any) => entry.annotations);
  const name = 'org.opencontainers.image.ref.name';
  const containerd = 'io.containerd.image.name';
  assert.deepEqual(find(heavy.manifest.descriptor.digest), [
    { [name]: 'other/heavy:2.0' },
    { [name]: 'registry.example_5000/heavy:2.0', [containerd]: 'registry.example:5000/heavy:2.0' },
    { [name]: 'registry.example_5000/heavy:again', [containerd]: 'registry.example:5000/heavy:again' },
  ]);
  const { digest } = attestation.manifest.descriptor;
  assert.deepEqual(find(digest), [{ [name]: `local/attested@${digest}` }]);
});

test('a recipe goes out with its ingredients, its artifact and the signatures, and nothing else does', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const { records } = scene.medium;
  for (const { name, version, repository, ingredients } of records) {
    for (const wanted of [name, `${name}@${version}`]) {
      const plan = await scene.json('medium', ['export', 'never.tar', '--dry-run', '--recipe', wanted]);
      assert.ok(plan.references.includes(`${repository}:${version}`));
      for (const one of ingredients) assert.ok(plan.references.includes(`${one.repository}:${one.tag}`));
      const others = plan.references.filter((reference: string) => !reference.startsWith(repository));
      assert.equal(others.length, ingredients.length);
    }
  }
  const [shop, depot] = records;
  const signature = `${shop!.repository}:sha256-${shop!.digest.slice(7)}.sig`;
  const one = await scene.json('medium', ['export', 'one.tar', '--recipe', 'shop']);
  assert.ok(one.references.includes(signature), 'the classic signature');
  const two = await scene.json('medium', ['export', 'two.tar', '--recipe', 'depot']);
  assert.ok(
    two.references.some((reference: string) => reference.startsWith(`${depot!.repository}@sha256:`)),
    'the bundle',
  );
  const both = await scene.json('medium', ['export', 'both.tar', '--recipe', 'shop', '--recipe', 'depot']);
  assert.deepEqual(both.references, [...one.references, ...two.references].sort());
  for (const file of ['one.tar', 'two.tar'])
    assert.equal((await scene.json('copy', ['import', file])).exitCode, 0);
  const found = await scene.read(
    'copy',
    ({ index }) => index.referrers(depot!.repository, depot!.digest).length,
  );
  assert.equal(found, 1, 'the bundle refers to the recipe there too');
  assert.equal((await scene.svc('medium', ['export', 'x.tar', '--recipe', 'shop@9.9.9'])).exitCode, 1);
});

test('repositories are selected by their whole name, and a name that is not there is an error', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const plan = await scene.json('medium', ['export', 'x.tar', '--dry-run', '--repository', 'other/heavy']);
  assert.deepEqual(plan.references, ['other/heavy:2.0']);
  for (const name of ['other', 'nothing']) {
    const result = await scene.svc('medium', ['export', 'x.tar', '--repository', name]);
    assert.equal(result.exitCode, 1);
    assert.match(result.stderr, /SVC-REG-005/);
  }
  const invalid = await scene.svc('medium', ['export', 'x.tar', '--repository', 'other/heavy/']);
  assert.equal(invalid.exitCode, 2, 'no repository has such a name');
});

test('platforms that were never carried are named', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const { missing, exitCode } = await scene.json('medium', ['export', 'all.tar']);
  assert.equal(exitCode, 0);
  const [, ...absent] = sparse.children;
  assert.deepEqual(
    missing.map(({ reasonRule: _, ...one }: Record<string, unknown>) => one),
    absent.map(({ platform, artifact }) => ({
      repository: 'registry.example/sparse',
      tag: '1',
      digest: artifact.manifest.descriptor.digest,
      reason: `${platform} of the index is not in the store`,
    })),
  );
  const { stdout } = await scene.svc('medium', ['export', 'text.tar']);
  assert.match(stdout, /not in the layout:\n.*linux\/arm64/);
  assert.equal(
    (await scene.json('copy', ['import', 'all.tar'])).failed,
    0,
    'a sparse index comes in as it is',
  );
});

test('a dry run says the very size and writes nothing', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  for (const flags of [[], ['--directory']]) {
    const plan = await scene.json('medium', ['export', 'out', '--dry-run', ...flags]);
    await assert.rejects(stat(scene.path('out')));
    const { bytes, references, totalBytes, largestFileBytes } = await scene.json('medium', [
      'export',
      `out-${flags.length}`,
      ...flags,
    ]);
    assert.equal(plan.totalBytes, bytes);
    assert.deepEqual(
      [plan.totalBytes, plan.references, plan.largestFileBytes],
      [totalBytes, references, largestFileBytes],
    );
  }
});

test('what stands at the destination is replaced only when that is asked for, and only by its like', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const run = async (...args: string[]) => {
    const { exitCode, stderr } = await scene.svc('medium', ['export', ...args]);
    return `${exitCode} ${/SVC-[A-Z]+-[0-9]+/.exec(stderr.replace(/^\{.*$/gm, ''))?.[0] ?? ''}`.trim();
  };
  await writeFile(scene.path('taken.tar'), 'mine');
  assert.equal(await run('taken.tar'), '1 SVC-LAY-003');
  assert.equal(await run('taken.tar', '--dry-run'), '1 SVC-LAY-003');
  assert.equal(await readFile(scene.path('taken.tar'), 'utf8'), 'mine');
  assert.equal(await run('taken.tar', '--overwrite'), '1 SVC-LAY-003');
  assert.equal(await run('taken.tar', '--overwrite', '--dry-run'), '1 SVC-LAY-003');
  assert.equal(await readFile(scene.path('taken.tar'), 'utf8'), 'mine', 'a file that is no layout stays');
  assert.equal(await run('ours.tar', '--repository', 'other/heavy'), '0');
  const { size } = await stat(scene.path('ours.tar'));
  assert.equal(await run('ours.tar'), '1 SVC-LAY-003');
  assert.equal(await run('ours.tar', '--overwrite'), '0');
  assert.notEqual((await stat(scene.path('ours.tar'))).size, size, 'a layout is replaced');
  await mkdir(scene.path('project'));
  await writeFile(scene.path('project', 'index.json'), '{}');
  assert.equal(await run('project', '--directory', '--overwrite'), '1 SVC-LAY-003');
  assert.equal(await run('folder', '--directory', '--repository', 'other/heavy'), '0');
  assert.equal(await run('folder', '--directory'), '1 SVC-LAY-003');
  assert.equal(await run('folder', '--overwrite'), '1 SVC-LAY-003', 'a folder is not replaced by a file');
  const replacing = ['export', 'folder', '--directory', '--overwrite', '--repository', 'local/strong'];
  for (const flags of [['--dry-run'], []]) {
    const { removed } = await scene.json('medium', [...replacing, ...flags]);
    assert.deepEqual(removed, ['other/heavy:2.0']);
  }
  const { removed } = await scene.json('medium', replacing);
  assert.equal(removed, undefined, 'the same entries are replaced, and none leaves');
  assert.deepEqual(
    (await readdir(scene.path('folder', 'blobs'))).sort(),
    ['sha512'],
    'what is not listed has gone',
  );
  await mkdir(scene.path('home'));
  await writeFile(scene.path('home', 'letter'), 'dear');
  assert.equal(await run('home', '--directory', '--overwrite'), '1 SVC-LAY-003');
  assert.equal(await readFile(scene.path('home', 'letter'), 'utf8'), 'dear');
  await mkdir(scene.path('empty'));
  assert.equal(await run('empty', '--directory'), '0', 'an empty folder is as good as none');
  await writeFile(scene.path('target'), 'not to be touched');
  await symlink(scene.path('target'), scene.path('link.tar'));
  assert.equal(await run('link.tar'), '1 SVC-LAY-003');
  assert.equal(await run('link.tar', '--overwrite'), '1 SVC-LAY-003');
  assert.equal(await readFile(scene.path('target'), 'utf8'), 'not to be touched');
  assert.equal(await run(join('medium', 'x.tar')), '3 SVC-FIL-003', 'nothing is written into the store');
  assert.equal(await run(join('maker', 'x.tar')), '3 SVC-FIL-003', 'nor into the state');
  await writeFile(scene.path('config.yaml'), 'logging:\n  level: info\n');
  const configured = ['--config', scene.path('config.yaml')];
  for (const flags of [[], ['--overwrite'], ['--overwrite', '--dry-run']])
    assert.equal(
      await run('config.yaml', ...flags, ...configured),
      '3 SVC-FIL-003',
      'nor over the configuration',
    );
  assert.equal(await run(join('nowhere', 'x.tar')), '1 SVC-FIL-005');
  assert.deepEqual(
    (await readdir(scene.folder)).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('content that is damaged in the store does not leave it, and all other content does', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const [, , layer] = heavy.blobs;
  await damageFile(join(scene.medium.root, blobPath(layer!.descriptor.digest)), 10);
  for (const flags of [[], ['--directory']]) {
    const output = `out${flags.length}`;
    const { exitCode, stdout, stderr } = await scene.svc('medium', ['export', output, ...flags]);
    assert.equal(exitCode, 4, stderr);
    assert.match(stderr, /SVC-STO-010/);
    assert.match(
      stdout,
      /not in the layout:\n {2}other\/heavy:\S+ .*: its content is lost or damaged: blobs\/sha256/,
    );
    await using layout = await openLayout(scene.path(output));
    const names = layout.entries.map(({ annotations }) => annotations?.['org.opencontainers.image.ref.name']);
    assert.ok(names.length > 1 && !names.some((name) => name?.startsWith('other/heavy')), names.join());
  }
  const small = strong.blobs[0]!.descriptor.digest;
  await damageFile(join(scene.medium.root, blobPath(small)), 10);
  const { exitCode } = await scene.svc('medium', ['export', 'strong.tar', '--repository', 'local/strong']);
  assert.equal(exitCode, 4);
  await assert.rejects(stat(scene.path('strong.tar')));
});

test('in a zone a carried store is verified first, and what is cleared leaves', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  const config = async (root: string, zone = 'zone-b') => {
    const path = scene.path(`zone-${Math.random()}.json`);
    const { publicKeyPem: key } = scene.medium.signer;
    const trust = { roots: [{ name: 'release', key }] };
    const document = { mode: 'mirror', zone, storage: { root }, state: { root: `${path}-state` }, trust };
    await writeFile(path, JSON.stringify(document));
    return path;
  };
  const run = async (root: string, name: string, zone?: string) => {
    const args = ['export', scene.path(name), '--config', await config(root, zone), '--output', 'json'];
    const result = await runCommand(args);
    return { ...result, document: result.stdout === '' ? undefined : JSON.parse(result.stdout) };
  };
  const whole = await run(scene.medium.root, 'whole.tar');
  assert.equal(whole.exitCode, 0, whole.stderr);
  assert.ok(whole.document.references.every((one: string) => one.startsWith('origin.example_5000/')));
  assert.ok(
    whole.document.missing.some(
      ({ repository, reason }: any) => repository === 'other/heavy' && /blocked/.test(reason),
    ),
  );

  const carried = await scene.medium.carry();
  const [web] = scene.medium.records[0]!.ingredients;
  await damageFile(join(carried, blobPath(web!.digest)), 10);
  const partial = await run(carried, 'partial.tar');
  assert.equal(partial.exitCode, 4, partial.stderr);
  assert.ok(partial.document.references.some((one: string) => one.includes('depot')));
  assert.ok(
    !partial.document.references.some((one: string) => one.includes('shop')),
    'nothing of the blocked recipe left',
  );

  const elsewhere = await run(scene.medium.root, 'elsewhere.tar', 'zone-c');
  assert.equal(elsewhere.exitCode, 3, elsewhere.stderr);
  assert.equal(JSON.parse(elsewhere.stdout).error.code, 'SVC-MED-006');
  await assert.rejects(stat(scene.path('elsewhere.tar')));
});

test('without a zone a store that was made elsewhere goes out as it is', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  await cp(scene.medium.root, scene.path('carried'), { recursive: true });
  const result = await scene.json('carried', ['export', 'carried.tar']);
  assert.equal(result.exitCode, 0);
  await scene.json('medium', ['export', 'own.tar']);
  assert.ok((await print(scene.path('carried.tar'))).equals(await print(scene.path('own.tar'))));
});

test('two stores that export to each other come to the same, and stay there', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  await scene.json('medium', ['export', 'a1.tar', '--repository', 'other/heavy', '--recipe', 'shop']);
  await scene.json('b', ['import', 'a1.tar']);
  await scene.json('medium', ['export', 'rest.tar']);
  await scene.json('c', ['import', 'rest.tar']);
  for (const [from, to, name] of [
    ['b', 'c', 'b1'],
    ['c', 'b', 'c1'],
    ['b', 'c', 'b2'],
    ['c', 'b', 'c2'],
  ] as const) {
    await scene.json(from, ['export', `${name}.tar`]);
    const { movedBytes, failed } = await scene.json(to, ['import', `${name}.tar`]);
    assert.equal(failed, 0);
    if (name !== 'c1') assert.equal(movedBytes, 0, `${name} brought nothing new`);
  }
  assert.ok((await print(scene.path('b2.tar'))).equals(await print(scene.path('c2.tar'))));
});

test('a wrong flag is named, and an unusable value is the command line`s', async () => {
  await using scene = await openLayoutScene({ inProcess: true });
  for (const args of [
    ['export', 'x.tar', '--format', 'docker-archive'],
    ['import', 'x.tar', '--format', 'zip'],
    ['export'],
    ['export', 'a', 'b'],
    ['import'],
  ]) {
    const { exitCode } = await scene.svc('medium', args);
    assert.equal(exitCode, 2, args.join(' '));
  }
});

import assert from 'node:assert/strict';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../../kit/program/peers.ts';
import { listTree } from '../../kit/result/list-tree.ts';
import { openIndexedFolder } from '../../kit/scene/indexed-folder.ts';

const kinds = {
  apt: {
    programs: ['apt-ftparchive', 'dpkg-deb', 'gpg'],
    first: 'hello_1.0_all.deb',
    added: 'bye_1.0_all.deb',
  },
  rpm: {
    programs: ['createrepo_c', 'rpmbuild', 'gpg'],
    first: 'noarch/hello-1.0-1.noarch.rpm',
    added: 'noarch/bye-1.0-1.noarch.rpm',
  },
} as const;

for (const [kind, { programs, first, added }] of Object.entries(kinds)) {
  test(`a damaged package is named, and its folder gets no index for ${kind} and is not packed`, async (t) => {
    if (!programs.every((name) => needs(t, name) !== undefined)) return;
    await using scene = await openIndexedFolder(kind as keyof typeof kinds);
    const { tree, add, pack, broken } = scene;
    const flags = ['--index', kind, '--gpg-key', await scene.keyring.create('release')];
    await add('bye', '1.0');
    const { length } = await readFile(join(tree, added));
    const refuse = async (name: string, cut: number, more: readonly string[]) => {
      const copy = await broken(`${name}-${cut}`, (at) => truncate(join(at, added), cut));
      const before = listTree(copy);
      const refused = await pack(copy, ...more);
      assert.deepEqual([refused.exitCode, refused.stdout], [4, ''], `${name} ${cut}\n${refused.stderr}`);
      assert.match(refused.stderr, /SVC-FIL-008/);
      assert.ok(refused.stderr.includes(`${added} (broken)`), refused.stderr);
      assert.ok(!refused.stderr.includes(first), refused.stderr);
      assert.deepEqual(listTree(copy), before, 'nothing was written');
    };
    for (const cut of [0, 50, 90, 300, length - 60, length - 4]) await refuse('signed', cut, flags);
    await refuse('unsigned', length - 60, flags.slice(0, 2));

    const only = await broken('only', async (at) => {
      await rm(join(at, first));
      await truncate(join(at, added), length - 60);
    });
    const none = await pack(only, ...flags);
    assert.equal(none.exitCode, 4, none.stderr);
    assert.ok(none.stderr.includes(`${added} (broken)`), none.stderr);
  });

  test(`an index for ${kind} that does not name a package of the folder does not pass the check`, async (t) => {
    if (!programs.every((name) => needs(t, name) !== undefined)) return;
    await using scene = await openIndexedFolder(kind as keyof typeof kinds);
    const { tree, add, pack } = scene;
    const key = await scene.keyring.create('release');
    const flags = ['--index', kind, '--gpg-key', key];
    assert.equal((await pack(tree, ...flags)).exitCode, 0);
    await add('bye', '1.0');
    const refused = await pack(tree, '--check', '--gpg-key', key);
    assert.deepEqual([refused.exitCode, refused.stdout], [4, ''], refused.stderr);
    assert.ok(refused.stderr.includes(`${added} (unlisted)`), refused.stderr);
  });
}

for (const [kind, { programs, first, added }] of Object.entries(kinds))
  test(`a folder of packages is packed as it is with a warning when its index for ${kind} is absent or old`, async (t) => {
    if (!programs.every((name) => needs(t, name) !== undefined)) return;
    await using scene = await openIndexedFolder(kind as keyof typeof kinds);
    const { tree, add, pack, broken } = scene;
    const warning = async (at: string): Promise<string> => {
      const { exitCode, stderr } = await pack(at);
      assert.equal(exitCode, 0, stderr);
      return /warning: .*(?:no index|does not describe).*/.exec(stderr)?.[0] ?? '';
    };
    assert.match(await warning(tree), new RegExp(`has packages and no index.*--index ${kind}`));
    const signed = await pack(tree, '--index', kind, '--gpg-key', await scene.keyring.create('release'));
    assert.equal(signed.exitCode, 0, signed.stderr);
    assert.equal(await warning(tree), '');
    const changed = await broken('changed', async (at) => {
      const bytes = await readFile(join(at, first));
      bytes[bytes.length - 1]! ^= 1;
      await writeFile(join(at, first), bytes);
    });
    assert.match(await warning(changed), new RegExp(`does not describe its packages .*${first}`));
    await add('bye', '1.0');
    assert.match(
      await warning(tree),
      new RegExp(`does not describe its packages .*${added}.*--index ${kind}`),
    );
  });

test('a package that apt-ftparchive leaves out is named, and the folder keeps the index that it has', async (t) => {
  if (!kinds.apt.programs.every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openIndexedFolder('apt');
  const { tree, pack } = scene;
  const flags = ['--index', 'apt', '--gpg-key', await scene.keyring.create('release')];
  assert.equal((await pack(tree, ...flags)).exitCode, 0);
  // the archive is whole, a member of it is damaged
  const bytes = await readFile(join(tree, kinds.apt.first));
  await writeFile(join(tree, kinds.apt.added), bytes.fill(0, 132, 180));
  const before = listTree(tree);
  for (const more of [flags, flags.slice(0, 2)]) {
    const refused = await pack(tree, ...more);
    assert.deepEqual([refused.exitCode, refused.stdout], [4, ''], refused.stderr);
    assert.ok(refused.stderr.includes(`${kinds.apt.added} (unlisted)`), refused.stderr);
    assert.deepEqual(listTree(tree), before, 'nothing was written');
  }
});

test('a package that was cut off before createrepo_c listed it does not pass the check', async (t) => {
  if (!kinds.rpm.programs.every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openIndexedFolder('rpm');
  const { tree, pack, maker } = scene;
  const path = join(tree, kinds.rpm.first);
  await truncate(path, (await readFile(path)).length - 60);
  await maker.run('createrepo_c', ['--quiet', '--general-compress-type', 'gz', tree]);
  const refused = await pack(tree, '--check');
  assert.deepEqual([refused.exitCode, refused.stdout], [4, ''], refused.stderr);
  assert.ok(refused.stderr.includes(`${kinds.rpm.first} (broken)`), refused.stderr);
});

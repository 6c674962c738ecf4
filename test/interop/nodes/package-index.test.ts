import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../../kit/program/peers.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { openIndexedFolder } from '../../kit/scene/indexed-folder.ts';

test('an index for apt is made, signed, checked and packed; what does not hold is refused', async (t) => {
  if (!['apt-ftparchive', 'dpkg-deb', 'gpg', 'xz'].every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openIndexedFolder('apt');
  const { tree, keyring, pack, broken, maker } = scene;
  const key = await keyring.create('release');
  const other = await keyring.create('other');

  const unsigned = await pack(tree, '--index', 'apt');
  assert.deepEqual([unsigned.exitCode, unsigned.stdout], [0, ''], unsigned.stderr);
  assert.match(unsigned.stderr, /gpg --clearsign/);
  assert.deepEqual((await readdir(tree)).sort(), ['Packages', 'Packages.gz', 'Release', 'hello_1.0_all.deb']);

  const signed = await pack(tree, '--index', 'apt', '--gpg-key', key, '--output', 'json');
  assert.equal(signed.exitCode, 0, signed.stderr);
  assertCliDocument('svc fileset pack', signed.stdout);
  const document = JSON.parse(signed.stdout);
  assert.deepEqual(document.index, {
    kind: 'apt',
    files: ['Packages', 'Packages.gz', 'Release', 'InRelease', 'Release.gpg'],
    signedBy: key,
  });
  assert.deepEqual([document.check.packages, document.check.files], [1, 3]);
  // packed elsewhere, checked here
  const again = await pack(tree, '--check', '--gpg-key', key);
  assert.equal(again.exitCode, 0, again.stderr);

  const faults: Readonly<Record<string, (copy: string) => Promise<void>>> = {
    'hello_1.0_all.deb absent': (copy) => rm(join(copy, 'hello_1.0_all.deb')),
    'hello_1.0_all.deb size': (copy) => appendFile(join(copy, 'hello_1.0_all.deb'), 'x'),
    'hello_1.0_all.deb hash': async (copy) => {
      const path = join(copy, 'hello_1.0_all.deb');
      const bytes = await readFile(path);
      bytes[bytes.length - 1]! ^= 1;
      await writeFile(path, bytes);
    },
    'hello_1.0_all.deb absent (a link out)': async (copy) => {
      await rename(join(copy, 'hello_1.0_all.deb'), join(copy, '..', 'moved.deb'));
      await symlink('../moved.deb', join(copy, 'hello_1.0_all.deb'));
    },
    'Packages hash': async (copy) => {
      const text = await readFile(join(copy, 'Packages'), 'utf8');
      await writeFile(join(copy, 'Packages'), text.replace('1.0', '1.1'));
    },
    'InRelease form': async (copy) => {
      const text = await readFile(join(copy, 'InRelease'), 'utf8');
      await writeFile(join(copy, 'InRelease'), `Origin: forged\n${text}`);
    },
  };
  for (const [fault, change] of Object.entries(faults)) {
    const copy = await broken(fault.replaceAll(/[ /]/g, '-'), change);
    const refused = await pack(copy, '--check');
    assert.match(refused.stderr, /warning: no signature was judged/);
    assert.deepEqual([refused.exitCode, refused.stdout], [4, ''], fault + refused.stderr);
    assert.match(refused.stderr, /SVC-FIL-008/);
    const [path, what] = fault.split(' ');
    assert.ok(refused.stderr.includes(`${path} (${what})`), refused.stderr);
  }

  // an index that leads out of the repository, or has no strong hash, rightly named by a Release file
  const forged = {
    outside: `Filename: ../../etc/passwd\nSize: 1\nSHA256: ${'a'.repeat(64)}`,
    weak: 'Filename: hello_1.0_all.deb\nSize: {size}\nMD5sum: x',
  };
  for (const [fault, stanza] of Object.entries(forged)) {
    const copy = await broken(fault, async (at) => {
      const size = (await readFile(join(at, 'hello_1.0_all.deb'))).length;
      await writeFile(join(at, 'Packages'), `Package: x\n${stanza.replace('{size}', String(size))}\n`);
      await rm(join(at, 'Packages.gz'));
      for (const name of ['InRelease', 'Release.gpg', 'Release']) await rm(join(at, name));
      await writeFile(join(at, 'Release'), await maker.run('apt-ftparchive', ['release', '.'], { cwd: at }));
    });
    const refused = await pack(copy, '--check');
    assert.equal(refused.exitCode, 4, refused.stderr);
    assert.ok(refused.stderr.includes(`(${fault})`), refused.stderr);
  }

  // an index in xz only is read by the program
  const compressed = await broken('xz', async (at) => {
    await maker.run('xz', ['Packages'], { cwd: at });
    await rm(join(at, 'Packages.gz'));
    await rm(join(at, 'hello_1.0_all.deb'));
    for (const name of ['InRelease', 'Release.gpg', 'Release']) await rm(join(at, name));
    await writeFile(join(at, 'Release'), await maker.run('apt-ftparchive', ['release', '.'], { cwd: at }));
  });
  assert.match((await pack(compressed, '--check')).stderr, /hello_1\.0_all\.deb \(absent\)/);

  const stranger = await pack(tree, '--check', '--gpg-key', other);
  assert.equal(stranger.exitCode, 4, stranger.stderr);
  assert.match(stranger.stderr, /InRelease \(signer\)/);
  const bare = await broken('bare', async (at) => {
    for (const name of ['InRelease', 'Release.gpg']) await rm(join(at, name));
  });
  assert.match((await pack(bare, '--check', '--gpg-key', key)).stderr, /Release \(unsigned\)/);

  await keyring.revoke(key);
  const before = (await readdir(tree)).sort();
  const revoked = await pack(tree, '--index', 'apt', '--gpg-key', key);
  assert.deepEqual([revoked.exitCode, revoked.stdout], [1, '']);
  assert.match(revoked.stderr, /SVC-FIL-009/);
  assert.deepEqual((await readdir(tree)).sort(), before, 'nothing was written');
  assert.match((await pack(tree, '--check', '--gpg-key', key)).stderr, /InRelease \(signer\)/);

  for (const flags of [
    ['--gpg-key', key],
    ['--check', '--gpg-key', key.slice(-8)],
    ['--index', 'npm'],
  ])
    assert.equal((await pack(tree, ...flags)).exitCode, 2, flags.join(' '));
});

test('an index for rpm is made, signed, checked and packed; what does not hold is refused', async (t) => {
  if (!['createrepo_c', 'rpmbuild', 'gpg'].every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openIndexedFolder('rpm');
  const { tree, keyring, pack, broken } = scene;
  const key = await keyring.create('release');
  const unsigned = await pack(tree, '--index', 'rpm');
  assert.deepEqual([unsigned.exitCode, unsigned.stdout], [0, ''], unsigned.stderr);
  assert.match(unsigned.stderr, /--detach-sign/);
  const signed = await pack(tree, '--index', 'rpm', '--gpg-key', key);
  assert.equal(signed.exitCode, 0, signed.stderr);
  const again = await pack(tree, '--check', '--gpg-key', key);
  assert.equal(again.exitCode, 0, again.stderr);
  const rpm = 'noarch/hello-1.0-1.noarch.rpm';
  const primaryOf = async (copy: string) =>
    join(
      copy,
      'repodata',
      (await readdir(join(copy, 'repodata'))).find((name) => name.endsWith('primary.xml.gz'))!,
    );
  const faults: Readonly<Record<string, (copy: string) => Promise<void>>> = {
    [`${rpm} absent`]: (copy) => rm(join(copy, rpm)),
    [`${rpm} size`]: (copy) => appendFile(join(copy, rpm), 'x'),
    'primary hash': async (copy) => {
      const path = await primaryOf(copy);
      const bytes = await readFile(path);
      bytes[9]! ^= 1;
      await writeFile(path, bytes);
    },
    'primary absent': async (copy) => rm(await primaryOf(copy)),
    'repomd.xml form': async (copy) => {
      const path = join(copy, 'repodata/repomd.xml');
      await writeFile(path, (await readFile(path, 'utf8')).replace('<data ', '<!-- x --><data '));
    },
  };
  for (const [fault, change] of Object.entries(faults)) {
    const copy = await broken(fault.replaceAll(/[ /]/g, '-'), change);
    const refused = await pack(copy, '--check');
    assert.deepEqual([refused.exitCode, refused.stdout], [4, ''], fault + refused.stderr);
    const [path, what] = fault.split(' ');
    assert.match(refused.stderr, new RegExp(`${path}[^ ]* \\(${what}\\)`));
  }
  const empty = join(scene.folder, 'empty');
  await mkdir(empty);
  for (const kind of ['apt', 'rpm']) {
    const none = await pack(empty, '--index', kind);
    assert.equal(none.exitCode, 1, none.stderr);
    assert.match(none.stderr, /SVC-FIL-001/);
    assert.deepEqual(await readdir(empty), []);
  }
  assert.match((await pack(empty, '--check')).stderr, /no index names a package/);
});

test('a key with a passphrase, and a key that is not there, are refused with the way out', async (t) => {
  if (!['apt-ftparchive', 'dpkg-deb', 'gpg'].every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openIndexedFolder('apt');
  const { tree, keyring, pack } = scene;
  const locked = await keyring.create('locked', 'a passphrase');
  for (const [key, action] of [
    [locked, /Unlock the key in gpg-agent.*--index KIND without --gpg-key/s],
    ['A'.repeat(40), /gpg --list-secret-keys/],
  ] as const) {
    const refused = await pack(tree, '--index', 'apt', '--gpg-key', key);
    assert.deepEqual([refused.exitCode, refused.stdout], [1, ''], refused.stderr);
    assert.match(refused.stderr, /SVC-FIL-009/);
    assert.match(refused.stderr, action);
    assert.deepEqual(await readdir(tree), ['hello_1.0_all.deb']);
  }
});

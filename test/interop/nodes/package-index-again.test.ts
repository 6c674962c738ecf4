import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../kit/instance/eventually.ts';
import { needs, onPath } from '../../kit/program/peers.ts';
import { listTree } from '../../kit/result/list-tree.ts';
import { openIndexedFolder } from '../../kit/scene/indexed-folder.ts';

const programs = {
  apt: ['apt-ftparchive', 'dpkg-deb', 'gpg'],
  rpm: ['createrepo_c', 'rpmbuild', 'gpg'],
} as const;
const indexer = { apt: 'apt-ftparchive', rpm: 'createrepo_c' } as const;
const kinds = ['apt', 'rpm'] as const;

/** A PATH whose indexer reports its first start, and then goes on only on command. */
async function slowDown(folder: string, program: string) {
  const bin = join(folder, 'bin');
  const [started, gate] = [join(folder, 'started'), join(folder, 'gate')];
  await mkdir(bin);
  execFileSync('mkfifo', [gate]);
  const real = `exec '${onPath(program)}' "$@"`;
  const script = `#!/bin/sh\n[ ! -e '${started}' ] || ${real}\n: > '${started}'\nread line < '${gate}'\n[ "$line" = go ] || exit 1\n${real}\n`;
  await writeFile(join(bin, program), script);
  await chmod(join(bin, program), 0o755);
  return {
    env: { PATH: `${bin}:${process.env.PATH}` },
    begun: () =>
      eventually('the index is being made', async () => (await readdir(folder)).includes('started')),
    /** Ends the wait: the indexer works, or ends with a failure. */
    answer: (line: 'go' | 'stop') => writeFile(gate, `${line}\n`),
  };
}

for (const kind of kinds) {
  test(`an index for ${kind} whose making was killed is made by the same command, and nothing of it is packed`, async (t) => {
    if (!programs[kind].every((name) => needs(t, name) !== undefined)) return;
    await using scene = await openIndexedFolder(kind);
    const { tree, keyring, pack, packAs, folder } = scene;
    const flags = ['--index', kind, '--gpg-key', await keyring.create('release')];
    const slow = await slowDown(folder, indexer[kind]);
    const killed = new AbortController();
    const first = packAs({ env: slow.env, signal: killed.signal }, tree, ...flags);
    await slow.begun();
    const second = await pack(tree, ...flags);
    assert.equal(second.exitCode, 1, second.stderr);
    assert.match(second.stderr, /SVC-STO-007.*svc fileset pack/s);
    killed.abort();
    assert.equal((await first).signal, 'SIGKILL');
    await slow.answer('stop');
    const left = (await readdir(tree)).filter((name) => name.startsWith('.svc-index'));
    assert.ok(left.length > 0, 'the kill came while the index was made');

    // neither a pack without an index nor the check takes a leftover for content
    const clean = join(folder, 'clean');
    await cp(tree, clean, { recursive: true });
    for (const name of left) await rm(join(clean, name), { recursive: true });
    const plain = await pack(tree);
    assert.equal(plain.stdout, (await pack(clean)).stdout, plain.stderr);
    // as an earlier version left it
    await mkdir(join(tree, '.svc-index-S28LD4'));
    await writeFile(join(tree, '.svc-index-S28LD4', 'Release'), 'x');
    const again = await pack(tree, ...flags);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.deepEqual(
      (await readdir(tree)).filter((name) => name.startsWith('.svc')),
      [],
    );
  });

  test(`of two runs that index a folder for ${kind} at the same time, the first ends with success`, async (t) => {
    if (!programs[kind].every((name) => needs(t, name) !== undefined)) return;
    await using scene = await openIndexedFolder(kind);
    const { tree, keyring, pack, packAs, folder } = scene;
    const flags = ['--index', kind, '--gpg-key', await keyring.create('release')];
    const slow = await slowDown(folder, indexer[kind]);
    const first = packAs({ env: slow.env }, tree, ...flags);
    await slow.begun();
    assert.match((await pack(tree, ...flags)).stderr, /SVC-STO-007/);
    await slow.answer('go');
    const { exitCode, stderr } = await first;
    assert.equal(exitCode, 0, stderr);
  });

  test(`an index for ${kind} that describes the packages and is signed by the wanted key is kept, any other is made anew`, async (t) => {
    if (!programs[kind].every((name) => needs(t, name) !== undefined)) return;
    await using scene = await openIndexedFolder(kind);
    const { tree, keyring, pack, add, maker } = scene;
    const [key, other] = [await keyring.create('release'), await keyring.create('other')];
    const flags = ['--index', kind, '--gpg-key', key];
    const kept = /the index describes these packages already/;
    const first = await pack(tree, ...flags);
    assert.equal(first.exitCode, 0, first.stderr);
    assert.doesNotMatch(first.stderr, kept);
    assert.match(first.stderr, /the index was made and signed/);
    const before = listTree(tree);
    const second = await pack(tree, ...flags);
    assert.deepEqual([second.exitCode, second.stdout], [0, first.stdout], second.stderr);
    assert.match(second.stderr, kept);
    assert.deepEqual(listTree(tree), before);
    const document = JSON.parse((await pack(tree, ...flags, '--output', 'json')).stdout);
    assert.deepEqual([document.index.kept, document.index.signedBy], [true, key]);

    /** Whether the index is made anew after a change, and then kept. */
    const isRenewed = async (what: string, ...more: string[]): Promise<void> => {
      const renewed = await pack(tree, ...(more.length > 0 ? more : flags));
      assert.equal(renewed.exitCode, 0, what + renewed.stderr);
      assert.doesNotMatch(renewed.stderr, kept, what);
    };
    await add('hello', '1.1');
    await isRenewed('a package more');
    const isPackage = (name: string): boolean => /hello-1\.1-1\.noarch\.rpm|hello_1\.1_all\.deb/.test(name);
    const at = kind === 'apt' ? tree : join(tree, 'noarch');
    const added = (await readdir(at)).find(isPackage)!;
    await rm(join(at, added));
    await isRenewed('a package less');
    await isRenewed('another key', '--index', kind, '--gpg-key', other);
    await isRenewed('the first key again');
    const signature = join(tree, kind === 'apt' ? 'InRelease' : 'repodata/repomd.xml.asc');
    await writeFile(signature, (await readFile(signature, 'utf8')).replace(/\n.(.{63})\n/, '\nA$1\n'));
    await isRenewed('a damaged signature');
    await add('other', '1.0');
    await isRenewed('another package');
    if (kind !== 'apt') return;
    // apt refuses an index whose time has passed
    await rm(join(tree, 'Release.gpg'));
    await rm(join(tree, 'InRelease'));
    const release = join(tree, 'Release');
    const text = await readFile(release, 'utf8');
    await writeFile(release, text.replace(/^Date:/m, 'Valid-Until: Thu, 01 Jan 1970 00:00:00 UTC\nDate:'));
    await maker.run(
      'gpg',
      ['--batch', '--local-user', key, '--output', join(tree, 'InRelease'), '--clearsign', release],
      { env: keyring.env },
    );
    await isRenewed('an expired index');
  });
}

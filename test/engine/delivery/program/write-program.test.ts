import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../../src/base/digest.ts';
import { readProgram } from '../../../../src/engine/delivery/program/read-program.ts';
import { readMediumManifest } from '../../../../src/store/rest/media-manifest.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { openStoreAt } from '../../../kit/instance/open-store-at.ts';
import { decideFor } from '../../../kit/scene/delivery.ts';
import { buildMedium } from '../../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../../kit/scene/verify-carried.ts';
import { writePartOf } from '../../../kit/scene/write-part-of.ts';
import { makeSmallRelease } from '../../../release/small-release.ts';

/** A sender with a release beside its store. */
async function openSender() {
  const medium = await buildMedium();
  const store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const release = await makeSmallRelease(medium.folder);
  const program = await readProgram(release.root, release.signer.publicKey);
  const delivery = await decideFor(store, { program });
  const at = (name: string): string => join(medium.folder, name);
  const write = (path: string, known?: Digest) => writePartOf(store, delivery, path, 1, undefined, known);
  const judge = async (path: string) => {
    const { report } = await verifyCarried(path, trust(medium.signer));
    return [report.verdict, report.findings];
  };
  /** What a kill leaves of a complete part: no manifest, and the note about the part. */
  const unfinish = async (path: string): Promise<void> => {
    await rm(join(path, 'media.jsonl'));
    await mkdir(join(path, '_svc'));
    const identity = { delivery: delivery.id, part: 1, parts: 1 };
    await writeFile(join(path, '_svc', 'delivery.json'), JSON.stringify(identity));
  };
  return {
    ...{ medium, store, release, program, delivery, at, write, judge, unfinish },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

/** Files below a folder, by path. */
async function readTree(root: string): Promise<ReadonlyMap<string, string>> {
  const tree = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) tree.set(path.slice(root.length + 1), 'folder');
    else tree.set(path.slice(root.length + 1), (await readFile(path)).toString('latin1'));
  }
  return tree;
}

test('the files of a release are listed like all others, and the same delivery gives the same bytes', async () => {
  await using sender = await openSender();
  const { program, release, at } = sender;
  const written = await sender.write(at('one'));
  await sender.write(at('other'));
  assert.deepEqual(await readTree(at('one')), await readTree(at('other')));
  const { header, entries } = await readMediumManifest(at('one'));
  assert.deepEqual(header.program, { version: '1.2.3', files: program.files.length, bytes: program.bytes });
  assert.equal(header.mediaFormat, 1);
  for (const file of program.files) {
    assert.deepEqual(entries.get(`program/${file.path}`), { ...file, path: `program/${file.path}` });
    assert.ok(
      (await readFile(join(at('one'), 'program', file.path))).equals(await readFile(release.at(file.path))),
    );
  }
  assert.equal(written.files, entries.size);
  assert.deepEqual(await sender.judge(at('one')), ['pushable', []]);
  assert.equal((await sender.write(at('one'), written.manifest)).unchanged, true);
});

test('another release, or none, is another delivery', async () => {
  await using sender = await openSender();
  const { store, release, delivery } = sender;
  const without = await decideFor(store);
  await release.sign();
  const again = await decideFor(store, {
    program: await readProgram(release.root, release.signer.publicKey),
  });
  assert.equal(new Set([delivery.id, without.id, again.id]).size, 3);
});

test('an unfinished program is continued: whole files are kept, all else is removed, and a link is refused', async () => {
  await using sender = await openSender();
  const [root, other, outside] = ['one', 'other', 'outside'].map(sender.at) as [string, string, string];
  await sender.write(other);
  await sender.write(root);
  await sender.unfinish(root);
  await mkdir(outside);
  const inside = (path: string): string => join(root, 'program', path);
  await truncate(inside('svc-linux-arm64'), 1);
  await writeFile(inside('stranger'), 'x');
  await rm(inside('oci'), { recursive: true });
  await symlink(outside, inside('oci'));
  await assert.rejects(sender.write(root), (error) => isSvcError(error, 'SVC-MED-045'));
  assert.deepEqual(await readdir(outside), []);
  await rm(inside('oci'));
  await rm(inside('svc.pub'));
  await mkdir(inside('svc.pub'));
  const { ino } = await stat(inside('svc-linux-x64'));
  await sender.write(root);
  assert.equal((await stat(inside('svc-linux-x64'))).ino, ino);
  assert.deepEqual(await readTree(root), await readTree(other));
});

test('a file that changes after the check of the release is not carried', async () => {
  for (const [name, text] of [
    ['the same size', "#!/bin/sh\n# x64\necho 'svc 6.6.6'\n"],
    ['another size', '#!/bin/sh\n'],
  ] as const) {
    await using sender = await openSender();
    await writeFile(sender.release.at('svc-linux-x64'), text);
    const root = sender.at('disk');
    await assert.rejects(sender.write(root), (error) => isSvcError(error, 'SVC-MED-048'), name);
    assert.ok(!(await readdir(root)).includes('media.jsonl'));
    assert.ok(!(await readdir(join(root, 'program'))).includes('svc-linux-x64'));
  }
});

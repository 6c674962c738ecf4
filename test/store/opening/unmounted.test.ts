import assert from 'node:assert/strict';
import { mkdir, readdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emptyStore } from '../../../src/store/empty-store.ts';
import { findUnmounted } from '../../../src/store/opening/find-unmounted.ts';
import { sayRule } from '../../../src/text/rule.ts';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushAsClient } from '../../kit/content/push-as-client.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('a new store where this instance wrote another one before is noticed, as when its disk is not mounted', async () => {
  await using folder = await openTempFolder();
  const [root, stateRoot] = [join(folder.path, 'store'), join(folder.path, 'state')];
  const first = await openStoreAt({ root, stateRoot });
  const { mediaId } = first;
  assert.deepEqual(first.notices, []);
  await first[Symbol.asyncDispose]();
  const again = await openStoreAt({ root, stateRoot });
  assert.deepEqual(again.notices, []);
  await again[Symbol.asyncDispose]();
  await rename(root, join(folder.path, 'unplugged'));
  await using second = await openStoreAt({ root, stateRoot });
  const [found, ...more] = second.notices;
  const notice = String(found);
  assert.ok(notice.includes(mediaId) && notice.includes(root), notice);
  assert.match(notice, /check that its disk is mounted/);
  assert.match(sayRule(found!, 'fr'), /vérifiez que son disque est monté/);
  assert.deepEqual(more, []);
  assert.equal(second.earlier, mediaId);
});

test('a new store is noticed again at each start until something is written to it, and not after a reset', async () => {
  await using folder = await openTempFolder();
  const [root, stateRoot] = [join(folder.path, 'store'), join(folder.path, 'state')];
  const other = await openStoreAt({ root: join(folder.path, 'other'), stateRoot });
  await emptyStore(other, () => {});
  assert.equal(other.earlier, undefined);
  await other[Symbol.asyncDispose]();
  for (const _ of [1, 2]) {
    const store = await openStoreAt({ root, stateRoot });
    assert.match(store.notices.join(), /is new and empty/);
    assert.ok(store.earlier);
    await store[Symbol.asyncDispose]();
  }
  const used = await openStoreAt({ root, stateRoot });
  await pushAsClient(used, 'some/image', buildImage('one'), 'v1');
  assert.equal(used.earlier, undefined);
  await used[Symbol.asyncDispose]();
  await using again = await openStoreAt({ root, stateRoot });
  assert.deepEqual([again.earlier, again.notices], [undefined, []]);
});

/** A table of mount points, as fstab(5) has them. */
async function writeTable(folder: string, ...lines: string[]): Promise<string> {
  const path = join(folder, 'fstab');
  await writeFile(path, `# comment\n\n${lines.join('\n')}\n`);
  return path;
}

test('a mount point of fstab without its disk is found, for what is below it, over links and with blanks in its name', async () => {
  await using folder = await openTempFolder();
  const mount = join(await realpath(folder.path), 'the disk');
  const link = join(folder.path, 'link');
  await mkdir(mount);
  await symlink(mount, link);
  const table = await writeTable(
    folder.path,
    'tmpfs /tmp-of-nobody tmpfs defaults 0 0',
    `UUID=1 ${mount.replaceAll(' ', '\\040')} ext4 noauto 0 2`,
    'UUID=2 none swap sw 0 0',
  );
  for (const path of [mount, join(mount, 'store'), join(mount, 'a', 'b'), link, join(link, 'store')])
    assert.equal(await findUnmounted(path, table), mount, path);
  for (const path of [folder.path, `${mount}2`, join(folder.path, 'elsewhere')])
    assert.equal(await findUnmounted(path, table), undefined, path);
  assert.equal(await findUnmounted(mount, join(folder.path, 'absent')), undefined);
});

test('a folder that is bound to another one is no mount point without a disk', async () => {
  await using folder = await openTempFolder();
  const table = await writeTable(folder.path, `/srv/data ${folder.path} none bind 0 0`);
  assert.equal(await findUnmounted(join(folder.path, 'store'), table), undefined);
});

test('a mount point with its disk is found to be mounted', async (t) => {
  await using folder = await openTempFolder();
  if (!needsMount(t, folder.path)) return;
  const mount = join(folder.path, 'disk');
  const table = await writeTable(folder.path, `tmpfs ${mount} tmpfs noauto 0 0`);
  {
    await using _volume = mountMemory(mount, '1m');
    assert.equal(await findUnmounted(join(mount, 'store'), table), undefined);
  }
  assert.equal(await findUnmounted(join(mount, 'store'), table), await realpath(mount));
});

test('a configuration for a carried disk creates no store in a folder without one, and opens the one that is there', async () => {
  await using folder = await openTempFolder();
  const [root, stateRoot] = [join(folder.path, 'disk'), join(folder.path, 'state')];
  for (const prepare of [async () => {}, () => mkdir(root)]) {
    await prepare();
    const before = await readdir(folder.path, { recursive: true });
    for (const access of ['write', 'serve', 'read'] as const)
      await assert.rejects(openStoreAt({ root, stateRoot }, { access, create: false }), {
        code: 'SVC-STO-020',
      });
    assert.deepEqual(await readdir(folder.path, { recursive: true }), before, 'nothing is written');
  }
  const made = await openStoreAt({ root, stateRoot });
  await made[Symbol.asyncDispose]();
  await using opened = await openStoreAt({ root, stateRoot }, { create: false });
  assert.equal(opened.mediaId, made.mediaId);
  assert.equal(opened.readOnly, undefined);
});

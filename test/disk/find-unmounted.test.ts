import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findUnmounted } from '../../src/disk/place/find-unmounted.ts';
import { requireParent } from '../../src/disk/place/require-parent.ts';
import { toSvcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const proc = 'proc /proc proc rw 0 0\n/dev/sda1 / ext4 rw 0 0\n';

/** Writes the tables of a machine. */
async function openMachine(fstab: string, mounted: string, units: readonly string[] = []) {
  const folder = await openTempFolder();
  const tables = {
    fstab: join(folder.path, 'fstab'),
    units: join(folder.path, 'units'),
    mounts: join(folder.path, 'mounts'),
  };
  await mkdir(tables.units);
  for (const unit of units) await writeFile(join(tables.units, unit), '');
  await writeFile(tables.fstab, fstab);
  await writeFile(tables.mounts, proc + mounted);
  return { tables, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const fstab = `# disks
UUID=1 / ext4 defaults 0 1
UUID=2 none swap sw 0 0
#UUID=3 /mnt/old ext4 noauto 0 0
LABEL=usb\t/mnt/usb/ vfat noauto,user 0 0
LABEL=two /mnt/two\\040words ext4 noauto 0 0
LABEL=within /mnt/usb/within ext4 noauto 0 0
nas:/data /srv nfs noauto 0 0
`;

test('a mount point of the table without its disk is found at a path and above it', async () => {
  await using machine = await openMachine(fstab, '');
  for (const [path, expected] of [
    ['/mnt/usb/delivery', '/mnt/usb'],
    ['/mnt/usb', '/mnt/usb'],
    ['/mnt/usb/within/a/b', '/mnt/usb/within'],
    ['/mnt/two words/delivery', '/mnt/two words'],
    ['/mnt/usb-2/delivery', undefined],
    ['/mnt/old/delivery', undefined],
    ['/mnt/delivery', undefined],
    ['/', undefined],
  ] as const)
    assert.equal(await findUnmounted(path, machine.tables), expected, path);
});

test('a mounted disk is no missing one, nor is one below another mount point that lies on it', async () => {
  await using machine = await openMachine(
    fstab,
    '/dev/sdb1 /mnt/usb vfat rw 0 0\n/dev/sdc1 /mnt/two\\040words ext4 rw 0 0\n/dev/sdd1 /srv/disk ext4 rw 0 0\n',
  );
  for (const [path, expected] of [
    ['/mnt/usb/delivery', undefined],
    ['/mnt/two words/delivery', undefined],
    ['/mnt/usb/within/delivery', '/mnt/usb/within'],
    ['/srv/disk/delivery', undefined],
    ['/srv/delivery', '/srv'],
  ] as const)
    assert.equal(await findUnmounted(path, machine.tables), expected, path);
});

test('a mount unit of systemd is a mount point too, and a machine without tables has none', async () => {
  await using machine = await openMachine('', '', [
    'mnt-usb\\x2ddisk.mount',
    'mnt-caf\\xc3\\xa9.mount',
    'svc.service',
    '-.mount',
  ]);
  assert.equal(await findUnmounted('/mnt/usb-disk/delivery', machine.tables), '/mnt/usb-disk');
  assert.equal(await findUnmounted('/mnt/café/delivery', machine.tables), '/mnt/café');
  assert.equal(await findUnmounted('/svc/service', machine.tables), undefined);
  const none = { fstab: '/absent/fstab', units: '/absent/units', mounts: '/absent/mounts' };
  assert.equal(await findUnmounted('/mnt/usb/delivery', none), undefined);
  const unknown = { ...machine.tables, mounts: none.mounts };
  assert.equal(await findUnmounted('/mnt/usb-disk/delivery', unknown), undefined);
});

test('a folder below a mount point without its disk is refused, with the command that mounts it', async () => {
  await using folder = await openTempFolder();
  await using machine = await openMachine(`LABEL=usb ${folder.path} vfat noauto 0 0\n`, '');
  const path = join(folder.path, 'delivery');
  const error = await requireParent(path, machine.tables).then(() => undefined, toSvcError);
  assert.equal(error?.code, 'SVC-FIL-005');
  const { what, action } = renderError(error!, 'en');
  assert.ok(what.includes(`no disk is mounted at ${folder.path}`), what);
  assert.ok(action.includes(`mount ${folder.path}`), action);
});

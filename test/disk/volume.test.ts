import assert from 'node:assert/strict';
import { statfsSync, statSync } from 'node:fs';
import { constants, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { toFilesystem } from '../../src/disk/filesystem.ts';
import { inspectVolume } from '../../src/disk/volume.ts';
import { toWriteError } from '../../src/disk/write-error.ts';
import { isSvcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';

const { errno } = constants;
const figures = { bsize: 512, blocks: 1000, bavail: 10, files: 0, ffree: 0 };
const failure = (code: string): Error => Object.assign(new Error(code), { code });

test('an absent path is answered for by its nearest existing parent', async () => {
  const folder = tmpdir();
  const volume = await inspectVolume(join(folder, 'absent', 'deeper'));
  const { type, blocks, bsize } = statfsSync(folder);
  assert.equal(volume.path, folder);
  assert.equal(volume.type, toFilesystem(type).type);
  assert.equal(volume.totalBytes, blocks * bsize);
  assert.equal(volume.device, statSync(folder).dev);
  assert.ok(volume.freeBytes > 0 && volume.freeBytes <= volume.totalBytes);
});

test('filesystems are known by their number, and only vfat has limits that matter', async () => {
  const names = [
    [0x4d44, 'vfat'],
    [0x2011bab0, 'exfat'],
    [0xef53, 'ext4'],
    [0x01021994, 'tmpfs'],
    [0x794c7630, 'overlay'],
    [0x58465342, 'xfs'],
    [0x9123683e - 2 ** 32, 'btrfs'],
    [0x5346544e, 'ntfs'],
  ] as const;
  for (const [magic, name] of names) {
    const volume = await inspectVolume('/', async () => ({ ...figures, type: magic }));
    assert.deepEqual([volume.type, volume.identified], [name, true]);
    const limits = [volume.maxFileSize, volume.maxFolderEntries];
    assert.deepEqual(limits, name === 'vfat' ? [4_294_967_295, 10_922] : [undefined, undefined]);
    assert.equal(volume.freeBytes, 5120);
    const isFat = name === 'vfat' || name === 'exfat';
    assert.deepEqual([volume.renumbers, volume.foldsCase], [isFat, isFat], name);
  }
});

test('an unknown filesystem, and one that can hide any other, is not identified', () => {
  const nothingKnown = { identified: false, renumbers: true, foldsCase: false };
  assert.deepEqual(toFilesystem(0x1234), { type: '0x1234', ...nothingKnown });
  assert.deepEqual(toFilesystem(0x65735546), { type: 'fuse', ...nothingKnown });
});

test('a failed write is told by what it lacked', () => {
  const vfat = { ...figures, type: 0x4d44 };
  const full = toWriteError(failure('ENOSPC'), '/a', { size: 10_000, volume: vfat });
  assert.equal(full.code, 'SVC-STO-004');
  assert.deepEqual(full.params, {
    path: '/a',
    needed: 10_000,
    usable: 5120,
    free: 5120,
    shortfall: 4880,
  });
  const ofState = toWriteError(failure('ENOSPC'), '/a', { size: 10_000, volume: vfat, place: 'state' });
  assert.deepEqual(ofState.params, { ...full.params, place: 'state' });
  // a file that the user named lies in no store, and has no margin
  const named = toWriteError(failure('ENOSPC'), '/a', { size: 10_000, volume: vfat, place: 'named' });
  for (const language of ['en', 'fr'] as const) {
    const { cause, action } = renderError(named, language);
    assert.match(cause, /^5 K[^ ]+ (are free|sont libres)\.$/);
    assert.match(action, /(Free|Libérez) [^ ]+ Ki(B|o) (at|dans) \/a, [^.]+\.$/);
  }
  // a quota, or a volume that has room by its figures, and a write of unknown size
  for (const [code, options] of [
    ['EDQUOT', {}],
    ['ENOSPC', { size: 1, volume: vfat, place: 'named' }],
  ] as const) {
    const refused = toWriteError(failure(code), '/a', options);
    assert.deepEqual([refused.params.needed, refused.params.shortfall], [undefined, undefined], code);
    const { what, action } = renderError(refused, 'en');
    assert.match(
      what,
      /^There is not enough space at \/a: the volume or a quota refused a write \(.* usable\)\.$/,
    );
    assert.match(action, /^Free space at \/a, or use a larger volume\./);
  }
  const crowded = toWriteError(failure('ENOSPC'), '/a', { size: 1, volume: { ...vfat, bavail: 1e6 } });
  assert.equal(crowded.code, 'SVC-STO-005');
  assert.deepEqual(crowded.params, { path: '/a', filesystem: 'vfat', limit: 10_922, size: 1 });
  // another file of the state can be removed between the failure and the look at the volume
  const ext4 = { ...figures, type: 0xef53, bavail: 1e6, files: 3584, ffree: 3000 };
  assert.equal(toWriteError(failure('ENOSPC'), '/a', { volume: ext4, place: 'state' }).code, 'SVC-STO-004');
  const noInodes = { volume: { ...ext4, ffree: 0 }, place: 'state' } as const;
  assert.equal(toWriteError(failure('ENOSPC'), '/a', noInodes).code, 'SVC-STO-005');
  const large = toWriteError(failure('EFBIG'), '/a', { size: 5e9, volume: vfat });
  assert.deepEqual(large.params, { path: '/a', filesystem: 'vfat', limit: 4_294_967_295, size: 5e9 });
  // the runtime has no name for it
  const quota = Object.assign(failure(`Unknown system error -${errno.EDQUOT}`), { errno: -errno.EDQUOT });
  for (const one of [quota, failure('EDQUOT')])
    assert.equal(toWriteError(one, '/a', { size: 1 }).code, 'SVC-STO-004');
  for (const code of ['EROFS', 'EIO', 'EACCES']) {
    assert.equal(toWriteError(failure(code), '/a').code, 'SVC-STO-002');
    assert.equal(toWriteError(failure(code), '/a', { otherwise: 'SVC-STO-003' }).code, 'SVC-STO-003');
  }
  // a permission that the user, or every user, lacks is no fault of the disk
  for (const [code, english, french] of [
    ['EACCES', /The user that runs svc has no permission/, /L’utilisateur qui exécute svc n’a pas le droit/],
    ['EPERM', /The user that runs svc has no permission/, /L’utilisateur qui exécute svc n’a pas le droit/],
    ['EROFS', /is mounted read-only/, /est monté en lecture seule/],
    ['EIO', /full, failing or unmounted/, /plein, défaillant ou démonté/],
  ] as const)
    for (const otherwise of ['SVC-STO-002', 'SVC-STO-003'] as const) {
      const error = toWriteError(failure(code), tmpdir(), { otherwise });
      assert.match(renderError(error, 'en').cause, english);
      assert.match(renderError(error, 'fr').cause, french);
      assert.equal(/full|failing/.test(renderError(error, 'en').cause), code === 'EIO');
    }
});

test('a new file that cannot be made is told by the folder that stands in the way', () => {
  const folder = join(tmpdir(), 'absent', 'below');
  const path = join(folder, 'x.yaml');
  const denied = renderError(toWriteError(failure('EACCES'), path), 'en');
  assert.ok(denied.cause.includes(`${userInfo().username} may not write into the folder ${tmpdir()}.`));
  assert.ok(denied.action.includes(`ls -ld ${tmpdir()} shows the owner`), denied.action);
  assert.doesNotMatch(denied.action, /chown/);
  const absent = renderError(toWriteError(failure('ENOENT'), path, { place: 'named' }), 'en');
  assert.ok(absent.cause.includes(`The folder ${folder} does not exist.`), absent.cause);
  assert.ok(absent.action.endsWith(`mkdir -p ${folder}.`), absent.action);
  // a store whose disk is away must not be made anew beside it
  assert.doesNotMatch(renderError(toWriteError(failure('ENOENT'), path), 'en').action, /mkdir/);
});

test('a coded error passes, and figures are asked of the nearest parent that exists', () => {
  const coded = toWriteError(failure('ENOSPC'), join(tmpdir(), 'absent', 'file'), { size: 2 ** 60 });
  assert.equal(coded.code, 'SVC-STO-004');
  assert.ok(Number(coded.params.free) > 0);
  assert.equal(toWriteError(coded, '/elsewhere'), coded);
  assert.ok(isSvcError(coded));
});

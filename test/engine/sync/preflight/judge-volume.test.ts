import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  judgeVolume,
  toVolumeCheck,
  type VolumeDemand,
} from '../../../../src/engine/sync/preflight/judge-volume.ts';

const gib = 2 ** 30;
const toDemand = (
  change: Partial<Omit<VolumeDemand, 'volume'>> & { volume?: Partial<VolumeDemand['volume']> } = {},
): VolumeDemand => ({
  target: 'store',
  path: '/medium',
  neededBytes: gib,
  largestFileBytes: gib,
  folderEntries: 100,
  ...change,
  volume: { type: 'ext4', identified: true, freeBytes: 10 * gib, totalBytes: 20 * gib, ...change.volume },
});

test('what fits the free space less the margin passes, to the byte', () => {
  const volume = { freeBytes: 1000 };
  const fits = judgeVolume(toDemand({ volume, neededBytes: 900 }), 10);
  assert.equal(fits.refusal, undefined);
  assert.equal(fits.usableBytes, 900);
  assert.equal(fits.shortfallBytes, 0);
  const exceeds = judgeVolume(toDemand({ volume, neededBytes: 901 }), 10);
  assert.equal(exceeds.refusalCode, 'SVC-STO-004');
  assert.deepEqual(exceeds.refusal?.params, {
    path: '/medium',
    needed: 901,
    usable: 900,
    free: 1000,
    margin: 10,
    shortfall: 1,
  });
});

test('the refusal of the volume of the state names it as such', () => {
  const volume = { freeBytes: 1000 };
  const { refusal } = judgeVolume(toDemand({ target: 'state', volume, neededBytes: 901 }), 10);
  assert.equal(refusal?.params.place, 'state');
});

test('a file beyond the limit of the filesystem is refused with the limit, however much is free', () => {
  const volume = { type: 'vfat', maxFileSize: 4_294_967_295, maxFolderEntries: 10_922, freeBytes: 100 * gib };
  const judged = judgeVolume(toDemand({ volume, largestFileBytes: 4 * gib, neededBytes: 4 * gib }), 10);
  assert.deepEqual(judged.refusal?.params, {
    path: '/medium',
    filesystem: 'vfat',
    limit: 4_294_967_295,
    size: 4 * gib,
  });
  assert.equal(judgeVolume(toDemand({ volume, largestFileBytes: 4 * gib - 1 }), 10).refusal, undefined);
});

test('more files than a folder takes are refused', () => {
  const volume = { type: 'vfat', maxFolderEntries: 10_922 };
  assert.equal(judgeVolume(toDemand({ volume, folderEntries: 10_922 }), 10).refusal, undefined);
  assert.equal(judgeVolume(toDemand({ volume, folderEntries: 10_923 }), 10).refusal?.code, 'SVC-STO-005');
});

test('a filesystem that is not known is a warning, not a refusal', () => {
  const judged = judgeVolume(toDemand({ volume: { type: '0x1234', identified: false } }), 10);
  assert.equal(judged.refusal, undefined);
  assert.equal(judged.warnings.length, 1);
  assert.equal('refusal' in toVolumeCheck(judged), false);
});

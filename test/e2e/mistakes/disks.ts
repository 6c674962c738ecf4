import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mountMemory, needsMount, type SmallVolume } from '../../fault/rig/small-volume.ts';
import { forgeLedgerAt } from '../../kit/hostile/forge-ledger.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { defaultRecipes } from '../../kit/scene/medium.ts';
import type { Mistake, Typed } from './mistake.ts';

/** The words that verify the carried disk. */
const verify = (config: string): readonly string[] => ['media', 'verify', '--config', config];

/** A layer of the medium that `depot` has and no other recipe. */
function findLayer(root: string): string {
  const depot = defaultRecipes().find(({ name }) => name === 'depot')!;
  const own = depot.ingredients[0]!.artifact.children[0]!.artifact.blobs.at(-1)!.descriptor;
  return join(root, 'blobs', 'sha256', own.digest.slice('sha256:'.length));
}

/** A disk for an export, mounted outside of the folders that no export is written to. */
async function mountDisk(
  size: string,
): Promise<Pick<Typed, 'shown' | 'after'> & { readonly volume: SmallVolume }> {
  const folder = await openTempFolder();
  const volume = mountMemory(join(folder.path, 'usb'), size);
  return {
    volume,
    shown: [[volume.path, '/mnt/usb']],
    async after() {
      await volume[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Mistakes with the disk that is carried. */
export const diskMistakes: readonly Mistake[] = [
  {
    title: 'The disk is not mounted',
    situation: 'The configuration names the mount point of the disk, and nothing is mounted there.',
    async make({ carry }) {
      const { root, config } = await carry();
      await rm(root, { recursive: true });
      await mkdir(root);
      return {
        args: verify(config),
        exitCode: 4,
        code: 'SVC-MED-001',
        says: /Check that the disk is mounted/,
      };
    },
  },
  {
    title: 'The folder of the disk does not exist',
    situation: 'The name of the mount point is misspelt.',
    async make({ carry }) {
      const { root, config } = await carry();
      await rm(root, { recursive: true });
      return {
        args: verify(config),
        exitCode: 1,
        code: 'SVC-FIL-005',
        says: /the disk is not mounted there/,
      };
    },
  },
  {
    title: 'The wrong disk: it was made for another zone',
    situation: 'Two disks lie on the desk.',
    async make({ carry }) {
      const { config } = await carry({ zone: 'zone-c' });
      return {
        args: verify(config),
        exitCode: 3,
        code: 'SVC-MED-006',
        record: 'info',
        says: /Use the right medium/,
      };
    },
  },
  {
    title: 'Half of the copy: files are missing',
    situation: 'The disk was unplugged before the copy had ended.',
    async make({ carry }) {
      const { root, config } = await carry();
      await rm(findLayer(root));
      return {
        args: verify(config),
        exitCode: 4,
        code: 'SVC-MED-010',
        record: 'info',
        says: /The copy is incomplete/,
      };
    },
  },
  {
    title: 'Half of the copy: a file is cut off',
    situation: 'The copy filled the disk.',
    async make({ carry }) {
      const { root, config } = await carry();
      const layer = findLayer(root);
      await writeFile(layer, (await readFile(layer)).subarray(0, 100));
      return {
        args: verify(config),
        exitCode: 4,
        code: 'SVC-MED-011',
        record: 'info',
        says: /The copy was truncated/,
      };
    },
  },
  {
    title: 'A byte of the disk has changed',
    situation: 'The disk is old, or somebody wrote on it.',
    async make({ carry }) {
      const { root, config } = await carry();
      const layer = findLayer(root);
      const bytes = await readFile(layer);
      bytes[10]! ^= 1;
      await writeFile(layer, bytes);
      return {
        args: verify(config),
        exitCode: 4,
        code: 'SVC-MED-012',
        record: 'info',
        says: /Copy the medium again/,
      };
    },
  },
  {
    title: 'The disk is mounted read-only',
    situation: 'The switch of the disk is on, or the system mounted it read-only after an error.',
    needs: needsMount,
    async make({ carry }) {
      const { config } = await carry();
      const { volume, ...rest } = await mountDisk('64k');
      volume.remount('ro');
      return {
        args: ['export', join(volume.path, 'shop.tar'), '--config', config],
        exitCode: 1,
        code: 'SVC-STO-002',
        record: 'info',
        says: /read-only/,
        ...rest,
      };
    },
  },
  {
    title: 'The disk is full',
    situation: 'Other files are on the disk.',
    needs: needsMount,
    async make({ carry }) {
      const { config } = await carry();
      const { volume, ...rest } = await mountDisk('8k');
      return {
        args: ['export', join(volume.path, 'shop.tar'), '--config', config],
        exitCode: 1,
        code: 'SVC-STO-004',
        record: 'info',
        says: /missing/,
        ...rest,
      };
    },
  },
  {
    title: 'The store was written by a later version',
    situation:
      'The side that has a network was updated first, and the store is checked with the earlier version.',
    async make({ carry }) {
      const { root } = await carry();
      await forgeLedgerAt(root, 'content', (records) =>
        records.map((record) => (record.op === 'medium' ? { ...record, format: 99 } : record)),
      );
      return {
        args: ['store', 'check', '--storage-root', root],
        exitCode: 1,
        code: 'SVC-STO-008',
        says: /Use a version of svc that supports format 99/,
      };
    },
  },
  {
    title: 'The disk was written by a later version',
    situation: 'The side that has a network was updated first.',
    async make({ carry }) {
      const { root, config } = await carry();
      const path = join(root, 'media.jsonl');
      const [header, ...lines] = (await readFile(path, 'utf8')).split('\n');
      const later = JSON.stringify({ ...JSON.parse(header!), storeFormat: 99 });
      await writeFile(path, [later, ...lines].join('\n'));
      return { args: verify(config), exitCode: 4, code: 'SVC-MED-004', record: 'info', says: /version/ };
    },
  },
];

import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { runMeasured } from '../run-measured.ts';
import { settleDisk } from '../settle-disk.ts';
import { writeSmallFiles } from '../small-files.ts';
import type { Contender, Workload } from '../workload.ts';

const packOnce = join(import.meta.dirname, '../floors/pack-once.ts');

async function writeLargeFile(root: string, bytes: number): Promise<void> {
  await mkdir(root);
  const file = await open(join(root, 'large'), 'w');
  try {
    for (let written = 0; written < bytes; written += 1 << 20) await file.write(randomBytes(1 << 20));
  } finally {
    await file.close();
  }
}

export const packFileset: Workload = {
  id: 'P10',
  title: 'packing of a FileSet: packed, hashed, stored, durable',
  async run(bench, compare) {
    const sources = await bench.createFolder('p10-sources');
    const tiny = join(sources, 'tiny');
    const small = join(sources, 'small');
    const large = join(sources, 'large');
    const count = bench.size(10_000, 1000);
    const bytes = bench.size(1 << 30, 64 << 20);
    await mkdir(tiny);
    await writeSmallFiles(small, count);
    await writeLargeFile(large, bytes);
    const pack = (store: string, source: string) =>
      runMeasured(process.env.SVC_BIN!, ['fileset', 'pack', source, 'bench:1'], {
        env: {
          SVC_STORAGE_ROOT: join(store, 'store'),
          SVC_STATE_ROOT: join(store, 'state'),
          HOME: bench.folder,
        },
      });
    const toOurs = (source: string): Contender => ({
      name: 'svc',
      // a store that is there, and does not have the content
      run: () =>
        bench.withFolder('p10-svc', async (folder) => {
          await pack(folder, tiny);
          await settleDisk();
          const { seconds, cpu, peak } = await pack(folder, source);
          return { time: seconds, cpu, peak };
        }),
    });
    const toTar = (source: string): Contender => ({
      name: 'tar',
      run: () =>
        bench.withFolder('p10-tar', async (folder) => {
          await settleDisk();
          const script = 'tar -cf - -C "$1" . | tee "$2" | openssl dgst -sha256 && sync "$2"';
          const target = join(folder, 'layer.tar');
          const { seconds, cpu } = await runMeasured('/bin/sh', ['-c', script, 'sh', source, target]);
          return { time: seconds, cpu };
        }),
    });
    const floor: Contender = {
      name: 'floor',
      run: () =>
        bench.withFolder('p10-floor', async (folder) => {
          await settleDisk();
          const args = [packOnce, small, join(folder, 'layer.tar')];
          const { seconds, cpu } = await runMeasured(process.execPath, args);
          return { time: seconds, cpu };
        }),
    };
    for (const [title, source, atMost, others] of [
      [`${count} small files`, small, 1.6, [floor]],
      [`one file of ${bytes >> 20} MiB`, large, 0.4, []],
    ] as const) {
      await compare({
        title: `packing of ${title} against tar | tee FILE | openssl dgst, then sync FILE; page cache warm`,
        measures: [
          { key: 'time', unit: 's', better: 'less' },
          { key: 'cpu', unit: 's of CPU', better: 'less' },
          { key: 'peak', unit: 'MiB of memory', better: 'none' },
        ],
        contenders: [toOurs(source), toTar(source), ...others],
        targets: [{ measure: 'time', against: 'tar', atMost }],
      });
    }
  },
};

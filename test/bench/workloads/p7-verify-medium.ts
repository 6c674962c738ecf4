import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getMedium, writeZone } from '../medium.ts';
import { runMeasured } from '../run-measured.ts';
import type { Contender, Workload } from '../workload.ts';

/** Files below a folder, and their bytes. */
export async function weigh(root: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return { files: sizes.length, bytes: sizes.reduce((total, size) => total + size, 0) };
}

export const verifyMedium: Workload = {
  id: 'P7',
  title: 'verification of a medium, page cache warm',
  async run(bench, compare) {
    const medium = await getMedium(bench);
    const { files, bytes } = await weigh(medium.root);
    const configuration = await writeZone(await bench.createFolder('p7-zone'), medium);
    const throughput = (seconds: number): number => bytes / 2 ** 20 / seconds;
    const toHasher = (name: string, command: string): Contender => ({
      name,
      run: async () => {
        const script = `find "$1" -type f -print0 | xargs -0 -P2 -n8 ${command} > /dev/null`;
        const { seconds, cpu } = await runMeasured('/bin/sh', ['-c', script, 'sh', medium.root]);
        return { throughput: throughput(seconds), cpu };
      },
    });
    const hashers = [toHasher('sha256sum', 'sha256sum'), toHasher('openssl', 'openssl dgst -sha256')];
    const toSvc = (...command: readonly string[]): Contender => ({
      name: 'svc',
      run: async () => {
        const args = [...command, '--config', configuration, '--output', 'json'];
        // compiled code is kept in the user's own folder, as for every user with a home
        const { seconds, cpu, peak } = await runMeasured(process.env.SVC_BIN!, args, {
          env: { HOME: bench.folder },
        });
        return { throughput: throughput(seconds), cpu, peak };
      },
    });
    const measures = [
      { key: 'throughput', unit: 'MiB/s', better: 'more' },
      { key: 'cpu', unit: 's of CPU', better: 'less' },
      { key: 'peak', unit: 'MiB of memory', better: 'none' },
    ] as const;
    const targets = [
      { measure: 'throughput', against: 'sha256sum', atLeast: 4 },
      { measure: 'throughput', against: 'openssl', atLeast: 1.4 },
    ] as const;
    await compare({
      title: `verification of a medium of ${Math.round(bytes / 2 ** 20)} MiB in ${files} files, page cache warm; svc judges signatures and reaches besides`,
      measures,
      contenders: [toSvc('media', 'verify'), ...hashers],
      targets,
    });
    await compare({
      title: 'check of the same store as a store; svc compares ledgers, index, manifests and blobs besides',
      measures,
      contenders: [toSvc('store', 'check'), ...hashers],
      targets,
    });
  },
};

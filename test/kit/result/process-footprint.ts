import { readdir, readFile, writeFile } from 'node:fs/promises';

/** The resources of a process, as the kernel counts them. */
export const processFootprint = {
  /** Starts the peak anew. */
  async resetPeak(pid: number): Promise<void> {
    await writeFile(`/proc/${pid}/clear_refs`, '5');
  },
  /** The most resident memory since the last reset, in MiB. */
  async peakMebibytes(pid: number): Promise<number> {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
  },
  /** Descriptors open now. */
  async descriptors(pid: number): Promise<number> {
    return (await readdir(`/proc/${pid}/fd`)).length;
  },
};

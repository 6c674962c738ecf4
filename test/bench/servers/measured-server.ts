import { cpuSeconds, peakMebibytes, resetPeak } from '../process-usage.ts';

/** A registry of any make under measurement; a process of its own on 127.0.0.1. */
export interface MeasuredServer extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly pid: number;
  /** `Authorization` that it wants. */
  readonly authorization?: string | undefined;
}

/** The usage of a server during some work: processor time in seconds, highest resident size in MiB. */
export async function measureServer<T>(
  server: Pick<MeasuredServer, 'pid'>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpu: number; readonly peak: number }> {
  resetPeak(server.pid);
  const before = cpuSeconds(server.pid);
  const result = await work();
  return { result, cpu: cpuSeconds(server.pid) - before, peak: peakMebibytes(server.pid) };
}

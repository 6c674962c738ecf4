import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../instance/eventually.ts';

const probe = pathToFileURL(join(import.meta.dirname, 'memory-probe.ts')).href;

/** The environment of an instance whose live memory can be asked for; it is written to this file. */
export function toProbedEnvironment(file: string, options = ''): Record<string, string> {
  return { NODE_OPTIONS: `${options} --import=${probe}`.trim(), SVC_MEMORY_PROBE: file };
}

/** Bytes that a probed process holds when everything nobody can reach any more has been collected. */
export async function askLiveMemory(pid: number, file: string): Promise<number> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return eventually(
    'the live memory',
    async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined,
  );
}

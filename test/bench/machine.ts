import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { inspectVolume } from '../../src/disk/volume.ts';
import type { Peers } from './peers.ts';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryMebibytes: number;
  readonly kernel: string;
  readonly filesystem: string;
  readonly node: string;
  readonly load: number;
  readonly peers: Readonly<Record<string, string>>;
}

const versionArguments: Readonly<Record<string, string>> = {
  regsync: 'version',
  oras: 'version',
  hauler: 'version',
  nginx: '-v',
};

function versionOf(name: string, path: string): string {
  const { stdout = '', stderr = '' } = spawnSync(path, [versionArguments[name] ?? '--version'], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  const unknown = 'of unknown version';
  const text = `${stdout} ${stderr}`;
  // zot says it in a line of its log, where other numbers stand besides
  if (text.trimStart().startsWith('{')) return /"commit":"([^"]+)"/.exec(text)?.[1] ?? unknown;
  return /v?\d+\.\d+[^\s,]*/.exec(text)?.[0] ?? unknown;
}

/** The machine of the figures. @param folder where the measured files lie */
export async function inspectMachine(folder: string, peers: Peers): Promise<Machine> {
  const { type } = await inspectVolume(folder);
  return {
    processor:
      cpus()[0]?.model.trim() ?? /model name\s*: (.*)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '',
    cores: availableParallelism(),
    memoryMebibytes: Math.round(totalmem() / 2 ** 20),
    kernel: release(),
    filesystem: type,
    node: process.version,
    load: loadavg()[0]!,
    peers: Object.fromEntries([...peers].map(([name, path]) => [name, versionOf(name, path)])),
  };
}

export function toMachineLine(machine: Machine): string {
  const peers = Object.entries(machine.peers).map(([name, version]) => `${name} ${version}`);
  return [
    `${machine.cores} × ${machine.processor}, ${machine.memoryMebibytes} MiB, Linux ${machine.kernel}, ${machine.filesystem}, Node ${machine.node}, load ${machine.load.toFixed(2)}`,
    `peers: ${peers.join(', ') || 'none'}`,
  ].join('\n');
}

import { spawn } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getgid, getuid } from 'node:process';
import { runProgram } from './run-program.ts';
import { trackChild } from './svc.ts';
import { watchOutput } from './watch-output.ts';

/** A real containerd with everything below one folder; it needs no privileges, for it only fetches content. */
export interface Containerd extends AsyncDisposable {
  /** Runs its client, with any exit code. */
  ctr(...args: string[]): ReturnType<typeof runProgram>;
}

export interface ContainerdOptions {
  readonly containerd: string;
  readonly ctr: string;
  /** A folder of its own; its path must be short, for there are sockets in it. */
  readonly folder: string;
}

// parts that unpack images or run containers are left out: they would want root
const unneeded = [
  'grpc.v1.cri',
  'internal.v1.opt',
  'snapshotter.v1.aufs',
  'snapshotter.v1.btrfs',
  'snapshotter.v1.zfs',
];

export async function startContainerd({ containerd, ctr, folder }: ContainerdOptions): Promise<Containerd> {
  await mkdir(folder, { recursive: true });
  const socket = join(folder, 's');
  const owner = `uid = ${getuid!()}\n  gid = ${getgid!()}`;
  const config = join(folder, 'config.toml');
  await writeFile(
    config,
    `version = 2
root = "${join(folder, 'root')}"
state = "${join(folder, 'state')}"
disabled_plugins = [${unneeded.map((name) => `"io.containerd.${name}"`).join(', ')}]
[grpc]
  address = "${socket}"
  ${owner}
[ttrpc]
  address = "${socket}.ttrpc"
  ${owner}
`,
  );
  const child = trackChild(spawn(containerd, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] }));
  const exited = new Promise((resolve) => child.on('close', resolve));
  await watchOutput(child, /successfully booted/).found;
  await access(socket);
  return {
    ctr: (...args) =>
      runProgram(ctr, ['--address', socket, ...args], { cwd: folder, env: { PATH: '', HOME: folder } }),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

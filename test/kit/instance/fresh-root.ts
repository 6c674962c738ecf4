import { spawn, spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { collectOutput } from '../program/collect-output.ts';
import { needs } from '../program/peers.ts';
import { trackChild } from '../program/svc.ts';

const enter = `set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t proc proc /mnt/root/proc
mount -t tmpfs tmpfs /mnt/root/dev
for name in null zero random urandom; do
  touch "/mnt/root/dev/$name"
  mount --bind "/dev/$name" "/mnt/root/dev/$name"
done
mkdir -p /mnt/root/mnt/given
mount --bind "$1" /mnt/root/mnt/given
exec chroot /mnt/root /bin/sh -c "$2"
`;

const options = (network: boolean): string[] => [
  ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'],
  ...(network ? [] : ['--net']),
];

/** Whether a root of its own can be made here; otherwise the test is skipped with the reason. */
export function canOpenRoot(t: Pick<TestContext, 'skip'>): boolean {
  const unshare = needs(t, 'unshare');
  if (!unshare) return false;
  if (spawnSync(unshare, [...options(false), 'sh', '-c', enter, 'sh', '/', 'true']).status === 0) return true;
  t.skip('not run: needs root and overlay mounts');
  return false;
}

/**
 * Runs a script as root in a copy of this system, whose changes go with it. Without `network` there is not even a
 * loopback.
 *
 * @param given folder that the script sees at /mnt/given
 */
export async function runInFreshRoot(
  given: string,
  script: string,
  { network = false }: { readonly network?: boolean } = {},
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = trackChild(
    spawn('unshare', [...options(network), 'sh', '-c', enter, 'sh', given, `exec 2>&1; ${script}`], {
      env: {
        PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C.UTF-8',
        DEBIAN_FRONTEND: 'noninteractive',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  const { exitCode, stdout, stderr } = await collectOutput(child);
  return { exitCode, output: stdout + stderr };
}

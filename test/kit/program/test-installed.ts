import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutsideResult, runOutside } from '../../../src/program/run-outside.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import { onPath } from './peers.ts';
import { svcCommand, svcEnvironment } from './svc.ts';

/**
 * Tests a client with folders of a test in place of those of the machine, which nothing else sees.
 *
 * @param places folders below `/etc`, each with the one that takes its place
 */
export async function testInstalled(
  client: string,
  url: string,
  places: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<OutsideResult> {
  await using skeleton = await openTempFolder();
  for (const to of Object.keys(places)) await mkdir(join(skeleton.path, to));
  const mounts = [
    // folders that the machine lacks
    `mount -t overlay overlay -olowerdir='${skeleton.path}':/etc /etc`,
    ...Object.entries(places).map(([to, from]) => `mount --bind '${from}' /etc/${to}`),
  ];
  const [command, ...first] = svcCommand();
  const args = ['client', 'test', client, '--installed', '--sample', '1', '--instance', url];
  return await runOutside(
    onPath('unshare')!,
    ['-m', 'sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh', command, ...first, ...args],
    { env: svcEnvironment(env), cwd: '/', timeout: 120_000, signal: AbortSignal.timeout(120_000) },
  );
}

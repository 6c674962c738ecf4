import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const endProcess = new URL('../../../commands/cli/process/end-process.ts', import.meta.url).href;

test('a process ends with its exit code though a lookup that no name server answers continues', async (t) => {
  await using folder = await openTempFolder();
  const resolv = join(folder.path, 'resolv.conf');
  await writeFile(resolv, 'nameserver 127.0.0.1\noptions timeout:20 attempts:1\n');
  const script = join(folder.path, 'hang.mjs');
  await writeFile(
    script,
    `import { createSocket } from 'node:dgram';
     import { lookup } from 'node:dns';
     import { endProcess } from '${endProcess}';
     const silent = createSocket('udp4');
     silent.bind(53, '127.0.0.1', () => {
       lookup('name.example', () => {});
       silent.once('message', () => {
         silent.unref();
         endProcess(3);
       });
     });`,
  );
  const setup = `mount --bind ${resolv} /etc/resolv.conf && ip link set lo up`;
  // a network and a file system of its own
  const possible = spawnSync('unshare', ['-rnm', 'sh', '-c', setup]);
  if (possible.status !== 0) return t.skip('not run: needs unshare with user namespaces, and ip');
  const started = performance.now();
  const { status, stderr } = spawnSync(
    'unshare',
    ['-rnm', 'sh', '-c', `${setup} && exec "$0" "$1"`, process.execPath, script],
    { encoding: 'utf8' },
  );
  assert.equal(status, 3, stderr);
  assert.ok(performance.now() - started < 15_000, 'the process waited for the lookup');
});

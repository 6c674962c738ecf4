import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyPlain } from '../../../commands/client-test/copy-plain.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('files of the operator are copied with what links lead to, and a pipe or a device is named', async () => {
  await using temp = await openTempFolder();
  const path = (name: string): string => join(temp.path, name);
  await mkdir(path('from/registry.example'), { recursive: true });
  await writeFile(path('own'), 'server = "x"\n');
  await symlink(path('own'), path('from/registry.example/hosts.toml'));
  await copyPlain(path('from'), path('to'));
  assert.equal(await readFile(path('to/registry.example/hosts.toml'), 'utf8'), 'server = "x"\n');
  const make: Readonly<Record<string, () => void | Promise<void>>> = {
    pipe: () => void execFileSync('mkfifo', [path('pipe/hosts.toml')]),
    device: () => symlink('/dev/zero', path('device/hosts.toml')),
  };
  for (const [what, work] of Object.entries(make)) {
    await mkdir(path(what));
    await work();
    const special = path(`${what}/hosts.toml`);
    await assert.rejects(copyPlain(path(what), path(`${what}-copy`)), {
      code: 'SVC-FIL-005',
      params: { path: special, special },
    });
  }
});

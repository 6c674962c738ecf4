import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const sources = new URL('../../../scripts/launcher/', import.meta.url).pathname;

test('the launcher passes each argument on, and Node reads no configuration file that one names', async () => {
  await using temporary = await openTempFolder();
  const folder = temporary.path;
  const lib = join(folder, 'lib');
  await mkdir(lib);
  await copyFile(join(sources, 'svc'), join(folder, 'svc'));
  for (const name of ['start.cjs', 'start-hidden.cjs']) await copyFile(join(sources, name), join(lib, name));
  await symlink(process.execPath, join(folder, 'node'));
  await writeFile(join(lib, 'main.cjs'), 'console.log(JSON.stringify(process.argv.slice(2)))');
  await writeFile(join(folder, 'evil.cjs'), 'console.log("read")');
  const config = join(folder, 'node.config.json');
  await writeFile(config, JSON.stringify({ nodeOptions: { import: join(folder, 'evil.cjs') } }));
  const lines: readonly (readonly string[])[] = [
    ['recipe', 'lint', '--', `--experimental-config-file=${config}`],
    ['--experimental-config-file', config, 'version', '', 'two words', '=', '*'],
    ['--experimental-default-config-file', 'version'],
    ['version', '--experimental-default-config-file=x', 'a\nb'],
    ['version', '', 'two words', '=', '*'],
  ];
  for (const line of lines) {
    const { status, stdout, stderr } = spawnSync('/bin/sh', [join(folder, 'svc'), ...line], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.deepEqual([status, stdout, stderr], [0, `${JSON.stringify(line)}\n`, ''], line.join(' '));
  }
});

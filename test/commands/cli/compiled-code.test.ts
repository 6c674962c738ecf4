import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const code = new URL('../../../scripts/launcher/compiled-code.ts', import.meta.url).href;

test('a home in which no folder can be made costs the compiled code, and not the program', () => {
  const script = `
    import { openCodeFolder } from '${code}';
    process.stdout.write(String(openCodeFolder({ HOME: '/proc' }, 'build')));
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  assert.deepEqual([status, stdout], [0, 'undefined']);
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runSvc } from '../../kit/program/svc.ts';

const flags = ['quickstart', '--mode', 'mirror', '--password-stdin'];
const input = 'a good password\n';

test('after a kill at any moment a second run completes the setup', async () => {
  let whole = 0;
  for (const milliseconds of [150, 250, 350, 450, 550, 650, 800]) {
    await using folder = await openTempFolder();
    const cwd = folder.path;
    const path = join(cwd, 'svc.yaml');
    const killed = new AbortController();
    const timer = setTimeout(() => killed.abort(), milliseconds);
    await runSvc(flags, { cwd, input, signal: killed.signal });
    clearTimeout(timer);
    if (existsSync(path)) {
      whole += 1;
      // the configuration comes last: with it everything is there
      assert.equal(parse(await readFile(path, 'utf8')).mode, 'mirror');
    } else {
      const again = await runSvc(flags, { cwd, input });
      assert.equal(again.exitCode, 0, again.stderr);
      assert.deepEqual((await readdir(cwd)).sort(), ['state', 'svc.yaml']);
    }
    const accounts = await runSvc(['user', 'list', '--config', 'svc.yaml'], { cwd });
    assert.match(accounts.stdout, /admin +admin/);
    await rm(cwd, { recursive: true });
  }
  assert.ok(whole < 7, 'some were killed before their end');
});

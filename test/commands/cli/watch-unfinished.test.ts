import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const watch = new URL('../../../commands/cli/process/watch-unfinished.ts', import.meta.url).href;

test('a command whose work can never end is told as an error, in the form that it was asked for', () => {
  const script = `
    import { watchUnfinished } from '${watch}';
    process.exitCode = 1;
    const args = ['recipe', 'show', '--output', 'json'];
    const run = async (work) => {
      const end = watchUnfinished(args, process);
      await work;
      end();
    };
    await run(Promise.resolve());
    run(new Promise(() => {}));
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'fr_FR.UTF-8' },
  });
  assert.equal(status, 1);
  assert.equal(JSON.parse(stdout).error.code, 'SVC-SRV-001');
  assert.match(stderr, /^svc: SVC-SRV-001\s: Erreur interne\.$/m);
  assert.match(stderr, /il ne reste rien qui puisse terminer cette commande/);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { commandIndex } from '../../commands/command-index.ts';
import { shells } from '../../commands/completion-scripts.ts';
import { needs } from '../kit/peers.ts';
import { runSvc } from '../kit/svc.ts';
import { openTempFolder } from '../kit/temp-folder.ts';

const scripts: Record<string, string> = {};
before(async () => {
  await Promise.all(
    shells.map(async (shell) => {
      const { exitCode, stdout, stderr } = await runSvc(['completion', shell]);
      assert.deepEqual([exitCode, stderr], [0, ''], shell);
      scripts[shell] = stdout;
    }),
  );
});

/** What bash offers for a line whose last word is being typed. */
function completeInBash(bash: string, ...words: readonly string[]): string[] {
  const line = ['svc', ...words].map((word) => `'${word}'`).join(' ');
  const program = `${scripts.bash}
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync(bash, ['--norc', '-c', program], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands, flags, closed sets, folders and files', async (t) => {
  const bash = needs(t, 'bash');
  if (!bash) return;
  assert.deepEqual(completeInBash(bash, 'v'), ['version']);
  assert.deepEqual(
    completeInBash(bash, '').sort(),
    [...new Set(commandIndex.map(({ path }) => path[0]))].sort(),
  );
  assert.deepEqual(completeInBash(bash, 'user', ''), ['add', 'list', 'passwd']);
  assert.deepEqual(completeInBash(bash, 'user', 'add', '--pass'), ['--password-stdin']);
  assert.deepEqual(completeInBash(bash, 'user', 'add', '--role', ''), ['viewer', 'operator', 'admin']);
  assert.deepEqual(completeInBash(bash, 'config', 'dump', '--output', ''), ['yaml', 'json']);
  assert.deepEqual(completeInBash(bash, 'version', '--output', 'j'), ['json']);
  assert.deepEqual(completeInBash(bash, 'serve', '--mode', ''), ['passthrough', 'mirror']);
  assert.deepEqual(completeInBash(bash, 'completion', 'f'), ['fish']);
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'recipe.yaml'), '');
  assert.deepEqual(completeInBash(bash, 'recipe', 'push', `${folder.path}/rec`), [
    join(folder.path, 'recipe.yaml'),
  ]);
  assert.deepEqual(completeInBash(bash, 'serve', '--storage-root', folder.path), [folder.path]);
});

test('every script names every command and its flags', async () => {
  for (const shell of shells) {
    for (const { path } of commandIndex)
      assert.ok(scripts[shell]!.includes(path.join(' ')), `${shell} ${path.join(' ')}`);
    for (const flag of ['allow-stale', 'password-stdin', 'wait-timeout', 'storage-root']) {
      assert.ok(scripts[shell]!.includes(flag), `${shell} ${flag}`);
    }
  }
});

for (const [shell, program, args] of [
  ['bash', 'bash', ['-n']],
  ['zsh', 'zsh', ['-n']],
  ['fish', 'fish', ['-n']],
  ['powershell', 'pwsh', ['-NoProfile', '-File']],
] as const) {
  test(`${program} accepts its script`, async (t) => {
    const path = needs(t, program);
    if (!path) return;
    await using folder = await openTempFolder();
    const file = join(folder.path, shell === 'powershell' ? 'svc.ps1' : 'svc');
    await writeFile(file, scripts[shell]!);
    const { status, stderr } = spawnSync(path, [...args, file], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { selectNames } from '../../commands/cli/complete.ts';
import { type CompletedCommand, renderCompletion, shells } from '../../commands/cli/completion-scripts.ts';
import { commandIndex } from '../../commands/command-index.ts';
import { describeCompletions } from '../../commands/completion.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { putProgram, typeLines } from '../kit/program/shell-session.ts';
import { type BuiltMedium, buildMedium } from '../kit/scene/medium.ts';

const flag = (name: string, values: CompletedCommand['values']) => ({
  name,
  takesValue: true,
  description: `some ${name}, "quoted" and it's $HOME \`date\``,
  values,
});
/** A command with every kind of value, beside the real ones. */
const probe: CompletedCommand = {
  path: ['probe'],
  summary: 'Has it all',
  flags: [
    flag('--recipe', 'recipe'),
    flag('--repository', 'repository'),
    flag('--storage-root', 'folder'),
    flag('--file', 'file'),
    flag('--colour', ['red', 'green']),
    flag('--text', undefined),
  ],
  values: 'file',
};

const scripts: Record<string, string> = {};
let medium: BuiltMedium;
before(async () => {
  const commands = [...(await describeCompletions()), probe];
  for (const shell of shells) scripts[shell] = renderCompletion(shell, commands);
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

test('svc completion prints the script of each shell', async () => {
  for (const shell of shells) {
    const { exitCode, stdout, stderr } = await runCommand(['completion', shell]);
    assert.deepEqual([exitCode, stderr], [0, ''], shell);
    assert.equal(stdout, renderCompletion(shell, await describeCompletions()));
  }
  const { exitCode, stderr } = await runCommand(['completion', 'tcsh']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /bash, zsh, fish, powershell/);
});

test('every script names every command and its flags', () => {
  for (const shell of shells) {
    for (const { path } of commandIndex)
      assert.ok(scripts[shell]!.includes(path.join(' ')), `${shell} ${path.join(' ')}`);
    for (const name of ['allow-stale', 'password-stdin', 'wait-timeout', 'storage-root']) {
      assert.ok(scripts[shell]!.includes(name), `${shell} ${name}`);
    }
  }
});

/** Typed lines, and their completions. */
const typed = (root: string): readonly (readonly [line: string, words: string])[] => [
  ['svc vers\t', 'version'],
  ['svc qui\t --mo\t pas\t', 'quickstart|--mode|passthrough'],
  ['svc us\t ad\t ada --ro\t op\t', 'user|add|ada|--role|operator'],
  ['svc config du\t --output y\t', 'config|dump|--output|yaml'],
  ['svc media v\t --allow-z\t', 'media|verify|--allow-zone-mismatch'],
  ['svc serve --log-level=wa\t', 'serve|--log-level=warn'],
  ['svc recipe pu\t some\t', 'recipe|push|some file.yaml'],
  ['svc serve --storage-root a-\t', 'serve|--storage-root|a-folder/'],
  ['svc probe --colour gr\t', 'probe|--colour|green'],
  [`svc probe --storage-root ${root} --recipe sho\t@1\t`, `probe|--storage-root|${root}|--recipe|shop@1.4.0`],
  [
    `svc probe --storage-root=${root} --recipe=dep\t@2\t`,
    `probe|--storage-root=${root}|--recipe=depot@2.0.0`,
  ],
  [
    `svc probe --storage-root "${root}" --repository origin.example_5000/dep\t`,
    `probe|--storage-root|${root}|--repository|origin.example_5000/depot/worker`,
  ],
  // nothing fits: the line stays as it was
  ['svc nonsense\t', 'nonsense'],
  ['svc probe --storage-root /nowhere --recipe x\t', 'probe|--storage-root|/nowhere|--recipe|x'],
];

for (const shell of ['bash', 'zsh'] as const) {
  test(`${shell} completes commands, flags, words, files, folders, recipes and repositories`, async (t) => {
    const path = needs(t, shell);
    const script = needs(t, 'script');
    if (!path || !script) return;
    await using folder = await openTempFolder();
    await writeFile(join(folder.path, 'some file.yaml'), '');
    await mkdir(join(folder.path, 'a-folder'));
    await writeFile(join(folder.path, 'a-file'), '');
    const lines = typed(medium.root);
    const session = { script, shell, path, folder: folder.path, completion: scripts[shell]! };
    const became = await typeLines(
      session,
      lines.map(([line]) => line),
    );
    // a unique completion may be followed by a blank, a folder by a slash
    const trim = (text: string): string => text.replace(/[ /]+$/, '');
    for (const [index, [line, words]] of lines.entries()) {
      assert.equal(trim(became[index]!), trim(words), `${shell}: ${line}`);
    }
  });
}

test('fish completes commands, flags, words, files, folders, recipes and repositories', async (t) => {
  const fish = needs(t, 'fish');
  if (!fish) return;
  await using folder = await openTempFolder();
  const bin = await putProgram(folder.path);
  await writeFile(join(folder.path, 'some.yaml'), '');
  await mkdir(join(folder.path, 'a-folder'));
  await writeFile(join(folder.path, 'svc.fish'), scripts.fish!);
  const { root } = medium;
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['svc vers', ['version']],
    ['svc user ', ['add', 'list', 'passwd', 'remove', 'role']],
    ['svc user add --ro', ['--role']],
    ['svc user add --role ', ['admin', 'operator', 'viewer']],
    ['svc serve --log-level=wa', ['--log-level=warn']],
    ['svc recipe push so', ['some.yaml']],
    ['svc serve --storage-root a-', ['a-folder/']],
    [`svc probe --storage-root ${root} --recipe sh`, ['shop', 'shop@1.4.0']],
    [`svc probe --storage-root=${root} --recipe=dep`, ['--recipe=depot', '--recipe=depot@2.0.0']],
    [
      `svc probe --storage-root '${root}' --repository origin.example_5000/dep`,
      ['origin.example_5000/depot/worker'],
    ],
    ['svc probe --storage-root /nowhere --recipe x', []],
  ];
  const program = `source svc.fish\n${cases.map(([line]) => `complete -C ${JSON.stringify(line)}; echo @@\n`).join('')}`;
  const { stdout, stderr, status } = spawnSync(fish, ['--no-config', '-c', program], {
    cwd: folder.path,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder.path, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  const answers = stdout.split('@@\n').map((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0]!)
      .sort(),
  );
  for (const [index, [line, words]] of cases.entries()) assert.deepEqual(answers[index], words, line);
});

test('PowerShell completes commands, flags, words, recipes and repositories', async (t) => {
  const pwsh = needs(t, 'pwsh');
  if (!pwsh) return;
  await using folder = await openTempFolder();
  const bin = await putProgram(folder.path);
  await writeFile(join(folder.path, 'svc.ps1'), scripts.powershell!);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['svc vers', ['version']],
    ['svc user ', ['add', 'list', 'passwd', 'remove', 'role']],
    ['svc user add --role ', ['viewer', 'operator', 'admin']],
    [`svc probe --storage-root ${medium.root} --recipe sh`, ['shop', 'shop@1.4.0']],
  ];
  const lines = cases.map(
    ([line]) =>
      `(TabExpansion2 '${line}' ${line.length}).CompletionMatches | ForEach-Object CompletionText; Write-Output '--'`,
  );
  const { stdout, stderr, status } = spawnSync(
    pwsh,
    ['-NoProfile', '-Command', `. ./svc.ps1\n${lines.join('\n')}`],
    { cwd: folder.path, env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder.path }, encoding: 'utf8' },
  );
  assert.deepEqual([status, stderr], [0, '']);
  const answers = stdout.split('--\n').map((text) => text.split('\n').filter((line) => line !== ''));
  for (const [index, [line, words]] of cases.entries()) assert.deepEqual(answers[index], words, line);
});

const ask = (kind: string, prefix: string, words: readonly string[], env = {}) =>
  runCommand(['__complete', kind, prefix, '--', 'svc', 'export', ...words], { env });

test('the store is found as the command would find it: flag, configuration, environment', async () => {
  await using folder = await openTempFolder();
  const config = join(folder.path, 'it is here.yaml');
  await writeFile(config, `storage: { root: ${medium.root} }\n`);
  const ways: readonly [readonly string[], Record<string, string>][] = [
    [['--storage-root', medium.root], {}],
    [[`--storage-root=${medium.root}`], {}],
    [['--config', config.replaceAll(' ', '\\ ')], {}],
    [['--config', `'${config}'`], {}],
    [['--config', '~/it\\ is\\ here.yaml'], { HOME: folder.path }],
    [[], { SVC_STORAGE_ROOT: medium.root }],
  ];
  for (const [words, env] of ways) {
    const { exitCode, stdout, stderr } = await ask('recipe', '', words, env);
    assert.deepEqual([exitCode, stderr], [0, ''], words.join(' '));
    assert.deepEqual(stdout.split('\n'), ['depot', 'depot@2.0.0', 'shop', 'shop@1.4.0', '']);
  }
});

test('without a match it prints nothing, on every input', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'bad.yaml'), ': : :');
  for (const [kind, words] of [
    ['recipe', []],
    ['recipe', ['--storage-root', folder.path]],
    ['repository', ['--storage-root', '/proc/self/mem']],
    ['recipe', ['--config', join(folder.path, 'bad.yaml')]],
    ['recipe', ['--config']],
    ['nonsense', ['--storage-root', medium.root]],
  ] as const) {
    const { exitCode, stdout, stderr } = await ask(kind, '', words);
    assert.deepEqual([exitCode, stdout, stderr], [0, '', ''], `${kind} ${words.join(' ')}`);
  }
  const bare = await runCommand(['__complete']);
  assert.deepEqual([bare.exitCode, bare.stdout, bare.stderr], [0, '', '']);
});

test('names that a shell would interpret are not offered, and the number of names is limited', () => {
  const evil = [
    'a b',
    '$(id)',
    '`id`',
    'x;id',
    'x\u001b[31m',
    '-rf',
    "x'y",
    'x\ny',
    'x&',
    'x>y',
    '~x',
    'x*',
    '',
    'x\\',
  ];
  assert.deepEqual(selectNames([...evil, 'xena', 'x/y_5000/z@1.0.0+b'], ''), ['xena', 'x/y_5000/z@1.0.0+b']);
  assert.deepEqual(selectNames(['xena', 'yes'], 'x'), ['xena']);
  assert.equal(selectNames(Array(10_000).fill('x') as string[], '').length, 500);
});

for (const [shell, program, args] of [
  ['bash', 'bash', ['-n']],
  ['zsh', 'zsh', ['-n']],
  ['fish', 'fish', ['-n']],
] as const) {
  test(`${program} accepts its script`, async (t) => {
    const path = needs(t, program);
    if (!path) return;
    await using folder = await openTempFolder();
    const file = join(folder.path, 'svc');
    await writeFile(file, scripts[shell]!);
    const { status, stderr } = spawnSync(path, [...args, file], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });
}

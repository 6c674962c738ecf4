import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { groupTests } from '../../scripts/test/groups.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runProgram } from '../kit/program/run-program.ts';

const root = join(import.meta.dirname, '..', '..');
const scripts = join(root, 'scripts');

test('files share a process, except those that watch or change the whole of it', () => {
  const texts: Readonly<Record<string, string>> = {
    'test/a/1.test.ts': "import { test } from 'node:test';",
    'test/a/2.test.ts': "process.env.SVC_BIN = 'x';",
    'test/a/3.test.ts': 'spawn(process.execPath, [], { env: { PATH: process.env.PATH } })',
    'test/a/4.test.ts': "mock.timers.enable({ apis: ['Date'] });",
    'test/a/5.test.ts': "import { liveMemory } from '../kit/result/live-memory.ts';",
    'test/a/6.test.ts': 'delete process.env.SVC_BIN;',
    'test/a/7.test.ts': "import { memoryUsage } from 'node:process';",
    'test/a/8.test.ts': 'process.on(signal, end);',
    'test/b/1.test.ts': '',
    'test/browser/1.test.ts': '',
    'test/browser/2.test.ts': '',
  };
  assert.deepEqual(
    groupTests(Object.keys(texts), (file) => texts[file]!),
    [
      ['test/a/1.test.ts', 'test/a/3.test.ts', 'test/b/1.test.ts'],
      ['test/a/2.test.ts'],
      ['test/a/4.test.ts'],
      ['test/a/5.test.ts'],
      ['test/a/6.test.ts'],
      ['test/a/7.test.ts'],
      ['test/a/8.test.ts'],
      ['test/browser/1.test.ts', 'test/browser/2.test.ts'],
    ],
  );
  for (const [folder, least] of [
    ['test/c', 3],
    ['test/browser', 5],
  ] as const) {
    const many = Array.from({ length: 20 }, (_, index) => `${folder}/${index}.test.ts`);
    const groups = groupTests(many, () => '');
    assert.deepEqual(groups.flat(), many);
    assert.ok(groups.length >= least, 'no group takes long');
  }
});

test('a file of a group keeps its hooks to itself, and one that fails or hangs is named', async () => {
  await using folder = await openTempFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const log = (what: string) => `appendFileSync(${JSON.stringify(join(folder.path, 'log'))}, '${what}\\n')`;
  const first = `
    import { appendFileSync } from 'node:fs';
    import { after, before, beforeEach, test } from 'node:test';
    await new Promise((resolve) => setImmediate(resolve));
  `;
  write(
    'a.test.ts',
    `${first}
    before(() => ${log('a begins')});
    beforeEach(() => ${log('a before each')});
    after(() => ${log('a ends')});
    test('fails', () => { throw new Error('as it should'); });
    test('passes', () => ${log('a passes')});`,
  );
  write('b.test.ts', `${first} test('hangs', () => new Promise((resolve) => setInterval(resolve, 1e9)));`);
  write('c.test.ts', `${first} after(() => ${log('c ends')}); test('is third', () => ${log('c passes')});`);
  write('d.test.ts', "throw new Error('does not load');");
  write(
    'e.test.ts',
    `${first}
    test('takes a turn', () => new Promise((resolve) => setImmediate(resolve)));
    test('leaves an error to nobody', async () => {
      setImmediate(() => { throw new Error('of nobody'); });
      await new Promise((resolve) => setTimeout(resolve, 10));
    });`,
  );
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.test.ts`);
  write(
    'entry.mjs',
    `import { runTestGroup } from '${pathToFileURL(join(scripts, 'test', 'run-group.ts')).href}';
    runTestGroup(${JSON.stringify(folder.path)}, ${JSON.stringify(files)}, { limit: 200, grace: 0.1 });`,
  );
  const { exitCode, stdout, stderr } = await runProgram(
    process.execPath,
    ['--test-reporter=tap', join(folder.path, 'entry.mjs')],
    { env: {} },
  );
  assert.equal(exitCode, 1, stderr);
  assert.deepEqual(stdout.match(/^ *(?:not )?ok.*$/gm), [
    '    not ok 1 - fails',
    '    ok 2 - passes',
    'not ok 1 - a.test.ts',
    '    not ok 1 - hangs',
    'not ok 2 - b.test.ts',
    '    ok 1 - is third',
    'ok 3 - c.test.ts',
    'not ok 4 - d.test.ts',
    '    ok 1 - takes a turn',
    '    ok 2 - leaves an error to nobody',
    'ok 5 - e.test.ts',
  ]);
  assert.deepEqual(readFileSync(join(folder.path, 'log'), 'utf8').trimEnd().split('\n'), [
    'a begins',
    'a before each',
    'a before each',
    'a passes',
    'a ends',
    'c passes',
    'c ends',
  ]);
  assert.match(stderr, /left behind by a\.test\.ts.*Timeout/);
  assert.match(stderr, /uncaughtException in e\.test\.ts: Error: of nobody\n +at /);
});

test('after the time of a run no further file begins, and the files that are left are named', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'entry.mjs');
  const runner = pathToFileURL(join(scripts, 'test', 'run-group.ts')).href;
  const write = (until: number) =>
    writeFileSync(
      path,
      `import { runTestGroup } from '${runner}';
      runTestGroup(${JSON.stringify(folder.path)}, ['a.test.ts'], { limit: 200, until: ${until} });`,
    );
  writeFileSync(join(folder.path, 'a.test.ts'), "import { test } from 'node:test'; test('runs', () => {});");
  const run = async (until: number) => {
    write(until);
    const { stdout } = await runProgram(process.execPath, ['--test-reporter=tap', path], { env: {} });
    return stdout.match(/^ *(?:not )?ok.*$/gm);
  };
  assert.deepEqual(await run(Date.now() - 1), ['ok 1 - a.test.ts # SKIP no time was left']);
  assert.deepEqual(await run(Date.now() + 600_000), ['    ok 1 - runs', 'ok 1 - a.test.ts']);
});

test('files of failed tests run again alone, and the tests that pass then are named', async () => {
  await using folder = await openTempFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const first = "import { test } from 'node:test';";
  const fail = "throw new Error('as it should');";
  const once = join(folder.path, 'once');
  write('passes.test.ts', `${first} test('passes', () => {});`);
  write(
    'flaky.test.ts',
    `${first} import { existsSync, writeFileSync } from 'node:fs';
    test('fails once', () => {
      if (existsSync('${once}')) return;
      writeFileSync('${once}', '');
      ${fail}
    });
    test('never fails', () => {});`,
  );
  for (const name of ['a', 'b', 'c']) write(`${name}.test.ts`, `${first} test('fails', () => { ${fail} });`);
  write(
    'run.mjs',
    `import { runAlone, runFiles } from '${pathToFileURL(join(scripts, 'test', 'run-files.ts')).href}';
    const root = ${JSON.stringify(folder.path)};
    const options = { concurrency: 2, signal: new AbortController().signal };
    const outcome = await runFiles(root, process.argv.slice(2).map((file) => [file]), options);
    const passedAlone = await runAlone(root, outcome, options);
    const { passed, failed } = outcome;
    console.log(JSON.stringify({ passed, failed: [...failed], passedAlone }));`,
  );
  const run = async (...files: string[]) => {
    rmSync(once, { force: true });
    const { stdout, stderr } = await runProgram(process.execPath, [join(folder.path, 'run.mjs'), ...files], {
      env: {},
    });
    assert.match(stdout, /\n\{.*\}\n$/, stderr);
    return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
  };
  const always = (...names: string[]) => names.map((name) => [`${name}.test.ts`, ['fails']]);
  assert.deepEqual(await run('passes.test.ts', 'flaky.test.ts', 'a.test.ts'), {
    passed: 2,
    failed: always('a'),
    passedAlone: ['fails once (flaky.test.ts)'],
  });
  const { failed, passedAlone } = await run('flaky.test.ts', 'a.test.ts', 'b.test.ts', 'c.test.ts');
  assert.equal(failed.length, 4, 'too many for their load to be the cause');
  assert.deepEqual(passedAlone, []);
});

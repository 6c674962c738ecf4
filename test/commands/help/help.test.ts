import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCommands } from '../../../commands/cli/describe-command.ts';
import { suggestCommand } from '../../../commands/cli/suggest-command.ts';
import { commandIndex } from '../../../commands/command-index.ts';
import { groupByArea } from '../../../commands/render/overview.ts';
import { runCommand, runInLanguage } from '../../kit/program/run-command.ts';

const paths = commandIndex.map(({ path }) => path);

test('the overview names every command once, in the area it belongs to', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['--help']);
  assert.deepEqual([exitCode, stderr], [0, '']);
  for (const {
    path,
    summary: [summary],
  } of commandIndex) {
    const line = new RegExp(
      `^ {2}svc ${path.join(' ')} {2,}${summary.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')}$`,
      'gm',
    );
    assert.equal([...stdout.matchAll(line)].length, 1, path.join(' '));
  }
  assert.ok(
    groupByArea(commandIndex).every(([[title]]) => title !== 'More'),
    'a command that belongs nowhere',
  );
  for (const word of ['First steps', 'Exit codes: 0 ok', 'SVC_', '--help'])
    assert.ok(stdout.includes(word), word);
  for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
});

test('every command explains itself with a sentence, flags that are described, and examples that are its own', async () => {
  for (const { path, summary, examples, flags } of await describeCommands()) {
    const name = `svc ${path.join(' ')}`;
    assert.notEqual(summary[0], '', name);
    assert.ok(examples.length > 0, `${name} has no example`);
    for (const [[what], line] of examples) {
      assert.ok(line.includes(name) || line.startsWith('cosign '), `${name}: ${line}`);
      assert.match(what, /^[A-Z][^.]*$/, `${name}: ${what}`);
    }
    const { stdout } = await runInLanguage([...path, '--help'], 'en');
    assert.match(stdout, /^ {2}-h, --help +show this help$/m, name);
    for (const line of stdout.split('\n')) assert.ok(line.length <= 120, line);
    for (const { names, help } of flags) assert.notEqual(help[0], '', `${name} ${names}`);
  }
});

test('a help page fits a narrow terminal, but for command lines and single words', async () => {
  for (const path of [['status'], ['content', 'list'], ['store', 'check'], ['sync']])
    for (const language of ['en', 'fr'] as const) {
      const { stdout } = await runInLanguage([...path, '--help'], language, { COLUMNS: '60' });
      const wide = stdout.split('\n').filter((line) => line.length > 60 && !/^ {4}svc /.test(line));
      assert.deepEqual(
        wide.filter((line) => !/^ {2}--\S+ \S+$/.test(line)),
        [],
      );
    }
});

test('the help of a command is the same by every way to it', async () => {
  const [first, ...others] = await Promise.all(
    [
      ['user', 'add', '--help'],
      ['help', 'user', 'add'],
      ['user', 'add', 'ada', '--role', 'admin', '-h'],
      ['-h', 'user', 'add'],
      ['--help', 'user', 'add'],
      ['help', 'user', 'add', '--help'],
    ].map((args) => runCommand(args)),
  );
  assert.equal(first!.exitCode, 0);
  for (const other of others) assert.equal(other.stdout, first!.stdout);
  const overview = await runCommand(['--help']);
  for (const args of [['help'], ['-h'], ['help', '--help'], ['--help', '-h']])
    assert.equal((await runCommand(args)).stdout, overview.stdout, args.join(' '));
  const group = await runCommand(['help', 'user']);
  assert.match(group.stdout, /svc user passwd/);
});

test('a misspelt command, its second word, and names of other programs are recognized', () => {
  for (const [words, meant] of [
    ['snyc', 'sync'],
    ['SYNC', 'sync'],
    ['medai verify', 'media verify'],
    ['media verfy', 'media verify'],
    ['usr', 'user'],
    ['verify', 'media verify'],
    ['passwd', 'user passwd'],
    ['dump', 'config dump'],
    ['config dmup', 'config dump'],
    ['user delete', 'user remove'],
    ['token rm', 'token revoke'],
    ['key generate', 'key new'],
    ['verfiy', 'media verify'],
    ['init', 'quickstart'],
    ['start', 'serve'],
    ['quick', undefined],
    ['constructor', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(suggestCommand(words.split(' '), paths), meant, words);
  }
});

test('an error contains the next step', async () => {
  for (const [args, message] of [
    [['vresion'], /did you mean svc version\?/],
    [['user', 'ad'], /did you mean svc user add\?/],
    [['user'], /requires a subcommand: add, list, passwd/],
    [['user', 'frobnicate'], /svc user has add, list, passwd/],
    [['media', '--config', 'x', 'show'], /the command must come first: svc media show --config …/],
    [['--hepl'], /did you mean --help\?/],
    [['--config', 'x', 'serve'], /the command must come first/],
    [['--lang', 'fr'], /unknown flag '--lang'; see --help/],
    [['serve', '--storage-rot', 'x'], /did you mean --storage-root\?/],
    [['serve', '--mode'], /--mode requires a value/],
    [['media', 'verify', '--allow-stale=yes'], /--allow-stale takes no value\nusage:/],
    [['media', 'import', 'disk', '--allow-stale=false'], /--allow-stale takes no value\nusage:/],
    [['export', ''], /an argument is empty\nusage:/],
    [
      ['sync', '--wait', '--wait-timeout', '-1s'],
      /one that begins with - follows =: --wait-timeout=<value>\nusage:/,
    ],
    [['completion'], /<shell>\nSee 'svc completion --help'/],
    [
      ['media', 'verify', '--storage-root', 'x'],
      /zone is not set \(--zone, SVC_ZONE\).*Or name the configuration of the zone: --config FILE; svc quickstart --for medium writes one/s,
    ],
    [['media', 'import', 'x'], /name the configuration of the zone: --config FILE/],
    [
      ['recipe', 'push', 'no-file', 'registry.example/c/a:1'],
      /no-file cannot be read\.\n.*no-file does not exist/,
    ],
  ] as const) {
    const { exitCode, stdout, stderr } = await runCommand(args, { env: { SVC_STATE_ROOT: '/nowhere' } });
    assert.notEqual(exitCode, 0);
    assert.equal(stdout, '');
    assert.match(stderr, message, args.join(' '));
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commonFlags } from '../../commands/cli/common-flags.ts';
import { describeCommands } from '../../commands/cli/describe-command.ts';
import { listTableLines } from '../../scripts/compare/command-table.ts';
import { parseHelp, parseOverview } from '../../scripts/compare/command-tree.ts';
import { runInLanguage } from '../kit/program/run-command.ts';

const commandsPage = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'commands.md'), 'utf8');
const helps = [...commandsPage.matchAll(/^## svc (.*)\n\n```text\n([\s\S]*?)```/gm)];
const shapes = helps.map(([, path, help]) => parseHelp(path!.split(' '), help!));

test('commands are found in the overview, and every flag in the help', async () => {
  const commands = await describeCommands();
  const { stdout } = await runInLanguage(['--help'], 'en');
  const sorted = (paths: readonly (readonly string[])[]): readonly string[] =>
    paths.map((path) => path.join(' ')).sort();
  assert.deepEqual(sorted(parseOverview(stdout)), sorted(commands.map(({ path }) => path)));
  for (const { path, flags } of commands) {
    const own = flags.filter(({ names }) => !names.some((name) => name in commonFlags));
    const shape = shapes.find((one) => one.path.join(' ') === path.join(' '));
    const expected = own
      .map(({ names, takesValue }) => [names.find((name) => name.startsWith('--')), takesValue])
      .filter(([name]) => name !== '--help');
    assert.deepEqual(
      // a command may explain a common flag itself
      shape?.flags
        .filter(({ name }) => !(name in commonFlags))
        .map(({ name, value }) => [name, value !== undefined]),
      expected,
      path.join(' '),
    );
  }
});

test('the table has lines with every command and every flag, none of them twice', () => {
  const lines = listTableLines(shapes).map(({ args }) => args.join(' '));
  assert.ok(lines.length > 500, `${lines.length}`);
  assert.equal(new Set(lines).size, lines.length);
  for (const { path, flags } of shapes)
    for (const { name } of flags)
      assert.ok(
        lines.some((line) => line.startsWith(`${path.join(' ')} `) && line.includes(name)),
        `${path.join(' ')} ${name}`,
      );
});

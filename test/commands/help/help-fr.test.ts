import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectCommands } from '../../../commands/cli/collect-commands.ts';
import { commonFlags } from '../../../commands/cli/common-flags.ts';
import { commandIndex } from '../../../commands/command-index.ts';
import { commonFlagsFr } from '../../../commands/help-fr/common.ts';
import { overviewFr } from '../../../commands/help-fr/overview.ts';
import { helpFr } from '../../../commands/help-fr/to-french-definition.ts';
import { toFlags } from '../../../commands/render/usage.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';

const names = commandIndex.map(({ path }) => path.join(' ')).sort();

test('every command has a French summary and help, and no other name has one', () => {
  assert.deepEqual(Object.keys(overviewFr.summaries).sort(), names);
  assert.deepEqual(Object.keys(helpFr).sort(), names);
});

test('every flag and example has its French text, and no text is for a flag or example that does not exist', async () => {
  assert.deepEqual(Object.keys(commonFlagsFr).sort(), Object.keys(commonFlags).sort());
  for (const { path, definition } of await collectCommands()) {
    const name = path.join(' ');
    const { flags, examples, details } = helpFr[name]!;
    const own = toFlags(definition).flatMap((flag) => flag.names);
    const missing = own.filter((flag) => flags[flag] === undefined && commonFlagsFr[flag] === undefined);
    assert.deepEqual(missing, [], name);
    assert.deepEqual(
      Object.keys(flags).filter((flag) => !own.includes(flag)),
      [],
      name,
    );
    assert.equal(examples.length, definition?.examples?.length ?? 0, name);
    assert.equal(details.length, definition?.details?.trim().split(/\n\n+/).length ?? 0, name);
  }
});

test('a flag that a command describes differently from the others is described differently in French too', async () => {
  const commands = await collectCommands();
  const common = toFlags(commands.find(({ path }) => path[0] === 'version')?.definition);
  const commonOf = (name: string) => common.find((flag) => flag.names.includes(name))?.description;
  for (const { path, definition } of commands) {
    const own = toFlags(definition)
      .filter(({ names: [name = ''], description }) => (commonOf(name) ?? description) !== description)
      .map(({ names: [name] }) => name);
    const named = Object.keys(helpFr[path.join(' ')]!.flags).filter((name) => name in commonFlags);
    assert.deepEqual(named.sort(), own.sort(), path.join(' '));
  }
});

/** Lines that are the same in every language: command lines, empty lines, and flags with machine values only. */
function isNeutral(line: string): boolean {
  return line.trim() === '' || /^ {4}\S|^ {2}--\S+ \S+$/.test(line);
}

test('the help of every command has no English line left', async () => {
  for (const path of [[], ...commandIndex.map(({ path: own }) => own), ['user'], ['media']]) {
    const english = await runInLanguage([...path, '--help'], 'en');
    const page = await runInLanguage([...path, '--help'], 'fr');
    const name = `svc ${path.join(' ')}`;
    assert.deepEqual([page.exitCode, page.stderr], [0, ''], name);
    const lines = new Set(english.stdout.split('\n').filter((line) => !isNeutral(line)));
    const left = page.stdout.split('\n').filter((line) => lines.has(line));
    assert.deepEqual(left, [], name);
    assert.match(page.stdout, /usage\u00a0: svc/, name);
    // words that are frequent in the English pages and are no French ones
    for (const word of ['the', 'of', 'with', 'folder', 'file', 'flags', 'which', 'store', 'name'])
      assert.doesNotMatch(
        page.stdout.replace(/^ {4}svc .*$|svc store check/gm, ''),
        new RegExp(`[^-./\\w]${word} `),
        name,
      );
    assert.doesNotMatch(page.stdout, / [:;?!]( |$)/m, name);
    for (const line of page.stdout.split('\n')) assert.ok(line.length <= 100 || isNeutral(line), line);
  }
});

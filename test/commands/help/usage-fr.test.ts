import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from '../../../commands/quickstart/dialogue/choose.ts';
import { createQuestions } from '../../../commands/quickstart/dialogue/questions.ts';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';

const refused: readonly string[][] = [
  [],
  ['vresion'],
  ['frobnicate'],
  ['user'],
  ['user', 'lst'],
  ['--hepl'],
  ['--config', 'x', 'version'],
  ['version', '--stroage-root', '/x'],
  ['version', '--frobnicate'],
  ['version', '--config'],
  ['version', ''],
  ['version', 'extra'],
  ['user', 'add'],
  ['media', 'verify', '--allow-stale=yes'],
  ['version', '--output', 'xml'],
  ['version', '--output', 'out.json'],
  ['config', 'dump', '--mode', 'both'],
  ['config', 'dump', '--shutdown-grace-period', '5'],
  ['config', 'dump', '--tls-cert-file', '/c.pem'],
  ['config', 'dump', '--proxy-url', 'http://u:p@p.example', '--mode', 'both'],
  ['user', 'list', '--state-root', ''],
  ['user', 'add', 'x', '--role', 'root'],
  ['user', 'add', 'a b'],
  ['completion', 'tcsh'],
  ['sync', '--dry-run', '--wait'],
  ['sync', '--retriever', 'x'],
  ['sync', '--wait-timeout', '5s'],
  ['sync', '--wait', '--wait-timeout', 'soon'],
  ['sync', '--prune=maybe'],
  ['sync', '--instance', 'localhost:8080'],
  ['sync', '--instance', 'http://u:p@localhost'],
  ['export', 'x', '--format', 'zip'],
  ['fileset', 'pack', '/', 'name'],
  ['recipe', 'push', 'file', 'registry.example/x:1'],
  ['quickstart', '--config', '/nonexistent-svc.yaml', '--mode', 'mirror'],
  ['user', 'passwd', 'ada', '--state-root', '/nonexistent'],
  ['sync', '--token-file', '/nonexistent/token', '--server-addr', 'localhost:9'],
];

test('every usage error is in French for a French user, with the exit code that it has in English', async () => {
  for (const args of refused) {
    const [english, french] = [await runInLanguage(args, 'en'), await runInLanguage(args, 'fr')];
    const name = `svc ${args.join(' ')}`;
    assert.equal(french.exitCode, english.exitCode, name);
    assert.notEqual(french.exitCode, 0, name);
    const lines = new Set(english.stderr.split('\n').filter((line) => !/^( {2,}svc |$)/.test(line)));
    assert.ok(lines.size > 0, name);
    assert.deepEqual(
      french.stderr.split('\n').filter((line) => lines.has(line)),
      [],
      name,
    );
    assert.equal(findEnglish(french.stderr), undefined, french.stderr);
    assert.doesNotMatch(french.stderr, / [:;?!»](?: |$)|« /m, 'no-break spaces');
    assert.doesNotMatch(`${english.stderr}${french.stderr}`, /[?!]\./, 'one mark at the end');
  }
});

test('the JSON document of a usage error is in English, and the sentence beside it is French', async () => {
  const { stdout, stderr } = await runInLanguage(['sync', '--prune=maybe', '--output', 'json'], 'fr');
  const { error } = JSON.parse(stdout);
  assert.match(error.title, /--prune takes true or false/);
  assert.match(stderr, /--prune prend true ou false/);
  assert.deepEqual([error.class, error.exit_code], ['usage', 2]);
});

test('warnings are in French', async () => {
  const env = { SVC_STOARGE_ROOT: '/x' };
  const { exitCode, stderr } = await runInLanguage(['config', 'dump'], 'fr', env);
  assert.equal(exitCode, 0);
  assert.match(stderr, /^svc: avertissement\u00a0: la variable d’environnement SVC_STOARGE_ROOT/);
  assert.match(stderr, /vouliez-vous dire SVC_STORAGE_ROOT\u00a0\?\n$/);
});

/** Questions whose label is a term of the configuration, or the same word. */
const sameInBoth = new Set(['retriever.source', 'zone', 'destination.registry']);

test('the questions of quickstart are in French, and a choice is selected by the letter of the word shown', () => {
  const [english, french] = [createQuestions('en'), createQuestions('fr')];
  assert.deepEqual(Object.keys(french), Object.keys(english));
  for (const [key, question] of Object.entries(french)) {
    const other = english[key]!;
    assert.deepEqual([question.key, question.initial], [other.key, other.initial]);
    assert.ok(question.label.length <= 15, question.label);
    if (!sameInBoth.has(key)) assert.notEqual(question.label, other.label);
    for (const text of [question.label, question.hint, ...(question.choices ?? []).map(({ text: t }) => t)])
      assert.equal(findEnglish(text), undefined, text);
    assert.deepEqual(
      question.choices?.map(({ value }) => value),
      other.choices?.map(({ value }) => value),
    );
  }
  const { choices = [] } = french.serve!;
  assert.equal(choices[choose(choices, 0, { text: 'n' })]?.value, 'no');
  assert.equal(choices[choose(choices, 1, { text: 'o' })]?.value, 'yes');
});

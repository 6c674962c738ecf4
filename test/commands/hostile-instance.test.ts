import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAnswerFault } from '../../commands/client/check-answer.ts';
import { answerExamples } from '../../server/api/openapi/answer-examples.ts';
import { sharedSchemas } from '../../src/contract/components.ts';
import { runInLanguage } from '../kit/program/run-command.ts';
import { answer, startPeer } from '../kit/scene/scripted-instance.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const example = (operation: string): Json => {
  const found = answerExamples[operation];
  assert.ok(found !== undefined, operation);
  return JSON.parse(JSON.stringify(found));
};

const gate = { guarded: true, serving: 'open' };
// with this notice, a command asks for its own role, then for the report
const notices = ['recipes-blocked'];
const task = { ...(example('getTask') as { task: { id: string } }).task };

/** The answers that commands read, as the API describes them: path, schema, and one that a sound instance sends. */
const answers: readonly (readonly [path: RegExp, name: keyof typeof sharedSchemas, sound: Json])[] = [
  [/^\/status$/, 'Status', { ...(example('getStatus') as object), gate, notices } as Json],
  [/^\/whoami$/, 'Identity', example('getIdentity')],
  [/^\/recipes$/, 'RecipeList', example('listRecipes')],
  [/^\/recipes\/[^/]+\/mapping/, 'RecipeMapping', example('getRecipeMapping')],
  [/^\/tasks$/, 'TaskSummaryList', example('listTasks')],
  [/^\/tasks\/[^/]+$/, 'TaskAnswer', { task } as Json],
  [/^\/tasks\/[^/]+\/logs/, 'TaskLog', example('getTaskLog')],
  [/^\/media\/verification$/, 'VerificationState', example('getVerification')],
  [/^\/content$/, 'ContentList', example('listContent')],
  [/^\/content\/.*\/-\/tags\//, 'Tag', example('getVersion')],
  [/^\/content\/[^-]+$/, 'Repository', example('getRepository')],
];

/** Which commands read which answers. */
const commands: readonly (readonly [args: readonly string[], reads: readonly string[]])[] = [
  [['status'], ['Status', 'RecipeList', 'TaskSummaryList', 'TaskAnswer', 'Identity', 'VerificationState']],
  [['task', 'list'], ['TaskSummaryList']],
  [['task', 'show', task.id], ['TaskAnswer']],
  [['task', 'wait', task.id, '--wait-timeout', '1ms'], ['TaskAnswer']],
  [['task', 'log', task.id], ['TaskLog']],
  [['content', 'list'], ['ContentList']],
  [['content', 'show', 'team/app'], ['Repository']],
  [['content', 'show', 'team/app:1.4.2'], ['Tag']],
  [['recipe', 'mapping', 'platform'], ['RecipeMapping']],
];

const others: readonly Json[] = [null, true, 7.5, 'novel', [], [[]], {}];
/** Members whose texts are words that commands know; another text in one of the other members is just shown. */
const isWord = (at: string): boolean =>
  /\/(?:status|type|kind|outcome|serving|mode|verdict|stage|code|notices\/\d+|provenance(?:\/\d+)?)$/.test(
    at,
  );
const typeOf = (value: Json): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;

/** Every value in a document with another JSON type in the place of one member, at any depth. */
function* mutate(
  document: Json,
): Generator<{ readonly at: string; readonly value: Json; readonly whole: Json }> {
  for (const value of others)
    if (typeOf(value) !== typeOf(document) || (typeOf(value) === 'string' && value !== document))
      yield { at: '', value, whole: value };
  if (typeof document !== 'object' || document === null) return;
  for (const [name, member] of Object.entries(document))
    for (const { at, value, whole } of mutate(member as Json)) {
      const copy = (Array.isArray(document) ? [...document] : { ...document }) as Record<string, Json>;
      copy[name] = whole;
      yield { at: `/${name}${at}`, value, whole: copy as Json };
    }
}

const isOdd = /TypeError|RangeError|Cannot read|is not a function|is not iterable|undefined|NaN|\[object/;

test('an answer with a value of another type anywhere ends each command with a code that names the instance and the member', async (t) => {
  let served = new Map<string, Json>();
  await using peer = await startPeer((req, res) => {
    const path = new URL(req.url ?? '', 'http://x').pathname.replace('/api/v1', '');
    const [, name, sound] = answers.find(([pattern]) => pattern.test(path)) ?? [];
    if (name === undefined) return answer(res, 404, {});
    answer(res, 200, served.has(name) ? served.get(name) : sound);
  });
  const run = (args: readonly string[]) => runInLanguage([...args, '--instance', peer.url], 'en', {});
  let [refused, taken] = [0, 0];
  for (const [args, reads] of commands) {
    served = new Map();
    const sound = await run(args);
    assert.equal(/SVC-SRV-003/.test(sound.stderr), false, `${args.join(' ')}\n${sound.stderr}`);
    for (const [, name, whole] of answers) {
      if (!reads.includes(name)) continue;
      let isShown = false;
      for (const changed of mutate(whole)) {
        const fault = findAnswerFault(changed.whole, sharedSchemas[name]!);
        const isRefused = fault !== undefined || typeOf(changed.value) === 'null';
        if (isRefused) refused += 1;
        else taken += 1;
        // each member is refused in one place, and a command is run once to see it
        const isNull = typeOf(changed.value) === 'null';
        if (isRefused ? isShown || isNull || changed.at === '' : !isWord(changed.at)) continue;
        isShown ||= isRefused;
        served = new Map([[name, changed.whole]]);
        const { exitCode, stdout, stderr } = await run(args);
        const at = `${args.join(' ')} ${name}${changed.at} ${JSON.stringify(changed.value)}: ${fault}\n${stderr}${stdout}`;
        assert.doesNotMatch(stderr + stdout, isOdd, at);
        if (!isRefused) {
          if (exitCode !== 0 && exitCode !== 5)
            assert.match(stderr, /svc: (?:SVC-[A-Z]+-\d+|timed out after)/, at);
          continue;
        }
        assert.equal(exitCode, 1, at);
        assert.ok(stderr.includes(`svc: SVC-SRV-003: ${peer.url} `), at);
        assert.ok(stderr.includes(`: in its answer, ${fault}.`), at);
      }
    }
  }
  t.diagnostic(`${refused} refused, ${taken} taken`);
  assert.ok(refused > 1000, `${refused}`);
});

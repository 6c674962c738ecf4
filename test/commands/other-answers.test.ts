import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerExamples } from '../../server/api/openapi/answer-examples.ts';
import type { ContentList, Repository, Tag } from '../../src/contract/content.ts';
import type { RecipeMapping } from '../../src/contract/recipe.ts';
import { mapRecipe } from '../../src/operation/map-recipe.ts';
import { runInLanguage } from '../kit/program/run-command.ts';
import { answer, done, startPeer } from '../kit/scene/scripted-instance.ts';

const version = answerExamples.getVersion as Tag;
const repository = answerExamples.getRepository as Repository;
const mapping = answerExamples.getRecipeMapping as RecipeMapping;
const content = answerExamples.listContent as ContentList;

/** The outcome of a command that an instance answers with one document. */
async function judge(args: readonly string[], document: unknown, language: 'en' | 'fr' = 'en') {
  await using peer = await startPeer((_req, res) => answer(res, 200, document));
  return await runInLanguage([...args, '--instance', peer.url, '--output', 'json'], language);
}

async function assertRefused(args: readonly string[], document: unknown, reason: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await judge(args, document);
  assert.equal(exitCode, 1, `${args.join(' ')}\n${stdout}`);
  assert.match(stderr, /SVC-SRV-003/);
  assert.match(stderr, reason);
  assert.equal('error' in JSON.parse(stdout), true, stdout);
  assert.doesNotMatch(stdout, /pull|mirrors:/);
}

const one = ['content', 'show', `${version.repository}:${version.tag}`];

test('a version of another name, tag or digest is refused: a script runs the commands that are made of it', async () => {
  const plain = await judge(one, version);
  assert.equal(plain.exitCode, 0, plain.stderr);
  for (const other of [
    { repository: `${version.repository}; touch x #` },
    { repository: 'evil/other' },
    { tag: '9' },
    { tag: `${version.tag} $(id)` },
  ])
    await assertRefused(one, { ...version, ...other }, /another (repository|tag) than/);
  const french = await judge(one, { ...version, tag: '9' }, 'fr');
  assert.match(french.stderr, /elle a répondu par une autre étiquette que/);
});

test('a platform that a shell reads as more than itself is in no command, and hides no other platform', async () => {
  const [first] = version.platforms;
  const odd = { ...first!, os: 'linux; touch x', present: true };
  const absent = { ...first!, architecture: 'arm64', present: false };
  const { exitCode, stdout } = await judge(one, {
    ...version,
    platforms: [odd, { ...first!, present: true }, absent],
  });
  assert.equal(exitCode, 0);
  const commands = (JSON.parse(stdout).pull as readonly { readonly command: string }[]).map(
    ({ command }) => command,
  );
  assert.ok(commands.some((command) => command.includes('amd64')));
  for (const command of commands) assert.doesNotMatch(command, /touch/);
});

test('a version of a kind that only a newer instance has is shown as an artifact, also with a sign-in', async () => {
  const newer = { ...version, kind: 'WasmModule' };
  await using peer = await startPeer((_req, res) => answer(res, 200, newer));
  const env = { SVC_INSTANCE_URL: peer.url, SVC_API_TOKEN: `svc_${'x'.repeat(43)}` };
  assert.match((await runInLanguage(one, 'en', env)).stdout, /WasmModule[\s\S]*oras login[\s\S]*oras pull/);
  const { exitCode, stdout } = await runInLanguage([...one, '--output', 'json'], 'en', env);
  assert.equal(exitCode, 0);
  const clientsOf = (commands: readonly { readonly client: string }[]) =>
    commands.map(({ client }) => client);
  const { pull, login } = JSON.parse(stdout);
  assert.deepEqual(
    [clientsOf(pull), clientsOf(login)],
    [
      ['oras', 'crane', 'skopeo'],
      ['oras', 'crane', 'skopeo'],
    ],
  );
});

test('a repository of another name, or with a tag that is none, is refused', async () => {
  const args = ['content', 'show', repository.name, '--page-size', '200'];
  assert.equal((await judge(args, repository)).exitCode, 0);
  await assertRefused(args, { ...repository, name: 'evil/other' }, /another repository than/);
  const tags = repository.tags.map((each) => ({ ...each, tag: 'a b' }));
  await assertRefused(args, { ...repository, tags }, /must not contain a b/);
});

test('mirror files that this program would not make of their values are refused', async () => {
  const args = ['recipe', 'mapping', mapping.recipe];
  assert.equal((await judge(args, mapping)).exitCode, 0);
  const { mirrors } = mapping;
  for (const other of [
    {
      registriesYaml: `${mirrors.registriesYaml}configs:\n  "docker.io":\n    tls:\n      insecure_skip_verify: true\n`,
    },
    { registriesYaml: mirrors.registriesYaml.replace('mirrors:', 'mirrors: \u001b[2J') },
    { hostsToml: mirrors.hostsToml.map((each) => ({ ...each, content: `${each.content}x = 1\n` })) },
    { hostsToml: [] },
  ])
    await assertRefused(args, { ...mapping, mirrors: { ...mirrors, ...other } }, /\/mirrors must be made/);
  await assertRefused(args, { ...mapping, recipe: 'other' }, /another recipe than/);
});

test('members of a mapping that are no names, or that contradict its mirror files, are refused', async () => {
  const args = ['recipe', 'mapping', mapping.recipe];
  const [version] = mapping.versions;
  const [ingredient] = version!.ingredients;
  const refuse = (versions: unknown, reason: RegExp) => assertRefused(args, { ...mapping, versions }, reason);
  for (const [member, value] of Object.entries({
    version: '1.0.0; touch x',
    cookbook: 'cookbook; touch x',
    repository: 'a b',
    tag: '$(id)',
  }))
    await refuse([{ ...version, [member]: value }], new RegExp(`/versions/0/${member} must not be`));
  await refuse([{ ...version, name: 'other' }], /another recipe than/);
  for (const [member, value] of Object.entries({
    name: 'a;b',
    kind: '$(id)',
    ref: 'registry.example/a b',
    repository: '',
    tag: 'a b',
    nominal: `${ingredient!.nominal}; touch x`,
    relocated: 'evil.example/library/app:1.4.2',
  }))
    await refuse(
      [{ ...version, ingredients: [{ ...ingredient, [member]: value }] }],
      new RegExp(`/versions/0/ingredients/0/${member} must (not )?be`),
    );
  const { relocated: _, ...without } = ingredient!;
  await refuse([{ ...version, ingredients: [without] }], /relocated must be made/);
  await refuse([{ ...version, ingredients: [] }], /\/mirrors must be made/);
  await refuse([], /\/mirrors must be made/);
});

test('a mapping with a prefix, a port, a kind of later and a name that is too long is taken', async () => {
  const records = mapping.versions.map(({ ingredients, ...version }) => ({
    ...version,
    cookbook: 'recipes.example:5000/cookbook',
    ingredients: ingredients.flatMap(({ nominal: _, relocated: __, ...ingredient }) => [
      ingredient,
      { ...ingredient, ref: 'index.docker.io/library/app', kind: 'WasmModule' as never },
      { ...ingredient, ref: `localhost:5000/${'long'.repeat(59)}` },
    ]),
  }));
  const sound = mapRecipe(
    {
      storage: {},
      destination: { registry: 'zone.example:8443', basePath: 'base/of', cookbook: 'cookbook' },
      registries: { insecure: [] },
    },
    records,
    { recipe: mapping.recipe, reached: { scheme: 'http', host: 'localhost' } },
  );
  assert.equal(sound.versions[0]!.ingredients[2]!.relocated, undefined);
  const { exitCode, stdout, stderr } = await judge(['recipe', 'mapping', mapping.recipe], sound);
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), sound);
});

test('a page whose entries do not fit its totals is refused, so that no list is cut without a word', async () => {
  const args = ['content', 'list', '--page-size', '200'];
  assert.equal((await judge(args, content)).exitCode, 0);
  for (const other of [
    { repositories: [], total: 1_000_000, totalPages: 5000 },
    { total: 0, totalPages: 0 },
    { page: 7 },
    { totalPages: 1_000_000_000 },
  ])
    await assertRefused(['content', 'list', '--all'], { ...content, ...other }, /do not fit page/);
});

test('a task that is done although something failed is refused', async () => {
  const error = { code: 'SVC-SIG-001', class: 'verification', params: {} };
  const item = { name: 'shop@1.0.0', status: 'done', transferredBytes: 0 };
  const wait = ['task', 'wait', done.id];
  const warned = { ...done, items: [{ ...item, warning: error }] };
  assert.equal((await judge(wait, { task: warned })).exitCode, 0);
  for (const other of [
    { error },
    { counts: { ...done.counts, failed: 1 } },
    { items: [{ ...item, status: 'failed', error }] },
    { items: [{ ...item, status: 'failed' }] },
  ])
    for (const args of [wait, ['sync', '--wait'], ['task', 'show', done.id]])
      await assertRefused(args, { task: { ...done, ...other } }, /must not be done where something failed/);
});

test('a state of a task that is no word ends the wait; another word is waited for', async () => {
  const wait = ['task', 'wait', done.id, '--wait-timeout', '1ms'];
  for (const status of ['', '5', 'Done!', 'is done'])
    await assertRefused(wait, { task: { ...done, status } }, /\/task\/status must not be/);
  const { stderr } = await judge(wait, { task: { ...done, status: 'paused' } });
  assert.match(stderr, /timed out/);
});

test('a synchronization with another type, or without an identifier, is refused: a script runs the next command', async () => {
  assert.equal((await judge(['sync'], { task: done })).exitCode, 0);
  for (const id of ["'; touch PWN #", '', 'tsk_1'])
    await assertRefused(['sync'], { task: { ...done, id } }, /\/task\/id must not be/);
  await assertRefused(['sync'], { task: { ...done, type: 'import' } }, /\/task\/type must not be import/);
});

test('an instance below a path gives no commands that pull, and the text says why', async () => {
  await using peer = await startPeer((_req, res) => answer(res, 200, version));
  const show = (args: readonly string[], language: 'en' | 'fr' = 'en') =>
    runInLanguage([...one, '--instance', `${peer.url}/zone/a`, ...args], language);
  const { exitCode, stdout } = await show([]);
  assert.equal(exitCode, 0);
  assert.match(stdout, /not shown: the instance was asked below a path/);
  assert.doesNotMatch(stdout, /docker pull|oras pull/);
  assert.match((await show([], 'fr')).stdout, /interrogée sous un chemin/);
  const document = JSON.parse((await show(['--output', 'json'])).stdout);
  assert.deepEqual([document.pull, document.login], [undefined, undefined]);
});

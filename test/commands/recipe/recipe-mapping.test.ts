import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { recordSync } from '../../../src/store/record-sync.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let made: BuiltMedium;
let server: TestServer;
let ofStore: Readonly<Record<string, string>>;
let ofInstance: Readonly<Record<string, string>>;

before(async () => {
  made = await buildMedium();
  server = await startTestServer({ folder: `${made.folder}/instance` });
  const { zone, records } = made;
  await recordSync(server.store, { zone, runId: 'run', resolvedAt: '2026-01-02T03:04:05.000Z' }, records);
  ofStore = {
    SVC_STORAGE_ROOT: server.store.root,
    SVC_STATE_ROOT: `${made.folder}/instance/state`,
    SVC_SERVER_ADDR: new URL(server.url).host,
  };
  ofInstance = { SVC_INSTANCE_URL: server.url, SVC_API_TOKEN: server.as.viewer.replace('Bearer ', '') };
});
after(async () => {
  for (const item of [server, made]) await item[Symbol.asyncDispose]();
});

async function map(args: readonly string[], env: Readonly<Record<string, string>>, expected = 0) {
  const result = await runInLanguage(['recipe', 'mapping', ...args], 'en', env);
  assert.equal(result.exitCode, expected, result.stderr);
  return result;
}

test('a store and the instance that serves it give the same mapping', async () => {
  for (const more of [[], ['--registry', 'https://registry.example']]) {
    const [store, instance] = await Promise.all(
      [ofStore, ofInstance].map(async (env) => {
        const { stdout } = await map(['shop', ...more, '--output', 'json'], env);
        assertCliDocument('svc recipe mapping', stdout);
        return JSON.parse(stdout);
      }),
    );
    assert.deepEqual(store, instance);
    assert.equal(store.recipe, 'shop');
    assert.ok(store.versions[0].ingredients.length > 0);
  }
});

test('the text has each reference beside its place, and the mirror files as they are', async () => {
  const { stdout } = await map(['shop', '--output', 'json', '--registry', 'registry.example'], ofStore);
  const { versions, mirrors } = JSON.parse(stdout);
  for (const language of ['en', 'fr'] as const) {
    const args = ['recipe', 'mapping', 'shop', '--registry', 'registry.example'];
    const text = (await runInLanguage(args, language, { ...ofStore, COLUMNS: '200' })).stdout;
    for (const { nominal, relocated } of versions[0].ingredients)
      assert.ok(
        text.split('\n').some((line) => line.startsWith(nominal) && line.endsWith(relocated)),
        text,
      );
    for (const line of mirrors.registriesYaml.trimEnd().split('\n'))
      assert.ok(text.includes(`  ${line}\n`), line);
    if (language === 'fr') assert.equal(findEnglish(text.split('\n')[1]!), undefined);
  }
});

test('one version is selected by its number', async () => {
  const { version } = made.records.find(({ name }) => name === 'shop')!;
  const { stdout } = await map([`shop@${version}`, '--output', 'json'], ofStore);
  assert.deepEqual(
    JSON.parse(stdout).versions.map((each: { version: string }) => each.version),
    [version],
  );
  assert.match(
    (await map(['shop@9.9.9'], ofInstance, 1)).stderr,
    new RegExp(`SVC-REG-005(.*\\n)*.*shop@${version}`),
  );
});

test('an unknown recipe suggests those that are there; an address that is not known is asked for', async () => {
  for (const env of [ofStore, ofInstance])
    assert.match((await map(['shopp'], env, 1)).stderr, /SVC-REG-005(.*\n)*.*shop/);
  const { stderr } = await map(['shop'], { ...ofStore, SVC_SERVER_ADDR: '127.0.0.1:0' }, 1);
  assert.match(stderr, /SVC-CFG-001.*name the registry with --registry/);
  await map(['shop', '--registry', 'registry.example'], { ...ofStore, SVC_SERVER_ADDR: '127.0.0.1:0' });
});

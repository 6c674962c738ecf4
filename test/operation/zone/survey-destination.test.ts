import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Config } from '../../../src/config/model.ts';
import { openContext } from '../../../src/operation/context.ts';
import { surveyDestination } from '../../../src/operation/zone/survey-destination.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { misbehave } from '../../kit/hostile/misbehave.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried, toZoneConfig } from '../../kit/scene/import-carried.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

/** A zone that has imported two recipes, `shop` and `depot`, with an instance that may have forgotten it. */
async function openZone(
  t: TestContext,
  change: { readonly state?: string; readonly retriever?: string } = {},
) {
  const medium = await buildMedium({ inMemory: true });
  t.after(() => medium[Symbol.asyncDispose]());
  const zone = await createRegistryDouble();
  t.after(() => zone.close());
  const imported = join(medium.folder, 'imported');
  await importCarried(medium.root, [medium.signer], zone, { state: imported });
  const state = join(medium.folder, change.state ?? 'imported');
  await mkdir(state, { recursive: true });
  const config: Config = {
    ...toZoneConfig({ zone: 'zone-b', state, host: zone.host, signers: [medium.signer] }),
    retriever: { source: change.retriever },
  } as Config;
  const report = createRecordingReport();
  const context = await openContext(config, { report, version: '0.0.0-test' });
  t.after(() => context[Symbol.asyncDispose]());
  const destination = { registry: zone.host, cookbook: 'cookbook' };
  return {
    zone,
    report,
    find: async (names?: readonly string[]) => {
      const { recipes } = await surveyDestination(context, { zone: 'zone-b', destination, names });
      return recipes.map(({ name, version, state }) => `${name}@${version} ${state}`);
    },
  };
}

const both = ['depot@2.0.0 present', 'shop@1.4.0 present'];

test('the recipes of a zone are found by the record of its imports', async (t) => {
  const { find, zone } = await openZone(t);
  zone.failNext(/_catalog/, 404, { times: 9 });
  assert.deepEqual(await find(), both);
});

test('the recipes of a zone are found by the list of repositories', async (t) => {
  const { find, zone } = await openZone(t, { state: 'forgotten' });
  assert.deepEqual(await find(), both);
  zone.failNext(/_catalog/, 404, { times: 9 });
  assert.deepEqual(await find(), []);
  assert.deepEqual(await find(['shop', 'other']), ['shop@1.4.0 present']);
});

test('the recipes of a zone are found by its Retriever, and one that cannot be read is reported', async (t) => {
  await using folder = await openTempFolder();
  const source = join(folder.path, 'retriever.yaml');
  const { find, zone, report } = await openZone(t, { state: 'forgotten', retriever: source });
  zone.failNext(/_catalog/, 404, { times: 9 });
  assert.deepEqual(await find(), []);
  assert.ok(report.records.some(({ message }) => /Retriever cannot be read/.test(message)));
  await writeRetriever(source, {
    cookbook: 'origin.example:5000/cookbook',
    recipes: [{ name: 'depot', version: '*' }],
  });
  assert.deepEqual(await find(), ['depot@2.0.0 present']);
});

test('a registry that does not answer as one is an error, and not an empty zone', async (t) => {
  const { find, zone } = await openZone(t, { state: 'forgotten' });
  const answers: readonly [code: string, answer: (response: ServerResponse) => void][] = [
    ['SVC-REG-003', (response) => response.writeHead(401).end()],
    ['SVC-REG-007', (response) => response.writeHead(404).end()],
    ['SVC-REG-007', (response) => response.end('<html>Sign in to the network</html>')],
    ['SVC-VAL-002', (response) => misbehave.endlessly(response, 200, {}, '{}\n'.repeat(9999))],
    ['SVC-REG-007', (response) => response.writeHead(307, { location: '/v2/' }).end()],
  ];
  for (const [code, answer] of answers) {
    const remove = zone.intercept((_, response) => {
      answer(response);
      return true;
    });
    await assert.rejects(find(), { code });
    await assert.rejects(find([]), { code });
    remove();
  }
  await zone.close();
  await assert.rejects(find(), { code: 'SVC-REG-002' });
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { toRecipeDocument } from '../../kit/content/origin.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { readHeldManifest } from '../../kit/result/held-content.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

let folder: TempFolder;
let other: RegistryDouble;
let instance: Instance;

before(async () => {
  folder = await openTempFolder();
  other = await createRegistryDouble();
  instance = await startInstance({
    folder: folder.path,
    config: { registries: { insecure: [other.host], allowlist: [other.host] } },
  });
});

after(async () => {
  await instance[Symbol.asyncDispose]();
  await other.close();
  await folder[Symbol.asyncDispose]();
});

const ingredient = { name: 'web', repository: 'web', version: '1', digest: `sha256:${'a'.repeat(64)}` };
const write = (version: string, name = 'shop') =>
  toRecipeDocument('registry.example', { name, version, ingredients: [ingredient] });
const publish = (reference: string, document: string) =>
  instance.api('POST', '/recipes/publish', { reference, document });

test('a recipe is published in the registry of the instance, once, is listed and mapped there, and never changed', async () => {
  const reference = `${instance.host}/cookbook/shop:1.0.0`;
  const document = write('1.0.0');
  const first = await publish(reference, document);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(first.body, {
    reference,
    digest: first.body.digest,
    documentDigest: hashBytes(document),
    unchanged: false,
  });
  const held = await readHeldManifest(instance, 'cookbook/shop', '1.0.0');
  assert.equal(held.digest, first.body.digest);
  const blob = await fetch(`${instance.url}/v2/cookbook/shop/blobs/${hashBytes(document)}`, {
    headers: { authorization: instance.authorization },
  });
  assert.equal(await blob.text(), document);
  const { body: tag } = await instance.api('GET', '/content/cookbook/shop/-/tags/1.0.0');
  assert.deepEqual([tag.kind, tag.provenance], ['Recipe', ['push']]);

  const { body: listed } = await instance.api('GET', '/recipes');
  const [record] = listed.recipes;
  assert.deepEqual(
    [record.name, record.version, record.cookbook, record.digest, record.documentDigest, record.verified],
    ['shop', '1.0.0', 'cookbook', first.body.digest, hashBytes(document), false],
  );
  const { body: mapping } = await instance.api('GET', '/recipes/shop/mapping');
  assert.equal(mapping.versions[0].ingredients[0].nominal, 'registry.example/web:1');

  const again = await publish(reference, document);
  assert.deepEqual(again.body, { ...first.body, unchanged: true });
  const changed = await publish(reference, `${document}# changed\n`);
  assert.deepEqual([changed.status, changed.body.code], [409, 'SVC-POL-004']);
  assert.equal((await readHeldManifest(instance, 'cookbook/shop', '1.0.0')).digest, first.body.digest);
  const audits = instance
    .log()
    .split('\n')
    .filter((line) => line.includes('"recipe.publish"'))
    .map((line) => JSON.parse(line).outcome);
  assert.deepEqual(audits, ['success', 'success', 'denied']);
});

test('of different documents published at once one is published, the others are refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const reference = `${instance.host}/cookbook/shop:2.0.${round}`;
    const document = write(`2.0.${round}`);
    const answers = await Promise.all(
      ['', '# a\n', '# b\n'].map((more) => publish(reference, `${document}${more}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    const held = await readHeldManifest(instance, 'cookbook/shop', `2.0.${round}`);
    assert.equal(answers.find(({ status }) => status === 200)?.body.digest, held.digest);
  }
});

test('a recipe is published in another registry, as the command does it', async () => {
  const document = write('1.0.0');
  const { status, body } = await publish(`${other.host}/cookbook/shop:1.0.0`, document);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(other.manifest('cookbook/shop', '1.0.0')?.digest, body.digest);
  const off = await publish('off.example/cookbook/shop:1.0.0', document);
  assert.deepEqual([off.status, off.body.code], [403, 'SVC-POL-001']);
});

test('an invalid recipe is refused with its code', async () => {
  const at = (place: string) => `${instance.host}/${place}`;
  const large = `${write('1.0.0')}#${'x'.repeat(4 << 20)}\n`;
  for (const [reference, document, status, code] of [
    [at('cookbook/shop:2.0.0'), write('1.0.0'), 422, 'SVC-VAL-001'],
    [at('cookbook/web:1.0.0'), write('1.0.0'), 422, 'SVC-VAL-001'],
    [at('cookbook/shop:3.0.0'), 'not a recipe', 422, 'SVC-VAL-001'],
    [at('cookbook/shop:3.0.0'), '', 422, 'SVC-VAL-001'],
    [at('shop:1.0.0'), write('1.0.0'), 400, 'SVC-REG-001'],
    [at('cookbook/shop'), write('1.0.0'), 400, 'SVC-REG-001'],
    [at('cookbook/shop:1.0.0'), large, 413, 'SVC-VAL-002'],
    [at('cookbook/shop:1.0.0'), 'x'.repeat(17 << 20), 413, 'SVC-VAL-002'],
  ] as const) {
    const answer = await publish(reference, document);
    assert.deepEqual([answer.status, answer.body.code], [status, code], reference);
  }
  const missing = await instance.api('POST', '/recipes/publish', { reference: at('cookbook/shop:1.0.0') });
  assert.equal(missing.body.code, 'SVC-VAL-001');
  assert.equal((await readHeldManifest(instance, 'cookbook/shop', '3.0.0')).status, 404);
});

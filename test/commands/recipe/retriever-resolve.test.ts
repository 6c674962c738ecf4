import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

const ingredient = {
  name: 'web',
  repository: 'shop/web',
  version: '1.0.0',
  digest: `sha256:${'0'.repeat(64)}`,
};

async function openBench() {
  const folder = await openTempFolder('svc-resolve-');
  const registry = await createRegistryDouble();
  const signer = createSigner();
  const path = (name: string): string => join(folder.path, name);
  const configure = (more: object = {}): Promise<void> =>
    writeFile(
      path('svc.yaml'),
      JSON.stringify({
        registries: { insecure: [registry.host] },
        trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
        ...more,
      }),
    );
  await configure();
  return {
    registry,
    configure,
    fingerprint: signer.fingerprint,
    publish: (name: string, version: string, isSigned = true) =>
      publishRecipe(toOrigin(registry), {
        name,
        version,
        ingredients: [ingredient],
        ...(isSigned ? { signatures: [{ signer, layout: 'bundle' as const }] } : {}),
      }),
    async resolve(
      recipes: readonly (readonly [name: string, version: string])[],
      language: 'en' | 'fr' = 'en',
    ) {
      const spec = {
        cookbook: `${registry.host}/cookbook`,
        recipes: recipes.map(([name, version]) => ({ name, version })),
      };
      await writeRetriever(path('zone.yaml'), spec, 'zone-b');
      const args = ['retriever', 'resolve', path('zone.yaml'), '--config', path('svc.yaml')];
      const json = await runInLanguage([...args, '--output', 'json'], language);
      assertCliDocument('svc retriever resolve', json.stdout);
      const text = await runInLanguage(args, language);
      assert.equal(text.exitCode, json.exitCode);
      const document = JSON.parse(json.stdout);
      assert.equal(document.exit_code, json.exitCode);
      return { exitCode: json.exitCode, document, text: text.stdout };
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('each entry shows the version that its constraint picks today, its digest and who signed it', async () => {
  await using bench = await openBench();
  await bench.publish('shop', '1.0.0');
  const { descriptor } = await bench.publish('shop', '1.4.0');
  await bench.publish('shop', '2.0.0');
  await bench.publish('tools', '0.3.1');
  const { exitCode, document, text } = await bench.resolve([
    ['tools', '0.3.1'],
    ['shop', '^1.0'],
    ['shop', '1.4.0'],
  ]);
  assert.equal(exitCode, 0);
  assert.equal(document.zone, 'zone-b');
  assert.deepEqual(
    document.recipes.map(({ name, requested, version }: any) => [name, requested, version]),
    [
      ['tools', '0.3.1', '0.3.1'],
      ['shop', '^1.0', '1.4.0'],
      ['shop', '1.4.0', '1.4.0'],
    ],
  );
  const { digest, signature, root, keyFingerprint, ingredients, cookbook } = document.recipes[1];
  assert.deepEqual(
    [digest, signature, root, keyFingerprint, ingredients, cookbook],
    [descriptor.digest, 'verified', 'release', bench.fingerprint, 1, `${bench.registry.host}/cookbook`],
  );
  assert.match(text, /shop +\^1\.0 +1\.4\.0 +verified, release +sha256:/);
  assert.equal(bench.registry.count(/^(PUT|POST|PATCH) /), 0);
});

test('an entry that nothing satisfies is a failure, an unsigned recipe a refusal, and the other entries are shown', async () => {
  await using bench = await openBench();
  await bench.publish('shop', '1.0.0');
  await bench.publish('draft', '1.0.0', false);
  const absent = await bench.resolve([
    ['shop', '^1.0'],
    ['shop', '^7'],
    ['gone', '1.0.0'],
  ]);
  assert.equal(absent.exitCode, 1);
  assert.deepEqual(
    absent.document.recipes.map(({ signature, problem }: any) => [signature, problem?.code]),
    [
      ['verified', undefined],
      ['not-evaluated', 'SVC-REG-006'],
      ['not-evaluated', 'SVC-REG-005'],
    ],
  );
  assert.match(absent.text, /shop \^7: SVC-REG-006/);
  const unsigned = await bench.resolve([
    ['shop', '^7'],
    ['draft', '*'],
  ]);
  assert.equal(unsigned.exitCode, 4);
  assert.match(unsigned.text, /draft +\* +1\.0\.0 +refused +sha256:/);
  assert.match((await bench.resolve([['draft', '*']], 'fr')).text, /RECETTE[\s\S]*refusée[\s\S]*Que faire/);
  // without roots nothing can be verified
  await bench.configure({ trust: {} });
  const rootless = await bench.resolve([['shop', '^1.0']]);
  assert.equal(rootless.exitCode, 4);
  assert.equal(rootless.document.recipes[0].problem.params.reason, 'no-roots');
});

test('a host outside the allowlist is a refusal by policy; an unreadable Retriever is an error', async () => {
  await using bench = await openBench();
  await bench.publish('shop', '1.0.0');
  await bench.configure({ registries: { insecure: [bench.registry.host], allowlist: [] } });
  const asked = bench.registry.requests.length;
  assert.equal((await bench.resolve([['shop', '^1.0']])).exitCode, 3);
  assert.equal(bench.registry.requests.length, asked);
  const gone = await runInLanguage(['retriever', 'resolve', '/nowhere/zone.yaml'], 'en');
  assert.equal(gone.exitCode, 1);
  assert.match(gone.stderr, /SVC-REG-005/);
});

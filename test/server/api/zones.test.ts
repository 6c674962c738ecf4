import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

test('viewers read the zones, whose Retrievers are resolved once in a minute, and no path of the machine', async () => {
  await using registry = await createRegistryDouble();
  await using folder = await openTempFolder();
  const release = createSigner();
  await publishRecipe(toOrigin(registry), {
    name: 'shop',
    version: '1.4.0',
    ingredients: [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest: hashBytes('web') }],
    signatures: [{ signer: release }],
  });
  const retriever = join(folder.path, 'zone-b.yaml');
  await writeFile(
    retriever,
    `apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata: {name: zone-b}
spec:
  cookbook: ${registry.host}/cookbook
  recipes: [{name: shop, version: ^1.0.0}]
`,
  );
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      registries: { insecure: [registry.host] },
      trust: { roots: [{ name: 'release', key: release.publicKeyPem }] },
      zones: [
        { name: 'zone-b', retriever },
        { name: 'zone-c', retriever },
      ],
    },
  });
  const authorization = `Bearer ${await instance.createToken('viewer')}`;
  const ask = async (path: string) => {
    const answer = await fetch(`${instance.url}/api/v1${path}`, { headers: { authorization } });
    const text = await answer.text();
    assert.ok(!text.includes(folder.path), text);
    return { status: answer.status, body: JSON.parse(text) };
  };
  const { status, body } = await ask('/zones');
  assert.equal(status, 200);
  assert.deepEqual(
    body.zones.map(({ name, wanted, recipes }: any) => [name, wanted.state, wanted.code, recipes.length]),
    [
      ['zone-b', 'resolved', undefined, 1],
      // the Retriever is that of another zone
      ['zone-c', 'unresolved', 'SVC-CFG-001', 0],
    ],
  );
  assert.deepEqual([body.page, body.totalPages, body.total], [1, 1, 2]);
  const one = await ask('/zones/zone-b');
  assert.deepEqual(one.body.recipes[0].state, 'unknown');
  assert.equal(one.body.wanted.resolvedAt, body.zones[0].wanted.resolvedAt);
  assert.deepEqual((await ask('/zones?q=C')).body.total, 1);
  const unknown = await ask('/zones/zone-d');
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'SVC-REG-005']);
});

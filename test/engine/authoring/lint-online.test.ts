import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lintOnline } from '../../../src/engine/authoring/lint-online.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { buildImage, buildIndex } from '../../kit/content.ts';
import { toOrigin } from '../../kit/origin.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/registry-double.ts';
import { openRemoteRegistry } from '../../kit/remote-registry.ts';

let registry: RegistryDouble;
const image = buildImage('lint');
const index = buildIndex('lint index', ['linux/amd64', 'linux/arm64']);
const digestOf = (artifact: typeof image) => artifact.manifest.descriptor.digest;

before(async () => {
  registry = await createRegistryDouble();
  const origin = toOrigin(registry);
  await origin.put('shop/web', image, '1.4.0');
  await origin.put('shop/db', index, '16.2');
  const document = JSON.parse(image.manifest.bytes.toString());
  document.layers[0].size = 4_294_967_296;
  registry.putManifest('shop/large', document, { tag: '1.0.0', mediaType: document.mediaType });
  document.layers[0].size -= 1;
  registry.putManifest('shop/fits', document, { tag: '1.0.0', mediaType: document.mediaType });
});
after(() => registry[Symbol.asyncDispose]());

test('a recipe is compared with what its registries have', async (t) => {
  const gone = `sha256:${'0'.repeat(64)}`;
  const lines = [
    `{name: same, kind: ContainerImage, ref: HOST/shop/web, version: 1.4.0, digest: "${digestOf(image)}"}`,
    `{name: moved, kind: ContainerImage, ref: HOST/shop/db, version: "16.2", digest: "${gone}"}`,
    `{name: untagged, kind: ContainerImage, ref: HOST/shop/web, version: 1.3.0, digest: "${digestOf(image)}"}`,
    '{name: absent, kind: ContainerImage, ref: HOST/shop/web, version: 1.3.0}',
    '{name: platform, kind: ContainerImage, ref: HOST/shop/db, version: "16.2", platforms: [linux/s390x]}',
    '{name: large, kind: ContainerImage, ref: HOST/shop/large, version: ^1}',
    '{name: fits, kind: ContainerImage, ref: HOST/shop/fits, version: ^1}',
    '{name: away, kind: ContainerImage, ref: "127.0.0.1:9/shop/web", version: 1.4.0}',
  ];
  const recipe = parseRecipe(
    Buffer.from(`apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
${lines.map((line) => `    - ${line.replace('HOST', registry.host)}\n`).join('')}`),
    'shop.yaml',
  );
  const findings = await lintOnline(recipe, {
    registry: openRemoteRegistry(t, [registry.host], { retries: 0 }),
  });
  assert.deepEqual(
    findings.map(({ rule, severity, params, error }) => [params.name, rule, severity, error?.code]),
    [
      ['moved', 'tag-moved', 'warning', undefined],
      ['moved', 'digest-gone', 'error', undefined],
      ['untagged', 'tag-gone', 'warning', undefined],
      ['absent', 'tag-gone', 'error', undefined],
      ['platform', 'platform-absent', 'error', undefined],
      ['large', 'large-layer', 'warning', undefined],
      ['away', 'not-checked', 'error', 'SVC-REG-002'],
    ],
  );
});

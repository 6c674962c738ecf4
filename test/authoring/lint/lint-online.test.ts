import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lintOnline } from '../../../src/authoring/lint/lint-online.ts';
import { sayFinding } from '../../../src/authoring/lint/say-finding.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { words } from '../../../src/text/words/words.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

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

test('each image that a chart uses and the recipe lacks is named with its path in the chart', async (t) => {
  const values = `
image: {repository: registry.example/team/app, tag: 1.2.0}
proxy: {image: {repository: registry.example/team/proxy, tag: 2.1.0}}
worker: {image: {repository: registry.example/team/worker, tag: 3.0.0}}
again: {image: {repository: registry.example/team/worker, tag: 3.0.0}}
exporter: {enabled: false, image: {repository: registry.example/team/exporter, tag: "1"}}
`;
  const chart = buildHelmChart('web', '1.0.0', {
    more: 'annotations: {artifacthub.io/images: "[{image: busybox:1.36}]"}\n',
    files: { 'values.yaml': values },
  });
  await toOrigin(registry).put('shop/chart', chart, '1.0.0');
  const broken = buildHelmChart('broken', '1.0.0', { files: { 'values.yaml': 'a: [' } });
  await toOrigin(registry).put('shop/broken', broken, '1.0.0');
  const unsafe = buildHelmChart('unsafe', '1.0.0', { files: { '../../outside': 'x' } });
  await toOrigin(registry).put('shop/unsafe', unsafe, '1.0.0');
  const ingredients = [
    `{name: chart, kind: HelmChart, ref: HOST/shop/chart, version: ^1}`,
    `{name: broken, kind: HelmChart, ref: HOST/shop/broken, version: ^1}`,
    `{name: unsafe, kind: HelmChart, ref: HOST/shop/unsafe, version: ^1}`,
    '{name: app, kind: ContainerImage, ref: "127.0.0.1:9/team/app", version: 1.2.0}',
    '{name: proxy, kind: ContainerImage, ref: registry.example/team/proxy, version: ^2}',
    '{name: other, kind: ContainerImage, ref: registry.example/team/worker, version: 2.9.0}',
  ];
  const recipe = parseRecipe(
    Buffer.from(`apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
${ingredients.map((line) => `    - ${line.replace('HOST', registry.host)}\n`).join('')}`),
    'shop.yaml',
  );
  const remote = openRemoteRegistry(t, [registry.host], { retries: 0 });
  // the images themselves are of no registry that a test may ask
  const only: typeof remote = {
    ...remote,
    repository: (ref, ...rest) => {
      if (ref.host === 'registry.example') throw new Error('not asked in this test');
      return remote.repository(ref, ...rest);
    },
  };
  const findings = await lintOnline(recipe, { registry: only });
  assert.deepEqual(
    findings
      .filter(({ path }) => /\[[012]\]/.test(path))
      .map(({ rule, severity, params, error }) => [rule, severity, params.where, params.image, error?.code]),
    [
      [
        'chart-image',
        'warning',
        'Chart.yaml artifacthub.io/images',
        'docker.io/library/busybox:1.36',
        undefined,
      ],
      ['chart-image', 'warning', 'image.repository', 'registry.example/team/app:1.2.0', undefined],
      ['chart-image', 'warning', 'worker.image.repository', 'registry.example/team/worker:3.0.0', undefined],
      ['not-checked', 'warning', undefined, undefined, 'SVC-VAL-001'],
      ['not-checked', 'error', undefined, undefined, 'SVC-SIG-003'],
    ],
  );
  const [, app] = findings;
  assert.match(
    sayFinding(app!, words.fr).message,
    /^image\.repository du chart chart nomme registry\.example\/team\/app:1\.2\.0/,
  );
  assert.match(sayFinding(app!, words.en).fix!, /ref registry\.example\/team\/app and the version 1\.2\.0/);
});

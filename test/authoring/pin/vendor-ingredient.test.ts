import assert from 'node:assert/strict';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { pinRecipe } from '../../../src/authoring/pin/pin-document.ts';
import { silentReport } from '../../../src/base/report.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { noCredentials } from '../../../src/remote/registry/credentials.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

let registry: RegistryDouble;
const digests = new Map<string, string>();

before(async () => {
  registry = await createRegistryDouble();
  const origin = toOrigin(registry);
  const dependsOn = (name: string, version = '^1') => ({
    dependencies: [{ name, version, repository: `oci://${registry.host}/deps` }],
  });
  const put = async (repository: string, chart: ReturnType<typeof buildHelmChart>, tag: string) => {
    digests.set(repository, chart.manifest.descriptor.digest);
    await origin.put(repository, chart, tag);
  };
  const values = `image: {repository: ${registry.host}/team/redis, tag: "7"}\nproxy: {image: "${registry.host}/team/app:1"}\n`;
  await put('deps/cache', buildHelmChart('cache', '1.2.0', { files: { 'values.yaml': values } }), '1.2.0');
  await put('up/web', buildHelmChart('web', '2.0.0', dependsOn('cache')), '2.0.0');
  await put('other/web', buildHelmChart('web', '2.0.0', dependsOn('cache', '>=1.2.0')), '2.0.0');
  await put('up/whole', buildHelmChart('whole', '1.0.0'), '1.0.0');
  await put('up/lost', buildHelmChart('lost', '1.0.0', dependsOn('nowhere')), '1.0.0');
});
after(() => registry[Symbol.asyncDispose]());
beforeEach(() => registry.requests.splice(0));

const chart = (name: string, repository: string, version: string, more = '') =>
  `    - {name: ${name}, kind: HelmChart, ref: ${registry.host}/${repository}, version: ${version}${more}, vendorDependencies: true}\n`;

const digestOf = (repository: string): string => `, digest: "${digests.get(repository)}"`;

async function pin(t: TestContext, base: string | undefined, ...ingredients: readonly string[]) {
  const text = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
${ingredients.join('')}`;
  return pinText(t, base, text);
}

async function pinText(t: TestContext, base: string | undefined, text: string) {
  const remote = openRemoteRegistry(t, [registry.host], { retries: 0 });
  const transport = createTransport({ report: silentReport, insecure: [registry.host] });
  t.after(() => transport[Symbol.asyncDispose]());
  const result = await pinRecipe(
    {
      platforms: [],
      update: 'none',
      cookedAt: '2026-11-22T22:00:00Z',
      document: Buffer.from(text),
      file: 'x',
    },
    {
      registry: remote,
      vendoring:
        base === undefined
          ? undefined
          : {
              registry: remote,
              transport,
              credentials: noCredentials,
              report: silentReport,
              retries: 0,
              base: { host: registry.host, repository: base },
            },
    },
  );
  const pushes = registry.requests.filter(({ method }) => method === 'PUT' || method === 'POST').length;
  return { ...result, pushes };
}

test('a chart that lacks nothing is pinned where it is, and one that lacks something names its copy', async (t) => {
  const { document, problems } = await pin(t, 'a', chart('w', 'up/web', '^2'), chart('x', 'up/whole', '^1'));
  assert.deepEqual(problems, []);
  const { ingredients, metadata } = parseRecipe(document!, 'x');
  assert.deepEqual(
    ingredients.map(({ ref, version }) => `${ref.repository}:${version}`),
    ['a/web:2.0.0', 'up/whole:1.0.0'],
  );
  assert.equal(ingredients[1]!.digest, digests.get('up/whole'));
  assert.deepEqual(Object.keys(metadata.annotations), [
    'recipe.tobby.dev/cooked-at',
    'recipe.tobby.dev/upstream-digest.w',
  ]);
  assert.equal(metadata.annotations['recipe.tobby.dev/upstream-digest.w'], digests.get('up/web'));
});

test('a chart that has a digest already is completed too, and needs a place for that only when it lacks something', async (t) => {
  const whole = chart('x', 'up/whole', '1.0.0', digestOf('up/whole'));
  const lacking = chart('w', 'up/web', '2.0.0', digestOf('up/web'));
  const { document, problems, changes } = await pin(t, 'd', lacking, whole);
  assert.deepEqual([problems, changes.map(({ name }) => name)], [[], ['w']]);
  const [web] = parseRecipe(document!, 'x').ingredients;
  assert.equal(web!.ref.repository, 'd/web');
  assert.notEqual(web!.digest, digests.get('up/web'));
  const unplaced = await pin(t, undefined, lacking, whole);
  assert.deepEqual([unplaced.outcome, unplaced.problems.map(({ name }) => name)], ['failed', ['w']]);
  assert.match(String(unplaced.problems[0]!.error.params.rule), /--vendor-to <registry>\/<path>$/);
  assert.equal((await pin(t, undefined, whole)).outcome, 'unchanged');
});

test('an image that only an added dependency uses, and the recipe lacks, is named with what to add', async (t) => {
  const { outcome, findings } = await pin(t, 'f', chart('w', 'up/web', '^2'));
  assert.equal(outcome, 'changed');
  assert.deepEqual(
    findings.map(({ rule, severity, line, params }) => [rule, severity, line, params.ref, params.version]),
    [
      ['chart-image', 'warning', 6, `${registry.host}/team/redis`, '7'],
      ['chart-image', 'warning', 6, `${registry.host}/team/app`, '1'],
    ],
  );
});

test('a completed chart is not fetched again', async (t) => {
  const { document } = await pin(t, 'e', chart('w', 'up/web', '2.0.0', digestOf('up/web')));
  registry.requests.splice(0);
  const again = await pinText(t, undefined, document!.toString());
  assert.deepEqual([again.outcome, registry.count(/\/blobs\//)], ['unchanged', 0]);
});

test('nothing is pushed when one ingredient cannot be pinned', async (t) => {
  const { problems, document, pushes } = await pin(
    t,
    'b',
    chart('w', 'up/web', '^2'),
    chart('l', 'up/lost', '1.0.0'),
  );
  assert.deepEqual(
    problems.map(({ name, error }) => [name, error.code]),
    [['l', 'SVC-REG-005']],
  );
  assert.deepEqual([document, pushes], [undefined, 0]);
});

test('two charts of one name and version cannot have one place', async (t) => {
  const both = [chart('w', 'up/web', '2.0.0'), chart('o', 'other/web', '2.0.0')];
  const { problems, pushes } = await pin(t, 'c', ...both);
  assert.deepEqual([problems.map(({ error }) => error.code), pushes], [['SVC-POL-004'], 0]);
  await pin(t, 'c', both[0]!);
  const later = await pin(t, 'c', both[1]!);
  assert.deepEqual(
    later.problems.map(({ error }) => error.code),
    ['SVC-POL-004'],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRecipe, parseRetriever, requireCooked } from '../../src/recipe/document.ts';
import { isSvcError } from '../../src/text/error.ts';

const hex = 'a'.repeat(64);

const good = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata:
  name: web-stack
  version: 1.4.0
  description: A stack
  labels:
    example.org/team: web
    tier: front
  annotations:
    recipe.tobby.dev/cooked-at: "2026-01-02T03:04:05Z"
    recipe.tobby.dev/upstream-digest.chart: sha256:${hex}
    anything at all: whatever
spec:
  ingredients:
    - name: nginx
      kind: ContainerImage
      ref: Docker.io/library/nginx
      version: 1.27.0
      digest: sha256:${hex}
      platforms: [linux/amd64, linux/arm64/v8, linux/arm64]
    - name: chart
      kind: HelmChart
      ref: localhost:5000/charts/web
      version: 2.0.0
      digest: sha512:${'b'.repeat(128)}
      vendorDependencies: true
    - name: model
      kind: OCIArtifact
      ref: registry.example/models/m
      version: latest
      digest: sha256:${hex}
      artifactType: application/vnd.example.model.v1
    - name: repo
      kind: FileSet
      ref: registry.example/files/repo
      version: "1"
      digest: sha256:${hex}
      platforms: [linux/amd64]
      extract:
        paths: ["pool/**", "dists/*"]
`;

const parse = (text: string) => parseRecipe(Buffer.from(text), 'r.yaml');

type Parse = (bytes: Buffer, file: string) => unknown;

function refuses(text: string, path: string | undefined, rule: RegExp, reader: Parse = parseRecipe): void {
  assert.throws(
    () => reader(Buffer.from(text), 'r.yaml'),
    (error: unknown) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'), String(error));
      assert.equal(error.params.file, 'r.yaml');
      assert.equal(error.params.path, path);
      assert.match(String(error.params.rule), rule);
      return true;
    },
  );
}

/** The good recipe with one passage changed. */
function changed(from: string, to: string): string {
  assert.ok(good.includes(from), from);
  return good.replace(from, to);
}

test('a whole recipe is read', () => {
  const recipe = parse(good);
  assert.equal(recipe.metadata.name, 'web-stack');
  assert.equal(recipe.metadata.version, '1.4.0');
  assert.deepEqual(recipe.metadata.labels, { 'example.org/team': 'web', tier: 'front' });
  const [nginx, chart, model, repo] = recipe.ingredients;
  assert.deepEqual(nginx?.ref, { host: 'docker.io', repository: 'library/nginx' });
  assert.deepEqual(nginx?.platforms, [
    { os: 'linux', architecture: 'amd64' },
    { os: 'linux', architecture: 'arm64' },
  ]);
  assert.equal(chart?.vendorDependencies, true);
  assert.deepEqual(chart?.ref, { host: 'localhost:5000', repository: 'charts/web' });
  assert.equal(model?.artifactType, 'application/vnd.example.model.v1');
  assert.equal(model?.vendorDependencies, false);
  assert.deepEqual(repo?.extract, { paths: ['pool/**', 'dists/*'] });
  assert.equal(requireCooked(recipe, 'r.yaml'), recipe);
});

test('another apiVersion or kind is refused', () => {
  refuses(changed('v1alpha1', 'v1'), 'apiVersion', /v1alpha1/);
  refuses(changed('kind: Recipe', 'kind: Menu'), 'kind', /Recipe or Retriever/);
  refuses(changed('kind: Recipe', 'kind: Retriever'), 'kind', /this document is a Retriever/);
  refuses(changed('apiVersion: recipe.tobby.dev/v1alpha1\n', ''), 'apiVersion', /required/);
  refuses('', undefined, /is empty/);
  refuses('# nothing yet\n', undefined, /is empty/);
  refuses('services: {web: {image: x}}', undefined, /is a compose file: svc recipe init NAME --from FILE/);
  refuses('- a', undefined, /is no Recipe: it must be a map/);
  refuses('text', undefined, /is no Recipe: it must be a map/);
});

test('an unknown member anywhere is named with its path, and with what was meant', () => {
  refuses(changed('digest: sha256', 'digset: sha256'), 'spec.ingredients[0].digset', /did you mean digest\?/);
  refuses(changed('spec:\n', 'status: {}\nspec:\n'), 'status', /not a known member/);
  refuses(changed('  name: web-stack', '  nmae: web-stack'), 'metadata.nmae', /did you mean name\?/);
  refuses(changed('  ingredients:', '  extra: 1\n  ingredients:'), 'spec.extra', /not a known member/);
  refuses(
    changed('paths: ["pool', 'pahts: ["pool'),
    'spec.ingredients[3].extract.pahts',
    /did you mean paths\?/,
  );
  refuses(changed('kind: ContainerImage', 'Kind: ContainerImage'), 'spec.ingredients[0].kind', /required/);
});

test('the four top-level members are required', () => {
  refuses(
    'apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nspec: {ingredients: []}',
    'metadata',
    /required/,
  );
  refuses(
    'apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: {name: a, version: 1.0.0}',
    'spec',
    /required/,
  );
});

test('every problem of a document is reported, the first as the error and the others in its detail', () => {
  const text = changed('name: web-stack', 'name: Web')
    .replace('version: 1.4.0', 'version: 1.4')
    .replace('kind: HelmChart', 'kind: Chart');
  assert.throws(
    () => parse(text),
    (error: unknown) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'));
      assert.equal(error.params.path, 'metadata.name');
      assert.match(
        error.detail ?? '',
        /metadata\.version: [^\n]*quote it[\s\S]*spec\.ingredients\[1\]\.kind/,
      );
      return true;
    },
  );
});

test('a number or a boolean where a string is due is answered with "quote it"', () => {
  refuses(
    changed('version: 1.27.0', 'version: 1.10'),
    'spec.ingredients[0].version',
    /quote it, as in "1\.10"/,
  );
  refuses(changed('version: latest', 'version: true'), 'spec.ingredients[2].version', /quote it/);
  refuses(changed('tier: front', 'tier: 1'), 'metadata.labels.tier', /quote it/);
  refuses(changed('version: latest', 'version:'), 'spec.ingredients[2].version', /nothing: quote it/);
  refuses(changed('version: latest', 'version: [a]'), 'spec.ingredients[2].version', /must be a string/);
});

test('metadata.name holds to its pattern and length', () => {
  for (const name of ['a', 'a.b', 'a_b', 'a__b', 'a---b', 'a'.repeat(63)])
    parse(changed('name: web-stack', `name: ${name}`));
  for (const name of ['A', '-a', 'a-', 'a..b', 'a___b', 'a b', '""', 'é'])
    refuses(changed('name: web-stack', `name: ${name}`), 'metadata.name', /./);
  refuses(changed('name: web-stack', `name: ${'a'.repeat(64)}`), 'metadata.name', /at most 63/);
});

test('metadata.version is SemVer without build metadata, at most 128 characters', () => {
  for (const version of ['0.0.0', '1.2.3-rc.1', '1.2.3-0a.b-c'])
    parse(changed('version: 1.4.0', `version: ${version}`));
  for (const version of ['v1.2.3', '1.2.3+b', '"1.2"', '01.2.3', '1.2.3-01', 'latest', '"=1.2.3"'])
    refuses(changed('version: 1.4.0', `version: ${version}`), 'metadata.version', /SemVer/);
  refuses(changed('version: 1.4.0', `version: 1.0.0-${'a'.repeat(123)}`), 'metadata.version', /at most 128/);
  refuses(changed('  version: 1.4.0\n', ''), 'metadata.version', /required/);
});

test('description, labels and annotations hold to their bounds', () => {
  refuses(changed('A stack', 'x'.repeat(2049)), 'metadata.description', /2048/);
  parse(changed('A stack', 'x'.repeat(2048)));
  refuses(changed('tier: front', `tier: ${'x'.repeat(64)}`), 'metadata.labels.tier', /63/);
  refuses(changed('tier: front', 'tier: -x'), 'metadata.labels.tier', /label value/);
  refuses(changed('tier: front', '-tier: x'), 'metadata.labels.-tier', /label key/);
  refuses(
    changed('tier: front', '"UPPER.example/x/y": x'),
    'metadata.labels["UPPER.example/x/y"]',
    /DNS name/,
  );
  refuses(changed('tier: front', `"${'a'.repeat(64)}": x`), `metadata.labels.${'a'.repeat(64)}`, /label key/);
  parse(changed('tier: front', 'tier: ""'));
  refuses(changed('whatever', 'x'.repeat(4097)), 'metadata.annotations["anything at all"]', /4096/);
  refuses(
    changed('2026-01-02T03:04:05Z', 'yesterday'),
    'metadata.annotations["recipe.tobby.dev/cooked-at"]',
    /RFC 3339/,
  );
  refuses(
    changed(`upstream-digest.chart: sha256:${hex}`, 'upstream-digest.chart: sha256:12'),
    'metadata.annotations["recipe.tobby.dev/upstream-digest.chart"]',
    /sha256/,
  );
  const polluted = parse(changed('anything at all: whatever', '__proto__: x'));
  assert.equal(Object.getOwnPropertyDescriptor(polluted.metadata.annotations, '__proto__')?.value, 'x');
});

test('ingredients are a non-empty list of uniquely named DNS labels', () => {
  const head = good.slice(0, good.indexOf('  ingredients:'));
  refuses(`${head}  ingredients: []\n`, 'spec.ingredients', /not be empty/);
  refuses(`${head}  ingredients: {}\n`, 'spec.ingredients', /list/);
  refuses(`${head}  ingredients: [text]\n`, 'spec.ingredients[0]', /map/);
  refuses(changed('name: chart', 'name: nginx'), 'spec.ingredients[1].name', /unique.*ingredients\[0\]/);
  for (const name of ['a.b', 'A', '-a', 'a-', 'a_b'])
    refuses(changed('name: chart', `name: ${name}`), 'spec.ingredients[1].name', /./);
  refuses(changed('name: chart', `name: ${'a'.repeat(64)}`), 'spec.ingredients[1].name', /63/);
});

test('a ref is a fully qualified host and a path, nothing more', () => {
  const at = 'spec.ingredients[2].ref';
  const ref = 'registry.example/models/m';
  for (const text of ['localhost/a', 'registry:5000/a', 'r.example:65535/a/b', '10.0.0.1/a'])
    parse(changed(ref, text));
  for (const text of [
    'registry/a',
    'library/nginx',
    'nginx',
    'r.example/',
    'r.example/A',
    'r.example:0/a',
    'r.example:65536/a',
    'r.example:05/a',
    'r.example/a:1',
    `r.example/a@sha256:${hex}`,
    'https://r.example/a',
    'user@r.example/a',
    'r.example/a?b',
    'r.example/a#b',
    'r.example/../a',
    'r.example/a/../b',
    '"[::1]:5000/a"',
    'r.example/a//b',
    'r_x.example/a',
  ])
    refuses(changed(ref, text), at, /./);
});

test('a version is a tag or a constraint of the grammar', () => {
  for (const text of ['latest', 'v1_2', '^1.2', '">=1 <2"', '1.x', '"*"'])
    parse(changed('version: latest', `version: ${text}`));
  refuses(changed('version: latest', 'version: "^1 || ^2"'), 'spec.ingredients[2].version', /\|\|/);
  refuses(changed('version: latest', 'version: 1.x.3'), 'spec.ingredients[2].version', /end/);
  refuses(changed('version: latest', 'version: .a'), 'spec.ingredients[2].version', /tag/);
  refuses(changed('version: latest', 'version: 1.2.3+b'), 'spec.ingredients[2].version', /tag/);
  refuses(changed('version: latest', `version: ${'a'.repeat(129)}`), 'spec.ingredients[2].version', /tag/);
  refuses(
    changed('version: latest', `version: ${'a'.repeat(300)}`),
    'spec.ingredients[2].version',
    /at most/,
  );
});

test('a tag of signatures or referrers is no version of an ingredient', () => {
  const hex = 'a'.repeat(64);
  for (const tag of [`sha256-${hex}`, `sha256-${hex}.sig`, `sha512-${hex}`, `sha256-${hex}.att`])
    refuses(changed('version: latest', `version: ${tag}`), 'spec.ingredients[2].version', /signatures/);
  parse(changed('version: latest', `version: sha256-${hex.slice(1)}`));
});

test('a digest is sha256 or sha512 in lower-case hex', () => {
  for (const text of ['sha256:12', `sha256:${'A'.repeat(64)}`, `md5:${hex}`, hex, `sha512:${hex}`])
    refuses(
      changed(`digest: sha256:${hex}\n      artifactType`, `digest: ${text}\n      artifactType`),
      'spec.ingredients[2].digest',
      /./,
    );
});

test('a member of one kind is refused on another', () => {
  refuses(
    changed('vendorDependencies: true', 'platforms: [linux/amd64]'),
    'spec.ingredients[1].platforms',
    /ContainerImage and FileSet only/,
  );
  refuses(
    changed('vendorDependencies: true', 'artifactType: a/b'),
    'spec.ingredients[1].artifactType',
    /OCIArtifact only/,
  );
  refuses(
    changed('artifactType: application', 'extract: application'),
    'spec.ingredients[2].extract',
    /FileSet only/,
  );
  refuses(
    changed('platforms: [linux/amd64, linux/arm64/v8, linux/arm64]', 'vendorDependencies: false'),
    'spec.ingredients[0].vendorDependencies',
    /HelmChart only/,
  );
});

test('platforms, booleans, media types and globs hold to their syntax', () => {
  refuses(
    changed('[linux/amd64, linux/arm64/v8, linux/arm64]', '[linux]'),
    'spec.ingredients[0].platforms[0]',
    /os\/arch/,
  );
  refuses(
    changed('[linux/amd64, linux/arm64/v8, linux/arm64]', 'linux/amd64'),
    'spec.ingredients[0].platforms',
    /list/,
  );
  refuses(
    changed('vendorDependencies: true', 'vendorDependencies: "true"'),
    'spec.ingredients[1].vendorDependencies',
    /true or false/,
  );
  refuses(
    changed('application/vnd.example.model.v1', 'text'),
    'spec.ingredients[2].artifactType',
    /media type/,
  );
  refuses(changed('["pool/**", "dists/*"]', '[]'), 'spec.ingredients[3].extract.paths', /not be empty/);
  refuses(changed('pool/**', '/pool'), 'spec.ingredients[3].extract.paths[0]', /relative/);
  refuses(changed('pool/**', 'a/../b'), 'spec.ingredients[3].extract.paths[0]', /\.\./);
  refuses(changed('pool/**', ''), 'spec.ingredients[3].extract.paths[0]', /empty/);
});

test('a draft is read but not taken for cooked', () => {
  const draft = parse(
    changed('version: 1.27.0', 'version: 1.27.x').replace(
      `version: 2.0.0\n      digest: sha512:${'b'.repeat(128)}`,
      'version: 2.0.0',
    ),
  );
  assert.throws(
    () => requireCooked(draft, 'r.yaml'),
    (error: unknown) =>
      isSvcError(error, 'SVC-VAL-001') &&
      error.params.path === 'spec.ingredients[0].version' &&
      /spec\.ingredients\[1\]\.digest: is required/.test(error.detail ?? ''),
  );
});

const retriever = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata:
  name: zone-a
spec:
  cookbook: registry.example/cookbook
  recipes:
    - name: web-stack
      version: ^1.2
    - name: web-stack
      version: 2.0.0
      cookbook: other.example:5000/books
`;

test('a Retriever is read, an entry with a cookbook of its own too', () => {
  const read = parseRetriever(Buffer.from(retriever), 'r.yaml');
  assert.equal(read.metadata.name, 'zone-a');
  assert.equal('version' in read.metadata, false);
  assert.deepEqual(read.recipes, [
    { name: 'web-stack', version: '^1.2', cookbook: { host: 'registry.example', repository: 'cookbook' } },
    { name: 'web-stack', version: '2.0.0', cookbook: { host: 'other.example:5000', repository: 'books' } },
  ]);
});

test('a Retriever holds to its rules', () => {
  const refused = (from: string, to: string, path: string, rule: RegExp) => {
    assert.ok(retriever.includes(from));
    refuses(retriever.replace(from, to), path, rule, parseRetriever);
  };
  refused('  name: zone-a', '  name: zone-a\n  version: 1.0.0', 'metadata.version', /no version/);
  refused('  cookbook: registry.example/cookbook\n', '', 'spec.cookbook', /required/);
  refused('registry.example/cookbook', 'cookbook', 'spec.cookbook', /./);
  refused('version: ^1.2', 'version: ">= 1.2"', 'spec.recipes[0].version', /space/);
  refused('version: ^1.2', 'version: 1.10', 'spec.recipes[0].version', /quote it/);
  refused('      version: ^1.2\n', '', 'spec.recipes[0].version', /required/);
  refused(
    '- name: web-stack\n      version: ^1.2',
    '- name: Web\n      version: ^1.2',
    'spec.recipes[0].name',
    /lower-case/,
  );
  refused(
    'cookbook: other.example:5000/books',
    'cookbok: a.b/c',
    'spec.recipes[1].cookbok',
    /did you mean cookbook/,
  );
  refused('kind: Retriever', 'kind: Recipe', 'kind', /this document is a Recipe/);
  refuses(
    `${retriever.slice(0, retriever.indexOf('  recipes:'))}  recipes: []\n`,
    'spec.recipes',
    /not be empty/,
    parseRetriever,
  );
});

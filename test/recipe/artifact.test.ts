import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import { selectRecipeLayer, toRecipeArtifact } from '../../src/recipe/artifact.ts';
import { parseRecipe } from '../../src/recipe/document.ts';
import { selectDuplicates } from '../../src/recipe/duplicates.ts';
import { requireIdentity } from '../../src/recipe/identity.ts';
import { isSvcError } from '../../src/text/error.ts';

const document = Buffer.from(`# kept byte for byte
apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: web, version: 1.0.0}
spec:
  ingredients:
    - {name: a, kind: OCIArtifact, ref: r.example/a, version: "1", digest: "sha256:${'a'.repeat(64)}"}
`);
const recipe = parseRecipe(document, 'web.yaml');
const artifact = toRecipeArtifact(document, recipe, '2026-01-02T03:04:05Z');
const json = () => JSON.parse(artifact.manifest.bytes.toString());
const select = (value: unknown) => selectRecipeLayer(parseManifest(Buffer.from(JSON.stringify(value))));

test('the artifact is the published format, and the same arguments give the same bytes', () => {
  assert.deepEqual(toRecipeArtifact(document, recipe, '2026-01-02T03:04:05Z'), artifact);
  assert.equal(artifact.manifest.descriptor.digest, hashBytes(artifact.manifest.bytes));
  assert.equal(artifact.manifest.descriptor.size, artifact.manifest.bytes.length);
  assert.deepEqual(json(), {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: 'application/vnd.tobby.recipe.v1+yaml',
    config: {
      mediaType: 'application/vnd.oci.empty.v1+json',
      digest: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      size: 2,
    },
    layers: [
      {
        mediaType: 'application/vnd.tobby.recipe.v1+yaml',
        digest: hashBytes(document),
        size: document.length,
        annotations: { 'org.opencontainers.image.title': 'recipe.yaml' },
      },
    ],
    annotations: { 'org.opencontainers.image.created': '2026-01-02T03:04:05Z' },
  });
  assert.deepEqual(
    artifact.blobs.map(({ bytes }) => bytes.toString()),
    ['{}', document.toString()],
  );
});

test('the layer of an artifact is selected, with or without annotations', () => {
  const plain = json();
  delete plain.annotations;
  delete plain.layers[0].annotations;
  assert.equal(select(plain).digest, hashBytes(document));
});

test('anything that is not exactly a recipe artifact is refused', () => {
  const variants: Record<string, (manifest: ReturnType<typeof json>) => void> = {
    'more layers': (m) => m.layers.push(m.layers[0]),
    'no layer': (m) => {
      m.layers = [];
    },
    'another layer type': (m) => {
      m.layers[0].mediaType = 'application/yaml';
    },
    'another artifact type': (m) => {
      m.artifactType = 'application/vnd.example';
    },
    'no artifact type': (m) => {
      delete m.artifactType;
    },
    'a bigger layer': (m) => {
      m.layers[0].size = 4_194_305;
    },
    'another config': (m) => {
      m.config.mediaType = 'application/vnd.oci.image.config.v1+json';
    },
    'a Docker manifest': (m) => {
      m.mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
    },
  };
  for (const [name, change] of Object.entries(variants)) {
    const manifest = json();
    change(manifest);
    assert.throws(
      () => select(manifest),
      (error: unknown) => isSvcError(error, 'SVC-SIG-003'),
      name,
    );
  }
  const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [] };
  assert.throws(
    () => select(index),
    (error: unknown) => isSvcError(error, 'SVC-SIG-003'),
  );
});

test('a document over 4 MiB is not wrapped', () => {
  assert.throws(
    () => toRecipeArtifact(Buffer.alloc(4_194_305), recipe, ''),
    (error: unknown) => isSvcError(error, 'SVC-VAL-002'),
  );
});

test('a recipe stands under its own name and version only', () => {
  requireIdentity(recipe, { repository: 'cookbook/web', tag: '1.0.0' }, 'r.example/cookbook/web:1.0.0');
  for (const place of [
    { repository: 'cookbook/other', tag: '1.0.0' },
    { repository: 'cookbook/web', tag: 'v1.0.0' },
    { repository: 'cookbook/xweb', tag: '1.0.0' },
  ])
    assert.throws(
      () => requireIdentity(recipe, place, 'here'),
      (error: unknown) => isSvcError(error, 'SVC-SIG-003') && error.params.reference === 'here',
    );
});

test('entries that resolve to the same recipe are named, different versions are not', () => {
  assert.deepEqual(
    selectDuplicates([
      { name: 'a', version: '1.0.0' },
      { name: 'a', version: '2.0.0' },
      { name: 'b', version: '1.0.0' },
      { name: 'a', version: '1.0.0' },
      { name: 'c' },
      { name: 'c' },
    ]),
    [{ name: 'a', version: '1.0.0', entries: [0, 3] }],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifests } from '../../../src/authoring/foreign/manifests.ts';

const read = (text: string, findMore = false) => readManifests({ file: 'cr.yaml', text }, { findMore });
const named = (text: string, findMore = false) =>
  read(text, findMore).images.map(({ image, doubt, where }) => `${image} ${doubt} ${where}`);

const resource = (spec: string): string =>
  `apiVersion: example/v1\nkind: Db\nmetadata: {name: d}\nspec: ${spec}\n`;

test('a custom resource that names an image, in short form or in parts, proposes it', () => {
  for (const [spec, ...images] of [
    ['{image: "prom/prometheus:v2.50.1"}', 'prom/prometheus:v2.50.1 image'],
    ['{bare: {image: "redis:7.2"}}', 'redis:7.2 bare.image'],
    ['{sidecarImage: "grafana/grafana:10.4.1"}', 'grafana/grafana:10.4.1 sidecarImage'],
    ['{image: {repository: quay.io/a/db, tag: "3"}}', 'quay.io/a/db:3 image.repository'],
    ['{db: {repository: quay.io/a/db, tag: 16}}', 'quay.io/a/db:16 db.repository'],
    ['{db: {registry: quay.io, repository: a/db, tag: "3"}}', 'quay.io/a/db:3 db.repository'],
    ['{image: quay.io/a/db, tag: "3"}', 'quay.io/a/db:3 image'],
    ['{image: quay.io/a/db, version: "3"}', 'quay.io/a/db image'],
    ['{images: ["a/b:1", "redis:7"]}', 'a/b:1 images[0]', 'redis:7 images[1]'],
    [
      '{containers: [{name: a, image: {repository: quay.io/a/db, tag: "3"}}]}',
      'quay.io/a/db:3 containers[0].image.repository',
    ],
    ['{image: {hub: gcr.io/mesh, image: pilot, tag: "3"}}', 'gcr.io/mesh/pilot:3 image.image'],
  ] as const)
    assert.deepEqual(
      named(resource(spec)),
      images.map((image) => image.replace(' ', ' custom-resource Db/d spec.')),
      spec,
    );
  // no word but this one says that it is an image
  assert.deepEqual(
    named('apiVersion: a/v1\nkind: Db\nmetadata: {name: d}\nspec: {repository: a/db, tag: "3"}'),
    ['a/db:3 custom-resource Db/d spec.repository'],
  );
});

test('a member of a custom resource that is no image is not proposed', () => {
  for (const spec of [
    '{image: "a picture"}',
    '{image: picture}',
    '{image: "https://cdn.example/a/logo.png"}',
    '{image: "cdn.example/a/logo.png"}',
    '{chart: {repository: "https://charts.example", version: "1", image: none}}',
    '{image: {pullPolicy: Always}, tag: "1"}',
  ])
    assert.deepEqual(named(resource(spec)), [], spec);
  const left = read(resource(`{image: "quay.io/a/b:\${TAG}"}`));
  assert.deepEqual(
    left.omissions.map(({ what, where, reason }) => [what, where, reason]),
    [[`quay.io/a/b:\${TAG}`, 'Db/d spec.image', 'template']],
  );
});

test('arguments and variables in short form are proposed when they look like images, and counted otherwise', () => {
  const pod = (container: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: "nginx:1", ${container}}]}\n`;
  for (const [container, ...images] of [
    ['env: [{name: SIDE, value: "prom/side:1"}]', 'prom/side:1'],
    ['env: [{name: CACHE, value: "redis:7.2"}]', 'redis:7.2'],
    ['env: [{name: CACHE_IMAGE, value: "redis:7"}]', 'redis:7'],
    [
      'args: ["--sidecar=prom/side:v1", "--image", "redis:7", "--cache-image=redis:8"]',
      'prom/side:v1',
      'redis:7',
      'redis:8',
    ],
    ['env: [{name: CACHE, value: "redis:6379"}]'],
    ['env: [{name: IMAGE_REGISTRY, value: "registry:5000"}]'],
    [
      'args: ["--service=default/web:8080", "--listen=0.0.0.0:8080", "--at=12:30.5", "user:secret", "--url=https://a.example/b:1"]',
    ],
  ] as const) {
    const found = (findMore: boolean) =>
      read(pod(container), findMore).images.flatMap(({ image, doubt }) =>
        doubt === 'argument' ? [image] : [],
      );
    assert.deepEqual(found(true), images, container);
    assert.deepEqual(found(false), [], container);
    const { omissions } = read(pod(container));
    assert.deepEqual(
      omissions.map(({ what, reason }) => [what, reason]),
      images.length === 0 ? [] : [[`${images.length}`, 'arguments']],
      container,
    );
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkValues } from '../../../src/authoring/chart/walk-values.ts';
import { readImageName } from '../../../src/authoring/foreign/image-name.ts';
import { readYaml, type YamlMap } from '../../../src/recipe/read-yaml.ts';

const walk = (members: string) => {
  const values = readYaml(Buffer.from(`image: {repository: team/app, ${members}}`), 'values') as YamlMap;
  return walkValues(values, '9.9.9', values).map(({ image }) => image);
};

test('an image whose members make no name is returned with its text, which no reader takes as a name', () => {
  for (const [members, image] of [
    [`tag: "\${VERSION}"`, `team/app:\${VERSION}`],
    ['tag: "{{ .Values.v }}"', 'team/app:{{ .Values.v }}'],
    ['registry: "https://docker.io", tag: "1"', 'https://docker.io/team/app:1'],
    ['tag: "1.16\\n- x"', 'team/app:1.16 - x'],
    ['tag: [1]', 'team/app:[…]'],
    ['tag: {a: 1}', 'team/app:{…}'],
    [`tag: "${'1{'.repeat(600)}"`, `team/app:${'1{'.repeat(600)}`.slice(0, 256).concat('…')],
  ] as const) {
    assert.deepEqual(walk(members), [image], members);
    assert.ok('rule' in readImageName(image), image);
  }
});

test('a tag that is true is printed as templates print it, and one that is empty or false is the application version', () => {
  assert.deepEqual(walk('tag: true'), ['team/app:true']);
  for (const tag of ['""', 'false', 'null', '"{{ .Chart.AppVersion }}"'])
    assert.deepEqual(walk(`tag: ${tag}`), ['team/app:9.9.9']);
});

const walkAll = (text: string) => {
  const values = readYaml(Buffer.from(text), 'values') as YamlMap;
  return walkValues(values, '9.9.9', values).map(({ image, isGuess }) => `${isGuess ? '? ' : ''}${image}`);
};

test('a name that other values may complete is a guess, never an image of Docker Hub', () => {
  for (const [values, ...images] of [
    ['image: {hub: gcr.io/istio, image: pilot, tag: "1.2"}', '? gcr.io/istio/pilot:1.2'],
    ['pilot: {hub: gcr.io/istio, image: "pilot:1.2"}', '? gcr.io/istio/pilot:1.2'],
    ['global: {hub: gcr.io/istio}\npilot: {image: "pilot:1.2"}', '? gcr.io/istio/pilot:1.2'],
    [
      'global: {hub: gcr.io/istio}\npilot: {image: {repository: pilot, tag: "1.2"}}',
      '? gcr.io/istio/pilot:1.2',
    ],
    ['imageRegistry: quay.io\na: {b: {image: {repository: team/app, tag: "1"}}}', '? quay.io/team/app:1'],
    ['image: {host: quay.io, org: team, image: app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {registry: quay.io, organization: team, repository: app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {prefix: quay.io/team, repository: app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {prefix: quay.io/team, name: app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {repository: quay.io/team, name: app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {repository: quay.io, name: app, tag: "1"}', '? quay.io/app:1'],
    ['image: {repo: docker.io/istio, image: pilot, tag: "1"}', '? docker.io/istio/pilot:1'],
    ['image: {somewhere: "quay.io/team", repository: app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {somewhere: team/more, repository: app, tag: "1"}', '? team/more/app:1'],
    ['image: {hub: quay.io, image: team/app, tag: "1"}', '? quay.io/team/app:1'],
    ['image: {hub: "{{ .Values.x }}", image: app, tag: "1"}', '? app:1'],
    ['image: {imageRegistry: "registry:5000", repository: app, digest: ""}', '? registry:5000/app:9.9.9'],
    ['image: {domain: example.com, image: app, tag: "1"}', '? example.com/app:1'],
    ['image: {repository: quay.io, tag: "1"}', '? quay.io:1'],
  ] as const)
    assert.deepEqual(walkAll(values), images, values);
});

test('the conventions that charts publish are no guess', () => {
  for (const [values, image] of [
    [
      'image: {registry: docker.io, repository: bitnami/nginx, tag: "1", digest: "", pullPolicy: Always, pullSecrets: []}',
      'docker.io/bitnami/nginx:1',
    ],
    [
      'global: {imageRegistry: mirror.example}\nimage: {registry: docker.io, repository: bitnami/nginx, tag: "1"}',
      'mirror.example/bitnami/nginx:1',
    ],
    ['image: {registry: quay.io, name: team/app, tag: "1"}', 'quay.io/team/app:1'],
    [
      'image: {registry: registry.k8s.io, image: ingress-nginx/controller, tag: "1"}',
      'registry.k8s.io/ingress-nginx/controller:1',
    ],
    ['image: {repository: nginx, flavor: apache, tag: "1", pullPolicy: Always}', 'nginx:1'],
    ['image: {repository: quay.io/team/app, name: app, tag: "1", host: shop.example}', 'quay.io/team/app:1'],
    ['web: {name: front, image: nginx, tag: "1", config: nginx.conf, mountPath: /etc/nginx}', 'nginx:1'],
    ['web: {image: "nginx:1", host: shop.example, namespace: web}', 'nginx:1'],
    ['image: {repository: nginx, tag: "1", imagePullSecret: quay.io/team, registrySecret: team}', 'nginx:1'],
    ['sync: {image: "git-sync:1", repo: "https://git.example/team/app.git"}', 'git-sync:1'],
  ] as const)
    assert.deepEqual(walkAll(values), [image], values);
});

test('values with many images and many registries are read in time', () => {
  const values: YamlMap = new Map(
    Array.from({ length: 5000 }, (_, i) => [
      [`a${i}Image`, `x${i}:1`],
      [`b${i}registry`, 'quay.io'],
    ]).flat() as [string, string][],
  );
  const start = performance.now();
  assert.equal(walkValues(values, '1', values).length, 5000);
  assert.ok(performance.now() - start < 1000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCompose } from '../../../src/authoring/foreign/compose.ts';
import { isImageList, readImageList } from '../../../src/authoring/foreign/image-list.ts';
import { isCertainImage, readImageName } from '../../../src/authoring/foreign/image-name.ts';
import { interpolate, readVariables } from '../../../src/authoring/foreign/interpolate.ts';
import { readManifests } from '../../../src/authoring/foreign/manifests.ts';
import type { SourceContents } from '../../../src/authoring/foreign/model.ts';
import { readHauler, readImgpkg, readOcMirror, readZarf } from '../../../src/authoring/foreign/packages.ts';
import { recogniseSource } from '../../../src/authoring/foreign/recognise.ts';
import { formatReference } from '../../../src/oci/reference.ts';
import { isSvcError, type SvcError } from '../../../src/text/error.ts';

const file = 'source';
const images = ({ images: list }: SourceContents) => list.map(({ image }) => image);
const omitted = ({ omissions }: SourceContents) => omissions.map(({ what, reason }) => [what, reason]);
const digest = `sha256:${'a'.repeat(64)}`;

test('a name of an image is completed as container engines do', () => {
  for (const [written, meant] of [
    ['nginx', 'docker.io/library/nginx'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['team/app:1', 'docker.io/team/app:1'],
    ['index.docker.io/nginx:1', 'docker.io/library/nginx:1'],
    ['docker.io/nginx:1', 'docker.io/library/nginx:1'],
    ['localhost/app:1', 'localhost/app:1'],
    ['registry:5000/app:1', 'registry:5000/app:1'],
    ['ghcr.io/a/b/c:v1', 'ghcr.io/a/b/c:v1'],
    ['docker://quay.io/app:1', 'quay.io/app:1'],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    [`nginx:1@${digest}`, `docker.io/library/nginx:1@${digest}`],
  ] as const) {
    const name = readImageName(written);
    assert.equal('reference' in name ? formatReference(name.reference) : name.rule, meant);
  }
  for (const wrong of [
    '',
    'Nginx',
    'a b',
    'a\u202eb',
    'a\u0007',
    'app:',
    'https://host/app:1',
    `a${'b'.repeat(2000)}`,
    'nginx@sha256:12',
    '../app:1',
  ])
    assert.ok('rule' in readImageName(wrong), wrong);
});

test('only a text with host, path and tag is certainly an image', () => {
  for (const text of ['quay.io/app:1', 'registry:5000/a/b:v2', `quay.io/app@${digest}`])
    assert.ok(isCertainImage(text), text);
  for (const text of [
    'nginx:1',
    'a/b:c',
    'https://quay.io/app:1',
    '10.0.0.1:80',
    'quay.io/app',
    '/etc/x:y',
    'a.b/c d:1',
  ])
    assert.ok(!isCertainImage(text), text);
});

test('a list of images has one on each line, with comments', () => {
  const text = '# base\nnginx:1\n\n  quay.io/app:2 # why\r\nquay.io/app:2\n';
  assert.ok(isImageList(text));
  const { images: list } = readImageList({ file, text });
  assert.deepEqual(
    list.map(({ image, where, others }) => [image, where, others]),
    [
      ['nginx:1', ':2', 0],
      ['quay.io/app:2', ':4', 1],
    ],
  );
});

test('variables of compose files are replaced in all forms of the specification', () => {
  const variables = new Map([
    ['A', 'a'],
    ['EMPTY', ''],
  ]);
  for (const [text, value] of [
    [`$A:\${A}`, 'a:a'],
    [`\${B:-b}`, 'b'],
    [`\${B-b}`, 'b'],
    [`\${EMPTY:-b}`, 'b'],
    [`\${EMPTY-b}`, ''],
    [`\${A:+c}\${B:+c}`, 'c'],
    [`\${B:-\${A}-\${C:-d}}`, 'a-d'],
    ['$$A', '$A'],
    [`\${A:?must}`, 'a'],
  ] as const)
    assert.equal(interpolate(text, variables), value, text);
  for (const text of [`\${B}`, '$B', `\${B:?must}`, `\${`, `\${}`, '$', '$1'])
    assert.throws(() => interpolate(text, variables), /./, text);
  assert.throws(() => interpolate(`\${A:-`.repeat(40), new Map()), SyntaxError);
  assert.deepEqual(
    [...readVariables('# c\nexport A="x y"\nB=1 # c\nC=\'q\'\r\n not a line\n')],
    [
      ['A', 'x y'],
      ['B', '1'],
      ['C', 'q'],
    ],
  );
});

test('a compose file gives the images of all services, and names those that are only built', () => {
  const text = `
x-app: &app {image: "registry.example/app:\${TAG:-1.0}"}
services:
  web: {<<: *app, profiles: [debug]}
  db: {image: "postgres:16", platform: linux/arm64}
  built: {build: .}
  both: {build: ., image: registry.example/both:2}
  data: {image: "busybox:1", volumes: [{type: image, source: "registry.example/data:3", target: /x}]}
  from: {extends: {file: other.yaml, service: x}}
include: [more.yaml]
`;
  const found = readCompose({ file, text }, new Map());
  assert.deepEqual(images(found), [
    'registry.example/app:1.0',
    'postgres:16',
    'registry.example/both:2',
    'busybox:1',
    'registry.example/data:3',
  ]);
  assert.deepEqual(found.images[1]?.platform, 'linux/arm64');
  assert.deepEqual(found.images[0]?.where, 'services.web.image');
  assert.deepEqual(omitted(found), [
    ['built', 'build-only'],
    ['from', 'other-file'],
    ['more.yaml', 'other-file'],
  ]);
  assert.deepEqual(
    images(readCompose({ file, text }, new Map([['TAG', '2.0']])))[0],
    'registry.example/app:2.0',
  );
  assert.throws(
    () => readCompose({ file, text: `services: {a: {image: "app:\${NO}"}}` }, new Map()),
    (error) =>
      isSvcError(error, 'SVC-VAL-001') &&
      error.params.path === 'services.a.image' &&
      String(error.params.rule).includes('NO'),
  );
});

const manifests = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      initContainers: [{name: i, image: "busybox:1"}]
      containers:
        - {name: a, image: "nginx:1", args: ["--sidecar=quay.io/side/car:v2", "--port=8080"]}
      ephemeralContainers: [{name: e, image: "debug:1"}]
      volumes: [{name: v, image: {reference: "quay.io/data:1"}}, {name: w, emptyDir: {}}]
---
apiVersion: v1
kind: List
items:
  - {apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {jobTemplate: {spec: {template: {spec: {containers: [{image: "nginx:1"}]}}}}}}
---
apiVersion: monitoring.example/v1
kind: Monitor
metadata: {name: m}
spec: {image: "quay.io/monitor:v1", other: {image: "a picture"}, containers: [{name: x, image: "quay.io/x:1"}]}
---
# nothing
---
apiVersion: v1
kind: ConfigMap
metadata: {name: image}
data: {image.yaml: "---\\nimage: quay.io/never:1"}
`;

test('manifests give the images of containers at any depth, of volumes and, as proposals, of custom resources', () => {
  const found = readManifests({ file, text: manifests }, { findMore: false });
  assert.deepEqual(
    found.images.map(({ image, doubt, others }) => [image, doubt, others]),
    [
      ['busybox:1', undefined, 0],
      ['nginx:1', undefined, 1],
      ['debug:1', undefined, 0],
      ['quay.io/data:1', undefined, 0],
      ['quay.io/monitor:v1', 'custom-resource', 0],
      ['quay.io/x:1', undefined, 0],
    ],
  );
  assert.deepEqual(found.images[0]?.where, 'Deployment/web spec.template.spec.initContainers[0].image');
  assert.deepEqual(omitted(found), [['1', 'arguments']]);
  const more = readManifests({ file, text: manifests }, { findMore: true });
  assert.deepEqual(
    more.images.filter(({ doubt }) => doubt === 'argument').map(({ image }) => image),
    ['quay.io/side/car:v2'],
  );
  assert.deepEqual(omitted(more), []);
});

const hauler = `
apiVersion: content.hauler.cattle.io/v1
kind: Images
metadata: {name: i, annotations: {hauler.dev/platform: linux/amd64, hauler.dev/registry: mirror.example}}
spec:
  images:
    - {name: "team/app:1", rewrite: "elsewhere/app:1"}
    - {name: "quay.io/other:2", platform: linux/arm64, key: team.pub}
---
apiVersion: content.hauler.cattle.io/v1
kind: Charts
metadata: {name: c}
spec:
  charts:
    - {name: rancher, repoURL: "https://charts.example/stable", version: 2.8.0}
    - {name: hello, repoURL: "oci://registry.example/charts", version: 1.0.0, add-images: true}
    - {name: local.tgz, repoURL: .}
---
apiVersion: content.hauler.cattle.io/v1
kind: Files
metadata: {name: f}
spec: {files: [{path: "https://get.example/install.sh"}]}
`;
const zarf = `
kind: ZarfPackageConfig
metadata: {name: p}
components:
  - name: one
    images: [nginx:1, "quay.io/app:###ZARF_PKG_TMPL_TAG###"]
    charts:
      - {name: podinfo, url: "oci://ghcr.io/team/charts/podinfo", version: 6.4.0}
      - {name: local, localPath: chart}
      - {name: classic, url: "https://charts.example", version: 1.0.0}
      - {name: git, url: "https://git.example/repo.git", version: 1.0.0}
    manifests: [{name: m, files: [m.yaml]}]
    files: [{source: "https://get.example/tool", target: tool}]
    repos: ["https://git.example/repo.git"]
    actions: {onDeploy: {before: [{cmd: "rm -rf /"}]}}
    dataInjections: [{source: data, target: {}}]
  - name: two
    import: {url: "oci://ghcr.io/team/package:1"}
`;
const ocMirror = `
apiVersion: mirror.openshift.io/v1alpha2
kind: ImageSetConfiguration
mirror:
  platform: {channels: [{name: stable-4.14}]}
  operators: [{catalog: "registry.example/operator-index:v4.14"}]
  additionalImages: [{name: "registry.example/ubi8/ubi:latest"}]
  helm:
    repositories: [{name: podinfo, url: "https://charts.example/podinfo", charts: [{name: podinfo, version: 5.0.0}]}]
    local: [{name: own, path: /tmp/own.tgz}]
`;
const imgpkg = `
apiVersion: imgpkg.carvel.dev/v1alpha1
kind: ImagesLock
images:
  - image: index.docker.io/library/nginx@${digest}
    annotations: {kbld.carvel.dev/id: "nginx:1.14.2"}
  - image: quay.io/app@${digest}
    annotations: {kbld.carvel.dev/id: "registry.example/elsewhere:1"}
`;

test('the definitions of hauler, zarf, oc-mirror and imgpkg give images and charts, and name the rest', () => {
  const of = (contents: SourceContents) => ({
    images: contents.images.map(({ image, tag, platform }) => [image, tag ?? platform]),
    charts: contents.charts.map(({ chart, version, withImages }) => [chart, version, withImages]),
    omitted: omitted(contents),
  });
  assert.deepEqual(of(readHauler({ file, text: hauler })), {
    images: [
      ['mirror.example/team/app:1', 'linux/amd64'],
      ['quay.io/other:2', 'linux/arm64'],
    ],
    charts: [
      ['https://charts.example/stable/rancher', '2.8.0', false],
      ['oci://registry.example/charts/hello', '1.0.0', true],
    ],
    omitted: [
      ['rewrite: elsewhere/app:1', 'rewritten'],
      ['key: team.pub', 'own-key'],
      ['local.tgz', 'chart-on-disk'],
      ['https://get.example/install.sh', 'file'],
    ],
  });
  assert.deepEqual(of(readZarf({ file, text: zarf })), {
    images: [['nginx:1', undefined]],
    charts: [
      ['oci://ghcr.io/team/charts/podinfo', '6.4.0', false],
      ['https://charts.example/classic', '1.0.0', false],
    ],
    omitted: [
      ['quay.io/app:###ZARF_PKG_TMPL_TAG###', 'template'],
      ['local', 'chart-on-disk'],
      ['git', 'git'],
      ['https://get.example/tool', 'file'],
      ['m', 'manifest-files'],
      ['data', 'injection'],
      ['https://git.example/repo.git', 'git'],
      ['one', 'action'],
      ['oci://ghcr.io/team/package:1', 'package-import'],
    ],
  });
  assert.deepEqual(of(readOcMirror({ file, text: ocMirror })), {
    images: [['registry.example/ubi8/ubi:latest', undefined]],
    charts: [['https://charts.example/podinfo/podinfo', '5.0.0', true]],
    omitted: [
      ['/tmp/own.tgz', 'chart-on-disk'],
      ['registry.example/operator-index:v4.14', 'operator-catalogue'],
      ['stable-4.14', 'release-payload'],
    ],
  });
  assert.deepEqual(of(readImgpkg({ file, text: imgpkg })).images, [
    [`index.docker.io/library/nginx@${digest}`, '1.14.2'],
    [`quay.io/app@${digest}`, undefined],
  ]);
});

test('each form is recognised by its content', () => {
  for (const [text, format] of [
    ['nginx:1\n', 'images'],
    ['# only\nquay.io/a:1', 'images'],
    ['services: {a: {image: b}}', 'compose'],
    [manifests, 'manifests'],
    [hauler, 'hauler'],
    [zarf, 'zarf'],
    [ocMirror, 'oc-mirror'],
    [imgpkg, 'imgpkg'],
    ['a: 1\nb: 2', undefined],
    ['', 'empty'],
    ['# only a comment\n', 'empty'],
    ['apiVersion: recipe.tobby.dev/v1alpha1\nkind: Retriever', 'retriever'],
    ['some words here', undefined],
  ] as const)
    assert.equal(recogniseSource({ file, text }), format, text.slice(0, 40));
});

test('images that a definition of oc-mirror blocks are not drafted, and blocked images that it does not list are named', () => {
  const text = `apiVersion: mirror.openshift.io/v1alpha2
kind: ImageSetConfiguration
mirror:
  additionalImages:
    - name: registry.example/team/app:1.0
    - name: registry.example/team/app:2.0
    - name: registry.example/team/old:1.0
    - name: docker.io/library/alpine:3
  blockedImages:
    - name: registry.example/team/app:1.0
    - name: registry.example/team/old
    - name: alpine
    - name: redis
    - name: ^registry.example/.*test
`;
  const { images, omissions } = readOcMirror({ file: 'imageset.yaml', text });
  assert.deepEqual(
    images.map(({ image }) => image),
    ['registry.example/team/app:2.0'],
  );
  assert.deepEqual(
    omissions.map(({ what, where, reason }) => [what, where, reason]),
    [
      ['registry.example/team/app:1.0', 'mirror.additionalImages[0].name', 'blocked-image'],
      ['registry.example/team/old:1.0', 'mirror.additionalImages[2].name', 'blocked-image'],
      ['docker.io/library/alpine:3', 'mirror.additionalImages[3].name', 'blocked-image'],
      ['redis', 'mirror.blockedImages[3]', 'blocked-elsewhere'],
      ['^registry.example/.*test', 'mirror.blockedImages[4]', 'blocked-elsewhere'],
    ],
  );
});

test('an error about a variable without a value has what the author of the compose file says about it', () => {
  const text =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of compose
    'services:\n  web:\n    image: "registry.example/web:${WEB:?set WEB to the release of the shop}"\n';
  assert.throws(
    () => readCompose({ file: 'compose.yaml', text }, new Map()),
    ({ params }: SvcError) =>
      params.rule === 'the variable WEB has no value: set WEB to the release of the shop',
  );
});

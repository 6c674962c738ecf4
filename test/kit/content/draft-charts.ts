import { packChart } from './helm-chart.ts';

/** A chart, with the images that rendering finds and the other finders do not, and the reverse. */
export interface DraftChart {
  /** How it is made. */
  readonly make: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Values of the user. */
  readonly values?: string;
  /** Images that only rendering finds, each with the reason. */
  readonly onlyRendered?: Readonly<Record<string, string>>;
  /** Images that the values or the annotation name as used and no template uses, each with the reason. */
  readonly onlyNamed?: Readonly<Record<string, string>>;
}

const chart = (more = '', name = 'web'): string =>
  `apiVersion: v2\nname: ${name}\nversion: 0.1.0\nappVersion: "1.16.0"\n${more}`;

const pod = (image: string, name = 'web'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers:\n    - name: app\n      image: ${image}\n`;

const composed = (path: string): string =>
  `"{{ ${path}.repository }}:{{ ${path}.tag | default .Chart.AppVersion }}"`;
const qualified = (path: string): string =>
  `"{{ ${path}.registry }}/{{ ${path}.repository }}:{{ ${path}.tag }}"`;
const bitnami = (path: string): string =>
  `"{{ .Values.global.imageRegistry | default ${path}.registry }}/{{ ${path}.repository }}:{{ ${path}.tag }}"`;

const redis = (version: string, tag: string): Readonly<Record<string, string>> => ({
  'Chart.yaml': `apiVersion: v2\nname: redis\nversion: ${version}\nappVersion: "${tag}"\n`,
  'values.yaml': `image: {registry: docker.io, repository: example/redis, tag: "${tag}"}\nexporter: {enabled: false, image: {repository: example/redis-exporter, tag: "1.5"}}\nglobal: {imageRegistry: ""}\n`,
  'templates/pod.yaml': `${pod(bitnami('.Values.image'), '{{ .Chart.Name }}-{{ .Values.suffix }}')}{{- if .Values.exporter.enabled }}\n---\n${pod(composed('.Values.exporter.image'), 'exporter')}{{- end }}\n`,
});

const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

/** Charts of different make, written for the tests. */
export const draftCharts: readonly DraftChart[] = [
  {
    make: 'repository and tag, and a literal image in a test hook',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: {repository: nginx, tag: ""}\n',
      'templates/deployment.yaml': pod(composed('.Values.image')),
      'templates/tests/test.yaml': pod('busybox:1.36', 'test').replace(
        'metadata: {',
        'metadata: {annotations: {"helm.sh/hook": test}, ',
      ),
    },
    onlyRendered: { 'docker.io/library/busybox:1.36': 'a template names it literally' },
  },
  {
    make: 'an empty tag is the application version',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image:\n  repository: registry.example/team/app\n  tag:\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
    },
  },
  {
    make: 'a v before the application version, in a helper',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: {repository: registry.example/team/app, tag: ""}\n',
      'templates/_helpers.tpl':
        '{{ define "image" }}{{ printf "%s:%s" .Values.image.repository (default (printf "v%s" .Chart.AppVersion) .Values.image.tag) }}{{ end }}\n',
      'templates/pod.yaml': pod('{{ include "image" . }}'),
    },
  },
  {
    make: 'a v before the application version, in a template',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: {repository: registry.example/team/app, tag: ""}\n',
      'templates/pod.yaml': pod(
        '"{{ .Values.image.repository }}:v{{ .Values.image.tag | default .Chart.AppVersion }}"',
      ),
    },
  },
  {
    make: 'registry, repository and tag',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: {registry: quay.io, repository: team/app, tag: v1}\n',
      'templates/pod.yaml': pod(qualified('.Values.image')),
    },
  },
  {
    make: 'a global registry over the own one',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'global: {imageRegistry: mirror.example}\nimage: {registry: docker.io, repository: team/app, tag: "2"}\n',
      'templates/pod.yaml': pod(bitnami('.Values.image')),
    },
  },
  {
    make: 'a global registry for images that name none',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'global: {image: {registry: registry.example}}\nimage: {image: team/app, tag: "2"}\nother: {image: {repository: quay.io/team/other, tag: "3"}}\n',
      'templates/pod.yaml': `${pod('"{{ .Values.image.registry | default .Values.global.image.registry }}/{{ .Values.image.image }}:{{ .Values.image.tag }}"')}    - {name: o, image: ${composed('.Values.other.image')}}\n`,
    },
  },
  {
    make: 'a hub beside the image, in the same map and in the global values',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'global: {hub: registry.example/mesh}\nimage: {hub: gcr.io/mesh, image: pilot, tag: "1.2"}\nside: {image: {repository: proxy, tag: "2"}}\n',
      'templates/pod.yaml': `${pod('"{{ .Values.image.hub }}/{{ .Values.image.image }}:{{ .Values.image.tag }}"')}    - {name: o, image: "{{ .Values.global.hub }}/{{ .Values.side.image.repository }}:{{ .Values.side.image.tag }}"}\n`,
    },
  },
  {
    make: 'a digest beside the tag',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': `image: {repository: registry.example/app, tag: "1", digest: "sha256:${'a'.repeat(64)}"}\n`,
      'templates/pod.yaml': pod(
        '"{{ .Values.image.repository }}:{{ .Values.image.tag }}@{{ .Values.image.digest }}"',
      ),
    },
  },
  {
    make: 'a whole reference as text',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: registry.example/app:1.0\nsidecarImage: registry.example/sidecar:2.0\n',
      'templates/pod.yaml': `${pod('{{ .Values.image }}')}    - {name: side, image: "{{ .Values.sidecarImage }}"}\n`,
    },
  },
  {
    make: 'image and tag as neighbours',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'controller: {image: registry.example/controller, tag: v3}\n',
      'templates/pod.yaml': pod('"{{ .Values.controller.image }}:{{ .Values.controller.tag }}"'),
    },
  },
  {
    make: 'init containers from a list of values',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\ninit:\n  - {name: a, image: {repository: registry.example/init-a, tag: "1"}}\n  - {name: b, image: {repository: registry.example/init-b, tag: "2"}}\n',
      'templates/pod.yaml': `${pod(composed('.Values.image'))}  initContainers:\n{{- range .Values.init }}\n    - {name: {{ .name }}, image: "{{ .image.repository }}:{{ .image.tag }}"}\n{{- end }}\n`,
    },
  },
  {
    make: 'a part that is switched off',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\nmetrics: {enabled: false, image: {repository: registry.example/exporter, tag: "1"}}\n',
      'templates/pod.yaml': `${pod(composed('.Values.image'))}{{- if .Values.metrics.enabled }}\n---\n${pod(composed('.Values.metrics.image'), 'm')}{{- end }}\n`,
    },
  },
  {
    make: 'a part that values of the user switch on',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\nmetrics: {enabled: false, image: {repository: registry.example/exporter, tag: "1"}}\n',
      'templates/pod.yaml': `${pod(composed('.Values.image'))}{{- if .Values.metrics.enabled }}\n---\n${pod(composed('.Values.metrics.image'), 'm')}{{- end }}\n`,
    },
    values: 'metrics: {enabled: true, image: {tag: "2"}}\n',
  },
  {
    make: 'an embedded folder with values of its parent',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: redis, version: 1.x.x, repository: "https://charts.example"}]\n',
      ),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\nredis: {image: {tag: "7.4"}, suffix: a}\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
      ...below('charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'an embedded archive',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: redis, version: ^1, repository: "https://charts.example"}]\n',
      ),
      'values.yaml': 'redis: {suffix: a}\n',
      'charts/redis-1.0.0.tgz': packChart('redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'one chart under two aliases',
    files: {
      'Chart.yaml': chart(
        'dependencies:\n  - {name: redis, version: ^1, alias: cache, repository: "https://charts.example"}\n  - {name: redis, version: ^1, alias: session, repository: "https://charts.example"}\n',
      ),
      'values.yaml':
        'cache: {suffix: c, image: {tag: "7.2-cache"}}\nsession: {suffix: s, exporter: {enabled: true}}\n',
      ...below('charts/redis', redis('1.2.0', '7.2')),
    },
  },
  {
    make: 'two versions of one chart under two aliases',
    files: {
      'Chart.yaml': chart(
        'dependencies:\n  - {name: redis, version: ^1, alias: old, repository: "https://charts.example"}\n  - {name: redis, version: ^2, alias: new, repository: "https://charts.example"}\n',
      ),
      'values.yaml': 'old: {suffix: o}\nnew: {suffix: n}\n',
      'charts/redis-1.0.0.tgz': packChart('redis', redis('1.0.0', '6.2')),
      'charts/redis-2.0.0.tgz': packChart('redis', redis('2.0.0', '7.4')),
    },
  },
  {
    make: 'a dependency that a condition switches off',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: redis, version: ^1, condition: redis.enabled, repository: "https://charts.example"}]\n',
      ),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\nredis: {enabled: false, suffix: a}\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
      ...below('charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'a dependency that a tag switches off',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: redis, version: ^1, tags: [store], repository: "https://charts.example"}]\n',
      ),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\ntags: {store: false}\nredis: {suffix: a}\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
      ...below('charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'a global registry for embedded charts',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: redis, version: ^1, repository: "https://charts.example"}]\n',
      ),
      'values.yaml': 'global: {imageRegistry: mirror.example}\nredis: {suffix: a}\n',
      ...below('charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'a chart two levels down, with values from the top',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: middle, version: ^1, repository: "https://charts.example"}]\n',
      ),
      'values.yaml': 'middle: {redis: {image: {tag: "7.9"}, suffix: z}}\n',
      'charts/middle/Chart.yaml':
        'apiVersion: v2\nname: middle\nversion: 1.0.0\ndependencies: [{name: redis, version: ^1, repository: "https://charts.example"}]\n',
      'charts/middle/values.yaml': 'redis: {image: {tag: "7.8"}}\nimage: registry.example/middle:1.0\n',
      'charts/middle/templates/pod.yaml': pod('{{ .Values.image }}', 'middle'),
      ...below('charts/middle/charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'requirements.yaml of an older chart',
    files: {
      'Chart.yaml': 'apiVersion: v1\nname: web\nversion: 0.1.0\nappVersion: "1.0"\n',
      'requirements.yaml':
        'dependencies: [{name: redis, version: ^1, alias: store, repository: "https://charts.example"}]\n',
      'values.yaml': 'store: {suffix: a, image: {tag: "7.3"}}\n',
      ...below('charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'nothing removes a default of an embedded chart',
    files: {
      'Chart.yaml': chart(
        'dependencies: [{name: redis, version: ^1, repository: "https://charts.example"}]\n',
      ),
      'values.yaml': 'redis: {suffix: a, exporter: {enabled: true, image: {tag: null}}}\n',
      ...below('charts/redis', redis('1.0.0', '7.2')),
    },
  },
  {
    make: 'a custom resource, its definition, and an operator',
    files: {
      'Chart.yaml': chart(),
      'crds/db.yaml':
        'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: dbs.example}\nspec: {versions: [{schema: {openAPIV3Schema: {properties: {image: {type: string, default: "registry.example/never:1"}}}}}]}\n',
      'values.yaml': 'operator: {image: {repository: registry.example/operator, tag: "4"}}\n',
      'templates/pod.yaml': pod(composed('.Values.operator.image')),
      'templates/db.yaml':
        'apiVersion: example/v1\nkind: Db\nmetadata: {name: db}\nspec: {template: {spec: {containers: [{name: db, image: registry.example/db:15}]}}}\n',
    },
    onlyRendered: { 'registry.example/db:15': 'a template names it literally' },
  },
  {
    make: 'the annotation of Artifact Hub, with an image that an operator starts',
    files: {
      'Chart.yaml': chart(
        'annotations:\n  artifacthub.io/images: |\n    - name: app\n      image: registry.example/app:1\n    - name: worker\n      image: registry.example/worker:1\n',
      ),
      'values.yaml': 'image: {repository: registry.example/app, tag: "1"}\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
    },
    onlyNamed: { 'registry.example/worker:1': 'an operator starts it at run time' },
  },
  {
    make: 'values that no template uses',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'image: {repository: registry.example/app, tag: "1"}\nlegacy: {image: {repository: registry.example/legacy, tag: "0"}}\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
    },
    onlyNamed: { 'registry.example/legacy:0': 'no template reads the value' },
  },
  {
    make: 'a name that a helper builds from parts',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'flavour: alpine\nversion: "3.20"\n',
      'templates/_helpers.tpl':
        '{{ define "image" }}registry.example/{{ .Values.flavour }}:{{ .Values.version }}{{ end }}\n',
      'templates/pod.yaml': pod('{{ include "image" . }}'),
    },
    onlyRendered: { 'registry.example/alpine:3.20': 'a helper composes it from values that are no image' },
  },
  {
    make: 'a template expression in a value',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: "registry.example/app:{{ .Chart.AppVersion }}"\n',
      'templates/pod.yaml': pod('{{ tpl .Values.image . }}'),
    },
  },
  {
    make: 'an unquoted version that is a number',
    files: {
      'Chart.yaml': chart(),
      'values.yaml': 'image: {repository: registry.example/app, tag: 1.10}\n',
      'templates/pod.yaml': pod(composed('.Values.image')),
    },
  },
  {
    make: 'values with merge keys and repeated anchors',
    files: {
      'Chart.yaml': chart(),
      'values.yaml':
        'base: &base {registry: quay.io, tag: "5"}\na: {image: {<<: *base, repository: team/a}}\nb: {image: {<<: *base, repository: team/b}}\n',
      'templates/pod.yaml': `${pod(qualified('.Values.a.image'))}    - {name: b, image: ${qualified('.Values.b.image')}}\n`,
    },
  },
];

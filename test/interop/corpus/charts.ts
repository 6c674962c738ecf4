import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packSimpleChart } from '../../kit/content/helm-chart.ts';
import type { Bench, Row } from './row.ts';

/** A folder with the files of a chart. */
async function write(bench: Bench, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(bench.folder, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

const describe = (name: string, version: string, more = '') =>
  `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`;
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n';

/** Packs and pushes a chart with helm; the repository is named after it. */
async function push(bench: Bench, at: string, name: string, version: string, ...more: readonly string[]) {
  await bench.run('helm', 'package', name, ...more);
  await bench.run('helm', 'push', '--plain-http', `${name}-${version}.tgz`, `oci://${dirname(at)}`);
}

/** A chart that depends on charts of the name `redis`, which helm puts into its folder. */
async function writeDependents(
  bench: Bench,
  name: string,
  ...dependencies: readonly (readonly [range: string, alias: string, version: string])[]
) {
  const declared = dependencies.map(
    ([range, alias, version]) =>
      `- {name: redis, version: "${range}", alias: ${alias}, repository: "file://../redis-${version}"}\n`,
  );
  for (const [, , version] of dependencies)
    await write(bench, `redis-${version}`, {
      'Chart.yaml': describe('redis', version),
      'templates/map.yaml': map,
    });
  await write(bench, name, {
    'Chart.yaml': describe(name, '2.0.0', `dependencies:\n${declared.join('')}`),
    'templates/map.yaml': map,
  });
  await bench.run('helm', 'dependency', 'update', '--skip-refresh', name);
}

/** A chart is pushed to a repository of its own name: the last part of the repository of its row. */
const nameOf = (at: string) => at.slice(at.lastIndexOf('/') + 1);

export const charts: readonly Row[] = [
  {
    name: 'helm: a chart with a build in its version',
    kind: 'HelmChart',
    tag: '1.4.0_build.7',
    make: async (bench, at) => {
      const name = nameOf(at);
      await write(bench, name, {
        'Chart.yaml': describe(name, '1.4.0+build.7', 'description: "grüße 🚢"\n'),
        'templates/map.yaml': map,
      });
      await push(bench, at, name, '1.4.0+build.7');
    },
  },
  {
    name: 'helm: one dependency by two ranges and aliases',
    kind: 'HelmChart',
    tag: '2.0.0',
    make: async (bench, at) => {
      const name = nameOf(at);
      await writeDependents(bench, name, ['^16 || ^17', 'cache', '17.1.0'], ['17 - 18', 'session', '17.1.0']);
      await push(bench, at, name, '2.0.0');
    },
  },
  {
    name: 'helm: two versions of a dependency, of which `helm package` keeps one',
    kind: 'HelmChart',
    tag: '2.0.0',
    refusal: 'SVC-CHT-001',
    make: async (bench, at) => {
      const name = nameOf(at);
      await writeDependents(bench, name, ['^17', 'cache', '17.1.0'], ['>= 18.0.0', 'session', '18.2.0']);
      await push(bench, at, name, '2.0.0');
    },
  },
  {
    name: 'helm: two versions of a dependency, embedded as archives',
    kind: 'HelmChart',
    tag: '2.0.0',
    make: async (bench, at) => {
      const name = nameOf(at);
      await writeDependents(bench, name, ['^17', 'cache', '17.1.0'], ['>= 18.0.0', 'session', '18.2.0']);
      await bench.run('tar', '-czf', `${name}-2.0.0.tgz`, name);
      await bench.run('helm', 'push', '--plain-http', `${name}-2.0.0.tgz`, `oci://${dirname(at)}`);
    },
  },
  {
    name: 'helm: a dependency in a folder, CRDs and a schema',
    kind: 'HelmChart',
    tag: '0.1.0',
    make: async (bench, at) => {
      const name = nameOf(at);
      await write(bench, name, {
        'Chart.yaml': describe(
          name,
          '0.1.0',
          'dependencies: [{name: part, version: "~1.2", repository: ""}]\n',
        ),
        'charts/part/Chart.yaml': describe('part', '1.2.9'),
        'charts/part/templates/map.yaml': map,
        'crds/thing.yaml':
          'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example}\n',
        'values.schema.json': '{"type":"object"}',
        'templates/map.yaml': map,
      });
      await push(bench, at, name, '0.1.0');
    },
  },
  {
    name: 'helm: a chart with its provenance',
    has: /chart\.provenance/,
    kind: 'HelmChart',
    tag: '1.0.0',
    make: async (bench, at) => {
      const name = nameOf(at);
      await write(bench, name, { 'Chart.yaml': describe(name, '1.0.0'), 'templates/map.yaml': map });
      const gpg = ['gpg', '--homedir', bench.home.path, '--batch', '--quiet'] as const;
      await bench.run(
        ...gpg,
        '--passphrase',
        '',
        '--quick-generate-key',
        'corpus <corpus@example>',
        'rsa2048',
        'sign',
      );
      await bench.run(...gpg, '--output', 'ring.gpg', '--export-secret-keys', 'corpus');
      await push(bench, at, name, '1.0.0', '--sign', '--key', 'corpus', '--keyring', 'ring.gpg');
    },
  },
  {
    name: 'helm: a chart that lacks a dependency',
    kind: 'HelmChart',
    tag: '3.0.0',
    refusal: 'SVC-CHT-001',
    make: async (bench, at) => {
      const name = nameOf(at);
      const dependencies = [{ name: 'absent', version: '^1', repository: 'https://charts.example' }];
      const file = `${name}-3.0.0.tgz`;
      await bench.write(file, packSimpleChart(name, '3.0.0', { dependencies }));
      await bench.run('helm', 'push', '--plain-http', file, `oci://${dirname(at)}`);
    },
  },
];

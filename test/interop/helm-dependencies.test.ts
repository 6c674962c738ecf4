import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { forEachBounded } from '../../src/base/concurrency.ts';
import { readChartDependencies } from '../../src/chart/embedded-dependencies.ts';
import { packSimpleChart } from '../kit/content/helm-chart.ts';
import { helmRanges, unreadableHelmRanges } from '../kit/content/helm-ranges.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

const runner = (helm: string, folder: string) => {
  const env = { PATH: process.env.PATH, HOME: folder, HELM_CACHE_HOME: folder };
  return (args: readonly string[], cwd = folder) => promisify(execFile)(helm, args, { cwd, env });
};

test('helm agrees which version is in which range', async (t) => {
  const helm = needs(t, 'helm');
  if (!helm) return;
  await using folder = await openTempFolder();
  const run = runner(helm, folder.path);
  const cases = [
    ...helmRanges.flatMap(([range, admitted, refused]) => [
      ...admitted.map((version) => ({ range, version, expected: true })),
      ...refused.map((version) => ({ range, version, expected: false })),
    ]),
    ...unreadableHelmRanges.map((range) => ({ range, version: '1.0.0', expected: false })),
  ];
  await forEachBounded(cases, 2, async ({ range, version, expected }, i) => {
    const at = join(folder.path, String(i));
    await mkdir(join(at, 'web'), { recursive: true });
    await mkdir(join(at, 'dep'));
    await writeFile(join(at, 'dep/Chart.yaml'), `apiVersion: v2\nname: dep\nversion: "${version}"\n`);
    await writeFile(
      join(at, 'web/Chart.yaml'),
      `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: dep, version: "${range}", repository: "file://../dep"}]\n`,
    );
    const isTaken = await run(['dependency', 'update', 'web', '--skip-refresh'], at).then(
      () => true,
      (error: { stderr: string }) => {
        assert.match(error.stderr, /valid version|constraint|range|version/i);
        return false;
      },
    );
    assert.equal(isTaken, expected, `${version} in ${range}`);
  });
});

test('what helm renders of embedded charts is what counts as embedded, by range, alias and content', async (t) => {
  const helm = needs(t, 'helm');
  if (!helm) return;
  await using folder = await openTempFolder();
  const run = runner(helm, folder.path);
  const redis = (version: string) => packSimpleChart('redis', version);
  const repository = 'https://charts.example';
  const scenes: readonly {
    readonly dependencies: readonly (readonly [range: string, alias?: string])[];
    readonly files: readonly string[];
  }[] = [
    {
      dependencies: [
        ['^17', 'cache'],
        ['^18', 'session'],
      ],
      files: ['redis-17.1.0.tgz', 'redis-18.2.0.tgz'],
    },
    {
      dependencies: [
        ['^17', 'cache'],
        ['^18', 'session'],
      ],
      files: ['redis-17.1.0.tgz'],
    },
    {
      dependencies: [
        ['^17', 'cache'],
        ['>=17.0.0', 'session'],
      ],
      files: ['redis-17.1.0.tgz'],
    },
    { dependencies: [['^17']], files: ['redis.tgz'] },
    { dependencies: [['^17']], files: ['anything-at-all.tgz'] },
    { dependencies: [['^16']], files: ['redis-17.1.0.tgz'] },
    { dependencies: [['^16', 'cache']], files: ['redis-17.1.0.tgz'] },
  ];
  for (const [i, { dependencies, files }] of scenes.entries()) {
    const declared = dependencies.map(([version, alias]) => ({
      name: 'redis',
      version,
      repository,
      ...(alias === undefined ? {} : { alias }),
    }));
    const embedded = Object.fromEntries(
      files.map((name) => [`charts/${name}`, redis(/-(\d[\d.]*)\.tgz$/.exec(name)?.[1] ?? '17.1.0')]),
    );
    const path = join(folder.path, `web-${i}.tgz`);
    await writeFile(
      path,
      packSimpleChart('web', '1.0.0', {
        more: `dependencies: ${JSON.stringify(declared)}\n`,
        files: embedded,
      }),
    );
    const rendered = await run(['template', path]).then(
      ({ stdout }) => [...stdout.matchAll(/^# Source: web\/charts\/([^/]+)\//gm)].map(([, name]) => name),
      (): (string | undefined)[] => [],
    );
    const read = await readChartDependencies(createReadStream(path), 'web');
    for (const { name, alias, embedded: isEmbedded } of read.dependencies)
      assert.equal(isEmbedded, rendered.includes(alias ?? name), `scene ${i}: ${alias ?? name}`);
  }
});

test('a chart that helm packed and whose embedded archive has another name is read as helm reads it', async (t) => {
  const helm = needs(t, 'helm');
  if (!helm) return;
  await using folder = await openTempFolder();
  const run = runner(helm, folder.path);
  await run(['create', 'redis']);
  await run(['create', 'web']);
  await run(['package', 'redis', '-d', 'web/charts']);
  await rename(join(folder.path, 'web/charts/redis-0.1.0.tgz'), join(folder.path, 'web/charts/redis.tgz'));
  await writeFile(
    join(folder.path, 'web/Chart.yaml'),
    'apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies: [{name: redis, version: ">= 0.1.0", repository: "https://charts.example"}]\n',
  );
  await run(['package', 'web']);
  const { dependencies } = await readChartDependencies(
    createReadStream(join(folder.path, 'web-0.1.0.tgz')),
    'web',
  );
  assert.deepEqual(
    dependencies.map(({ name, embedded }) => [name, embedded]),
    [['redis', true]],
  );
});

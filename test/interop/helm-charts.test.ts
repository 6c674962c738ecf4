import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import { renderChart } from '../../src/authoring/chart/render-chart.ts';
import { readChartDependencies } from '../../src/chart/embedded-dependencies.ts';
import { isSvcError } from '../../src/text/error.ts';
import { packSimpleChart } from '../kit/content/helm-chart.ts';
import { toRawArchive } from '../kit/content/tar-archive.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

test('a chart packed by helm is read, dependencies and all', async (t) => {
  const helm = needs(t, 'helm');
  if (!helm) return;
  await using folder = await openTempFolder();
  const run = (...args: string[]) =>
    promisify(execFile)(helm, args, { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path } });
  await run('create', 'inner');
  await run('create', 'web');
  await writeFile(
    join(folder.path, 'web/Chart.yaml'),
    'apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies:\n  - {name: inner, version: 0.1.0, repository: "file://../inner"}\n',
  );
  await run('dependency', 'update', 'web');
  await cp(join(folder.path, 'web'), join(folder.path, 'copy'), { recursive: true });
  await run('package', 'web');
  const { dependencies } = await readChartDependencies(
    createReadStream(join(folder.path, 'web-0.1.0.tgz')),
    'web',
  );
  assert.deepEqual(
    dependencies.map(({ name, embedded }) => [name, embedded]),
    [['inner', true]],
  );
  await create({ gzip: true, file: join(folder.path, 'raw.tgz'), cwd: folder.path }, ['copy']);
  const raw = await readChartDependencies(createReadStream(join(folder.path, 'raw.tgz')), 'web');
  assert.equal(raw.dependencies[0]?.embedded, true);
});

test('the helm of this machine that wants more memory than the limit is ended, and one that fails for another reason is not taken for it', async (t) => {
  if (!needs(t, 'helm')) return;
  await using folder = await openTempFolder();
  const path = process.env.PATH ?? '';
  const file = join(folder.path, 'chart.tgz');
  const render = async (template: string): Promise<string> => {
    await writeFile(file, packSimpleChart('web', '1.0.0', { files: { 'templates/x.yaml': template } }));
    return renderChart(file, 'web', { valueFiles: [], path, memory: 128 << 20 });
  };
  assert.match(await render('a: b\n'), /^a: b$/m);
  await assert.rejects(
    render('{{- range $i := until 2000000000 }}aaaa{{ end }}'),
    (error) => isSvcError(error, 'SVC-CHT-002') && error.params.problem === 'memory',
  );
  await assert.rejects(
    render('{{ fail "fatal error: out of memory" }}'),
    (error) => isSvcError(error, 'SVC-CHT-002') && error.params.problem === undefined,
  );
});

test('a schema of a chart reads no file of the machine', async (t) => {
  if (!needs(t, 'helm')) return;
  await using folder = await openTempFolder();
  const secret = join(folder.path, 'secret.json');
  await writeFile(secret, '{"enum": ["s3cret"]}');
  const file = join(folder.path, 'chart.tgz');
  const files = {
    'values.yaml': 'a: 1\n',
    'values.schema.json': JSON.stringify({ properties: { a: { $ref: `file://${secret}` } } }),
  };
  await writeFile(file, packSimpleChart('web', '1.0.0', { files }));
  assert.match(
    await renderChart(file, 'web', { valueFiles: [], path: process.env.PATH ?? '' }),
    /kind: ConfigMap/,
  );
});

test('helm takes the values of a second folder, of a path with dots and of the last entry of a name', async (t) => {
  if (!needs(t, 'helm')) return;
  await using folder = await openTempFolder();
  const file = join(folder.path, 'web.tgz');
  const content = 'image: other.example/b:2\n';
  for (const path of ['zzz/values.yaml', 'web/./values.yaml', 'web/values.yaml']) {
    const members = [
      { path: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\nversion: 1.0.0\n' },
      { path: 'web/values.yaml', content: 'image: own.example/a:1\n' },
      { path, content },
    ];
    await writeFile(file, gzipSync(toRawArchive(members)));
    const shown = execFileSync('helm', ['show', 'values', file], { encoding: 'utf8' });
    assert.match(shown, /other\.example/, path);
  }
});

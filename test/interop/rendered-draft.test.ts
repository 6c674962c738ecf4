import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runCommand } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

test('with --render, what is rendered is taken and what only values name is a comment', async (t) => {
  if (!needs(t, 'helm')) return;
  await using folder = await openTempFolder();
  const config = join(folder.path, 'config.yaml');
  await writeFile(config, '{}');
  const init = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(['recipe', 'init', 'shop', ...args, '--config', config], { cwd: folder.path, env });
  const local = join(folder.path, 'rendered');
  await mkdir(join(local, 'templates'), { recursive: true });
  await writeFile(join(local, 'Chart.yaml'), 'apiVersion: v2\nname: rendered\nversion: 0.2.0\n');
  await writeFile(
    join(local, 'values.yaml'),
    'image: {repository: team/a, tag: v1}\nmore: {enabled: false, image: {repository: team/b, tag: v1}}\n',
  );
  await writeFile(
    join(local, 'templates/pod.yaml'),
    `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - {name: a, image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"}
    - {name: c, image: team/c:v1}
`,
  );
  const args = ['--from', 'rendered', '--render', '--output', 'json'];
  const { exitCode, stdout, stderr } = await init(args);
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc recipe init', stdout);
  const draft = JSON.parse(stdout);
  assert.deepEqual(
    draft.ingredients.map(({ name, version, doubt }: Record<string, string>) => [name, version, doubt]),
    [
      ['a', 'v1', undefined],
      ['c', 'v1', undefined],
      ['b', 'v1', 'values-only'],
    ],
  );
  await writeFile(join(local, 'templates/bad.yaml'), '{{ required "set password" .Values.password }}');
  // a hostile chart: it tries to read a file of the rendering user
  await writeFile(join(folder.path, 'secret'), 's3cret');
  await symlink(join(folder.path, 'secret'), join(local, 'LICENSE'));
  await writeFile(
    join(local, 'templates/leak.yaml'),
    'containers: [{image: "x.example/a:{{ .Files.Get "LICENSE" }}"}]\n',
  );
  const leaking = await init(args);
  assert.equal(leaking.exitCode, 1);
  assert.doesNotMatch(leaking.stdout, /s3cret/);
  assert.match(leaking.stderr, /SVC-VAL-001[\s\S]*LICENSE[\s\S]*is a link that leads out of the folder/);
  await rm(join(local, 'LICENSE'));
  await rm(join(local, 'templates/leak.yaml'));
  const failed = await init(['--from', 'rendered', '--render']);
  assert.deepEqual([failed.exitCode, failed.stdout], [1, '']);
  assert.match(failed.stderr, /SVC-CHT-002: The chart rendered was not rendered: .*set password/);
  const absent = await init(['--from', 'rendered', '--render'], { PATH: '/nowhere' });
  assert.match(absent.stderr, /SVC-CHT-002[\s\S]*no program helm/);
});

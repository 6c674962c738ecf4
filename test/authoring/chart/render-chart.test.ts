import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderChart } from '../../../src/authoring/chart/render-chart.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { onPath } from '../../kit/program/peers.ts';

/** A folder whose `helm` is this script, and a PATH with it before the programs of the machine. */
async function putHelm(folder: string, script: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'helm'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'helm'), 0o755);
  return `${bin}:/usr/bin:/bin`;
}

const leftovers = async (): Promise<readonly string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('svc-render-'));

test('helm gets an empty home, the values in order, and nothing of the environment', async () => {
  await using folder = await openTempFolder();
  process.env.SVC_TEST_SECRET = 'leaked';
  const path = await putHelm(
    folder.path,
    'if [ "$1" = version ]; then exit 0; fi\necho "args: $*"; env | sort; echo "home:"; ls -A "$HOME"; pwd',
  );
  const text = await renderChart('/charts/my chart; rm -rf', 'web', {
    valueFiles: ['/a b.yaml', '/c.yaml'],
    path,
  });
  delete process.env.SVC_TEST_SECRET;
  assert.match(
    text,
    /^args: template release \/charts\/my chart; rm -rf --include-crds --values \/a b\.yaml --values \/c\.yaml$/m,
  );
  assert.doesNotMatch(text, /leaked|KUBECONFIG=.*\.kube/);
  assert.match(text, /^home:\n\//m, 'the home has no file');
  const names = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
  for (const name of names)
    assert.match(
      name,
      /^(?:PATH|HOME|TMPDIR|HELM_\w+|KUBECONFIG|GOMEMLIMIT|HTTPS?_PROXY|PWD|OLDPWD|_|SHLVL)$/,
    );
  assert.deepEqual(await leftovers(), []);
});

test('a helm that does not end is killed with what it started, and leaves nothing', async () => {
  await using folder = await openTempFolder();
  const path = await putHelm(folder.path, 'if [ "$1" = version ]; then exit 0; fi\nsleep 600 & sleep 600');
  await assert.rejects(
    renderChart('/chart', 'web', { valueFiles: [], path, timeout: 1500 }),
    (error) => isSvcError(error, 'SVC-CHT-002') && error.params.problem === 'late',
  );
  assert.deepEqual(await leftovers(), []);
});

test('a helm that prints without end is stopped at the limit', async () => {
  await using folder = await openTempFolder();
  const path = await putHelm(folder.path, 'if [ "$1" = version ]; then exit 0; fi\nexec yes "image: a/b:1"');
  await assert.rejects(renderChart('/chart', 'web', { valueFiles: [], path }), (error) =>
    isSvcError(error, 'SVC-VAL-002'),
  );
});

test('a helm that fails says why, and an absent one is named; a relative folder of PATH is not searched', async () => {
  await using folder = await openTempFolder();
  const path = await putHelm(
    folder.path,
    'if [ "$1" = version ]; then exit 0; fi\necho "Error: $3 needs a password" >&2; exit 1',
  );
  await assert.rejects(
    renderChart('/tmp/x/chart.tgz', 'web', { valueFiles: [], path }),
    (error) => isSvcError(error, 'SVC-CHT-002') && error.params.detail === 'Error: web needs a password',
  );
  for (const none of ['', '/nowhere', 'bin', '.'])
    await assert.rejects(
      renderChart('/chart', 'web', { valueFiles: [], path: none }),
      (error) => isSvcError(error, 'SVC-CHT-002') && error.params.problem === 'absent',
    );
});

test('helm has no network where the system allows to take it away', async (t) => {
  if (onPath('unshare') === undefined || onPath('bash') === undefined) {
    t.skip('not run: needs unshare');
    return;
  }
  await using folder = await openTempFolder();
  const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = await putHelm(
    folder.path,
    `if [ "$1" = version ]; then exit 0; fi\nbash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3' 2>/dev/null || echo alone`,
  );
  const text = await renderChart('/chart', 'web', { valueFiles: [], path });
  server.close();
  if (text.includes('reached')) t.skip('not run: needs user namespaces');
  else assert.equal(text, 'alone\n');
});

test('processes that have more memory together than the limit are ended, though each has less', async () => {
  await using folder = await openTempFolder();
  // each dd fills a buffer of 60 MiB and keeps it
  const path = await putHelm(
    folder.path,
    'if [ "$1" = version ]; then exit 0; fi\nfor i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=60M 2>/dev/null & done\nwait',
  );
  await assert.rejects(
    renderChart('/chart', 'web', { valueFiles: [], path, memory: 128 << 20, timeout: 30_000 }),
    (error) => isSvcError(error, 'SVC-CHT-002') && error.params.problem === 'memory',
  );
});

test('a helm whose memory cannot be limited is not run', async () => {
  await using folder = await openTempFolder();
  const path = await putHelm(folder.path, 'echo "a: b"');
  await assert.rejects(
    renderChart('/chart', 'web', { valueFiles: [], path, memory: Number.POSITIVE_INFINITY }),
    (error) => isSvcError(error, 'SVC-CHT-002') && error.params.problem === 'unlimited',
  );
});

import assert from 'node:assert/strict';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toFilesetImage, toLayer } from '../kit/content/fileset-image.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const filesets = [
  { name: 'open', ref: 'localhost/filesets/sample', anonymous: true },
  { name: 'closed', ref: 'localhost/filesets/sample' },
  { name: 'absent', ref: 'localhost/filesets/absent' },
];
const image = toFilesetImage([toLayer(toArchive({ file: 'content' }), 'gzip')]);

const push = ({ url, authorization }: Instance) =>
  pushArtifactOverHttp(
    { registry: url, repository: 'localhost/filesets/sample', authorization },
    image,
    '1.0.0',
  );
const get = (instance: Instance, path: string, authorization?: string) =>
  fetch(`${instance.url}/files/${path}`, { headers: authorization === undefined ? {} : { authorization } });
const said = (instance: Instance, message: string) =>
  instance
    .log()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line));

test('what is open to anybody is told at start, in the log, on the Retriever record and in the list', async () => {
  await using folder = await openTempFolder();
  const options = { folder: folder.path, config: { files: { filesets } } };
  {
    await using instance = await startInstance(options);
    assert.deepEqual(
      said(instance, 'FileSet readable without credentials').map(({ level, fileset }) => [level, fileset]),
      [['warn', 'open']],
    );
    const { body } = await instance.api('GET', '/retriever');
    assert.deepEqual(body.anonymousFilesets, ['open']);
    await push(instance);
    assert.equal(await (await get(instance, 'open/file')).text(), 'content');
    assert.equal((await get(instance, 'closed/file')).status, 401);
    assert.equal((await get(instance, 'closed/file', instance.authorization)).status, 200);
    const { filesets: listed } = (await instance.api('GET', '/filesets')).body;
    assert.deepEqual(
      listed.map(({ name, anonymous }: { name: string; anonymous: boolean }) => [name, anonymous]),
      [
        ['open', true],
        ['closed', false],
        ['absent', false],
      ],
    );
    const metrics = await (await fetch(`${instance.url}/metrics`)).text();
    assert.match(metrics, /svc_http_requests_total\{surface="files",method="GET",status="200"\} 2/);
    assert.equal(await instance.stop(), 0);
  }
  // after a restart they are ready before the first request, and unservable ones are named
  await using again = await startInstance(options);
  const served = await eventually('both are served', () => {
    const lines = said(again, 'FileSet served');
    return lines.length === 2 ? lines : undefined;
  });
  assert.deepEqual(
    served.map(({ fileset, version, anonymous }) => [fileset, version, anonymous]),
    [
      ['open', '1.0.0', true],
      ['closed', '1.0.0', false],
    ],
  );
  const refused = await eventually(
    'the absent one is named',
    () => said(again, 'FileSet cannot be served')[0],
  );
  assert.deepEqual([refused.fileset, refused.code], ['absent', 'SVC-REG-005']);
});

test('an index that is damaged while it is open costs one request at most', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path, config: { files: { filesets } } });
  await push(instance);
  assert.equal(await (await get(instance, 'open/file')).text(), 'content');
  const kept = join(folder.path, 'state', 'files');
  const index = (await readdir(kept)).find((name) => name.startsWith('tree-'))!;
  await truncate(join(kept, index), 0);
  assert.equal((await get(instance, 'open/file')).status, 500);
  assert.equal(await (await get(instance, 'open/file')).text(), 'content');
});

test('of versions that are not served any more nothing is kept', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      files: {
        filesets: [
          ...filesets,
          { name: 'other', ref: 'localhost/filesets/other', anonymous: true },
          { name: 'pinned', ref: 'localhost/filesets/sample', version: '1.0.0', anonymous: true },
        ],
      },
    },
  });
  const versions = ['1.0.0', '1.1.0', '1.2.0'] as const;
  const put = (repository: string, version: string) =>
    pushArtifactOverHttp(
      { registry: instance.url, repository, authorization: instance.authorization },
      toFilesetImage([toLayer(toArchive({ file: `${repository} ${version}` }), 'gzip')]),
      version,
    );
  for (const version of versions) {
    await put('localhost/filesets/sample', version);
    await put('localhost/filesets/other', version);
    // asked for at once, they are read one after the other
    const [open, other, pinned] = await Promise.all(
      ['open', 'other', 'pinned'].map(async (name) => (await get(instance, `${name}/file`)).text()),
    );
    assert.equal(open, `localhost/filesets/sample ${version}`);
    assert.equal(other, `localhost/filesets/other ${version}`);
    assert.equal(pinned, 'localhost/filesets/sample 1.0.0');
  }
  const names = await eventually('the old ones are gone', async () => {
    const found = await readdir(join(folder.path, 'state', 'files'));
    return found.length === 6 ? found : undefined;
  });
  assert.equal(names.filter((name) => name.startsWith('tree-')).length, 3);
});

test('without state.root there is no place for an index, and that is said', async () => {
  await using folder = await openTempFolder();
  const config = {
    auth: { disabled: true },
    state: {},
    storage: { root: join(folder.path, 'store') },
    files: { filesets },
  };
  await using instance = await startInstance({ folder: folder.path, config });
  await push(instance);
  const refused = await get(instance, 'open/file');
  assert.equal(refused.status, 409);
  const problem = (await refused.json()) as { code: string; params: { setting: string } };
  assert.deepEqual([problem.code, problem.params.setting], ['SVC-CFG-001', 'state.root']);
  assert.match(instance.log(), /no state\.root: [^"]*file sets/);
});

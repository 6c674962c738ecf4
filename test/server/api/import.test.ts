import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { after, before, test } from 'node:test';
import { type ChartServer, openChartServer } from '../../kit/content/chart-server.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { packSimpleChart } from '../../kit/content/helm-chart.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

let folder: TempFolder;
let source: RegistryDouble;
let charts: ChartServer;
let instance: Instance;

const configuration = () => ({
  registries: { insecure: [source.host] },
  network: { tls: { caFiles: [tlsPair.caFile] } },
  import: { inspectTimeout: '2s' },
  transfer: { resumeThreshold: '100kB' },
});

before(async () => {
  folder = await openTempFolder();
  source = await createRegistryDouble();
  charts = await openChartServer();
  instance = await startInstance({ folder: folder.path, config: configuration() });
});

after(async () => {
  await instance[Symbol.asyncDispose]();
  await source.close();
  await charts[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const inspect = (reference: string) =>
  instance.api('GET', `/import/inspect?reference=${encodeURIComponent(reference)}`);

/** The record of a task in the queue once it has ended. */
async function settled(id: string) {
  return eventually(`the end of ${id}`, async () => {
    const { body } = await instance.api('GET', `/tasks/${id}`);
    return ['done', 'failed'].includes(body.task.status) && body.task;
  });
}

const chosen = (platforms: readonly { name: string; digest: string }[]) =>
  platforms.map(({ name, digest }) => ({ name, digest }));

test('what is inspected is imported by a task, served under its own path, and audited', async () => {
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await toOrigin(source).put('shop/web', web, '1.0.0');
  const reference = `${source.host}/shop/web:1.0.0`;
  const inspected = await inspect(reference);
  assert.equal(inspected.status, 200);
  const { repository, tag, digest, platforms } = inspected.body;
  const created = await instance.api('POST', '/import', { reference, platforms: chosen(platforms) });
  assert.equal(created.status, 201);
  const { task } = created.body;
  assert.equal(task.type, 'import');
  assert.equal(task.reference, reference);
  assert.equal(task.actor, 'admin');
  const end = await settled(task.id);
  assert.equal(end.status, 'done', JSON.stringify(end));
  assert.deepEqual(
    end.items.map(({ name, status }: { name: string; status: string }) => [name, status]),
    [[reference, 'done']],
  );
  assert.equal(end.progress.bytesDone, end.progress.bytesTotal);
  const served = await fetch(`${instance.url}/v2/${repository}/manifests/${tag}`, {
    headers: { authorization: instance.authorization },
  });
  assert.equal(served.headers.get('docker-content-digest'), digest);
  const { body: detail } = await instance.api('GET', `/content/${repository}/-/tags/${tag}`);
  assert.deepEqual(detail.provenance, ['import']);
  const audit = instance
    .log()
    .split('\n')
    .find((line) => line.includes('"import.create"') && line.includes(reference));
  assert.match(audit ?? '', /"outcome":"success"/);
  const { taskId, runId, digests } = JSON.parse(audit!);
  assert.deepEqual([taskId, runId], [end.id, end.runId], 'joined with what the task does');
  assert.deepEqual(
    digests,
    chosen(platforms).map((one) => one.digest),
  );
  assert.deepEqual(
    (await inspect(reference)).body.platforms.map(({ status }: { status: string }) => status),
    ['up-to-date', 'up-to-date'],
  );
});

test('a chart of a classic repository is imported by the same two requests', async () => {
  const archive = packSimpleChart('shop', '1.2.3');
  charts.list([{ name: 'shop', version: '1.2.3', archive }]);
  const inspected = await inspect(`${charts.base}/shop:^1`);
  assert.equal(inspected.status, 200, JSON.stringify(inspected.body));
  const { reference, platforms, repository } = inspected.body;
  const created = await instance.api('POST', '/import', { reference, platforms: chosen(platforms) });
  assert.equal((await settled(created.body.task.id)).status, 'done');
  const { body } = await instance.api('GET', `/content/${repository}`);
  assert.equal(body.kind, 'HelmChart');
  assert.deepEqual(
    body.tags.map(({ tag }: { tag: string }) => tag),
    ['1.2.3'],
  );
});

test('an invalid request is refused with its code before a task is created', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const platforms = [{ name: 'any', digest }];
  const reference = `${source.host}/web:1`;
  for (const [body, status, code] of [
    [{ platforms }, 422, 'SVC-VAL-001'],
    [{ reference }, 422, 'SVC-VAL-001'],
    [{ reference, platforms: [] }, 422, 'SVC-VAL-001'],
    [{ reference, platforms: [{ name: 'any', digest: 'sha256:1' }] }, 422, 'SVC-VAL-001'],
    [{ reference, platforms: [{ name: 'any' }] }, 422, 'SVC-VAL-001'],
    [{ reference, platforms, force: true }, 422, 'SVC-VAL-001'],
    [{ reference: 'no reference', platforms }, 400, 'SVC-REG-001'],
    [{ reference: 'http://a.test/chart', platforms }, 400, 'SVC-REG-001'],
  ] as const) {
    const answer = await instance.api('POST', '/import', body);
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body));
  }
  for (const [query, status, code] of [
    ['', 422, 'SVC-VAL-001'],
    ['?reference=', 422, 'SVC-VAL-001'],
    [`?reference=${'x'.repeat(2000)}`, 422, 'SVC-VAL-001'],
    ['?reference=web', 400, 'SVC-REG-001'],
    [`?reference=${source.host}/absent:1`, 404, 'SVC-REG-005'],
  ] as const) {
    const answer = await instance.api('GET', `/import/inspect${query}`);
    assert.deepEqual([answer.status, answer.body.code], [status, code], query);
  }
  const { body } = await instance.api('GET', '/tasks?type=import');
  assert.ok(body.tasks.every((task: { reference: string }) => task.reference !== reference));
});

test('a source that never answers is a problem document within the configured time', async () => {
  const end = source.intercept(({ path }) => path.includes('/silent/'));
  const started = performance.now();
  const { status, body } = await inspect(`${source.host}/silent/web:1`);
  end();
  assert.deepEqual(
    [status, body.code, body.params],
    [504, 'SVC-REG-004', { host: source.host, timeout: '2s', setting: 'import.inspectTimeout' }],
  );
  assert.ok(performance.now() - started < 10_000);
});

test('a failed import has its error on the task and on its item', async () => {
  const image = buildImage('moving');
  await toOrigin(source).put('moving', image, '1');
  const reference = `${source.host}/moving:1`;
  const { body } = await inspect(reference);
  await toOrigin(source).put('moving', buildImage('moved'), '1');
  const created = await instance.api('POST', '/import', { reference, platforms: chosen(body.platforms) });
  const task = await settled(created.body.task.id);
  assert.equal(task.status, 'failed');
  assert.equal(task.principalCode, 'SVC-SIG-002');
  assert.equal(task.error.params.expected, image.manifest.descriptor.digest);
});

test('an import is resumed when the instance starts again after a kill', async () => {
  const image = buildImage('large', { ownLayers: 2, layerSize: 400_000 });
  await toOrigin(source).put('large', image, '1');
  const reference = `${source.host}/large:1`;
  const { body } = await inspect(reference);
  const [arrives, waits] = image.blobs.slice(1).map(({ descriptor }) => descriptor.digest);
  const end = source.intercept(({ path }) => path.endsWith(waits!));
  const created = await instance.api('POST', '/import', { reference, platforms: chosen(body.platforms) });
  const { id } = created.body.task;
  const blob = `${folder.path}/store/blobs/${arrives!.replace(':', '/')}`;
  await eventually('the first layer', () => {
    const stream = createReadStream(blob);
    return new Promise<boolean>((resolve) => {
      stream.once('open', () => resolve(true)).once('error', () => resolve(false));
    }).finally(() => stream.destroy());
  });
  await instance.kill();
  end();
  // the tag names another image by now: the run keeps the one that it began with
  await toOrigin(source).put('large', buildImage('newer'), '1');
  instance = await startInstance({ folder: folder.path, config: configuration() });
  const task = await settled(id);
  assert.equal(task.status, 'done', JSON.stringify(task.error));
  assert.equal(task.resumed, true);
  assert.equal(source.count(new RegExp(`GET .*${arrives}`)), 1, 'what had arrived does not come again');
  const { body: detail } = await instance.api('GET', `/content/${body.repository}/-/tags/1`);
  assert.equal(detail.digest, image.manifest.descriptor.digest);
});

test('a page of another site cannot make the instance contact a registry', async () => {
  await using own = await openTempFolder();
  const asked: string[] = [];
  await using server = await startTestServer({
    folder: own.path,
    authDisabled: true,
    operations: {
      inspectArtifact: async (_context, { reference }) => {
        asked.push(reference);
        throw new Error('asked');
      },
    },
  });
  const path = '/api/v1/import/inspect?reference=a.test/b:1';
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as const) {
    const response = await server.fetch(path, { headers });
    assert.equal(response.status, 403);
    assert.equal(((await response.json()) as { code: string }).code, 'SVC-AUTH-004');
  }
  assert.deepEqual(asked, []);
  await server.fetch(path);
  assert.deepEqual(asked, ['a.test/b:1']);
});

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const image = buildImage('scrubbed', { ownLayers: 3, layerSize: 20_000 });
const layer = image.blobs.at(-1)!;
const { digest } = layer.descriptor;

const push = ({ url, authorization }: Instance): Promise<void> =>
  pushArtifactOverHttp({ registry: url, repository: 'app', authorization }, image, 'v1');

const pull = ({ url, authorization }: Instance, what: string): Promise<Response> =>
  fetch(`${url}/v2/app/${what}`, { headers: { authorization } });

test('an instance finds a flipped byte by itself, stops serving it, and takes it anew', async () => {
  await using folder = await openTempFolder();
  const options = { folder: folder.path };
  {
    await using instance = await startInstance(options);
    await push(instance);
    const { body } = await instance.api('GET', '/retriever');
    assert.equal(body.scrub.enabled, true);
    assert.equal(await instance.stop(), 0);
  }
  await damageFile(join(folder.path, 'store', 'blobs', 'sha256', digest.slice(7)), 99);
  // its next pass would be due tomorrow
  await rm(join(folder.path, 'state', 'scrub'));
  {
    await using instance = await startInstance(options);
    const scrub = await eventually('the pass to end', async () => {
      const { body } = await instance.api('GET', '/retriever');
      return body.scrub.last && body.scrub;
    });
    assert.equal(scrub.last.damaged, 1);
    assert.deepEqual(scrub.last.findings[0].affects, [{ repository: 'app', tag: 'v1', recipes: [] }]);
    const { lastAt, ...quarantine } = scrub.quarantine;
    assert.deepEqual(quarantine, { files: 1, bytes: layer.bytes.length });
    assert.ok(Math.abs(Date.now() - Date.parse(lastAt)) < 60_000, lastAt);
    const missing = await pull(instance, `blobs/${digest}`);
    assert.equal(missing.status, 404);
    assert.equal(((await missing.json()) as any).errors[0].code, 'BLOB_UNKNOWN');
    assert.equal((await pull(instance, 'manifests/v1')).status, 200);
    assert.equal((await fetch(`${instance.url}/readyz`)).status, 200);
    const metrics = await (await fetch(`${instance.url}/metrics`)).text();
    assert.match(metrics, /^svc_store_scrub_damaged_total 1$/m);
    assert.match(metrics, /^svc_store_scrub_runs_total 1$/m);
    assert.match(metrics, /^svc_store_scrub_last_completed_timestamp_seconds \d/m);
    assert.match(instance.log(), /"logType":"audit".*"action":"store.quarantine"/);
    await instance.kill();
  }
  {
    await using instance = await startInstance(options);
    assert.equal((await pull(instance, `blobs/${digest}`)).status, 404, 'also after a kill');
    await push(instance);
    const back = await pull(instance, `blobs/${digest}`);
    assert.equal(back.status, 200);
    assert.deepEqual(Buffer.from(await back.arrayBuffer()), layer.bytes);
    assert.equal(await instance.stop(), 0);
  }
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { checkStoreAt } from '../rig/check-store.ts';
import { times } from '../rig/form.ts';
import { readFaultReport } from '../rig/instrumented.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';
import { startFaultyInstance } from '../rig/start-instance.ts';

/** Asks an instance that may die meanwhile. @returns the status; undefined when it is gone */
async function askReset(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/store/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ confirmation: 'RESET' }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** An instance with one image that is emptied, round after round, and killed at a write. */
async function openResetRig(): Promise<KillRig> {
  const folder = await openTempFolder('svc-reset-');
  const [root, stateRoot, report] = ['store', 'state', 'calls.json'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string];
  const image = buildImage('to be emptied');
  const { digest } = image.manifest.descriptor;
  let status: number | undefined;
  let former: string | undefined;
  const blobs = () => readdirSync(join(root, 'blobs', 'sha256'));
  return {
    async run(kill, round) {
      rmSync(report, { force: true });
      const plan = { report, ...(kill === undefined ? {} : { kill }) };
      const faulty = await startFaultyInstance(folder.path, {}, plan);
      const { url } = faulty.instance;
      await pushArtifactOverHttp({ registry: url, repository: 'app' }, image, `v${round}`);
      // the log of the start names the medium that is there
      former = /"msg":"store opened"[^\n]*/
        .exec(faulty.instance.log())?.[0]
        .match(/"mediaId":"([^"]+)"/)?.[1];
      await faulty.arm();
      status = await askReset(url);
      if (faulty.isAlive()) faulty.instance.process.kill('SIGTERM');
      await faulty.gone;
      return readFaultReport(report);
    },
    async check(round) {
      if (!existsSync(join(root, 'ledger'))) return;
      await checkStoreAt(
        root,
        stateRoot,
        (store) => {
          assert.ok(status === undefined || status === 200, `${status}`);
          const isEmptied = store.index.repositories().length === 0;
          if (status === 200) assert.ok(isEmptied, 'the reset was acknowledged');
          if (isEmptied) {
            assert.notEqual(store.mediaId, former, 'another medium');
            // files without a record may lie there until a collection, invisible to readers
            assert.equal(store.index.isManifestIn('app', digest), false);
            return;
          }
          assert.equal(store.mediaId, former, 'the medium as it was');
          assert.equal(store.index.tag('app', `v${round}`)?.digest, digest);
          assert.equal(store.index.reach(digest).size, 1 + image.blobs.length);
        },
        { mode: 'passthrough' },
      );
    },
    async complete() {
      await using faulty = await startFaultyInstance(folder.path, {}, {}).then((one) => ({
        url: one.instance.url,
        [Symbol.asyncDispose]: () => one.instance[Symbol.asyncDispose](),
      }));
      assert.equal(await askReset(faulty.url), 200);
      assert.deepEqual(blobs(), []);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('a reset killed at any write leaves the medium as it was or an empty one, and is repeated', async (t) => {
  await runKills(t, 'reset-instance', openResetRig, times(3, 60));
});

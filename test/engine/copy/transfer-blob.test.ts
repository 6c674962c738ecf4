import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SharedWork } from '../../../src/base/shared-work.ts';
import { createTransfer } from '../../../src/engine/copy/transfer-blob.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

for (const isHealed of [true, false])
  test(`a blob resumed with other bytes ${isHealed ? 'arrives by a fresh download' : 'is judged by the fresh download'}`, async (t) => {
    await using temp = await openTempStore();
    await using double = await createRegistryDouble();
    const bytes = randomBytes(3_000_000);
    const blob = double.putBlob('team/app', bytes);
    double.cutNext(/^GET .*blobs/, 1_500_000);
    let rests = 0;
    double.intercept((request, response) => {
      const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      if (from === undefined) return false;
      rests += 1;
      if (!isHealed) double.corrupt('team/app', blob.digest, randomBytes(bytes.length));
      response.writeHead(206, { 'content-range': `bytes ${from}-2999999/3000000` });
      response.end(randomBytes(bytes.length - Number(from)));
      return true;
    });
    const registry = openRemoteRegistry(t, [double.host]);
    const remote = registry.repository({ host: double.host, repository: 'team/app' });
    const target = openRepository(temp.store, 'local/app', {
      owner: { kind: 'import', reference: 'x' } as never,
    });
    const transfer = createTransfer(temp.store, remote, remote, target, { arriving: new SharedWork() });
    const moved = transfer(blob, { onBytes: () => {} });
    if (isHealed) {
      assert.equal(await moved, true);
      assert.equal(temp.store.index.sizeOf(blob.digest), bytes.length);
    } else await assert.rejects(moved, (error) => isSvcError(error, 'SVC-SIG-002'));
    assert.equal(rests, 1);
  });

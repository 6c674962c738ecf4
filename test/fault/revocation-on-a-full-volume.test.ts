import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statfs, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc } from '../kit/program/svc.ts';
import { mountImage, mountMemory, needsMount, needsVolume, type SmallVolume } from './rig/small-volume.ts';

const mib = 1 << 20;

async function freeOf(volume: SmallVolume): Promise<number> {
  const { bavail, bsize } = await statfs(volume.path);
  return bavail * bsize;
}

async function fill(volume: SmallVolume): Promise<void> {
  await writeFile(join(volume.path, 'filler'), '');
  for (let size = await freeOf(volume); size >= 1; size = Math.floor(size / 2)) {
    const flag = 'a';
    await writeFile(join(volume.path, 'filler'), randomBytes(size), { flag }).catch(() => {});
  }
}

/** A chunked PATCH that says no length; rejects when the connection is cut. */
function patch(
  url: string,
  authorization: string,
  bytes: number,
): Promise<{ readonly status: number | undefined; readonly body: any }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'PATCH', headers: { authorization } }, (response) => {
      json(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    asked.on('error', reject);
    const chunk = randomBytes(64 << 10);
    Readable.from(
      (function* () {
        for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
      })(),
    ).pipe(asked);
  });
}

for (const kind of ['tmpfs', 'ext4'] as const) {
  test(`an operator whose uploads fill a volume of ${kind} stops before its reserve, and can be revoked when it is full`, async (t) => {
    await using folder = await openTempFolder('svc-revoke-');
    const place = join(folder.path, 'volume');
    if (kind === 'tmpfs' ? !needsMount(t, folder.path) : !needsVolume(t, kind, folder.path)) return;
    await using volume = kind === 'tmpfs' ? mountMemory(place, '64m') : mountImage(place, kind, 64 * mib);
    await using instance = await startInstance({
      folder: folder.path,
      config: { storage: { root: join(place, 'store') }, state: { root: join(place, 'state') } },
    });
    const operator = `Bearer ${(await instance.api('POST', '/tokens', { name: 'ci', role: 'operator' })).body.token.secret}`;
    const created = await instance.api('POST', '/accounts', {
      name: 'olga',
      role: 'operator',
      password: 'a password of hers',
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));

    const opened = await fetch(`${instance.url}/v2/fill/it/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: operator },
    });
    assert.equal(opened.status, 202);
    const location = `${instance.url}${opened.headers.get('location')}`;
    const before = await freeOf(volume);
    const { status, body } = await patch(location, operator, 80 * mib);
    assert.equal(status, 413);
    const { code, params } = body.errors[0].detail;
    assert.equal(code, 'SVC-STO-004');
    assert.ok(params.reserve >= 2 * mib && params.free >= params.reserve, JSON.stringify(params));
    assert.ok((await freeOf(volume)) > before - mib, 'what was refused is removed');

    await fill(volume);
    assert.ok((await freeOf(volume)) < 64 << 10);
    const ready = await (await fetch(`${instance.url}/readyz`)).json();
    assert.deepEqual(ready, {
      status: 'ready',
      reasons: [
        'the volume of the store is nearly full: pushes are refused',
        'the volume of the state is nearly full: accounts and tokens can be changed, tasks may fail',
      ],
    });
    const revoked = await instance.api('POST', '/tokens/ci/revoke', {});
    assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
    const refused = await fetch(`${instance.url}/v2/`, { headers: { authorization: operator } });
    assert.equal(refused.status, 401);
    const removed = await instance.api('DELETE', '/accounts/olga');
    assert.equal(removed.status, 204, JSON.stringify(removed.body));
    const changed = await runSvc(
      ['user', 'passwd', 'admin', '--config', instance.configPath, '--password-stdin'],
      {
        input: 'another password\n',
      },
    );
    assert.equal(changed.exitCode, 0, changed.stderr);
  });
}

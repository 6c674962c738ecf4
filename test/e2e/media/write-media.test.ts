import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { runTask } from '../../kit/instance/settle-task.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
let instance: Instance;
before(async () => {
  medium = await buildMedium();
  const config = {
    mode: 'mirror',
    storage: { root: medium.root },
    state: { root: join(medium.folder, 'maker') },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
  };
  instance = await startInstance({ folder: medium.folder, config });
});
after(async () => {
  await instance[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

test('an instance writes a medium as a task', async () => {
  const disk = join(medium.folder, 'disk');
  const task = await runTask(instance, '/media/write', { folders: [disk], zone: 'zone-b' });
  assert.deepEqual([task.type, task.status, task.reference], ['media-write', 'done', disk]);
  const { report } = await verifyCarried(disk, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  assert.match(instance.log(), /media\.write/);
});

test('requests for other places, and without the right, are refused', async () => {
  const at = (path: string) => ({ folders: [join(medium.folder, path)], zone: 'zone-b' });
  for (const [body, status, code] of [
    [{ folders: ['relative'], zone: 'zone-b' }, 422, 'SVC-VAL-001'],
    [at('medium/inside'), 403, 'SVC-FIL-003'],
    [at('.ssh'), 403, 'SVC-FIL-003'],
    [{ folders: [join(medium.folder, 'x')] }, 422, 'SVC-VAL-001'],
  ] as const) {
    const answer = await instance.api('POST', '/media/write', body);
    assert.deepEqual([answer.body.code, answer.status], [code, status], JSON.stringify(body));
  }
  const token = await instance.createToken('operator');
  const response = await fetch(`${instance.url}/api/v1/media/write`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(at('disk')),
  });
  assert.equal(response.status, 403);
  const failed = await runTask(instance, '/media/write', { ...at('other'), recipes: ['nothing'] });
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'SVC-REG-005']);
});

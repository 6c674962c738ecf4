import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ProofState } from '../../../src/contract/proof.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { runTask } from '../../kit/instance/settle-task.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

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

/** Begins a proof that nobody waits for. @returns its state at the end */
async function prove(body: object): Promise<ProofState> {
  const { status, body: begun } = await instance.api('POST', '/media/prove', { ...body, wait: false });
  assert.equal(status, 200, JSON.stringify(begun));
  return eventually('the end of the proof', async () => {
    const state = (await instance.api('GET', '/media/proof')).body as ProofState;
    return state.running === undefined && state;
  });
}

test('the store of a running instance is proved without a copy of it, and goes on serving', async () => {
  assert.deepEqual((await instance.api('GET', '/media/proof')).body, {});
  const { status, body } = await instance.api('POST', '/media/prove', {});
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.verdict, body.findings], ['proved', []]);
  assert.deepEqual((await instance.api('GET', '/media/proof')).body, {}, 'its client has the proof');
  const { proof, folders, failure } = await prove({});
  assert.deepEqual([proof?.verdict, folders, failure], ['proved', [], undefined]);
  assert.equal((await instance.api('GET', '/recipes')).body.recipes.length, 2);
});

test('a written disk is proved, and an absent folder begins no proof', async () => {
  const disk = join(medium.folder, 'disk');
  const task = await runTask(instance, '/media/write', { folders: [disk], zone: 'zone-b' });
  assert.equal(task.status, 'done', JSON.stringify(task));
  const { proof, folders } = await prove({ folders: [disk] });
  assert.deepEqual([proof?.verdict, folders], ['proved', [disk]]);
  const before = (await instance.api('GET', '/media/proof')).body;
  const absent = await instance.api('POST', '/media/prove', {
    folders: [join(medium.folder, 'absent')],
    wait: false,
  });
  assert.deepEqual([absent.status, absent.body.code], [422, 'SVC-FIL-005']);
  assert.deepEqual((await instance.api('GET', '/media/proof')).body, before);
  assert.match(instance.log(), /media\.prove/);
});

test('a request that cannot be understood begins nothing', async () => {
  const before = (await instance.api('GET', '/media/proof')).body;
  for (const [body, status, code] of [
    [{ folders: ['relative'] }, 422, 'SVC-VAL-001'],
    [{ folders: [] }, 422, 'SVC-VAL-001'],
    [{ folders: [medium.root] }, 403, 'SVC-FIL-003'],
    [{ trustRoots: ['no key'] }, 422, 'SVC-VAL-001'],
  ] as const) {
    const answer = await instance.api('POST', '/media/prove', { ...body, wait: false });
    assert.deepEqual([answer.body.code, answer.status], [code, status], JSON.stringify(body));
  }
  assert.deepEqual((await instance.api('GET', '/media/proof')).body, before);
});

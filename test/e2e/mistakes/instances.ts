import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';
import type { Mistake } from './mistake.ts';

/** Mistakes with instances, their accounts and their state. */
export const instanceMistakes: readonly Mistake[] = [
  {
    title: 'The instance does not run',
    situation: '`svc sync` asks a running instance, and none runs.',
    async make() {
      return {
        args: ['sync', '--instance', 'http://127.0.0.1:9'],
        exitCode: 1,
        code: 'SVC-SRV-003',
        says: /Check that the instance runs/,
      };
    },
  },
  {
    title: 'The token is not accepted',
    situation: 'The token was revoked. A token of another instance gets the same answer.',
    async make(world) {
      const instance = await world.rehearsal.start('instance');
      const token = await instance.api('POST', '/tokens', { name: 'pipeline', role: 'operator' });
      assert.equal(token.status, 201);
      assert.equal((await instance.api('POST', '/tokens/pipeline/revoke')).status, 200);
      return {
        args: ['sync', '--instance', instance.url],
        env: { SVC_API_TOKEN: token.body.token.secret },
        exitCode: 1,
        code: 'SVC-AUTH-002',
        says: /svc token create/,
        after: () => instance.stop(),
      };
    },
  },
  {
    title: 'The configuration file does not exist',
    situation:
      'The service is started before `svc quickstart` wrote it, or the path after `--config` is misspelt.',
    async make({ rehearsal }) {
      const args = ['serve', '--config', rehearsal.path('config.yaml')];
      return { args, exitCode: 1, code: 'SVC-CFG-001', says: /does not exist.*svc quickstart --config/s };
    },
  },
  {
    title: 'An instance is using the store',
    situation: 'The store of a running instance is to be repaired.',
    async make({ rehearsal }) {
      const instance = await rehearsal.start('instance');
      const args = ['store', 'check', '--repair', '--config', instance.configPath];
      return {
        args,
        exitCode: 1,
        code: 'SVC-STO-007',
        record: 'info',
        says: /Wait for that process or stop it/,
        after: () => instance.stop(),
      };
    },
  },
  {
    title: 'The port is in use',
    situation: 'An instance runs already, or another program uses the port.',
    async make({ rehearsal }) {
      const first = await rehearsal.start('instance');
      const config = await rehearsal.configure('second', {
        server: { addr: first.host },
        auth: { disabled: true },
      });
      return {
        args: ['serve', '--config', config],
        cwd: rehearsal.folder,
        exitCode: 1,
        code: 'SVC-CFG-001',
        record: 'warn',
        says: /ss -ltnp/,
        after: () => first.stop(),
      };
    },
  },
  {
    title: 'No account exists yet',
    situation: 'The instance is started for the first time.',
    async make({ rehearsal }) {
      const config = await rehearsal.configure('fresh', {});
      return {
        args: ['serve', '--config', config],
        cwd: rehearsal.folder,
        exitCode: 3,
        code: 'SVC-AUTH-001',
        record: 'info',
        says: /svc user add/,
      };
    },
  },
  {
    title: 'The password is empty',
    situation: 'The variable in the script is not set.',
    async make({ rehearsal }) {
      const args = ['user', 'add', 'ines', '--password-stdin', '--state-root', rehearsal.path('state')];
      return { args, input: '\n', exitCode: 2, says: /empty/ };
    },
  },
  {
    title: 'The volume of the state is full',
    situation: 'Logs have filled the volume on which `state.root` lies.',
    needs: needsMount,
    async make({ rehearsal }) {
      const volume = mountMemory(rehearsal.path('var'), '16k');
      await writeFile(join(volume.path, 'log'), Buffer.alloc(12 * 1024));
      return {
        args: ['user', 'add', 'ines', '--password-stdin', '--state-root', join(volume.path, 'svc')],
        input: 'correct horse battery staple\n',
        exitCode: 1,
        code: 'SVC-STO-004',
        record: 'info',
        says: /It is the volume of the state, on which a prune frees nothing/,
        after: () => volume[Symbol.asyncDispose](),
      };
    },
  },
];

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import type { Mistake } from './mistake.ts';

/** Mistakes with commands, files and folders. */
export const commandMistakes: readonly Mistake[] = [
  {
    title: 'The configuration is not read',
    situation: '`svc.yaml` is in the working folder, and the command does not name it.',
    async make({ rehearsal }) {
      await writeFile(rehearsal.path('svc.yaml'), 'mode: mirror\n');
      return {
        args: ['store', 'check'],
        cwd: rehearsal.folder,
        exitCode: 1,
        code: 'SVC-CFG-001',
        says: /--config svc\.yaml/,
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
    title: 'A setting is misspelt',
    situation: '`storage.rot` was written for `storage.root`.',
    async make({ rehearsal }) {
      const path = rehearsal.path('typo.yaml');
      await writeFile(path, `storage:\n  rot: ${rehearsal.folder}\n`);
      return {
        args: ['store', 'check', '--config', path],
        exitCode: 1,
        code: 'SVC-CFG-001',
        says: /storage\.rot/,
      };
    },
  },
  {
    title: 'The command or the flag is misspelt',
    situation: '`svc snyc` was typed.',
    async make() {
      return { args: ['snyc'], exitCode: 2, says: /sync/ };
    },
  },
  {
    title: 'The recipe to push does not exist',
    situation: 'The name of the file is misspelt.',
    async make({ rehearsal }) {
      const args = ['recipe', 'push', rehearsal.path('shop.yml'), '127.0.0.1:9/cookbook/shop:1.0.0'];
      return { args, exitCode: 1, code: 'SVC-FIL-005', says: /does not exist/ };
    },
  },
  {
    title: 'The recipe to export is not in the store',
    situation: 'The name of the recipe is misspelt.',
    async make({ carry }) {
      const { config } = await carry();
      const out = await openTempFolder();
      const args = ['export', join(out.path, 'shop.tar'), '--recipe', 'shopp', '--config', config];
      const after = () => out[Symbol.asyncDispose]();
      return { args, exitCode: 1, code: 'SVC-REG-005', record: 'info', after, says: /shop\b/ };
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
  {
    title: 'A file stands where a folder belongs',
    situation: '`storage.root` names a file.',
    async make({ rehearsal }) {
      await mkdir(rehearsal.path('odd'), { recursive: true });
      await writeFile(rehearsal.path('odd/store'), '');
      return {
        args: ['store', 'check', '--storage-root', rehearsal.path('odd/store')],
        exitCode: 2,
        says: /not a folder|folder/,
      };
    },
  },
];

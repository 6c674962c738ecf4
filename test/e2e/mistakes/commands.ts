import { mkdir, writeFile } from 'node:fs/promises';
import type { Mistake } from './mistake.ts';

/** Mistakes with command lines and settings. */
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

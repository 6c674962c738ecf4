import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { Mutation } from './mutation.ts';

export const strangerMutations: readonly Mutation[] = [
  {
    name: 'folders of other systems, with anything in them',
    spoil: async (medium) => {
      for (const name of ['lost+found', 'System Volume Information', '$RECYCLE.BIN']) {
        await mkdir(join(medium.root, name, 'deep'), { recursive: true });
        execFileSync('mkfifo', [join(medium.root, name, 'deep', 'pipe')]);
      }
      await symlink('/', join(medium.root, 'root'));
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'names that differ only by case',
    spoil: async (medium) => {
      await writeFile(join(medium.root, 'MEDIA.JSONL'), '{}');
      await mkdir(join(medium.root, 'Blobs'));
      const [name] = await readdir(join(medium.root, 'blobs', 'sha256'));
      await writeFile(join(medium.root, 'blobs', 'sha256', name!.toUpperCase()), 'x');
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a blob that nothing lists',
    spoil: async (medium) =>
      writeFile(join(medium.root, 'blobs', 'sha256', hashBytes('stowaway').slice(7)), 'stowaway'),
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a listed blob that no recipe reaches',
    spoil: async (medium) => {
      const path = `blobs/sha256/${hashBytes('stowaway').slice(7)}`;
      await writeFile(join(medium.root, path), 'stowaway');
      await medium.relist(path);
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-021'],
  },
  {
    name: 'queue entries, journals, locks and keys planted under _svc',
    spoil: async (medium) => {
      const svc = join(medium.root, '_svc');
      for (const name of ['tasks', 'state', 'media', 'trust', 'tmp'])
        await mkdir(join(svc, name), { recursive: true });
      await writeFile(join(svc, 'tasks', 'tsk_0123456789ab.json'), '{"type":"sync","status":"pending"}');
      await writeFile(
        join(svc, 'media', 'freshness.json'),
        '{"zone-b":{"resolvedAt":"2099-01-01T00:00:00Z"}}',
      );
      await writeFile(join(svc, 'trust', 'roots.pem'), 'a key that vouches for everything');
      await writeFile(join(svc, 'store.key'), `${'0'.repeat(64)}\n`);
      await writeFile(join(medium.root, 'svc.yaml'), 'trust: { roots: [] }');
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'journals planted beside the lock',
    spoil: async (medium) => {
      for (const suffix of ['-journal', '-wal', '-shm'])
        await writeFile(join(medium.root, '_svc', `lock${suffix}`), 'planted');
    },
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: '_svc gone',
    spoil: (medium) => rm(join(medium.root, '_svc'), { recursive: true }),
    shop: 'pushable',
    depot: 'pushable',
  },
  {
    name: '_svc behind a link',
    spoil: async (medium) => {
      await rm(join(medium.root, '_svc'), { recursive: true });
      await symlink('/tmp', join(medium.root, '_svc'));
    },
    shop: 'pushable',
    depot: 'pushable',
    findings: ['SVC-MED-020'],
  },
];

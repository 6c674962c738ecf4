import { link, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../../src/base/digest.ts';
import { type HostileMedium, harmless, reported, svc } from './hostile-medium.ts';

/** Folders that lead elsewhere, or hold foreign content. */
export const folders: HostileMedium[] = [
  {
    name: 'the ledgers behind a link',
    spoil: async (medium) => {
      await rename(join(medium.root, 'ledger'), svc(medium, 'ledger'));
      await symlink('_svc/ledger', join(medium.root, 'ledger'));
    },
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'the ledgers behind a link out of the medium',
    spoil: async (medium, canary) => {
      await rm(join(medium.root, 'ledger'), { recursive: true });
      await symlink(canary.folder, join(medium.root, 'ledger'));
    },
    blocks: ['SVC-MED-005'],
  },
  {
    name: 'all blobs behind a link out of the medium',
    spoil: async (medium, canary) => {
      await rm(join(medium.root, 'blobs'), { recursive: true });
      await symlink(canary.folder, join(medium.root, 'blobs'));
    },
    blocks: ['SVC-MED-014'],
  },
  {
    name: '_svc behind a link out of the medium',
    spoil: async (medium, canary) => {
      await rm(svc(medium), { recursive: true });
      await symlink(canary.folder, svc(medium));
    },
    ...reported,
  },
  {
    name: 'the folder of the log behind a link out of the medium',
    spoil: (medium, canary) => symlink(canary.folder, svc(medium, 'logs')),
    ...harmless,
  },
  {
    name: 'the log as a second name of a file out of the medium',
    spoil: async (medium, canary) => {
      await mkdir(svc(medium, 'logs'));
      await link(canary.file, svc(medium, 'logs', 'operations.log'));
    },
    ...harmless,
  },
  {
    name: 'the lock as a second name of a file out of the medium',
    spoil: async (medium, canary) => {
      await rm(svc(medium, 'lock'));
      await link(canary.file, svc(medium, 'lock'));
    },
    ...harmless,
  },
  {
    name: 'a lock that is a database with something to say',
    spoil: async (medium) => {
      const { DatabaseSync } = await import('node:sqlite');
      await rm(svc(medium, 'lock'));
      const database = new DatabaseSync(svc(medium, 'lock'));
      database.exec('create table t (x); create trigger y after insert on t begin delete from t; end');
      database.close();
    },
    ...harmless,
  },
  {
    name: 'a line that leads through a link out of the medium',
    spoil: async (medium, canary) => {
      await symlink(canary.folder, join(medium.root, 'zone'));
      const size = canary.text.length;
      await medium.editManifest((_, lines) => [
        ...lines,
        { path: 'zone/secret.txt', size, digest: hashBytes(canary.text) },
      ]);
    },
    ...harmless,
    findings: ['SVC-MED-020', 'SVC-MED-015'],
  },
];

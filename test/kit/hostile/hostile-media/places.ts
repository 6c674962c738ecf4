import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import type { Canary } from '../canary.ts';
import { leaveSocket } from '../leave-socket.ts';
import type { Mutation } from '../mutations/mutation.ts';
import { type HostileMedium, harmless, unreadable, whereIs } from './hostile-medium.ts';

/** Entries in the place of a file that would make a careless reader follow, wait or read for ever. */
const strangers: readonly [name: string, put: (path: string, canary: Canary) => Promise<unknown>][] = [
  ['a link out of the medium', (path, canary) => symlink(canary.file, path)],
  ['a link to itself', (path) => symlink(path, path)],
  ['a pipe', async (path) => execFileSync('mkfifo', [path])],
  ['a socket', (path, canary) => leaveSocket(path, `${canary.folder}-socket`)],
  ['an empty folder', (path) => mkdir(path)],
];

const places: readonly [place: string, expected: Omit<Mutation, 'name' | 'spoil'>][] = [
  ['media.jsonl', unreadable],
  ['index.json', { ...harmless, findings: ['SVC-MED-014'] }],
  ['oci-layout', { ...harmless, findings: ['SVC-MED-014'] }],
  ['content ledger', { blocks: ['SVC-MED-005'] }],
  ['recipe ledger', { blocks: ['SVC-MED-005'] }],
  ['layer', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['document', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['manifest', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['signature', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['recipe', { shop: 'SVC-MED-014', findings: ['SVC-MED-014'] }],
  ['_svc/lock', harmless],
  ['_svc/logs/operations.log', harmless],
];

/** Something that is no file, in every place where one belongs. */
export const special: HostileMedium[] = places.flatMap(([place, expected]) =>
  strangers.map(([name, put]) => ({
    name: `${name} in the place of ${place}`,
    spoil: async (medium: CarriedMedium, canary: Canary) => {
      const path = await whereIs(medium, place);
      await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      await put(path, canary);
    },
    ...expected,
  })),
);

import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seededBytes } from './content.ts';

/** The sample tree: permissions and bytes of its files, the targets of its links. */
const folders: Readonly<Record<string, number>> = {
  pool: 0o755,
  'pool/main': 0o750,
  empty: 0o711,
  Grüße: 0o755,
};
const files: Readonly<Record<string, readonly [mode: number, size: number]>> = {
  Release: [0o644, 100],
  'pool/main/program': [0o755, 70_000],
  'pool/main/aligned': [0o600, 512],
  'pool/main/nothing': [0o444, 0],
  'pool/main/name with space': [0o644, 1],
  'pool/zebra': [0o644, 513],
  'pool/Zebra': [0o644, 511],
  'Grüße/日本語': [0o640, 4096],
  [`${'long-'.repeat(25)}name`]: [0o644, 10],
  [`pool/${'x'.repeat(120)}`]: [0o644, 10],
  '.hidden': [0o644, 3],
  'libfoo_1%3a2.0_all.deb': [0o644, 600_000],
};
const links: Readonly<Record<string, string>> = {
  latest: 'pool/main',
  'pool/main/up': '../../Release',
  'pool/dangling': 'not-yet',
  'empty/far': `../${'long-'.repeat(25)}name`,
};

/** The digest of the archive of the sample tree: it changes only when the format does. */
export const packableTreeCounts = { files: 12, directories: 4, symlinks: 4 } as const;

/** Writes the sample tree. @param backwards in the other order, with other times */
export function writePackableTree(root: string, backwards = false): void {
  const order = <T>(items: readonly T[]): readonly T[] => (backwards ? [...items].reverse() : items);
  mkdirSync(root, { recursive: true });
  for (const [path, target] of order(Object.entries(links))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  for (const [path, [mode, size]] of order(Object.entries(files))) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, seededBytes(path, size));
    chmodSync(full, mode);
    if (backwards) utimesSync(full, 1, 1_234_567_890.5);
  }
  for (const [path, mode] of order(Object.entries(folders))) {
    mkdirSync(join(root, path), { recursive: true });
    chmodSync(join(root, path), mode);
  }
}

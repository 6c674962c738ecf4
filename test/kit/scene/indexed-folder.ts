import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDeb, buildRpm, openKeyring } from '../content/packages.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import { openClientHome } from '../program/client-home.ts';
import { runSvc, type SvcOptions } from '../program/svc.ts';

/** A folder with one package, a keyring, and the command that indexes, signs and packs the folder. */
export async function openIndexedFolder(kind: 'apt' | 'rpm') {
  const { path: folder, ...temp } = await openTempFolder();
  const maker = await openClientHome(folder, 'maker');
  const keyring = await openKeyring(maker);
  const tree = join(folder, 'tree');
  await mkdir(tree);
  const add = (name: string, version: string) =>
    (kind === 'apt' ? buildDeb : buildRpm)(maker, tree, name, version);
  await add('hello', '1.0');
  const at = ['--storage-root', join(folder, 'store'), '--state-root', join(folder, 'state')];
  const packAs = (options: SvcOptions, path: string, ...flags: string[]) =>
    runSvc(['fileset', 'pack', path, 'tools:1.0', ...at, ...flags], {
      ...options,
      env: { HOME: maker.path, ...keyring.env, ...options.env },
    });
  return {
    folder,
    maker,
    keyring,
    tree,
    add,
    packAs,
    pack: (path: string, ...flags: string[]) => packAs({}, path, ...flags),
    /** A copy of the tree with a change. */
    broken: async (name: string, change: (copy: string) => Promise<void>): Promise<string> => {
      const copy = join(folder, 'broken', name);
      await cp(tree, copy, { recursive: true });
      await change(copy);
      return copy;
    },
    [Symbol.asyncDispose]: async () => {
      await keyring[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}

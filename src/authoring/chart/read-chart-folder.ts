import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { readPlain } from '../../disk/plain-file.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { ChartFiles } from './chart-tree.ts';
import { ChartBudget, isChartFile, unpackEmbedded } from './read-chart-files.ts';

const deepest = 40;

/**
 * Reads the files of a chart in a folder that matter for its images. Links are followed inside of the folder only.
 *
 * @param folder path of the folder
 * @throws SVC-VAL-001 for a link that leads out of the folder, SVC-SIG-003, SVC-VAL-002, SVC-FIL-005 when it cannot be read
 */
export async function readChartFolder(folder: string): Promise<ChartFiles> {
  const budget = new ChartBudget(folder);
  const files = new Map<string, Buffer>();
  let entries = 0;
  try {
    const root = await realpath(folder);
    const walk = async (below: string, depth: number): Promise<void> => {
      if (depth > deepest) return;
      for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
        entries += 1;
        budget.unpack(entries > 100_000 ? Number.MAX_SAFE_INTEGER : 0);
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        const isWanted = isChartFile(path);
        const mayHold = /^(?:charts|templates)(?:\/|$)/.test(path);
        if (!isWanted && !mayHold) continue;
        const real = entry.isSymbolicLink() ? await realpath(join(root, path)) : join(root, path);
        if (real !== root && !real.startsWith(`${root}${sep}`))
          throw svcError('SVC-VAL-001', {
            file: folder,
            path,
            rule: rule(['is a link that leads out of the folder', fr`est un lien qui mène hors du dossier`]),
          });
        const { size, isFolder, isFile } = await look(real);
        if (isFolder) await walk(path, depth + 1);
        else if (isWanted && isFile) {
          budget.keep(size, path);
          files.set(path, await readPlain(real));
        }
      }
    };
    await walk('', 0);
  } catch (error) {
    throw toNamedFileError(error, folder);
  }
  return unpackEmbedded(files, folder, budget);
}

async function look(path: string): Promise<{ size: number; isFolder: boolean; isFile: boolean }> {
  const found = await stat(path);
  return { size: found.size, isFolder: found.isDirectory(), isFile: found.isFile() };
}

import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { readPlain } from '../../disk/plain-file.ts';
import { tarEnd, tarPadding, toTarHeader } from '../../disk/tar/header.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { isIgnored, parseIgnoreRules } from './ignore-rules.ts';

const limits = { bytes: 67_108_864, files: 20_000, depth: 40 } as const;

/**
 * Packs the folder of a chart as `helm package` does, without times and owners: the same files always give the same
 * archive. Files that `.helmignore` names are left out. Links are followed inside of the folder only.
 *
 * @param folder path of the folder
 * @param name name of the chart, the folder in the archive
 * @throws SVC-VAL-001 for a link that leads out of the folder, SVC-VAL-002 beyond 64 MiB, SVC-FIL-005 when it cannot be read
 */
export async function packChart(folder: string, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let files = 0;
  try {
    const root = await realpath(folder);
    const rules = parseIgnoreRules(await readIgnoreFile(root));
    const walk = async (below: string, depth: number): Promise<void> => {
      const entries = await readdir(join(root, below), { withFileTypes: true });
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const { name: own } of entries) {
        const path = below === '' ? own : `${below}/${own}`;
        const real = await realpath(join(root, path));
        if (!real.startsWith(`${root}${sep}`))
          throw svcError('SVC-VAL-001', {
            file: folder,
            path,
            rule: rule(['is a link that leads out of the folder', fr`est un lien qui mène hors du dossier`]),
          });
        const found = await stat(real);
        if (isIgnored(rules, path, found.isDirectory())) continue;
        if (found.isDirectory() && depth < limits.depth) await walk(path, depth + 1);
        if (!found.isFile()) continue;
        bytes += found.size;
        files += 1;
        if (bytes > limits.bytes || files > limits.files)
          throw svcError('SVC-VAL-002', { limit: limits.bytes, file: folder });
        const content = await readPlain(real);
        const header = toTarHeader({ path: `${name}/${path}`, type: 'file', size: content.length });
        parts.push(header, content, Buffer.alloc(tarPadding(content.length)));
      }
    };
    await walk('', 0);
  } catch (error) {
    throw toNamedFileError(error, folder);
  }
  return gzipSync(Buffer.concat([...parts, tarEnd]), { level: 9 });
}

async function readIgnoreFile(root: string): Promise<string> {
  try {
    return (await readPlain(join(root, '.helmignore'))).toString('utf8');
  } catch {
    return '';
  }
}

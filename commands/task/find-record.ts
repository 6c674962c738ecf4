import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlainText } from '../../src/disk/plain-file.ts';

/** Folders of the state in which commands that ran without an instance keep the records of their tasks. */
const folders = ['commands', 'media'];
/** Most files that are looked into, the last ones by name. */
const lookedInto = 500;

/**
 * Finds the record that a command kept of its task in a state folder.
 *
 * @returns the path of the file; undefined when there is none, or when it cannot be read
 */
export async function findRecord(stateRoot: string, id: string): Promise<string | undefined> {
  for (const folder of folders) {
    const names = await readdir(join(stateRoot, folder)).catch((): string[] => []);
    for (const name of names.sort().slice(-lookedInto)) {
      const path = join(stateRoot, folder, name);
      if (!/\.jsonl?$/.test(name)) continue;
      const text = await readPlainText(path).catch(() => '');
      if (text.includes(`"${id}"`)) return path;
    }
  }
  return undefined;
}

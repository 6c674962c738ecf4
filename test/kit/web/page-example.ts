import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * A file that a page of the documentation shows: the block whose first line is a comment with its path. A test runs with
 * the same text that readers copy.
 *
 * @param page relative to the project
 * @param changes texts of the page, each with its replacement here; each must occur
 */
export async function readExample(
  page: string,
  path: string,
  changes: Readonly<Record<string, string>>,
): Promise<string> {
  const text = await readFile(join(root, page), 'utf8');
  const found = text.split(/^```[a-z]*\n/m).find((block) => block.startsWith(`# ${path}\n`));
  if (found === undefined) throw new Error(`${page} shows no ${path}`);
  let example = found;
  for (const [there, here] of Object.entries(changes)) {
    if (!example.includes(there)) throw new Error(`${path} on ${page} does not say ${there}`);
    example = example.replaceAll(there, here);
  }
  return example;
}

import { toEntryName } from './entry-name.ts';
import { openLayout } from './open-layout.ts';

/**
 * Lists the names of the entries of a layout that is to be replaced, or the digest of one without a name. Empty where there is
 * no layout that can be read.
 */
export async function listFormerEntries(path: string): Promise<readonly string[]> {
  try {
    await using layout = await openLayout(path);
    return layout.entries.map((entry) => toEntryName(entry).text ?? entry.digest);
  } catch {
    return [];
  }
}

import type { PageOf } from '../../src/base/page.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { CommandLineError } from '../cli/command-line-error.ts';

/** Most entries on one page. */
export const largestPage = 200;

/** Which part of a list a command shows. */
export interface Paging {
  readonly page: number;
  readonly pageSize: number;
  readonly all: boolean;
}

/** Reads the flags `--page`, `--page-size` and `--all`. @throws CommandLineError */
export function parsePaging(flags: {
  readonly page: number | undefined;
  readonly pageSize: number | undefined;
  readonly all: boolean;
}): Paging {
  const { all } = flags;
  if (all && flags.page !== undefined)
    throw new CommandLineError(['--all cannot be used with --page', fr`--all est incompatible avec --page`]);
  return { page: flags.page ?? 1, pageSize: flags.pageSize ?? (all ? largestPage : 25), all };
}

/** Most entries that `--all` reads. */
export const mostEntries = 1_000_000;
/** Most characters of all entries, as JSON. */
const mostCharacters = 256 << 20;

/**
 * Reads the requested page, or with `--all` every page as one. The page count comes from an untrusted instance: the limits
 * hold before the next page is read. A page without entries, or with those of the page before, is the end. A list may grow
 * while it is read, to twice its pages at most.
 *
 * @param member member of the answer that has the entries
 * @throws SVC-VAL-002 for more than a million entries, more than 256 MiB of them, or a list that grows without end
 */
export async function readPages<T extends PageOf>(
  { page, pageSize, all }: Paging,
  member: keyof T & string,
  read: (query: { readonly page: number; readonly pageSize: number }) => Promise<T>,
): Promise<T> {
  const first = await read({ page, pageSize });
  if (!all || first.totalPages <= 1) return first;
  const entries = [...(first[member] as readonly unknown[])];
  let before = JSON.stringify(entries);
  let characters = before.length;
  const mostPages = Math.min(Math.ceil(mostEntries / pageSize), 2 * first.totalPages);
  let { totalPages } = first;
  for (let next = 2; next <= totalPages; next += 1) {
    if (totalPages > mostPages)
      throw svcError('SVC-VAL-002', {
        limit: rule(['{most} pages', fr`{most} pages`], { most: mostPages }),
      });
    const answer = await read({ page: next, pageSize });
    const found = answer[member] as readonly unknown[];
    const text = JSON.stringify(found);
    if (found.length === 0 || text === before) break;
    before = text;
    characters += text.length;
    if (characters > mostCharacters) throw svcError('SVC-VAL-002', { limit: mostCharacters });
    entries.push(...found);
    totalPages = answer.totalPages;
  }
  return { ...first, [member]: entries, totalPages: 1, total: entries.length };
}

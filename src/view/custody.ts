import { requireSetting } from '../base/require-setting.ts';
import type { Config } from '../config/model.ts';
import type { CustodyLine, CustodyPage } from '../contract/custody.ts';
import type { NoMember, QueryOf } from '../contract/operation.ts';
import type { listCustody } from '../contract/operations/custody.ts';
import { toCustodyFolder } from '../custody/ledger-files.ts';
import { readLedgerPage } from '../custody/read-page.ts';

/**
 * Shows one page of the custody ledger, newest line first.
 *
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function showCustody(
  { state }: Pick<Config, 'state'>,
  { type, cursor, pageSize = 50, ...others }: QueryOf<typeof listCustody.query>,
): Promise<CustodyPage> {
  others satisfies NoMember;
  const folder = toCustodyFolder(requireSetting('state.root', state.root));
  return readLedgerPage(folder, { type, cursor, pageSize });
}

/** As {@link showCustody}, but looks for the lines of a page up to the beginning of the ledger. */
export async function searchCustody(
  config: Pick<Config, 'state'>,
  { pageSize = 50, ...query }: QueryOf<typeof listCustody.query>,
  signal?: AbortSignal,
): Promise<CustodyPage> {
  const lines: CustodyLine[] = [];
  let [cursor, broken] = [query.cursor, 0];
  do {
    signal?.throwIfAborted();
    const page = await showCustody(config, { ...query, cursor, pageSize: pageSize - lines.length });
    lines.push(...page.lines);
    broken += page.broken ?? 0;
    cursor = page.next;
  } while (cursor !== undefined && lines.length < pageSize);
  return {
    lines,
    ...(cursor === undefined ? {} : { next: cursor }),
    ...(broken === 0 ? {} : { broken }),
  };
}

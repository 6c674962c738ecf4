import type { LedgerState } from '../../ledger/ledger.ts';

/** Whether nothing was recorded in a store since it was created. @param content its content ledger */
export function isUnused(content: { state(): LedgerState }): boolean {
  const { generation, sequence } = content.state();
  return generation <= 1 && sequence <= 1;
}

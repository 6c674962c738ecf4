import { toCustodyFolder } from '../../src/custody/ledger-files.ts';
import { readLine } from '../../src/custody/line.ts';
import { scanLedgerBytes } from '../../src/custody/read-page.ts';
import { listPlaces } from '../../src/engine/evidence/select-lines.ts';
import type { ViewParts } from './parts.ts';

/** A delivery that the custody ledger names. */
export interface LedgerDelivery {
  readonly id: string;
  /** Absent where none of its lines names it. */
  readonly zone?: string;
  /** Time of its newest line (RFC 3339). */
  readonly at: string;
}

/** Most deliveries that are listed: the latest. */
export const mostDeliveries = 200;
/** Bytes of the ledger that are searched for them. */
const mostBytes = 16 << 20;

/**
 * Lists the deliveries that the custody ledger names, the latest first: evidence can be packed of each.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function listLedgerDeliveries({
  instance,
}: Pick<ViewParts, 'instance'>): Promise<readonly LedgerDelivery[]> {
  const { root } = instance.context.config.state;
  if (root === undefined) return [];
  const found = new Map<string, LedgerDelivery>();
  let seen = 0;
  await scanLedgerBytes(toCustodyFolder(root), undefined, (bytes) => {
    seen += bytes.length;
    // most lines name none, and need not be parsed
    const read = bytes.includes('"dlv') ? readLine(bytes) : undefined;
    if (read !== undefined && 'line' in read) {
      const { ts, details } = read.line;
      for (const id of listPlaces(read.line)) {
        if (!/^dlv_[0-9a-f]{12}$/.test(id)) continue;
        const { zone = details.zone, at = ts } = found.get(id) ?? {};
        found.set(id, { id, at, ...(typeof zone === 'string' ? { zone } : {}) });
      }
    }
    return found.size < mostDeliveries && seen < mostBytes;
  });
  return [...found.values()];
}

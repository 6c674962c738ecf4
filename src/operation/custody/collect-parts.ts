import { digestHex } from '../../base/digest.ts';
import { Pacer, runInTurns } from '../../base/pacer.ts';
import { type Evidence, type EvidenceScope, evidenceLimits } from '../../contract/evidence.ts';
import { collectStatement } from '../../engine/evidence/collect-statement.ts';
import type { Collected, EvidenceKey } from '../../engine/evidence/model.ts';
import { toStatementKey } from '../../engine/evidence/named-statements.ts';
import { toPlainName } from '../../engine/evidence/plain-name.ts';
import { selectFromPart } from '../../engine/evidence/select-part.ts';
import { toTooLarge } from '../../engine/evidence/too-large.ts';
import { readKeptParts } from './carry-custody.ts';
import { toPresent } from './collect-statements.ts';

/** A part of the ledger of another site. Its lines are the first of the files, its checkpoint the others. */
interface CollectedPart extends Collected {
  readonly ledger: Evidence['ledgers'][number];
  /** The key by which lines name its checkpoint. */
  readonly present: string;
}

interface PartOptions {
  readonly keys: readonly EvidenceKey[];
  /** Keys of the statements that lines of the scope name. */
  readonly named: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Collects the parts of ledgers of other sites that imports kept, as far as they have a line of the scope, or a line of it names
 * their checkpoint. They are untrusted: a part that does not hold is left out.
 *
 * @throws SVC-CUS-004 for too many lines, the signal's reason, SVC-STO-001, SVC-STO-014
 */
export async function collectParts(
  stateRoot: string,
  scope: EvidenceScope,
  { keys, named, signal }: PartOptions,
): Promise<readonly CollectedPart[]> {
  const found: CollectedPart[] = [];
  const pacer = new Pacer();
  let count = 0;
  for await (const { checkpoint, bundle, readLines } of readKeptParts(stateRoot)) {
    signal?.throwIfAborted();
    const lines = await readLines();
    const { point, digest } = checkpoint;
    const selected = await runInTurns(selectFromPart(lines, point, scope), pacer);
    const isNamed = named.has(toStatementKey({ kind: 'checkpoint', digest: point.head }));
    if ('flaw' in selected || (selected.lines.length === 0 && !isNamed)) continue;
    count += selected.lines.length;
    if (count > evidenceLimits.lines) throw toTooLarge('lines', 'lineBytes');
    const name = digestHex(digest).slice(0, 12);
    const file = `ledger/${toPlainName(point.site)}/${point.seq}-${name}.jsonl`;
    const statement = collectStatement('checkpoint', bundle, keys)!;
    const { signature, files } = statement;
    found.push({
      ledger: {
        site: point.site,
        count: selected.count,
        first: selected.first,
        head: point.head,
        files: [file],
        lines: selected.lines,
        checkpoint: signature.path,
      },
      signatures: [signature],
      present: toPresent(statement),
      files: [{ path: file, bytes: lines }, ...files],
    });
  }
  return found;
}

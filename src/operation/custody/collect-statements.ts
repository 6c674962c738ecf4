import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { mapInTurns } from '../../base/pacer.ts';
import { custodyLimits } from '../../contract/custody.ts';
import type { Evidence, EvidenceLine, EvidenceScope } from '../../contract/evidence.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { readBounded } from '../../disk/named-file.ts';
import { type CollectedStatement, collectStatement } from '../../engine/evidence/collect-statement.ts';
import type { Collected, EvidenceKey } from '../../engine/evidence/model.ts';
import { listNamed, type NamedStatement, toStatementKey } from '../../engine/evidence/named-statements.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';
import { isSvcError } from '../../text/error.ts';
import { openReceiptFolder } from '../../zone/receipt-files.ts';
import { toApprovalPath } from './approve-recipe.ts';
import { readKeptStatement } from './kept-statements.ts';

/** Statements of a pack, with the keys by which lines name them. */
interface CollectedStatements extends Collected {
  readonly present: readonly string[];
}

const toCollected = (found: readonly (CollectedStatement | undefined)[]): CollectedStatements => ({
  signatures: found.flatMap((one) => one?.signature ?? []),
  files: found.flatMap((one) => one?.files ?? []),
  present: found.flatMap((one) => (one === undefined ? [] : [toPresent(one)])),
});

/** The key by which lines name a statement that was collected. */
export const toPresent = ({ signature: { kind }, digest }: CollectedStatement): string =>
  toStatementKey({ kind: kind as NamedStatement['kind'], digest: digest! });

/**
 * The receipts that lines of the scope name, as far as they are kept, and the last one of each zone that names a line of this
 * site, as an anchor. A receipt that no line of the whole ledger names is left out, unless it names a line behind its end: it
 * shows that the ledger was cut.
 *
 * @param named keys of the statements that lines of the whole ledger name
 * @throws errors of the state
 */
export async function collectReceipts(
  stateRoot: string,
  { scope, site, named, end, recipes }: Anchoring,
  lines: readonly EvidenceLine[],
  keys: readonly EvidenceKey[],
): Promise<CollectedStatements> {
  const wanted = new Set(listDigests(lines, 'receipt'));
  const folders = ['receipts', 'receipts/own'].map((path) => openReceiptFolder(join(stateRoot, path)));
  const found = new Map<Digest, Buffer>();
  for (const { digest, receipt, bytes } of (await Promise.all(folders.map((one) => one.list()))).flat()) {
    const { custody, lastDelivery } = receipt;
    const points = [custody, ...(custody?.peers ?? [])].filter((point) => point?.site === site);
    const isOfCut = custody?.site !== site && points.some((point) => point!.seq > end);
    if (!isOfCut && !named.has(toStatementKey({ kind: 'receipt', digest }))) continue;
    if (
      points.length > 0 ||
      wanted.has(digest) ||
      (scope.kind === 'delivery' && lastDelivery?.id === scope.value)
    )
      found.set(digest, bytes);
  }
  for (const digest of wanted) {
    const kept = found.get(digest) ?? (await readKeptStatement(stateRoot, 'receipts', digest));
    if (kept !== undefined) found.set(digest, kept);
  }
  // a zone that begins to count anew uses a number twice: the last receipt counts
  const byPath = new Map<string, CollectedStatement>();
  for (const bytes of found.values()) {
    const one = collectStatement('receipt', bytes, keys, recipes);
    if (one !== undefined && !byPath.has(one.signature.path)) byPath.set(one.signature.path, one);
  }
  const sorted = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
  return toCollected(sorted.map(([, one]) => one));
}

/** The ledger of a pack, of which receipts name lines. */
interface Anchoring {
  readonly scope: EvidenceScope;
  readonly site: string;
  readonly named: ReadonlySet<string>;
  /** The number of its last line. */
  readonly end: number;
  /** The recipes of the pack: its document shows them of each receipt. */
  readonly recipes: Evidence['recipes'];
}

/** Digests of the statements of a kind that lines name, sorted. */
const listDigests = (lines: readonly EvidenceLine[], kind: NamedStatement['kind']): readonly Digest[] => {
  const all = lines.flatMap(listNamed).filter((one) => one.kind === kind);
  return [...new Set(all.map(({ digest }) => digest))].sort();
};

/** The approvals that lines name, as far as the state has them. @throws errors of the state */
export async function collectApprovals(
  stateRoot: string,
  lines: readonly EvidenceLine[],
  keys: readonly EvidenceKey[],
): Promise<CollectedStatements> {
  const found: (CollectedStatement | undefined)[] = [];
  for (const digest of listDigests(lines, 'approval')) {
    const bytes = await readOrAbsent(toApprovalPath(stateRoot, digest));
    found.push(bytes && collectStatement('approval', bytes, keys));
  }
  return toCollected(found);
}

/** The kept passports of media that lines name. @throws errors of the state */
export async function collectPassports(
  stateRoot: string,
  lines: readonly EvidenceLine[],
  keys: readonly EvidenceKey[],
): Promise<CollectedStatements> {
  const media = new Set<Digest>();
  const signed = new Set<Digest>();
  await mapInTurns(lines, (line) => {
    const own = line.subjects.filter(({ name }) => name === mediumManifestPath);
    const isNamed = line.subjects.some(({ name }) => name === statementNames.passport);
    for (const { digest } of own) (isNamed ? signed : media).add(digest);
  });
  // lines of earlier versions name no passport
  const wanted = new Set([
    ...listDigests(lines, 'passport'),
    ...[...media].filter((one) => !signed.has(one)),
  ]);
  const found: (CollectedStatement | undefined)[] = [];
  for (const digest of [...wanted].sort()) {
    const bytes = await readKeptStatement(stateRoot, 'passports', digest);
    found.push(bytes && collectStatement('passport', bytes, keys));
  }
  return toCollected(found);
}

async function readOrAbsent(path: string): Promise<Buffer | undefined> {
  try {
    return await readBounded(path, custodyLimits.checkpoint);
  } catch (error) {
    if (isSvcError(error, 'SVC-FIL-005')) return undefined;
    throw error;
  }
}

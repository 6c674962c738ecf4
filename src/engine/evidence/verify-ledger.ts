import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Digest, hashBytes } from '../../base/digest.ts';
import { runInTurns } from '../../base/pacer.ts';
import { type CustodyPoint, custodyLimits } from '../../contract/custody.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { readBounded } from '../../disk/named-file.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { listNamed, type NamedStatement, toStatementKey } from './named-statements.ts';
import { selectFromLedger } from './select-lines.ts';
import { selectFromPart } from './select-part.ts';
import { documentName, type Fault, type OpenedPack } from './verify-statements.ts';

type Ledger = Evidence['ledgers'][number];

/** The heads of ledgers in a statement of the pack. */
export interface CheckedStatement {
  readonly path: string;
  /** Whether a given key verifies it. */
  readonly isVerified: boolean;
  readonly points: readonly CustodyPoint[];
  /** Digest of the lines that came with a checkpoint. */
  readonly part?: Digest;
}

/** The statements that lines of the whole ledger name. */
export interface LedgerNames {
  readonly keys: ReadonlySet<string>;
  /** The last line about each receipt, by its number and zone. */
  readonly receipts: ReadonlyMap<string, NamedStatement>;
}

/**
 * Checks the ledger of the site: its chain, the lines that verified statements name, and that the pack shows exactly its
 * lines about the scope.
 *
 * @returns undefined without its files
 */
export async function checkWhole(
  { root, fault, signal }: OpenedPack,
  { scope }: Pick<Evidence, 'scope'>,
  { site, files, head, first, count, lines }: Ledger,
  statements: readonly CheckedStatement[],
): Promise<LedgerNames | undefined> {
  // actors are withheld
  if (files.length === 0) return undefined;
  const keys = new Set<string>();
  const receipts = new Map<string, NamedStatement>();
  const paths = files.map((path) => join(root, path));
  const named = statements.flatMap(({ path, isVerified, points }) =>
    isVerified ? points.filter((point) => point.site === site).map((point) => ({ path, ...point })) : [],
  );
  const missing = new Map(named.map((point) => [`${point.seq} ${point.head}`, point]));
  const selected = await selectFromLedger(paths, scope, {
    signal,
    visit: (line, { seq, digest }) => {
      missing.delete(`${seq} ${digest}`);
      for (const one of listNamed(line)) {
        keys.add(toStatementKey(one));
        const { name } = line.subjects.find(({ digest: of }) => of === one.digest) ?? {};
        if (one.kind === 'receipt' && name !== undefined) receipts.set(name, one);
      }
    },
  });
  const { check } = selected;
  const [file] = files as readonly [string];
  if (check.broken !== undefined) {
    const { path, line, rule: broken } = check.broken;
    fault(
      path.slice(root.length + 1),
      rule(['line {line}: {broken}', fr`ligne {line} : {broken}`], { line, broken }),
    );
  } else if (check.unfinished !== undefined)
    fault(files.at(-1)!, rule(['its last line is cut', fr`sa dernière ligne est coupée`]));
  else if (
    check.head.digest !== head ||
    check.lines !== count ||
    selected.first !== first ||
    (selected.site ?? site) !== site
  )
    fault(
      file,
      rule([
        `its lines are not those that ${documentName} states`,
        fr`ses lignes ne sont pas celles qu’indique ${documentName}`,
      ]),
    );
  else {
    for (const { path, seq } of missing.values())
      fault(
        files.at(-1)!,
        rule(
          [
            'it does not have line {seq}, which {path} names',
            fr`il n’a pas la ligne {seq}, que nomme {path}`,
          ],
          { seq, path },
        ),
      );
    if (!isDeepStrictEqual(lines, selected.lines)) faultShown(fault);
  }
  return { keys, receipts };
}

const faultShown = (fault: Fault): void =>
  fault(
    documentName,
    rule([
      'it does not show the lines of the ledger about its subject',
      fr`il ne montre pas les lignes du journal de garde sur son sujet`,
    ]),
  );

/** Finds lines and heads of one ledger that contradict each other: two different ones of one number. */
export function checkAgreement(
  { ledgers }: Pick<Evidence, 'ledgers'>,
  statements: readonly CheckedStatement[],
  fault: Fault,
): void {
  const known = new Map<string, { readonly text: string; readonly path: string }>();
  const compare = (
    kind: string,
    { seq, site }: Pick<CustodyPoint, 'seq' | 'site'>,
    text: string,
    path: string,
  ): void => {
    const key = `${kind} ${seq} ${site}`;
    const other = known.get(key);
    if (other === undefined) known.set(key, { text, path });
    else if (other.text !== text)
      fault(
        path,
        rule(
          [
            'its line {seq} of {site} is another one than in {other}: the site wrote its ledger anew',
            fr`sa ligne {seq} de {site} diffère de celle de {other} : le site a réécrit son journal de garde`,
          ],
          { seq, site, other: other.path },
        ),
      );
  };
  for (const { lines, checkpoint, files } of ledgers)
    for (const { open: _open, ...line } of lines)
      compare('line', line, JSON.stringify(line), checkpoint ?? files[0] ?? documentName);
  for (const { path, isVerified, points } of statements)
    for (const point of isVerified ? points : []) compare('head', point, point.head, path);
}

/** Checks a part of the ledger of another site against its checkpoint, and that the pack shows its lines about the scope. */
export async function checkPart(
  { root, fault }: OpenedPack,
  { scope }: Pick<Evidence, 'scope'>,
  { site, files, head, first, count, lines, checkpoint }: Ledger,
  statements: readonly CheckedStatement[],
): Promise<void> {
  const [file] = files;
  // actors are withheld
  if (file === undefined) return;
  const statement = statements.find(({ path }) => path === checkpoint);
  const [point] = statement?.points ?? [];
  const bytes = await readBounded(join(root, file), custodyLimits.carried);
  if (files.length > 1 || point === undefined || statement?.part !== hashBytes(bytes)) {
    fault(file, rule(['no checkpoint names its bytes', fr`aucun point de contrôle ne nomme ses octets`]));
    return;
  }
  const selected = await runInTurns(selectFromPart(bytes, point, scope));
  if ('flaw' in selected) fault(file, selected.flaw);
  else if (
    !isDeepStrictEqual(
      [site, head, first, count],
      [point.site, point.head, selected.first, selected.count],
    ) ||
    !isDeepStrictEqual(lines, selected.lines)
  )
    faultShown(fault);
}

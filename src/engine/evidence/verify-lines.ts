import { isDeepStrictEqual } from 'node:util';
import type { Digest } from '../../base/digest.ts';
import type { Evidence, EvidenceLine } from '../../contract/evidence.ts';
import type { Passport } from '../../contract/passport.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { isWriting } from './claimed-media.ts';
import type { CollectedStatement } from './collect-statement.ts';
import { listAbsent, listNamed, type NamedStatement, toStatementKey } from './named-statements.ts';
import type { LedgerNames } from './verify-ledger.ts';
import { documentName, type Fault, type GivenKey } from './verify-statements.ts';

/** A statement of a pack whose files are as the document states them. */
export interface PackStatement extends CollectedStatement {
  /** The given key that verifies it. */
  readonly by: GivenKey | undefined;
  /** The sites of that key. */
  readonly sites: readonly string[];
}

type Lines = readonly EvidenceLine[];

const namesSubject = ({ subjects }: EvidenceLine, name: string, digest: Digest): boolean =>
  subjects.some((one) => one.name === name && one.digest === digest);

/**
 * Finds statements that no line names or that lines contradict, and statements that lines name and the pack does not have.
 *
 * @param known the statements that lines of the whole ledger name; undefined without a ledger
 * @returns the absent ones that a site keeps for a time only
 */
export function checkNamed(
  evidence: Evidence,
  statements: readonly PackStatement[],
  known: LedgerNames | undefined,
  fault: Fault,
): readonly NamedStatement[] {
  const lines = evidence.ledgers.flatMap((ledger) => ledger.lines);
  const shown = new Set(lines.flatMap(listNamed).map(toStatementKey));
  const keys = new Map(statements.map((one) => [one, toPackKey(one)]));
  for (const statement of statements) {
    const { kind } = statement.signature;
    if (kind === 'approval') checkApproval(statement, lines, fault);
    else if (kind === 'passport') checkPassport(statement, lines, fault);
    else if (kind === 'receipt' && known !== undefined && !shown.has(keys.get(statement)!))
      checkReceipt(statement, known, fault);
  }
  const absent = listAbsent(evidence, new Set(keys.values()));
  if (!isDeepStrictEqual(absent, evidence.absent))
    fault(
      documentName,
      rule([
        'it does not state the statements that lines name and the pack does not have',
        fr`il n’indique pas les déclarations que nomment des lignes et que le dossier n’a pas`,
      ]),
    );
  // a site keeps these with its ledger for ever
  const isKept = ({ kind }: NamedStatement): boolean => kind === 'approval' || kind === 'checkpoint';
  for (const { site, seq } of absent.filter(isKept))
    fault(
      documentName,
      rule(
        [
          'line {seq} of {site} names a statement that the pack does not have',
          fr`la ligne {seq} de {site} nomme une déclaration que le dossier n’a pas`,
        ],
        { seq, site },
      ),
    );
  return absent.filter((one) => !isKept(one));
}

const toPackKey = ({ signature: { kind }, digest }: PackStatement): string => `${kind} ${digest}`;

/** A receipt outside of the scope is an anchor of the ledger: its zone may have signed several of one number. */
function checkReceipt(statement: PackStatement, { keys, receipts }: LedgerNames, fault: Fault): void {
  if (keys.has(toPackKey(statement))) return;
  const { signature, digest } = statement;
  const other = receipts.get(signature.about[0]!);
  if (other === undefined) faultUnnamed(signature.path, fault);
  else
    fault(
      `${signature.path}.signed`,
      rule(
        [
          'line {seq} of {site} names another receipt of this number: {known}, and this one is {digest}',
          fr`la ligne {seq} de {site} nomme un autre reçu de ce numéro : {known}, et celui-ci est {digest}`,
        ],
        { seq: other.seq, site: other.site, known: other.digest, digest: digest! },
      ),
    );
}

function checkApproval({ signature, digest, by }: PackStatement, lines: Lines, fault: Fault): void {
  const naming = lines.filter(
    (line) => line.type === 'approved' && namesSubject(line, statementNames.approval, digest!),
  );
  if (naming.length === 0) faultUnnamed(signature.path, fault);
  for (const { site, seq, details } of by === undefined ? [] : naming)
    if (details.keyFingerprint !== by!.fingerprint)
      faultContradicted(signature.path, { site, seq }, 'keyFingerprint', fault);
}

/** Time in milliseconds by which the clock of a site may have been set back. */
const dayMs = 24 * 60 * 60 * 1000;

function checkPassport(
  { signature, digest, passport, sites }: PackStatement,
  lines: Lines,
  fault: Fault,
): void {
  const { path, subjects } = signature;
  const naming = lines.filter((line) =>
    subjects.some((manifest) => namesSubject(line, mediumManifestPath, manifest)),
  );
  if (naming.length === 0) {
    faultUnnamed(path, fault);
    return;
  }
  const passports = naming.flatMap(listNamed).filter(({ kind }) => kind === 'passport');
  if (passports.length > 0 && !passports.some((one) => one.digest === digest)) faultUnnamed(path, fault);
  for (const line of naming) {
    const broken = findContradiction(passport!, line);
    if (broken !== undefined) faultContradicted(path, line, broken, fault);
  }
  // another site may have a delivery of this identifier too
  const own = lines.filter(({ site }) => sites.includes(site));
  const written = own.filter(
    ({ type, details }) => type === 'written' && details.delivery === passport!.delivery.id,
  );
  const recipes = new Map(
    written.flatMap((line) =>
      line.subjects
        .filter(({ name }) => name !== mediumManifestPath)
        .map(({ name, digest }) => [`${name} ${digest}`, line] as const),
    ),
  );
  const stated = new Set(
    passport!.recipes.map(({ name, version, digest }) => `${name}@${version} ${digest}`),
  );
  if (recipes.size > 0 && !isDeepStrictEqual(new Set(recipes.keys()), stated))
    faultContradicted(path, [...recipes.values()][0]!, 'recipes', fault);
  // lines of the sender alone: the clock of another site may be another one
  const writing = naming.filter((line) => isWriting(line) && own.includes(line));
  const times = [...written, ...writing].map(({ ts }) => Date.parse(ts));
  const at = Date.parse(passport!.issuedAt);
  if (times.length > 0 && (at < Math.min(...times) - dayMs || at > Math.max(...times) + dayMs))
    faultContradicted(path, written[0] ?? naming[0]!, 'issuedAt', fault);
}

/** The member of a passport that a line about its medium contradicts. */
function findContradiction(
  { zone, delivery: { id, part, parts } }: Passport,
  line: EvidenceLine,
): string | undefined {
  const { details } = line;
  const isOf = isWriting(line) || line.type === 'received';
  const stated = { delivery: id, part, parts, ...(isOf ? { zone } : {}) };
  return Object.entries(stated).find(
    ([name, value]) => details[name] !== undefined && details[name] !== value,
  )?.[0];
}

const faultUnnamed = (path: string, fault: Fault): void =>
  fault(`${path}.signed`, rule(['no line of the pack names it', fr`aucune ligne du dossier ne le nomme`]));

const faultContradicted = (
  path: string,
  { site, seq }: Pick<EvidenceLine, 'site' | 'seq'>,
  name: string,
  fault: Fault,
): void =>
  fault(
    `${path}.signed`,
    rule(['line {seq} of {site} contradicts its {name}', fr`la ligne {seq} de {site} contredit son {name}`], {
      seq,
      site,
      name,
    }),
  );

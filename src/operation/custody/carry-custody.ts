import { constants } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadCheckpoint, readCheckpoint, writeCheckpoint } from '../../attest/checkpoint.ts';
import { findSigner, type StatementSigner } from '../../attest/own-statement.ts';
import { type Digest, digestHex, hashBytes } from '../../base/digest.ts';
import { runInTurns } from '../../base/pacer.ts';
import { type CustodyPoint, custodyLimits } from '../../contract/custody.ts';
import { judgeLines, listLinePoints, selectLines } from '../../custody/carried-lines.ts';
import { type Claim, KnownClaims } from '../../custody/claims.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import type { CustodyDetails } from '../../custody/model.ts';
import { writeFileAtomic, writeStateFile } from '../../disk/atomic-file.ts';
import { type GuardedFolder, openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { makeStateFolder } from '../../disk/make-folder.ts';
import { readPlain, readWhole } from '../../disk/plain-file.ts';
import { toReadError } from '../../disk/read-error.ts';
import { removeStale } from '../../disk/remove-leftovers.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { isSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { ZoneKey } from '../../zone/receipts.ts';

/** Folder of a medium with the lines of its sender, relative to its root. The medium manifest does not list it. */
export const carriedFolder = '_svc/custody';
/** The files that a medium carries of a ledger. */
export const carriedNames = { lines: 'ledger.jsonl', checkpoint: 'checkpoint.sigstore.json' } as const;

/**
 * Writes the lines about a delivery onto a medium, and the signed end of the ledger.
 *
 * @param root folder of the medium
 * @throws SVC-STO-001, SVC-STO-002, SVC-STO-004, SVC-STO-014
 */
export async function carryCustody(
  root: string,
  stateRoot: string,
  about: { readonly delivery: string; readonly digests: ReadonlySet<Digest> },
  signer: StatementSigner,
): Promise<void> {
  const selected = await selectLines(toCustodyFolder(stateRoot), about);
  if (selected === undefined) return;
  const checkpoint = writeCheckpoint(selected.point, hashBytes(selected.bytes), signer);
  try {
    await using folder = await openGuardedFolder(root, carriedFolder, { create: true });
    await writeFileAtomic(folder.pathOf(carriedNames.lines), selected.bytes, { mode: 0o644 });
    await writeFileAtomic(folder.pathOf(carriedNames.checkpoint), checkpoint, { mode: 0o644 });
  } catch (error) {
    throw toWriteError(error, join(root, carriedFolder));
  }
}

/** The part of the ledger of a sender that a medium carries. */
export type CarriedCustody =
  | {
      readonly point: CustodyPoint;
      readonly lines: number;
      /** What it says of the ledger. */
      readonly claims: readonly Claim[];
      keep(stateRoot: string): Promise<void>;
    }
  | { readonly flaw: Rule };

/**
 * Reads the lines that a medium carries. They are untrusted, and only shown: a flaw stops no import.
 *
 * @param root real path of the medium
 * @param keys of the sites whose checkpoints are believed
 * @param delivery identifier of the delivery that the medium is of: lines of another one are not taken
 * @returns undefined for a medium without any, as those of earlier versions
 * @throws SVC-STO-014
 */
export async function readCarried(
  root: string,
  keys: readonly ZoneKey[],
  delivery: string | undefined,
): Promise<CarriedCustody | undefined> {
  try {
    await using folder = await openGuardedFolder(root, carriedFolder);
    const checkpoint = await readLimited(folder, carriedNames.checkpoint, custodyLimits.checkpoint);
    const lines = await readLimited(folder, carriedNames.lines, custodyLimits.carried);
    if (checkpoint === undefined && lines === undefined) return undefined;
    if (checkpoint === undefined)
      return { flaw: rule(['their checkpoint is absent', fr`leur point de contrôle est absent`]) };
    if (lines === undefined)
      return {
        flaw: rule(['their checkpoint is there without them', fr`leur point de contrôle est là sans elles`]),
      };
    return await judge({ checkpoint, lines }, keys, delivery);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    if (isSvcError(error, 'SVC-STO-014')) throw error;
    return { flaw: rule(['it cannot be read', fr`il ne peut pas être lu`]) };
  }
}

/** @returns undefined for a file that is absent */
async function readLimited(folder: GuardedFolder, name: string, limit: number): Promise<Buffer | undefined> {
  try {
    await using file = await folder.open(name, constants.O_RDONLY);
    const { size } = await file.stat();
    return await readWhole(file, Math.min(size, limit + 1));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function judge(
  { checkpoint, lines }: { readonly checkpoint: Buffer; readonly lines: Buffer },
  keys: readonly ZoneKey[],
  delivery: string | undefined,
): Promise<CarriedCustody> {
  const read = readCheckpoint(checkpoint);
  if ('flaw' in read) return read;
  const { point } = read;
  const own = keys.filter(({ name, for: kinds }) => name === point.site && kinds.includes('checkpoint'));
  if (findSigner(read, own) === undefined)
    return {
      flaw: rule(
        [
          'no configured key verifies its checkpoint of site {site}',
          fr`aucune clé configurée ne vérifie son point de contrôle du site {site}`,
        ],
        { site: point.site },
      ),
    };
  if (hashBytes(lines) !== read.lines)
    return {
      flaw: rule([
        'its lines are not those that were signed',
        fr`ses lignes ne sont pas celles qui ont été signées`,
      ]),
    };
  const judged = await runInTurns(judgeLines(lines, point));
  if ('flaw' in judged) return judged;
  if (delivery === undefined)
    return {
      flaw: rule([
        'no whole manifest of the medium names its delivery',
        fr`aucun manifeste entier du support ne nomme sa livraison`,
      ]),
    };
  // the lines of another delivery can name this one too, as they share recipes: its proof is only among its own
  const isOwn = judged.lines.some(({ type, details }) => type === 'proved' && details.delivery === delivery);
  if (!isOwn)
    return {
      flaw: rule(['its lines are about another delivery', fr`ses lignes concernent une autre livraison`]),
    };
  return {
    point,
    lines: judged.lines.length,
    claims: toClaims(point, lines, 'the part on this medium'),
    keep: async (stateRoot) => {
      const folder = join(toPeersFolder(stateRoot), point.site);
      await makeStateFolder(folder);
      await removeStale(folder);
      const name = digestHex(read.digest);
      await writeStateFile(join(folder, `${name}.jsonl`), lines);
      await writeStateFile(join(folder, `${name}${suffix}`), checkpoint);
    },
  };
}

/** The claims of a part of a ledger: its checkpoint, each of its lines, and the lines that those name. */
function toClaims({ site, seq, head }: CustodyPoint, lines: Buffer, from: string): readonly Claim[] {
  const within = [...listLinePoints(lines)].map(
    (one): Claim => ({ site, seq: one.seq, head: one.digest, from, isWithin: true }),
  );
  return [{ site, seq, head, from }, ...within];
}

/** Details of the line about an arrival, on the lines that came with it. */
export function describeCarried(carried: CarriedCustody | undefined): CustodyDetails {
  if (carried === undefined) return {};
  if ('flaw' in carried) return { peerFlaw: String(carried.flaw) };
  const { site, seq, head } = carried.point;
  return { peerSite: site, peerSeq: seq, peerHead: head, peerLines: carried.lines };
}

const suffix = '.sigstore.json';
const toPeersFolder = (stateRoot: string): string => join(toCustodyFolder(stateRoot), 'peers');

/** The lines of another site that an import kept. */
interface KeptPart {
  readonly checkpoint: ReadCheckpoint;
  /** The bundle of the checkpoint. */
  readonly bundle: Buffer;
  /** Reads the lines: at most `custodyLimits.carried` bytes, unchecked. @throws SVC-STO-001, SVC-STO-014 */
  readLines(): Promise<Buffer>;
}

/** Reads the kept lines of other sites, one import after the other, by the names of their files. @throws SVC-STO-001, SVC-STO-014 */
export async function* readKeptParts(stateRoot: string): AsyncGenerator<KeptPart> {
  const root = toPeersFolder(stateRoot);
  try {
    const names = await readdir(root, { recursive: true });
    for (const name of names.filter((one) => one.endsWith(suffix)).sort()) {
      const bundle = await readPlain(join(root, name));
      const checkpoint = readCheckpoint(bundle);
      if ('flaw' in checkpoint) continue;
      const path = join(root, `${name.slice(0, -suffix.length)}.jsonl`);
      const readLines = () =>
        readPlain(path).catch((error: unknown) => {
          throw toReadError(error, path);
        });
      yield { checkpoint, bundle, readLines };
    }
  } catch (error) {
    if (!isAbsent(error)) throw toReadError(error, root);
  }
}

/** The claims of kept parts. Lines that are not those that were signed are left out. @throws SVC-STO-001, SVC-STO-014 */
export async function listPartClaims(stateRoot: string): Promise<readonly Claim[]> {
  const known = new KnownClaims();
  for await (const { checkpoint, readLines } of readKeptParts(stateRoot)) {
    const { point, lines: signed } = checkpoint;
    const lines = await readLines();
    const isSigned = hashBytes(lines) === signed;
    const from = `part ${digestHex(checkpoint.digest).slice(0, 12)} of site ${point.site}`;
    for (const claim of toClaims(point, isSigned ? lines : Buffer.alloc(0), from)) known.add(claim);
  }
  return known.list();
}

/** The latest end of the ledger of each site that kept checkpoints name. @throws SVC-STO-001, SVC-STO-014 */
export async function listPeerHeads(stateRoot: string): Promise<readonly CustodyPoint[]> {
  const latest = new Map<string, CustodyPoint>();
  for await (const {
    checkpoint: { point },
  } of readKeptParts(stateRoot))
    if (point.seq > (latest.get(point.site)?.seq ?? 0)) latest.set(point.site, point);
  return [...latest.values()].slice(0, 16);
}

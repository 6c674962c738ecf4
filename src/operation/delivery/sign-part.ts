import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { passportPath, readPassport, writePassport } from '../../attest/passport.ts';
import { type Clock, systemClock, toStamp } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import type { SentDelivery } from '../../contract/write-medium.ts';
import type { Custody } from '../../custody/model.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { toMediumId } from '../../engine/delivery/identify.ts';
import type { Delivery } from '../../engine/delivery/model.ts';
import type { Signer } from '../../signing/signer.ts';
import { carriedFolder, carryCustody } from '../custody/carry-custody.ts';
import { keepKey } from '../custody/kept-keys.ts';
import { keepStatement } from '../custody/kept-statements.ts';

interface PartSigning {
  /** The name of the sender: its zone, or its site. */
  readonly from?: string | undefined;
  /** Milliseconds for which the passport is valid. */
  readonly expiresIn?: number | undefined;
  readonly clock?: Pick<Clock, 'wall'> | undefined;
  /** The ledger whose lines go with the part. */
  readonly custody?: Pick<Custody, 'stateRoot'> | undefined;
}

/** A passport that was signed. */
interface SignedPassport {
  readonly bytes: Buffer;
  /** Digest of its statement. */
  readonly digest: Digest;
}

/**
 * Signs the passport of a proved part. Where a ledger is kept, it is kept too, before a line names it.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function signPassport(
  { from, expiresIn, clock = systemClock, custody }: PartSigning,
  delivery: Delivery,
  about: {
    /** From 1. */
    readonly part: number;
    readonly record: SentDelivery;
    /** Digest of the `media.jsonl` that this run wrote or compared. */
    readonly manifest: Digest;
  },
  signer: Signer,
): Promise<SignedPassport> {
  const { part, record, manifest } = about;
  const { id, zone, base, closures, parts } = delivery;
  const now = clock.wall();
  const at = (time: number): string => toStamp({ wall: () => time });
  const passport = {
    zone,
    ...(from === undefined ? {} : { from }),
    mediaId: toMediumId(delivery, part),
    delivery: { id, part, parts: parts.length },
    ...(base === undefined ? {} : { base }),
    recipes: closures.map(({ record: { name, version, digest } }) => ({ name, version, digest })),
    sequence: record.sequence,
    issuedAt: at(now),
    ...(expiresIn === undefined ? {} : { expiresAt: at(now + expiresIn) }),
  };
  const bytes = writePassport(passport, manifest, signer);
  const read = readPassport(bytes);
  if ('flaw' in read) throw new Error(`unreadable: ${read.flaw}`);
  const signed = { bytes, digest: read.digest };
  if (custody?.stateRoot !== undefined) {
    await keepStatement(custody.stateRoot, 'passports', signed);
    await keepKey(custody.stateRoot, 'site', signer.publicKey);
  }
  return signed;
}

/**
 * Writes the passport of a proved part, and the lines of this site about its delivery with their signed end.
 *
 * @param path folder of the part
 * @throws SVC-STO-001, SVC-STO-002, SVC-STO-004, SVC-STO-014
 */
export async function signPart(
  path: string,
  { custody }: Pick<PartSigning, 'custody'>,
  { id, closures }: Delivery,
  { bytes }: SignedPassport,
  signer: Signer,
): Promise<void> {
  const file = join(path, passportPath);
  try {
    // the disk may have another folder by now, or a link
    await using folder = await openGuardedFolder(path, dirname(passportPath), { create: true });
    await writeFileAtomic(folder.pathOf(basename(passportPath)), bytes, { mode: 0o644 });
  } catch (error) {
    throw toWriteError(error, file);
  }
  if (custody?.stateRoot === undefined) return;
  const digests = new Set(closures.map((closure) => closure.record.digest));
  await carryCustody(path, custody.stateRoot, { delivery: id, digests }, signer);
}

/** Removes the signed statements durably from a part that changes, or is not proved. @throws SVC-STO-002 */
export async function withdrawSignatures(path: string): Promise<void> {
  const names = [passportPath, carriedFolder];
  try {
    await using folder = await openGuardedFolder(path, dirname(passportPath));
    for (const name of names) await rm(folder.pathOf(basename(name)), { recursive: true, force: true });
    await folder.sync();
  } catch (error) {
    if (!isAbsent(error)) throw toWriteError(error, join(path, passportPath));
  }
}

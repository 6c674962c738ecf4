import type { KeyObject } from 'node:crypto';
import { findSigner } from '../../attest/own-statement.ts';
import { passportPath, type ReadPassport, readPassport } from '../../attest/passport.ts';
import type { Digest } from '../../base/digest.ts';
import type { MediumReport } from '../../contract/medium.ts';
import { passportLimit } from '../../contract/passport.ts';
import { openGuardedFile } from '../../disk/guarded-open.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { readWhole } from '../../disk/plain-file.ts';
import { isInconclusive } from '../../disk/read-error.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** Whose passports a zone believes. */
export interface PassportGuard {
  /** Keys of the senders. Empty: a passport is not looked at, unless it is required. */
  readonly keys: readonly { readonly name: string; readonly key: KeyObject }[];
  /** Whether a medium without a passport is refused. */
  readonly required: boolean;
}

/** A medium as its files say, against which its passport is judged. */
export interface StampedMedium {
  readonly header: MediumHeader;
  /** Digest of `media.jsonl`. */
  readonly manifest: Digest;
}

/**
 * Judges the passport of a medium. It vouches for no content: signatures on recipes do. That of a medium for another zone is
 * valid for it: SVC-MED-006 refuses the medium, and can be waived.
 *
 * @param root real path of the medium
 * @param now milliseconds since the epoch
 * @returns SVC-MED-042 for a passport that is required and missing, or present and wrong; SVC-MED-043 for one that expired;
 *   undefined when there is none and none is required
 * @throws SVC-STO-014, SVC-STO-001 when this user cannot read it
 */
export async function judgePassport(
  root: string,
  medium: StampedMedium,
  { keys, required }: PassportGuard,
  now: number,
): Promise<SvcError | NonNullable<MediumReport['passport']> | undefined> {
  const bytes = keys.length === 0 && !required ? undefined : await readFile(root);
  if (bytes === undefined) {
    if (!required) return undefined;
    return toWrong(rule(['there is none', fr`il n’y en a pas`]));
  }
  if (bytes === 'special')
    return toWrong(rule(['it is no regular file', fr`ce n’est pas un fichier ordinaire`]));
  if (bytes === 'large')
    return toWrong(rule(['larger than {limit} bytes', fr`plus de {limit} octets`], { limit: passportLimit }));
  const read = readPassport(bytes);
  if ('flaw' in read) return toWrong(read.flaw);
  const signer = findSigner(read, keys);
  if (signer === undefined) return toWrong(toUnknownSigner(read.hint));
  const flaw = findFlaw(read, medium) ?? findOtherSender(read, signer.name, keys);
  if (flaw !== undefined) return toWrong(flaw);
  const { expiresAt, issuedAt } = read.passport;
  if (expiresAt !== undefined && Date.parse(expiresAt) < now)
    return svcError('SVC-MED-043', { expiresAt, folder: root, now: new Date(now).toISOString() });
  return {
    signer: signer.name,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(Date.parse(issuedAt) > now + dayMs ? { ahead: issuedAt } : {}),
  };
}

/**
 * Whether a medium has a passport of its own, with a signature of any key.
 *
 * @param root real path of the medium
 * @throws SVC-STO-014, SVC-STO-001 when this user cannot read it
 */
export async function hasPassport(root: string, medium: StampedMedium): Promise<boolean> {
  const bytes = await readFile(root);
  if (bytes === undefined || typeof bytes === 'string') return false;
  const read = readPassport(bytes);
  return !('flaw' in read) && findFlaw(read, medium) === undefined;
}

/** @param hint of the key: the fingerprint in base64, which nothing signs */
function toUnknownSigner(hint: string | undefined): Rule {
  const key = hint === undefined ? '' : Buffer.from(hint, 'base64').toString('hex');
  if (!/^[0-9a-f]{64}$/.test(key))
    return rule([
      'no configured peer with for: [passport] signed it',
      fr`aucun pair configuré avec for: [passport] ne l’a signé`,
    ]);
  return rule(
    [
      'no configured peer with for: [passport] signed it (it names the key {key})',
      fr`aucun pair configuré avec for: [passport] ne l’a signé (il nomme la clé {key})`,
    ],
    { key },
  );
}

/** Milliseconds by which the clocks of two sites may differ. */
const dayMs = 24 * 60 * 60 * 1000;

/** A passport that names another peer as its sender than the one whose key signed it: one key may have several names. */
function findOtherSender(read: ReadPassport, by: string, keys: PassportGuard['keys']): Rule | undefined {
  const { from } = read.passport;
  const others = keys.filter(({ name }) => name === from);
  if (others.length === 0 || findSigner(read, others) !== undefined) return undefined;
  return rule(
    [
      'it names {from} as its sender, and the key of {by} signed it',
      fr`il nomme {from} comme expéditeur, et la clé de {by} l’a signé`,
    ],
    { from: from!, by },
  );
}

/** The first statement of a passport that does not hold for the medium. Pure. */
function findFlaw({ passport, subjects }: ReadPassport, medium: StampedMedium): Rule | undefined {
  const { header, manifest } = medium;
  if (!subjects.some(({ digest }) => digest === manifest))
    return rule(['it is that of another medium', fr`il est celui d’un autre support`]);
  if (passport.zone !== header.zone)
    return rule(['it is for zone {zone}', fr`il est pour la zone {zone}`], { zone: passport.zone });
  const stamped = JSON.stringify([passport.mediaId, passport.delivery, passport.base]);
  const { id, part, parts } = header.delivery ?? {};
  const { zone: of, receipt, sequence } = header.base ?? {};
  const claimed = JSON.stringify([
    header.mediaId,
    { id, part, parts },
    header.base && { zone: of, receipt, sequence },
  ]);
  if (stamped !== claimed)
    return rule(['it is for another delivery or part', fr`il est pour une autre livraison ou partie`]);
  const named = new Set(passport.recipes.map((one) => `${one.name}@${one.version} ${one.digest}`));
  const digests = new Set(passport.recipes.map(({ digest }) => digest));
  const missing =
    header.recipes.find((one) => !named.has(`${one.name}@${one.version} ${one.digest}`))?.digest ??
    header.otherRecipes?.find((digest) => !digests.has(digest));
  return missing === undefined
    ? undefined
    : rule(['it does not name recipe {digest}', fr`il ne nomme pas la recette {digest}`], {
        digest: missing,
      });
}

const toWrong = (detail: Rule): SvcError => svcError('SVC-MED-042', { path: passportPath, detail });

async function readFile(root: string): Promise<Buffer | 'large' | 'special' | undefined> {
  try {
    const { file, size } = await openGuardedFile(root, passportPath);
    try {
      return size > passportLimit ? 'large' : await readWhole(file, size);
    } finally {
      await file.close();
    }
  } catch (error) {
    const cause = isSvcError(error) ? error.cause : error;
    if (isAbsent(cause) || isAbsent(error)) return undefined;
    if (isInconclusive(error)) throw error;
    return 'special';
  }
}

/** The lead of a package, and the beginning and the entries of a header (rpm, `docs/manual/format_v4.md`). */
export const rpmForm = {
  leadBytes: 96,
  leadMagic: 0xed_ab_ee_db,
  headerMagic: 0x8e_ad_e8_01,
  introBytes: 16,
  entryBytes: 16,
} as const;

const { leadBytes, introBytes, entryBytes } = rpmForm;

/** Bytes of the beginning of a package that `isUnsignedRpm` needs. */
export const rpmHeadBytes: number = leadBytes + introBytes + 128 * entryBytes;

/**
 * Tags of signatures in the signature header (rpm, `rpmtag.h`): DSAHEADER, RSAHEADER, OPENPGP, and PGP and GPG over header
 * and payload.
 */
const signatureTags: ReadonlySet<number> = new Set([267, 268, 278, 1002, 1005]);

/**
 * Whether a package has no signature of its own, by the tags of its signature header. A file that is no readable
 * package, or has too many tags, counts as signed: clients then check it, and refuse it.
 *
 * @param head the beginning of the file, `rpmHeadBytes` where it has so many
 */
export function isUnsignedRpm(head: Buffer): boolean {
  if (head.length < leadBytes + introBytes) return false;
  if (head.readUInt32BE(0) !== rpmForm.leadMagic) return false;
  if (head.readUInt32BE(leadBytes) !== rpmForm.headerMagic) return false;
  const tags = head.readUInt32BE(leadBytes + 8);
  const start = leadBytes + introBytes;
  if (head.length < start + tags * entryBytes) return false;
  for (let at = start; at < start + tags * entryBytes; at += entryBytes)
    if (signatureTags.has(head.readUInt32BE(at))) return false;
  return true;
}

/** Whether a name is that of a package; a source package is one too. */
export const isRpmName = (path: string): boolean => path.endsWith('.rpm');

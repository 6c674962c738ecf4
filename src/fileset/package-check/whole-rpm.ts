import type { ReadAt } from './read-at.ts';
import { rpmForm } from './rpm-signature.ts';

/** Limits of rpm for a header: entries, and bytes of their values (rpm, `lib/header.c`). */
const mostEntries = 0xff_ff;
const mostBytes = 0x0f_ff_ff_ff;

/** Tags with the size of the header and the payload in the signature header: LONGSIZE and SIZE (rpm, `rpmtag.h`). */
const sizeTags = { long: 270, short: 1000 } as const;

interface RpmHeader {
  /** Where it ends, without the bytes that fill it up. */
  readonly end: number;
  /** The first value of a tag, a number of so many bytes; NaN when it is outside of the header. */
  readonly numberOf: (tag: number, bytes: 4 | 8) => Promise<number | undefined>;
}

/** Reads the entries of a header. @returns undefined when it is none, or is cut off */
async function readHeader(read: ReadAt, at: number, size: number): Promise<RpmHeader | undefined> {
  const { headerMagic, introBytes, entryBytes } = rpmForm;
  const intro = await read(at, introBytes);
  if (intro.length < introBytes || intro.readUInt32BE(0) !== headerMagic) return undefined;
  const [count, length] = [intro.readUInt32BE(8), intro.readUInt32BE(12)];
  const start = at + introBytes + count * entryBytes;
  const end = start + length;
  if (count > mostEntries || length > mostBytes || end > size) return undefined;
  const entries = await read(at + introBytes, count * entryBytes);
  return {
    end,
    numberOf: async (tag, bytes) => {
      for (let entry = 0; entry + entryBytes <= entries.length; entry += entryBytes) {
        if (entries.readUInt32BE(entry) !== tag) continue;
        const offset = entries.readUInt32BE(entry + 8);
        if (offset + bytes > length) return Number.NaN;
        const value = await read(start + offset, bytes);
        return bytes === 4 ? value.readUInt32BE(0) : Number(value.readBigUInt64BE(0));
      }
      return undefined;
    },
  };
}

/**
 * Whether a package of rpm has the size that its signature header says. A package without such a size, as the sixth version
 * of the format makes them, must have its whole header.
 */
export async function isWholeRpm(read: ReadAt, size: number): Promise<boolean> {
  const lead = await read(0, rpmForm.leadBytes);
  if (lead.length < rpmForm.leadBytes || lead.readUInt32BE(0) !== rpmForm.leadMagic) return false;
  const signature = await readHeader(read, rpmForm.leadBytes, size);
  if (signature === undefined) return false;
  // the header begins at a multiple of 8 bytes
  const start = Math.ceil(signature.end / 8) * 8;
  const rest = (await signature.numberOf(sizeTags.long, 8)) ?? (await signature.numberOf(sizeTags.short, 4));
  const header = await readHeader(read, start, size);
  return header !== undefined && (rest === undefined || start + rest === size);
}

const loadType = 1;
const entryBytes = 56;

/**
 * Removes the parts of an ELF program that are not needed to load it. They are symbols, section names and the table of
 * sections, and lie behind its last loaded segment. The result depends on the program alone, unlike that of the `strip`
 * of a machine, and the program may be for another processor.
 *
 * @param program a 64-bit little-endian ELF executable
 */
export function stripSymbols(program: Buffer): Buffer {
  const table = Number(program.readBigUInt64LE(32));
  const count = program.readUInt16LE(56);
  let end = table + count * entryBytes;
  for (let at = table; at < table + count * entryBytes; at += entryBytes) {
    if (program.readUInt32LE(at) !== loadType) continue;
    const offset = Number(program.readBigUInt64LE(at + 8));
    end = Math.max(end, offset + Number(program.readBigUInt64LE(at + 32)));
  }
  const stripped = Buffer.from(program.subarray(0, end));
  // no table of sections: its offset, number of entries, and index of names
  stripped.writeBigUInt64LE(0n, 40);
  stripped.writeUInt16LE(0, 60);
  stripped.writeUInt16LE(0, 62);
  return stripped;
}

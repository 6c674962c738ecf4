interface Member {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Formats an archive as deb(5) wants it: names of at most 15 bytes, owner 0.
 *
 * @param seconds time of every member, since 1970
 */
export function toAr(members: readonly Member[], seconds: number): Buffer {
  const parts = members.flatMap(({ name, bytes }) => {
    if (name.length > 15) throw new Error(`${name}: a name in this archive has at most 15 bytes`);
    const fields = [name.padEnd(16), String(seconds).padEnd(12), '0'.padEnd(6), '0'.padEnd(6)];
    const header = [...fields, '100644'.padEnd(8), String(bytes.length).padEnd(10), '`\n'].join('');
    return [Buffer.from(header), bytes, Buffer.from(bytes.length % 2 === 0 ? '' : '\n')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

/**
 * Reads one member of an archive.
 *
 * @param prefix beginning of its name
 * @throws Error when there is none
 */
export function readArMember(archive: Buffer, prefix: string): Member {
  for (let at = 8; at + 60 <= archive.length; ) {
    const field = (from: number, to: number): string =>
      archive.toString('latin1', at + from, at + to).trimEnd();
    const size = Number(field(48, 58));
    const name = field(0, 16).replace(/\/$/, '');
    if (name.startsWith(prefix)) return { name, bytes: archive.subarray(at + 60, at + 60 + size) };
    at += 60 + size + (size % 2);
  }
  throw new Error(`the archive has no member ${prefix}`);
}

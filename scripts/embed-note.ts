// Adds a note to an ELF program, where the runtime looks for its embedded program: a PT_NOTE that is loaded
// into memory. There is no room for another program header, so the program headers are moved, with the note,
// into a new segment at the end.
const noteType = 4;
const loadType = 1;
const programHeadersType = 6;
const entryBytes = 56;
const page = 0x10000;

interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileBytes: number;
  readonly memoryBytes: number;
  readonly alignment: number;
}

function readSegments(program: Buffer): Segment[] {
  const start = Number(program.readBigUInt64LE(32));
  return Array.from({ length: program.readUInt16LE(56) }, (_, index) => {
    const at = start + index * entryBytes;
    const word = (offset: number): number => Number(program.readBigUInt64LE(at + offset));
    return {
      type: program.readUInt32LE(at),
      flags: program.readUInt32LE(at + 4),
      offset: word(8),
      address: word(16),
      fileBytes: word(32),
      memoryBytes: word(40),
      alignment: word(48),
    };
  });
}

function writeSegments(segments: readonly Segment[]): Buffer {
  const table = Buffer.alloc(segments.length * entryBytes);
  for (const [index, segment] of segments.entries()) {
    const at = index * entryBytes;
    table.writeUInt32LE(segment.type, at);
    table.writeUInt32LE(segment.flags, at + 4);
    const words = [
      segment.offset,
      segment.address,
      segment.address,
      segment.fileBytes,
      segment.memoryBytes,
      segment.alignment,
    ];
    for (const [word, value] of words.entries()) table.writeBigUInt64LE(BigInt(value), at + 8 + word * 8);
  }
  return table;
}

const align = (value: number, to: number): number => Math.ceil(value / to) * to;

/**
 * Adds a note with this name to a program.
 *
 * @param program a 64-bit little-endian ELF executable
 * @returns the parts of the new program, in order
 * @throws Error for any other file
 */
export function embedNote(program: Buffer, name: string, content: Buffer): Buffer[] {
  if (
    program.readUInt32BE(0) !== 0x7f454c46 ||
    program[4] !== 2 ||
    program[5] !== 1 ||
    program.readUInt16LE(54) !== entryBytes
  ) {
    throw new Error('not a 64-bit little-endian ELF program');
  }
  const segments = readSegments(program);
  const loads = segments.filter(({ type }) => type === loadType);
  const first = loads[0]!;
  // Kernels before 5.18 compute the address of the headers from the first segment: the new segment must have
  // the same distance between address and offset.
  const distance = first.address - first.offset;
  const end = Math.max(
    program.length + distance,
    ...loads.map(({ address, memoryBytes }) => address + memoryBytes),
  );
  const address = align(end, page);
  const offset = address - distance;

  const label = Buffer.from(`${name}\0`);
  const note = Buffer.alloc(12 + align(label.length, 4));
  note.writeUInt32LE(label.length, 0);
  note.writeUInt32LE(content.length, 4);
  label.copy(note, 12);
  const noteAt = align((segments.length + 2) * entryBytes, 16);
  const noteBytes = note.length + content.length;
  const readable = 4;
  const load: Segment = {
    type: loadType,
    flags: readable,
    offset,
    address,
    fileBytes: noteAt + noteBytes,
    memoryBytes: noteAt + noteBytes,
    alignment: page,
  };
  const noteSegment: Segment = {
    ...load,
    type: noteType,
    offset: offset + noteAt,
    address: address + noteAt,
    fileBytes: noteBytes,
    memoryBytes: noteBytes,
    alignment: 4,
  };
  const lastLoad = segments.findLastIndex(({ type }) => type === loadType);
  const tableBytes = (segments.length + 2) * entryBytes;
  const moved = [...segments.slice(0, lastLoad + 1), load, ...segments.slice(lastLoad + 1), noteSegment].map(
    (segment) =>
      segment.type === programHeadersType
        ? { ...segment, offset, address, fileBytes: tableBytes, memoryBytes: tableBytes }
        : segment,
  );
  const head = Buffer.from(program);
  head.writeBigUInt64LE(BigInt(offset), 32);
  head.writeUInt16LE(moved.length, 56);
  const table = Buffer.alloc(noteAt);
  writeSegments(moved).copy(table);
  return [head, Buffer.alloc(offset - program.length), table, note, content];
}

// the part of ASN.1 DER (ITU-T X.690) that an encrypted PKCS #8 key needs

/** Tags of the elements that are used. */
export const tags = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, sequence: 0x30 } as const;

export interface DerElement {
  readonly tag: number;
  readonly body: Buffer;
}

/**
 * Reads the elements that follow each other in some bytes.
 *
 * @throws RangeError when the bytes are not DER, or an element is cut off
 */
export function readElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!;
    const { length, start } = readLength(bytes, at + 1);
    if (start + length > bytes.length) throw new RangeError('an element is cut off');
    elements.push({ tag, body: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** Reads the members of a sequence. @throws RangeError when it is not one */
export function readSequence(element: DerElement | undefined): readonly DerElement[] {
  if (element?.tag !== tags.sequence) throw new RangeError('not a sequence');
  return readElements(element.body);
}

/** Reads a non-negative integer of at most 6 bytes. @throws RangeError when it is not one, or larger */
export function readInteger(element: DerElement | undefined): number {
  if (element?.tag !== tags.integer) throw new RangeError('not an integer');
  const { body } = element;
  if (body.length === 0 || body.length > 6 || body[0]! >= 0x80) throw new RangeError('an integer too large');
  return body.readUIntBE(0, body.length);
}

function readLength(bytes: Buffer, at: number): { readonly length: number; readonly start: number } {
  const first = bytes[at];
  if (first === undefined) throw new RangeError('an element is cut off');
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 1 + count > bytes.length) throw new RangeError('not a DER length');
  return { length: bytes.readUIntBE(at + 1, count), start: at + 1 + count };
}

/** Writes one element. */
export function toElement(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(8, '0'), 'hex');
  const digits = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, body]);
}

/** Writes a non-negative integer. */
export function toInteger(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return toElement(tags.integer, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

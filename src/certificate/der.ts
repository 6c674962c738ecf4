// the part of ASN.1 DER (ITU-T X.690) that certificates and encrypted PKCS #8 keys need

/** Tags of the elements that are used. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  null: 0x05,
  objectId: 0x06,
  text: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

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

/** Whether an element is an object identifier, in the dotted form. */
export function isObjectId(element: DerElement | undefined, text: string): boolean {
  return element !== undefined && toElement(element.tag, element.body).equals(objectId(text));
}

/** Writes one element. */
export function toElement(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  if (body.length < 0x80) length.push(body.length);
  else {
    for (let rest = body.length; rest > 0; rest = Math.floor(rest / 256)) length.unshift(rest % 256);
    length.unshift(0x80 | length.length);
  }
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => toElement(tags.sequence, ...parts);
export const octets = (bytes: Uint8Array): Buffer => toElement(tags.octets, bytes);

/** Writes an object identifier. @param text in the dotted form */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return toElement(tags.objectId, Buffer.from(bytes));
}

/** Writes a non-negative integer. */
export function toInteger(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return toElement(tags.integer, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** PEM (RFC 7468) with lines of 64 characters. */
export function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

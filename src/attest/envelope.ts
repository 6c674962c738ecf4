/** Payload type of in-toto statements in a DSSE envelope. */
export const payloadType = 'application/vnd.in-toto+json';

/** Pre-authentication encoding of DSSE v1.0.0 (section Protocol): the bytes that are signed. */
export function preAuthEncoding(type: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ]);
}

/**
 * Reads the payload out of a pre-authentication encoding of an in-toto statement.
 *
 * @returns undefined when the bytes are not exactly such an encoding
 */
export function parsePreAuthEncoding(bytes: Buffer): Buffer | undefined {
  const head = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} `);
  if (!bytes.subarray(0, head.length).equals(head)) return undefined;
  const end = bytes.indexOf(' ', head.length);
  if (end < 0) return undefined;
  const payload = bytes.subarray(end + 1);
  return preAuthEncoding(payloadType, payload).equals(bytes) ? payload : undefined;
}

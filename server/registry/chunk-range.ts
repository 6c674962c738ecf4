/**
 * Parses the `Content-Range` of a chunk of an upload: `<start>-<end>`, both inclusive, with or without
 * `bytes` and `/size` (distribution specification, Pushing a blob in chunks).
 *
 * @returns undefined when it is invalid
 */
export function parseChunkRange(
  header: string,
): { readonly start: number; readonly end: number } | undefined {
  const match = /^(?:bytes[ =])?([0-9]{1,16})-([0-9]{1,16})(?:\/(?:[0-9]{1,16}|\*))?$/.exec(header.trim());
  if (match === null) return undefined;
  const start = Number(match[1]);
  const end = Number(match[2]);
  return end >= start || end === start - 1 ? { start, end } : undefined;
}

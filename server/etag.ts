import { createHash } from 'node:crypto';

/** The strong entity tag of a representation (RFC 9110, section 8.8.3). */
export function toEtag(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

/**
 * Whether the list of `If-None-Match` or `If-Match` names an entity tag. The comparison is weak (RFC 9110, section
 * 13.1.2): a proxy that compresses makes a tag weak.
 */
export function isTagListed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

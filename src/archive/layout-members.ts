import { type Digest, isDigest } from '../base/digest.ts';
import { indexPath, layoutPath } from '../oci/layout.ts';

/** What a path means in a layout; a foreign one comes with the rule it breaks. */
export type LayoutMember =
  | { readonly role: 'marker' | 'index' | 'folder' }
  | { readonly role: 'blob'; readonly digest: Digest }
  | { readonly role: 'foreign'; readonly rule: string };

/** Members that a layout may have: a store of half a million blobs fits. */
export const memberLimit = 600_000;

/** Folders that a layout has; `ingest` is where containerd prepares blobs, and holds nothing. */
const folders: ReadonlySet<string> = new Set(['', '.', 'blobs', 'blobs/sha256', 'blobs/sha512', 'ingest']);

const foreign = (rule: string): LayoutMember => ({ role: 'foreign', rule });

/**
 * Says what a path of an archive or folder is. One leading `./` is read over, as tar writes it; anything else that could
 * lead elsewhere is foreign.
 */
export function toLayoutMember(path: string, kind: 'file' | 'folder' | 'link' | 'special'): LayoutMember {
  if (/[\0\\]/.test(path)) return foreign('the name has a NUL or a backslash');
  if (path.startsWith('/')) return foreign('the path is absolute');
  const name = path.startsWith('./') ? path.slice(2) : path;
  if (
    name !== '' &&
    name !== '.' &&
    name.split('/').some((part) => part === '' || part === '.' || part === '..')
  )
    return foreign('the path has empty or dot segments');
  const stranger = toKnownStranger(name);
  if (stranger !== undefined) return foreign(stranger);
  if (kind === 'link') return foreign('a link is no part of a layout');
  if (kind === 'special') return foreign('a device or pipe is no part of a layout');
  if (kind === 'folder')
    return folders.has(name) ? { role: 'folder' } : foreign('the folder is no part of a layout');
  if (name === layoutPath) return { role: 'marker' };
  if (name === indexPath) return { role: 'index' };
  const [top, algorithm, hex, ...rest] = name.split('/');
  const digest = `${algorithm}:${hex}`;
  if (top === 'blobs' && hex !== undefined && rest.length === 0) {
    if (isDigest(digest)) return { role: 'blob', digest };
    return foreign('the name is no sha256 or sha512 digest: it could not be verified');
  }
  return foreign('the file is no part of a layout');
}

/** Two things that are often taken for a layout, with what to do about them. */
function toKnownStranger(name: string): string | undefined {
  const isDockerSave =
    /^(?:manifest\.json|repositories|[0-9a-f]{64}(?:\.json|\.tar|(?:\/(?:layer\.tar|json|VERSION))?))$/;
  if (isDockerSave.test(name))
    return 'it was made by docker save: convert it with `skopeo copy docker-archive:<file> oci-archive:<new file>:<name>:<tag>`';
  if (/^(?:_svc|ledger)(?:\/|$)|^media\.jsonl$/.test(name))
    return 'it is a store of svc: carry it with `svc media import`, or make a layout of it with `svc export`';
  return undefined;
}

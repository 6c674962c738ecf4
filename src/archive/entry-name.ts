import { isDigest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { canonicalHost, isQualifiedHost, isRepositoryName, isTag } from '../oci/reference.ts';

/** Where the name of an entry stands (OCI image specification, Pre-Defined Annotation Keys). */
export const nameAnnotation = 'org.opencontainers.image.ref.name';
/** Where containerd and Docker write and look for the full name of an image. */
export const containerdAnnotation = 'io.containerd.image.name';

/** What an entry of a layout is called. Tools write a full name, only a tag, or nothing. */
export interface EntryName {
  /** As it is written; for messages. */
  readonly text?: string;
  /** A repository of ours: the `:` of a port is written `_`. */
  readonly repository?: string;
  readonly tag?: string;
  /** Why it cannot be used. */
  readonly rule?: string;
}

/** The name of an entry; containerd's full name counts where the other one is only a tag. */
export function toEntryName({ annotations = {}, digest }: Descriptor): EntryName {
  const text = annotations[nameAnnotation];
  const named = text === undefined || text === '' ? {} : parseEntryName(text, digest);
  if (named.repository !== undefined || named.rule !== undefined) return named;
  const full = annotations[containerdAnnotation];
  if (full === undefined || full === '') return named;
  const better = parseEntryName(full, digest);
  return better.repository === undefined ? named : better;
}

/**
 * Reads `[<host>[:<port>]/]<path>[:<tag>][@<digest>]`; a single word is a tag.
 *
 * @param digest of the entry; another one in its name is refused
 */
export function parseEntryName(text: string, digest: string): EntryName {
  const refuse = (rule: string): EntryName => ({ text: text.slice(0, 512), rule });
  if (text.length > 1024) return refuse('at most 1024 characters');
  const at = text.indexOf('@');
  if (at >= 0) {
    const stated = text.slice(at + 1);
    if (!isDigest(stated)) return refuse('the digest must be sha256:<64 hex> or sha512:<128 hex>');
    if (stated !== digest) return refuse(`it stands for ${digest}`);
  }
  const named = at < 0 ? text : text.slice(0, at);
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  if (slash < 0 && colon < 0 && at < 0)
    return isTag(named) ? { text, tag: named } : refuse('the tag is not valid');
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !isTag(tag)) return refuse('the tag is not valid');
  const repository = toLocalName(colon < 0 ? named : named.slice(0, colon));
  if (!isRepositoryName(repository)) return refuse('the path is not a valid repository name');
  return { text, repository, ...(tag === undefined ? {} : { tag }) };
}

/** A host is written as the store writes it; a path without one stays as it is. */
function toLocalName(path: string): string {
  const slash = path.indexOf('/');
  const host = path.slice(0, Math.max(0, slash)).toLowerCase();
  return isQualifiedHost(host) ? `${canonicalHost(host).replace(':', '_')}${path.slice(slash)}` : path;
}

/** The full name as containerd wants it: with a host, the port after a colon. Undefined where the path begins with none. */
export function toContainerdName(repository: string, tag: string): string | undefined {
  const slash = repository.indexOf('/');
  const first = repository.slice(0, Math.max(0, slash));
  const host = first.replace(/_([0-9]{1,5})$/, ':$1');
  return isQualifiedHost(host) ? `${host}${repository.slice(slash)}:${tag}` : undefined;
}

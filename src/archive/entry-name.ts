import { isDigest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { canonicalHost, isQualifiedHost, isRepositoryName, isTag } from '../oci/reference.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** Annotation with the name of an entry (OCI image specification, Pre-Defined Annotation Keys). */
export const nameAnnotation = 'org.opencontainers.image.ref.name';
/** Annotation in which containerd and Docker write and expect the full name of an image. */
export const containerdAnnotation = 'io.containerd.image.name';

/** Name of an entry of a layout. Tools write a full name, only a tag, or no name. */
interface EntryName {
  /** The annotation as written, for messages. */
  readonly text?: string;
  /** Name of the local repository: the `:` before a port is written `_`. */
  readonly repository?: string;
  readonly tag?: string;
  /** The rule that the name breaks. */
  readonly rule?: Rule;
}

/** Returns the name of an entry; containerd's full name is used if the other annotation is only a tag. */
export function toEntryName({ annotations = {}, digest }: Descriptor): EntryName {
  const text = annotations[nameAnnotation];
  const named = text === undefined || text === '' ? {} : parseEntryName(text, digest);
  if (named.repository !== undefined || named.rule !== undefined) return named;
  const full = annotations[containerdAnnotation];
  if (full === undefined || full === '') return named;
  const better = parseEntryName(full, digest);
  return better.repository === undefined ? named : better;
}

/** Returns whether an entry has no tag, so that only a subject could keep it. */
export function isUntagged(entry: Descriptor): boolean {
  const name = toEntryName(entry);
  return name.tag === undefined && name.rule === undefined;
}

/** Returns whether an entry has no name. */
export function isNameless(entry: Descriptor): boolean {
  return toEntryName(entry).text === undefined;
}

/**
 * Reads `[<host>[:<port>]/]<path>[:<tag>][@<digest>]`; a single word is a tag.
 *
 * @param digest of the entry; a name with another digest is refused
 */
function parseEntryName(text: string, digest: string): EntryName {
  const refuse = (rule: Rule): EntryName => ({ text: text.slice(0, 512), rule });
  if (text.length > 1024)
    return refuse(rule(['at most {n} characters', fr`au plus {n} caractères`], { n: 1024 }));
  const at = text.indexOf('@');
  if (at >= 0) {
    const stated = text.slice(at + 1);
    if (!isDigest(stated))
      return refuse(
        rule([
          'the digest must be sha256:<64 hex> or sha512:<128 hex>',
          fr`l’empreinte doit être sha256:<64 hex> ou sha512:<128 hex>`,
        ]),
      );
    if (stated !== digest)
      return refuse(rule(['it stands for {digest}', fr`il désigne {digest}`], { digest }));
  }
  const named = at < 0 ? text : text.slice(0, at);
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  if (slash < 0 && colon < 0 && at < 0)
    return isTag(named)
      ? { text, tag: named }
      : refuse(rule(['the tag is not valid', fr`l’étiquette n’est pas valide`]));
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !isTag(tag))
    return refuse(rule(['the tag is not valid', fr`l’étiquette n’est pas valide`]));
  const repository = toLocalName(colon < 0 ? named : named.slice(0, colon));
  if (!isRepositoryName(repository))
    return refuse(
      rule(['the path is not a valid repository name', fr`le chemin n’est pas un nom de dépôt valide`]),
    );
  return { text, repository, ...(tag === undefined ? {} : { tag }) };
}

/** Converts a path with a host to the form of the store; a path without a host is unchanged. */
function toLocalName(path: string): string {
  const slash = path.indexOf('/');
  const host = path.slice(0, Math.max(0, slash)).toLowerCase();
  return isQualifiedHost(host) ? `${canonicalHost(host).replace(':', '_')}${path.slice(slash)}` : path;
}

/** Returns the full name for containerd, with host and `:` before a port. Undefined when the path has no host. */
export function toContainerdName(repository: string, tag: string): string | undefined {
  const slash = repository.indexOf('/');
  const first = repository.slice(0, Math.max(0, slash));
  const host = first.replace(/_([0-9]{1,5})$/, ':$1');
  return isQualifiedHost(host) ? `${host}${repository.slice(slash)}:${tag}` : undefined;
}

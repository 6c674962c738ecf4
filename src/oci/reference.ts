import { type Digest, isDigest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';

/** A repository at a registry: `host[:port]` and the path below it. */
export interface RepositoryReference {
  /** Lower-case host, with its port when one was written. */
  readonly host: string;
  readonly repository: string;
}

export interface Reference extends RepositoryReference {
  readonly tag?: string;
  readonly digest?: Digest;
}

const repositorySegment = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const hostLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** OCI distribution specification, Pulling manifests: `<name>`, at most 255 characters. */
export function isRepositoryName(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= 255 &&
    text.split('/').every((segment) => repositorySegment.test(segment))
  );
}

/** OCI distribution specification: a tag. */
export function isTag(text: string): boolean {
  return text.length <= 128 && tagPattern.test(text);
}

/** `host[:port]` without scheme, userinfo or path; the host is a name or an IPv4 literal, lower-case; port 1-65535. */
export function isHost(text: string): boolean {
  if (text.length > 260) return false;
  const colon = text.lastIndexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  if (colon >= 0) {
    const port = text.slice(colon + 1);
    if (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > 65535) return false;
  }
  return (
    name.length > 0 &&
    name.length <= 253 &&
    name.split('.').every((label) => label.length <= 63 && hostLabel.test(label))
  );
}

/** Whether a host is fully qualified: a dotted name, `localhost`, or an explicit port. */
export function isQualifiedHost(host: string): boolean {
  return isHost(host) && (host.includes('.') || host.includes(':') || host === 'localhost');
}

/**
 * Reads `<host>[:<port>]/<path>` with a fully qualified host and neither tag nor digest.
 *
 * @throws SVC-REG-001
 */
export function parseRepositoryReference(text: string): RepositoryReference {
  const fail = (rule: string) => svcError('SVC-REG-001', { reference: text.slice(0, 512), rule });
  if (text.length > 512) throw fail('at most 512 characters');
  const slash = text.indexOf('/');
  if (slash <= 0) throw fail('must be <host>[:<port>]/<path>');
  const host = text.slice(0, slash).toLowerCase();
  const repository = text.slice(slash + 1);
  if (host.startsWith('[')) throw fail('IPv6 literals are not accepted');
  if (!isHost(host)) throw fail('the host is not a valid name or has an invalid port');
  if (!isQualifiedHost(host))
    throw fail('the host must be fully qualified: a dotted name, localhost, or an explicit port');
  if (!isRepositoryName(repository))
    throw fail('the path is not a valid repository name (no tag, digest or upper case)');
  return { host, repository };
}

/**
 * Reads `<host>[:<port>]/<path>[:<tag>][@<digest>]`.
 *
 * @throws SVC-REG-001
 */
export function parseReference(text: string): Reference {
  const fail = (rule: string) => svcError('SVC-REG-001', { reference: text.slice(0, 512), rule });
  if (text.length > 1024) throw fail('at most 1024 characters');
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !isDigest(digest))
    throw fail('the digest must be sha256:<64 hex> or sha512:<128 hex>');
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  if (tag !== undefined && !isTag(tag)) throw fail('the tag is not valid');
  const repository = parseRepositoryReference(hasTag ? named.slice(0, colon) : named);
  return {
    ...repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

export function formatReference(reference: Reference): string {
  const { host, repository, tag, digest } = reference;
  return `${host}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** The canonical host: `index.docker.io` and `registry-1.docker.io` are `docker.io`; lower case; nothing else changes. */
export function canonicalHost(host: string): string {
  const lower = host.toLowerCase();
  return lower === 'index.docker.io' || lower === 'registry-1.docker.io' ? 'docker.io' : lower;
}

/** The tag under which the classic cosign layout keeps signatures of a subject; there is none for sha512. */
export function signatureTag(subject: Digest): string | undefined {
  return subject.startsWith('sha256:') ? `sha256-${subject.slice(7)}.sig` : undefined;
}

/** The referrers fallback tag (distribution specification, Referrers Tag Schema): truncated to 128 characters. */
export function fallbackTag(subject: Digest): string {
  const [algorithm, hex] = subject.split(':') as [string, string];
  return `${algorithm.slice(0, 32)}-${hex.slice(0, 64)}`;
}

/** Whether a tag names signatures or referrers of another artifact rather than a version. */
export function isAttachmentTag(tag: string): boolean {
  return tag.startsWith('sha') && /^sha(?:256|512)-[0-9a-f]{64}(?:\.(?:sig|att|sbom))?$/.test(tag);
}

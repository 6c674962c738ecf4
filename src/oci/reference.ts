import { type Digest, isDigest } from '../base/digest.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** A repository of a registry: `host[:port]` and the path below it. */
export interface RepositoryReference {
  /** Lower-case host, with its port if one was given. */
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

/** Returns whether `text` is a `<name>` (OCI distribution specification, Pulling manifests), at most 255 characters. */
export function isRepositoryName(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= 255 &&
    text.split('/').every((segment) => repositorySegment.test(segment))
  );
}

/** Returns whether `text` is a tag (OCI distribution specification). */
export function isTag(text: string): boolean {
  return text.length <= 128 && tagPattern.test(text);
}

/**
 * Returns whether `text` is `host[:port]`; the host is a lower-case name or an IPv4 literal; port 1-65535. A name that a
 * URL cannot have, or that it reads as another address (`0x7f.1`, `127.1`, `1.8.0.0.1`), is none (WHATWG URL, section 3.5).
 */
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
    name.split('.').every((label) => label.length <= 63 && hostLabel.test(label)) &&
    URL.parse(`http://${name}`)?.hostname === name
  );
}

/** Returns whether `text` is an IPv6 literal in brackets, with or without a port. A reference cannot have one. */
export function isLiteralHost(text: string): boolean {
  return /^\[[0-9a-f:.]{2,45}\](?::[1-9][0-9]{0,4})?$/i.test(text) && URL.canParse(`http://${text}`);
}

/** Returns whether a host is fully qualified: a dotted name, `localhost`, or an explicit port. */
export function isQualifiedHost(host: string): boolean {
  return isHost(host) && (host.includes('.') || host.includes(':') || host === 'localhost');
}

/** The scheme of a URL that was given in place of a reference. */
const toScheme = (text: string): string | undefined => /^[a-z][a-z0-9+.-]{0,31}:\/\//i.exec(text)?.[0];

/**
 * Reads `<host>[:<port>]/<path>` with a fully qualified host and neither tag nor digest.
 *
 * @throws SVC-REG-001
 */
export function parseRepositoryReference(text: string): RepositoryReference {
  return parseRepository(text, 'named');
}

function parseRepository(text: string, hosts: 'named' | 'any'): RepositoryReference {
  const fail = (broken: Rule, form?: 'repository') =>
    svcError('SVC-REG-001', {
      reference: withoutCredentials(text).slice(0, 512),
      rule: broken,
      form,
    });
  if (text.length > 512) throw fail(rule(['at most 512 characters', fr`au plus 512 caractères`]));
  const scheme = toScheme(text);
  if (scheme !== undefined)
    throw fail(
      rule(['must begin with the host, without {scheme}', fr`doit commencer par l’hôte, sans {scheme}`], {
        scheme,
      }),
    );
  const slash = text.indexOf('/');
  if (slash <= 0)
    throw fail(rule(['must be <host>[:<port>]/<path>', fr`doit être <hôte>[:<port>]/<chemin>`]));
  const host = text.slice(0, slash).toLowerCase();
  const repository = text.slice(slash + 1);
  const isLiteral = hosts === 'any' && isLiteralHost(host);
  if (host.startsWith('[') && !isLiteral)
    throw fail(rule(['IPv6 literals are not accepted', fr`les adresses IPv6 ne sont pas acceptées`]));
  if (!isHost(host) && !isLiteral)
    throw fail(
      rule([
        'the host is not a valid name or has an invalid port',
        fr`l’hôte n’est pas un nom valide ou son port n’est pas valide`,
      ]),
    );
  if (!isQualifiedHost(host) && !isLiteral)
    throw fail(
      rule([
        'the host must be fully qualified: a dotted name, localhost, or an explicit port',
        fr`l’hôte doit être complet, soit un nom avec un point, soit localhost, soit un port explicite`,
      ]),
    );
  if (/[:@]/.test(repository))
    throw fail(
      rule(['a repository has no tag and no digest', fr`un dépôt n’a ni étiquette ni empreinte`]),
      'repository',
    );
  if (!isRepositoryName(repository))
    throw fail(
      rule([
        'the path is not a valid repository name (no tag, digest or upper case)',
        fr`le chemin n’est pas un nom de dépôt valide (ni étiquette, ni empreinte, ni majuscule)`,
      ]),
    );
  return { host, repository };
}

/**
 * Reads `<host>[:<port>]/<path>[:<tag>][@<digest>]`.
 *
 * @throws SVC-REG-001
 */
export function parseReference(text: string): Reference {
  return parseTagged(text, 'named');
}

/**
 * As {@link parseReference}, of the name by which a client reaches content: its host may be an IPv6 literal, which a recipe
 * cannot have.
 *
 * @throws SVC-REG-001
 */
export function parseReachedReference(text: string): Reference {
  return parseTagged(text, 'any');
}

function parseTagged(text: string, hosts: 'named' | 'any'): Reference {
  const fail = (broken: Rule) =>
    svcError('SVC-REG-001', { reference: withoutCredentials(text).slice(0, 512), rule: broken });
  if (text.length > 1024) throw fail(rule(['at most 1024 characters', fr`au plus 1024 caractères`]));
  const scheme = toScheme(text);
  if (scheme !== undefined)
    throw fail(
      rule(['must begin with the host, without {scheme}', fr`doit commencer par l’hôte, sans {scheme}`], {
        scheme,
      }),
    );
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !isDigest(digest))
    throw fail(
      rule([
        'the digest must be sha256:<64 hex> or sha512:<128 hex>',
        fr`l’empreinte doit être sha256:<64 hex> ou sha512:<128 hex>`,
      ]),
    );
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  if (tag !== undefined && !isTag(tag))
    throw fail(rule(['the tag is not valid', fr`l’étiquette n’est pas valide`]));
  const repository = parseRepository(hasTag ? named.slice(0, colon) : named, hosts);
  return {
    ...repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Removes the `user:password@` before the host of a text that should be a reference. */
export function withoutCredentials(text: string): string {
  const pinned = /@sha(?:256|512):[0-9a-f]*$/.exec(text);
  const named = pinned === null ? text : text.slice(0, pinned.index);
  const at = named.lastIndexOf('@');
  if (at < 0) return text;
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? '';
  return scheme + text.slice(at + 1);
}

export function formatReference(reference: Reference): string {
  const { host, repository, tag, digest } = reference;
  return `${host}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** Returns the canonical host: lower case; `index.docker.io` and `registry-1.docker.io` become `docker.io`. */
export function canonicalHost(host: string): string {
  const lower = host.toLowerCase();
  return lower === 'index.docker.io' || lower === 'registry-1.docker.io' ? 'docker.io' : lower;
}

/** Returns the tag of the signatures of a subject in the classic cosign layout; sha512 has none. */
export function signatureTag(subject: Digest): string | undefined {
  return subject.startsWith('sha256:') ? `sha256-${subject.slice(7)}.sig` : undefined;
}

/** Returns the referrers fallback tag (distribution specification, Referrers Tag Schema), truncated as specified. */
export function fallbackTag(subject: Digest): string {
  const [algorithm, hex] = subject.split(':') as [string, string];
  return `${algorithm.slice(0, 32)}-${hex.slice(0, 64)}`;
}

/** Returns the subject of a signature or referrers tag; undefined for other tags, and for a truncated digest. */
export function subjectOfTag(tag: string): Digest | undefined {
  const hex = /^sha256-([0-9a-f]{64})(?:\.sig)?$/.exec(tag)?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

/** Returns whether a tag names signatures or referrers of another artifact rather than a version. */
export function isAttachmentTag(tag: string): boolean {
  return tag.startsWith('sha') && /^sha(?:256|512)-[0-9a-f]{64}(?:\.(?:sig|att|sbom))?$/.test(tag);
}

/** Whether a host name or address without a port, as it stands in a URL, is this machine (127.0.0.0/8, ::1). */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(name);
}

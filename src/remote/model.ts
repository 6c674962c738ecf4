import type { Readable } from 'node:stream';
import type { Digest } from '../base/digest.ts';
import type { SvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type {
  BlobMounter,
  BlobPusher,
  CallOptions,
  ManifestContent,
  ManifestPusher,
  Prober,
  PushOptions,
  ReferrersLister,
  Source,
  TagLister,
} from '../oci/ports.ts';
import type { RepositoryReference } from '../oci/reference.ts';
import type { Environment } from './transport/environment.ts';

// ── Transport ───────────────────────────────────────────────────────────────────────────────────────────────────

export interface ProxyOptions {
  /** For every destination, unless `httpsURL` takes the https ones. */
  readonly url?: string | undefined;
  readonly httpsURL?: string | undefined;
  /** `host[:port]`, `.suffix`, a CIDR block, or `*`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** An address as the resolver of the operating system gives it. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface TransportOptions {
  /** Host patterns; absent is unrestricted, empty allows nothing. */
  readonly allowlist?: readonly string[] | undefined;
  /** Hosts spoken to over plain HTTP, `host[:port]`, exact. */
  readonly insecure?: readonly string[] | undefined;
  readonly proxy?: ProxyOptions | undefined;
  readonly tls?:
    | {
        /** PEM texts, each one or more certificates, trusted besides the public roots. */
        readonly ca?: readonly string[] | undefined;
        /** The public roots, PEM texts; Node's own by default. */
        readonly roots?: readonly string[] | undefined;
        /** Trust `ca` alone. */
        readonly exclusiveTrust?: boolean | undefined;
      }
    | undefined;
  readonly report: Report;
  /** Named in errors that it would have prevented; nothing here follows it. */
  readonly environment?: Environment | undefined;
  /** Milliseconds without a byte after which a connection is given up; there is no limit on the whole. Default 120 000. */
  readonly stallTimeout?: number | undefined;
  /** Milliseconds for which an answer may come as slowly as it likes; from then on it needs a pace. Default 300 000. */
  readonly paceTimeout?: number | undefined;
  /** Resolves a name; the operating system's resolver by default. */
  readonly resolve?: ((name: string) => Promise<readonly ResolvedAddress[]>) | undefined;
  readonly userAgent?: string | undefined;
}

/** A URL that a peer chose for us, and where it came from. */
export interface Hop {
  readonly kind: 'redirect' | 'token realm' | 'upload location' | 'next page' | 'chart URL';
  /** The URL whose answer named it. */
  readonly from: URL;
}

export interface TransportRequest extends CallOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** The host as it was written, where its port is the scheme's own and a URL would not show it. */
  readonly host?: string | undefined;
  /** Lower-case names. `authorization` does not follow a redirect to another host. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | AsyncIterable<Buffer> | undefined;
  /** Present when a peer chose the URL: its rules then hold. */
  readonly hop?: Hop | undefined;
  /** Takes an answer that is gzipped all the same; its body is as it was sent. */
  readonly takesGzip?: boolean | undefined;
  /** The insecure list does not apply: https on every hop. */
  readonly httpsOnly?: boolean | undefined;
  /** The body is a secret: a redirect to another host is refused. */
  readonly secretBody?: boolean | undefined;
  /** Names what is being transferred in errors; the URL without its query by default. */
  readonly reference?: string | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The URL that answered, after redirects. */
  readonly url: URL;
  /** Milliseconds for which the body may come as slowly as it likes. */
  readonly paceTimeout: number;
  /** Records that the body only trickled: later answers of the same origin get less time. */
  readonly onTrickle?: () => void;
  /** Must be read to its end or destroyed. Its errors are not coded: read it through `readBody` or `codedBody`. */
  readonly body: Readable;
}

/** The one way out of the process. Every hop passes the allowlist, the scheme rules, the proxy and the trust store. */
export interface Transport extends AsyncDisposable {
  /** As the options have it. */
  readonly environment: Environment | undefined;
  /** Whether an allowlist is declared, and whether a host passes it. */
  readonly allowlistDeclared: boolean;
  isAllowed(host: string): boolean;
  /** The URL of a path at a host: its scheme follows the insecure list, Docker Hub's aliases lead to its registry. */
  toUrl(host: string, path: string): URL;
  /**
   * Judges a URL that a peer chose, in full, without opening anything: for what is then asked by other means.
   *
   * @throws SVC-POL-001, SVC-REG-002 when its name does not resolve
   */
  checkHop(url: URL, hop: Hop): Promise<void>;
  /**
   * Sends a request and follows at most 5 redirects. Any status is an answer; errors are refusals and broken connections.
   *
   * @throws SVC-POL-001 before a socket opens; SVC-REG-002, SVC-NET-001; SVC-REG-007 for a redirect that cannot be followed
   */
  request(request: TransportRequest): Promise<TransportResponse>;
}

// ── Credentials ─────────────────────────────────────────────────────────────────────────────────────────────────

export type Credential =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** A refresh token for the token realm (OAuth2). */
  | { readonly kind: 'identity'; readonly token: string }
  /** A bearer token for the registry itself. */
  | { readonly kind: 'registry'; readonly token: string };

/** What a docker `config.json` says, by the host and port actually contacted. */
export interface Credentials {
  lookup(host: string): Credential | undefined;
}

// ── Registry ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface RegistryOptions {
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Canonical host → base (`host[:port][/path]`) to contact instead when reading. */
  readonly substitutions?: Readonly<Record<string, string>> | undefined;
  /**
   * How often a transient failure is tried again. This is the one layer of retries: callers do not repeat a call that
   * failed.
   */
  readonly retries: number;
  readonly report: Report;
  /** Takes blobs of its threshold and above; without it no download is resumable over a restart. */
  readonly spool?: Spool | undefined;
  /** Milliseconds before the first retry, doubling after. For tests. */
  readonly retryDelay?: number | undefined;
}

interface RepositoryOptions {
  /** `push` is never substituted, and a missing repository is an empty one. Default `pull`. */
  readonly access?: 'pull' | 'push' | undefined;
  /** False contacts the nominal host whatever the substitutions say. Default: true for `pull`. */
  readonly substitute?: boolean | undefined;
}

export interface RemoteRegistry {
  repository(nominal: RepositoryReference, options?: RepositoryOptions): RemoteRepository;
  /** The repository that is contacted for a nominal one when reading. Pure. */
  effective(nominal: RepositoryReference): RepositoryReference;
}

/**
 * One repository of a remote registry through every port. A tag or digest that is not there is `undefined` or `false`;
 * a blob that is not there is SVC-REG-005. Errors: SVC-POL-001, SVC-NET-001, SVC-REG-002, SVC-REG-003, SVC-REG-007, and
 * SVC-SIG-002 where bytes do not have the digest they were asked by.
 */
export interface RemoteRepository
  extends Source,
    Prober,
    BlobPusher,
    ManifestPusher,
    TagLister,
    ReferrersLister,
    BlobMounter {
  readonly nominal: RepositoryReference;
  readonly effective: RepositoryReference;
  readonly substituted: boolean;

  /** The SVC-REG-005 that says this tag, digest or (without one) repository is not there, under both its names. */
  toNotFound(reference?: string): SvcError;

  /**
   * Downloads a blob of the spool's threshold or above into the spool and hands over the file, whose bytes have all been
   * hashed. Undefined: the blob is below the threshold or there is no spool, use `fetchBlob`.
   *
   * @param options `onBytes` is told of bytes as they become durable progress, resumed ones included
   * @throws SVC-SIG-002, SVC-STO-003, SVC-STO-004, SVC-STO-005
   */
  spoolBlob(
    blob: Descriptor,
    options?: CallOptions & { readonly onBytes?: (bytes: number) => void },
  ): Promise<SpooledBlob | undefined>;

  /**
   * Hashes while it streams and finishes the upload only when size and digest are right; otherwise it is cancelled.
   *
   * @param from a stream, or a function that opens one anew, which makes the upload repeatable
   */
  pushBlob(
    blob: Descriptor,
    from: Readable | (() => Readable | Promise<Readable>),
    options?: PushOptions,
  ): Promise<void>;

  /**
   * As the port. A manifest with a subject that the registry does not acknowledge is added to the referrers fallback
   * index. An index refused for absent children is SVC-DST-002, a refused name SVC-DST-001.
   */
  pushManifest(reference: string, manifest: ManifestContent, options?: CallOptions): Promise<void>;

  /** Whether the registry answers the referrers API for this subject's repository. */
  hasReferrersApi(subject: Digest, options?: CallOptions): Promise<boolean>;
  /**
   * The referrers of a subject; with the API's answer or the fallback index they come from, so that a carrier can tell
   * the two apart.
   */
  readReferrers(subject: Digest, options?: CallOptions): Promise<Referrers>;
  /**
   * As `listReferrers`, for questions that are repeated: a repository that has said that it has no referrers API is not
   * asked for it again for a day, nor for a fallback tag that is not among its tags.
   *
   * @param options `listed`: the tags of the repository, where they are known
   */
  relistReferrers(
    subject: Digest,
    options?: CallOptions & { readonly listed?: ReadonlySet<string> | undefined },
  ): Promise<readonly Descriptor[]>;
  /** Merges referrers into the fallback index of a subject; what is there stays. */
  putReferrerFallback(
    subject: Digest,
    referrers: readonly Descriptor[],
    options?: CallOptions,
  ): Promise<void>;

  /** @returns false when it was not there */
  deleteManifest(digest: Digest, options?: CallOptions): Promise<boolean>;
  /** @returns false when it was not there */
  deleteTag(tag: string, options?: CallOptions): Promise<boolean>;
}

export interface Referrers {
  readonly origin: 'api' | 'fallback-tag';
  readonly manifests: readonly Descriptor[];
  /** The fallback index, when that is where they come from and it is there. */
  readonly index?: ManifestContent;
}

// ── Spool ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is known of a blob's representation at its source, so that the rest of the same one can be asked for. */
export interface RangeRequest {
  /** First byte wanted; 0 asks for the whole. */
  readonly from: number;
  /** The validator that the first answer carried. */
  readonly etag?: string | undefined;
  readonly signal: AbortSignal;
}

export interface RangeAnswer {
  /** First byte of `body`: what was asked for, or 0 when the source starts over. */
  readonly from: number;
  readonly etag?: string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** Nobody else uses the chunks of the body: their memory may be given back when they have been written. */
  readonly disposable?: boolean;
}

/** A complete download on disk whose bytes have all been hashed since the first one. Its holder owns the file. */
export interface SpooledBlob extends AsyncDisposable {
  /** May be renamed away by its holder. */
  readonly path: string;
  readonly digest: Digest;
  readonly size: number;
  /** Bytes of it that an earlier process had left. */
  readonly resumedFrom: number;
  /**
   * Ends the use; the file goes, if it is still there.
   *
   * @param options `keep` leaves it so that the next fetch of the digest finds it whole
   */
  release(options?: { readonly keep?: boolean }): Promise<void>;
}

/**
 * Decides whether a transfer goes on after a failure, and waits before it says so.
 *
 * @param progressed whether enough came since the failure before to count anew
 * @param signal ends the wait
 */
export type MayResume = (error: unknown, progressed: boolean, signal: AbortSignal) => Promise<boolean>;

/** Downloads that survive a broken connection and a restart of the process. */
export interface Spool {
  /** Bytes from which a blob is spooled; 0: never. */
  readonly threshold: number;
  accepts(size: number): boolean;
  /**
   * Completes the download of a blob, going on from what is there. Requests for one digest at the same time share it.
   *
   * @param open asks the source for the bytes from a position on; tried again by the caller's own rules, not here
   * @throws what `open` throws; SVC-REG-007 when the source breaks the rules of ranges; SVC-SIG-002 when the whole has
   *   another digest (nothing is kept then); SVC-STO-003, SVC-STO-004, SVC-STO-005
   */
  fetch(
    blob: Descriptor,
    open: (range: RangeRequest) => Promise<RangeAnswer>,
    options?: CallOptions & {
      readonly onBytes?: ((bytes: number) => void) | undefined;
      /** Names the blob in errors. */
      readonly reference?: string | undefined;
      /** Whether to go on after this failure; waits before it returns. */
      readonly mayResume?: MayResume | undefined;
    },
  ): Promise<SpooledBlob>;
  /** Removes what no pending work names and nobody downloads now. */
  removeAbandoned(keep: ReadonlySet<Digest>): Promise<{ readonly files: number; readonly bytes: number }>;
}

import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { Digest } from '../base/digest.ts';
import type { TransferGate } from '../base/link/gate.ts';
import type { RateLimiter } from '../base/link/rate-limiter.ts';
import type { Waits } from '../base/link/waits.ts';
import type { Report } from '../base/report.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type {
  BlobMounter,
  BlobPusher,
  CallOptions,
  ListOptions,
  ManifestContent,
  ManifestPusher,
  ManifestPushOptions,
  Prober,
  PushOptions,
  ReferrersLister,
  Source,
  TagLister,
} from '../oci/ports.ts';
import type { RepositoryReference } from '../oci/reference.ts';
import type { SvcError } from '../text/error.ts';
import type { Environment } from './transport/environment.ts';
import type { ProxyOptions } from './transport/proxy-route.ts';

// ── Transport ──

/** An address from the resolver. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface TransportOptions {
  /** Host patterns; absent: all hosts are allowed, empty: none. */
  readonly allowlist?: readonly string[] | undefined;
  /** Hosts contacted over plain HTTP: `host[:port]`, exact. */
  readonly insecure?: readonly string[] | undefined;
  readonly proxy?: ProxyOptions | undefined;
  readonly tls?:
    | {
        /** PEM texts of one or more certificates each, trusted in addition to the public roots. */
        readonly ca?: readonly string[] | undefined;
        /** The public roots as PEM texts; default: those of Node. */
        readonly roots?: readonly string[] | undefined;
        /** Trusts only `ca`. */
        readonly exclusiveTrust?: boolean | undefined;
      }
    | undefined;
  readonly report: Report;
  /** Named in errors that its settings would have prevented; it changes no behaviour. */
  readonly environment?: Environment | undefined;
  /** Milliseconds without a byte before a connection is closed; the total is unlimited. Default 120 000. */
  readonly stallTimeout?: number | undefined;
  /** Milliseconds for which an answer may be slow, before a minimum rate applies. Default 300 000. */
  readonly paceTimeout?: number | undefined;
  /** Resolves a name; default: the operating system's resolver. */
  readonly resolve?: ((name: string) => Promise<readonly ResolvedAddress[]>) | undefined;
  readonly userAgent?: string | undefined;
  /** Counts the bytes of all bodies, and caps them. */
  readonly limiter?: RateLimiter | undefined;
  /** Of the waits before retries. Default: that of the system. */
  readonly clock?: Clock | undefined;
  /** Counts the waits before retries. */
  readonly waits?: Waits | undefined;
}

/** Origin of a URL that a peer chose. */
export interface Hop {
  readonly kind: 'redirect' | 'token realm' | 'upload location' | 'next page' | 'chart URL';
  /** The URL whose answer contained it. */
  readonly from: URL;
}

export interface TransportRequest extends CallOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** The host as written, where it includes the default port of the scheme, which a URL omits. */
  readonly host?: string | undefined;
  /** Lower-case names. `authorization` is not sent to another host after a redirect. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | AsyncIterable<Buffer> | undefined;
  /** Set when a peer chose the URL; the rules for hops then apply. */
  readonly hop?: Hop | undefined;
  /** Accepts a gzipped answer, whose body is not decompressed. */
  readonly takesGzip?: boolean | undefined;
  /** Requires https on every hop; the insecure list does not apply. */
  readonly httpsOnly?: boolean | undefined;
  /** Whether the body is a secret: a redirect to another host is refused. */
  readonly secretBody?: boolean | undefined;
  /** Names the content in errors; default: the URL without its query. */
  readonly reference?: string | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The URL that answered, after redirects. */
  readonly url: URL;
  /** Milliseconds for which the body may be slow. */
  readonly paceTimeout: number;
  /** Milliseconds for which the bodies of one blob may be slow, in all its answers together. */
  readonly totalTimeout: number;
  /** Records milliseconds for which the body was too slow: later answers of the same origin get less time. */
  readonly onSlow?: (time: number) => void;
  /** While it is closed, the body of a blob pauses. */
  readonly gate?: TransferGate | undefined;
  /** Counts the bytes of the body, and holds them back under a cap. */
  readonly limiter?: RateLimiter | undefined;
  /** Must be read to its end or destroyed. Read it with `readBody` or `codedBody`, which add error codes. */
  readonly body: Readable;
}

/** All outgoing connections. Allowlist, scheme rules, proxy and trust anchors apply to every hop. */
export interface Transport extends AsyncDisposable {
  /** The report passed in the options. */
  readonly report: Report;
  /** The environment passed in the options. */
  readonly environment: Environment | undefined;
  /** Counts and caps the bytes received and sent; the stream of an upload has to ask it. */
  readonly limiter?: RateLimiter | undefined;
  /** Of the waits before retries. */
  readonly clock: Clock;
  /** Milliseconds. A peer that asks to wait longer before a retry is reported as a failure. */
  readonly longestWait: number;
  /** Counts the waits between the attempts of its requests. */
  readonly waits?: Waits | undefined;
  /** Whether an allowlist is declared, and whether it allows a host. */
  readonly allowlistDeclared: boolean;
  isAllowed(host: string): boolean;
  /** Hosts for which a request was made, those that the policy refused included; at most 1024. */
  readonly requested: ReadonlySet<string>;
  /** The URL of a path at a host, with the scheme for the host; Docker Hub aliases become its registry. */
  toUrl(host: string, path: string): URL;
  /**
   * Checks a URL that a peer chose, without opening a connection. Used before other code contacts the host.
   *
   * @throws SVC-POL-001, SVC-REG-002 when its name does not resolve
   */
  checkHop(url: URL, hop: Hop): Promise<void>;
  /**
   * Sends a request and follows at most 5 redirects. Any status is a valid answer; only refusals and failed
   * connections are errors.
   *
   * @throws SVC-POL-001 before a socket is opened; SVC-REG-002, SVC-NET-001; SVC-REG-007 for a redirect that
   *   cannot be followed
   */
  request(request: TransportRequest): Promise<TransportResponse>;
}

// ── Credentials ──

export type Credential =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** A refresh token for the token realm (OAuth2). */
  | { readonly kind: 'identity'; readonly token: string }
  /** A bearer token for the registry itself. */
  | { readonly kind: 'registry'; readonly token: string };

/** Credentials of a docker `config.json`, by the host and port contacted. */
export interface Credentials {
  lookup(host: string): Credential | undefined;
}

// ── Registry ──

export interface RegistryOptions {
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Canonical host → base (`host[:port][/path]`) to contact instead when reading. */
  readonly substitutions?: Readonly<Record<string, string>> | undefined;
  /** Number of retries after a transient failure. Only this layer retries; its callers do not. */
  readonly retries: number;
  readonly report: Report;
  /** Downloads large blobs resumably. Without it no download can be resumed after a restart. */
  readonly spool?: Spool | undefined;
  /** Milliseconds before the first retry, doubled after each. For tests. */
  readonly retryDelay?: number | undefined;
}

interface RepositoryOptions {
  /** `push` ignores substitutions, and reports a missing repository as empty. Default `pull`. */
  readonly access?: 'pull' | 'push' | undefined;
  /** False ignores substitutions. Default: true for `pull`. */
  readonly substitute?: boolean | undefined;
}

export interface RemoteRegistry {
  repository(nominal: RepositoryReference, options?: RepositoryOptions): RemoteRepository;
  /** Lists the repositories of a host. Undefined where the registry offers no usable list, or does not answer. */
  listRepositories(host: string, options?: CallOptions): Promise<readonly string[] | undefined>;
  /**
   * Requires that a host answers as a registry does: a list without names also comes from one that does not answer.
   *
   * @throws errors of the client; SVC-REG-007 for an answer of something else
   */
  requireRegistry(host: string, options?: CallOptions): Promise<void>;
  /** The repository that is contacted to read a nominal one. Pure. */
  effective(nominal: RepositoryReference): RepositoryReference;
}

/** Access to registries and to documents over https. */
export interface RemoteAccess {
  readonly registry: RemoteRegistry;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

/** Access for reading documents of any source. */
export interface RemoteReading extends RemoteAccess {
  /** Number of retries after a transient failure. */
  readonly retries: number;
}

/**
 * One repository of a remote registry, with all ports. A missing tag or digest is `undefined` or `false`; a
 * missing blob is SVC-REG-005. Errors: SVC-POL-001, SVC-NET-001, SVC-REG-002, SVC-REG-003, SVC-REG-007, and
 * SVC-SIG-002 where bytes do not have the requested digest.
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

  /** Creates the SVC-REG-005 for a missing tag, digest or repository, with both its names. */
  toNotFound(reference?: string): SvcError;

  /** Size in bytes with which the registry announces a blob; undefined where it announces none. */
  announcedSize(digest: Digest, options?: CallOptions): Promise<number | undefined>;
  /** Whether the registry answers that it does not have a blob, or has it with another size. */
  lacksBlob(blob: Descriptor, options?: CallOptions): Promise<boolean>;

  /**
   * Downloads a large blob into the spool and verifies it. Undefined: the blob is below the threshold or
   * there is no spool, use `fetchBlob`.
   *
   * @param options `onBytes` is called with the number of bytes received since its last call, resumed ones
   *   included
   * @throws SVC-SIG-002, SVC-STO-003, SVC-STO-004, SVC-STO-005
   */
  spoolBlob(
    blob: Descriptor,
    options?: CallOptions & { readonly onBytes?: (bytes: number) => void },
  ): Promise<SpooledBlob | undefined>;

  /**
   * Uploads a blob and hashes it while streaming. The upload is completed only when size and digest are
   * right, else cancelled.
   *
   * @param from a stream, or a function that opens a new one, which makes the upload repeatable
   */
  pushBlob(
    blob: Descriptor,
    from: Readable | (() => Readable | Promise<Readable>),
    options?: PushOptions,
  ): Promise<void>;

  /**
   * Implements the port. A manifest with a subject that the registry does not acknowledge is added to the
   * referrers fallback index, unless the caller does this. An index refused because of absent children is SVC-DST-002, a
   * refused name SVC-DST-001.
   */
  pushManifest(reference: string, manifest: ManifestContent, options?: ManifestPushOptions): Promise<void>;

  /** Whether the registry supports the referrers API for the repository of this subject. */
  hasReferrersApi(subject: Digest, options?: CallOptions): Promise<boolean>;
  /** Reads the referrers of a subject, and whether they come from the API or the fallback index. */
  readReferrers(subject: Digest, options?: ListOptions): Promise<Referrers>;
  /**
   * Like `listReferrers`, for repeated requests: requests a missing referrers API only once a day, and a known absent
   * fallback tag never.
   *
   * @param options `listed`: all tags of the repository, where known
   */
  relistReferrers(
    subject: Digest,
    options?: ListOptions & { readonly listed?: ReadonlySet<string> | undefined },
  ): Promise<readonly Descriptor[]>;
  /** Adds referrers to the fallback index of a subject; existing entries are kept. */
  putReferrerFallback(
    subject: Digest,
    referrers: readonly Descriptor[],
    options?: CallOptions,
  ): Promise<void>;

  /** @returns false when it did not exist */
  deleteManifest(digest: Digest, options?: CallOptions): Promise<boolean>;
  /** @returns false when it did not exist */
  deleteTag(tag: string, options?: CallOptions): Promise<boolean>;
}

export interface Referrers {
  readonly origin: 'api' | 'fallback-tag';
  readonly manifests: readonly Descriptor[];
  /** The fallback index, when the referrers come from it and it exists. */
  readonly index?: ManifestContent;
}

// ── Spool ──

/** A request for the rest of a download, of the same representation if `etag` is set. */
export interface RangeRequest {
  /** First byte requested; 0 requests the complete blob. */
  readonly from: number;
  /** Validator of the first answer. */
  readonly etag?: string | undefined;
  /** Shared by all requests for one blob. */
  readonly pace: TransferPace;
  readonly signal: AbortSignal;
}

/** The rate of a transfer over all its answers: bytes that are sent again do not count. */
export interface TransferPace {
  /** Milliseconds for which answers were awaited. */
  waited: number;
  /** Bytes that were there at the start. */
  readonly begun: number;
  /** The highest number of bytes that were ever received. */
  reached: number;
}

export interface RangeAnswer {
  /** First byte of `body`: the one requested, or 0 when the source starts from the beginning. */
  readonly from: number;
  readonly etag?: string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** Whether chunks of the body are used only here, so that their memory can be released after writing. */
  readonly disposable?: boolean;
}

/** A complete download on disk, of which all bytes were verified. The holder owns the file. */
export interface SpooledBlob extends AsyncDisposable {
  /** Path of the file; the holder may rename the file. */
  readonly path: string;
  readonly digest: Digest;
  readonly size: number;
  /** Bytes that an earlier process had received. */
  readonly resumedFrom: number;
  /**
   * Ends the use of the file and deletes it, if it still exists.
   *
   * @param options `keep` keeps the download, so that the next fetch of the digest finds it complete
   */
  release(options?: { readonly keep?: boolean }): Promise<void>;
}

/**
 * Decides whether a transfer is resumed after a failure, and waits before it returns.
 *
 * @param progress bytes that arrived since the previous failure
 * @param signal ends the wait
 */
export type MayResume = (error: unknown, progress: number, signal: AbortSignal) => Promise<boolean>;

/** Downloads that are resumed after a broken connection and after a restart of the process. */
export interface Spool {
  /** Bytes. Larger blobs are spooled; 0: none. */
  readonly threshold: number;
  accepts(size: number): boolean;
  /**
   * Completes the download of a blob from its current state. Concurrent requests for one digest share it.
   *
   * @param open requests bytes from a position; retried as `mayResume` decides
   * @throws errors of `open`; SVC-REG-007 when the source violates the rules of ranges; SVC-SIG-002 when the
   *   complete blob has another digest (then nothing is kept); SVC-STO-003, SVC-STO-004, SVC-STO-005
   */
  fetch(
    blob: Descriptor,
    open: (range: RangeRequest) => Promise<RangeAnswer>,
    options?: CallOptions & {
      readonly onBytes?: ((bytes: number) => void) | undefined;
      /** Names the blob in errors. */
      readonly reference?: string | undefined;
      /** Decides whether to resume after a failure, and waits before it returns. Default: never. */
      readonly mayResume?: MayResume | undefined;
    },
  ): Promise<SpooledBlob>;
  /** Removes downloads that no pending work needs and that are not in use. */
  removeAbandoned(keep: ReadonlySet<Digest>): Promise<{ readonly files: number; readonly bytes: number }>;
}

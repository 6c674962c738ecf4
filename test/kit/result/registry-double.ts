import { createHash, randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Digest } from '../../../src/base/digest.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { TlsPair } from '../program/tls-pair.ts';

export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Set when the answer has been sent. */
  status?: number;
}

export interface RegistryDoubleOptions {
  readonly tls?: TlsPair | undefined;
  /** Name and password; with `bearer` they are asked for at the token realm. */
  readonly auth?:
    | {
        readonly kind: 'basic' | 'bearer';
        readonly username: string;
        readonly password: string;
        /** The token realm; its own `/token` by default. */
        readonly realm?: string | undefined;
        /** Seconds that a token says it lives. Default 300. */
        readonly lifetime?: number | undefined;
        /** Whether anybody gets a token to pull. Default: nobody without the password. */
        readonly anonymousPull?: boolean | undefined;
      }
    | undefined;
  /** Whether there is a referrers API. Default true. */
  readonly referrers?: boolean | undefined;
  /** Whether an index with absent children is accepted. Default true. */
  readonly sparse?: boolean | undefined;
  /** Whether blobs are served with ETag and ranges. Default true. */
  readonly ranges?: boolean | undefined;
  /** Whether HEAD of a manifest names the digest. Default true. */
  readonly headDigest?: boolean | undefined;
  /** Tags on a page, however many were asked for. Default 1 000. */
  readonly pageSize?: number | undefined;
  readonly deletes?: boolean | undefined;
  /** Whether a blob of another repository can be mounted. Default true. */
  readonly mounts?: boolean | undefined;
  /** Milliseconds for which it keeps an idle connection. Default: as Node does. */
  readonly keepAlive?: number | undefined;
}

/** Handles a request instead of the registry: true when it has (or will have) answered. */
export type Interceptor = (
  request: RecordedRequest,
  response: ServerResponse,
  raw: IncomingMessage,
) => boolean | Promise<boolean>;

export interface StoredManifest {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly digest: Digest;
}

/** A small real registry in memory on 127.0.0.1 that counts its requests and misbehaves on command. */
export interface RegistryDouble extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  readonly requests: RecordedRequest[];
  /** Tokens that are accepted; clearing it makes every token stale. */
  readonly tokens: Map<string, readonly string[]>;
  /** Uploads begun and neither finished nor cancelled. */
  readonly uploads: ReadonlyMap<string, unknown>;
  options: RegistryDoubleOptions;
  /** Requests so far whose `METHOD path` matches. */
  count(pattern: RegExp): number;
  putBlob(repository: string, bytes: Buffer | string, mediaType?: string): Descriptor;
  putManifest(
    repository: string,
    document: object | Buffer,
    options?: { tag?: string; mediaType?: string },
  ): Descriptor;
  tag(repository: string, tag: string, digest: Digest): void;
  untag(repository: string, tag: string): void;
  tags(repository: string): readonly string[];
  repositories(): readonly string[];
  blob(repository: string, digest: Digest): Buffer | undefined;
  manifest(repository: string, reference: string): StoredManifest | undefined;
  /** Asked before the registry for every request, the newest first. Returns its removal. */
  intercept(interceptor: Interceptor): () => void;
  /** Answers the next `times` requests that match with a bare status. */
  failNext(
    pattern: RegExp,
    status: number,
    options?: { times?: number; headers?: Record<string, string> },
  ): void;
  /** Closes the connection after `bytes` of the body of the next `times` answers to matching GETs. */
  cutNext(pattern: RegExp, bytes: number, options?: { times?: number }): void;
  /** Removes a blob or a manifest, as a collection does. */
  remove(repository: string, digest: Digest): void;
  /** Everything that it holds, a sorted line each: tags with their digests, manifests, blobs. */
  content(): readonly string[];
  /** Serves other bytes under a digest. */
  corrupt(repository: string, digest: Digest, bytes: Buffer): void;
  close(): Promise<void>;
}

interface Repository {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, StoredManifest>;
  readonly tags: Map<string, Digest>;
}

const indexType = 'application/vnd.oci.image.index.v1+json';

function hash(bytes: Buffer, algorithm = 'sha256'): Digest {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}` as Digest;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function createRegistryDouble(initial: RegistryDoubleOptions = {}): Promise<RegistryDouble> {
  const repositories = new Map<string, Repository>();
  const uploads = new Map<string, { readonly repository: string; bytes: Buffer }>();
  const interceptors: Interceptor[] = [];
  const requests: RecordedRequest[] = [];
  const tokens = new Map<string, readonly string[]>();

  const repositoryOf = (name: string): Repository => {
    let found = repositories.get(name);
    if (found === undefined) {
      found = { blobs: new Map(), manifests: new Map(), tags: new Map() };
      repositories.set(name, found);
    }
    return found;
  };
  const refuse = (response: ServerResponse, status: number, code: string, detail?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase(), detail }] }));
  };

  const challenge = (response: ServerResponse, scope: string) => {
    const { auth } = double.options;
    const realm = auth!.realm ?? `${double.origin}/token`;
    response.writeHead(401, {
      'content-type': 'application/json',
      'www-authenticate':
        auth!.kind === 'basic'
          ? 'Basic realm="double"'
          : `Bearer realm="${realm}",service="double",scope="${scope}"`,
    });
    response.end(JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: 'authentication required' }] }));
  };
  const isPair = (header: string | undefined): boolean => {
    const { auth } = double.options;
    return header === `Basic ${Buffer.from(`${auth!.username}:${auth!.password}`).toString('base64')}`;
  };
  const isAdmitted = (header: string | undefined, scope: string): boolean => {
    const { auth } = double.options;
    if (auth === undefined) return true;
    if (auth.kind === 'basic') return isPair(header);
    const granted = tokens.get(header?.replace(/^Bearer /, '') ?? '');
    const [, name, actions] = scope.split(':');
    return (granted ?? []).some((one) => {
      const [, grantedName, grantedActions = ''] = one.split(':');
      return (
        grantedName === name && actions!.split(',').every((each) => grantedActions.split(',').includes(each))
      );
    });
  };
  const serveToken = async (raw: IncomingMessage, response: ServerResponse, url: URL) => {
    const { auth } = double.options;
    const form = raw.method === 'POST' ? new URLSearchParams((await readAll(raw)).toString()) : undefined;
    const asked =
      form === undefined ? url.searchParams.getAll('scope') : (form.get('scope') ?? '').split(' ');
    const isKnown =
      form === undefined ? isPair(raw.headers.authorization) : form.get('refresh_token') === auth?.password;
    const granted = isKnown
      ? asked
      : auth?.anonymousPull && raw.headers.authorization === undefined
        ? asked.map((scope) => scope.split(':').slice(0, 2).concat('pull').join(':'))
        : undefined;
    if (granted === undefined) return refuse(response, 401, 'UNAUTHORIZED');
    const token = randomUUID();
    tokens.set(token, granted);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token, expires_in: auth?.lifetime ?? 300 }));
  };

  const serveManifest = async (
    raw: IncomingMessage,
    response: ServerResponse,
    name: string,
    reference: string,
  ) => {
    const repository = repositoryOf(name);
    if (raw.method === 'PUT') {
      const bytes = await readAll(raw);
      const mediaType = raw.headers['content-type'] ?? '';
      const document = JSON.parse(bytes.toString()) as {
        manifests?: { digest: string }[];
        config?: { digest: string };
        layers?: { digest: string }[];
        subject?: { digest: string };
      };
      const lacking = [
        ...(double.options.sparse === false ? (document.manifests ?? []) : []).filter(
          (child) => !repository.manifests.has(child.digest),
        ),
        ...[document.config, ...(document.layers ?? [])].filter(
          (blob) => blob !== undefined && !repository.blobs.has(blob.digest),
        ),
      ];
      if (lacking.length > 0) {
        const errors = lacking.map((one) => ({
          code: 'MANIFEST_BLOB_UNKNOWN',
          message: 'blob unknown',
          detail: { digest: one!.digest },
        }));
        response.writeHead(400, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ errors }));
      }
      const digest = hash(bytes, reference.startsWith('sha512:') ? 'sha512' : 'sha256');
      if (reference.includes(':') && reference !== digest) return refuse(response, 400, 'DIGEST_INVALID');
      repository.manifests.set(digest, { bytes, mediaType, digest });
      if (!reference.includes(':')) repository.tags.set(reference, digest);
      const noted =
        document.subject !== undefined && double.options.referrers !== false
          ? { 'oci-subject': document.subject.digest }
          : {};
      response.writeHead(201, {
        location: `/v2/${name}/manifests/${digest}`,
        'docker-content-digest': digest,
        ...noted,
      });
      return response.end();
    }
    const digest = reference.includes(':') ? reference : repository.tags.get(reference);
    const found = digest === undefined ? undefined : repository.manifests.get(digest);
    if (found === undefined) return refuse(response, 404, 'MANIFEST_UNKNOWN');
    if (raw.method === 'DELETE') {
      if (double.options.deletes === false) return refuse(response, 405, 'UNSUPPORTED');
      if (reference.includes(':')) repository.manifests.delete(reference);
      for (const [tag, held] of repository.tags)
        if (tag === reference || held === reference) repository.tags.delete(tag);
      response.writeHead(202);
      return response.end();
    }
    const isBareHead = raw.method === 'HEAD' && double.options.headDigest === false;
    response.writeHead(200, {
      'content-type': found.mediaType,
      'content-length': found.bytes.length,
      ...(isBareHead ? {} : { 'docker-content-digest': digest }),
    });
    response.end(raw.method === 'HEAD' ? undefined : found.bytes);
  };

  const serveBlob = (raw: IncomingMessage, response: ServerResponse, name: string, digest: string) => {
    const bytes = repositories.get(name)?.blobs.get(digest);
    if (bytes === undefined) return refuse(response, 404, 'BLOB_UNKNOWN');
    const ranges = double.options.ranges !== false;
    const etag = `"${digest.slice(7, 19)}"`;
    const range = ranges ? /^bytes=(\d+)-(\d*)$/.exec(raw.headers.range ?? '') : null;
    const condition = raw.headers['if-range'];
    const common = {
      'content-type': 'application/octet-stream',
      'docker-content-digest': digest,
      ...(ranges ? { etag, 'accept-ranges': 'bytes' } : {}),
    };
    if (range !== null && (condition === undefined || condition === etag)) {
      const first = Number(range[1]);
      const last = Math.min(bytes.length - 1, range[2] === '' ? bytes.length - 1 : Number(range[2]));
      if (first > last) {
        response.writeHead(416);
        return response.end();
      }
      response.writeHead(206, {
        ...common,
        'content-length': last - first + 1,
        'content-range': `bytes ${first}-${last}/${bytes.length}`,
      });
      return response.end(raw.method === 'HEAD' ? undefined : bytes.subarray(first, last + 1));
    }
    response.writeHead(200, { ...common, 'content-length': bytes.length });
    response.end(raw.method === 'HEAD' ? undefined : bytes);
  };

  const serveUpload = async (
    raw: IncomingMessage,
    response: ServerResponse,
    name: string,
    id: string,
    url: URL,
  ) => {
    const digest = url.searchParams.get('digest');
    if (raw.method === 'POST') {
      const mount = url.searchParams.get('mount');
      const from = url.searchParams.get('from');
      const mounted =
        mount === null || double.options.mounts === false
          ? undefined
          : repositories.get(from ?? '')?.blobs.get(mount);
      if (mounted !== undefined) {
        repositoryOf(name).blobs.set(mount!, mounted);
        response.writeHead(201, { location: `/v2/${name}/blobs/${mount}` });
        return response.end();
      }
      const begun = randomUUID();
      uploads.set(begun, { repository: name, bytes: Buffer.alloc(0) });
      response.writeHead(202, { location: `/v2/${name}/blobs/uploads/${begun}?_state=0` });
      return response.end();
    }
    const upload = uploads.get(id);
    if (upload === undefined) {
      raw.resume();
      return refuse(response, 404, 'BLOB_UPLOAD_UNKNOWN');
    }
    if (raw.method === 'DELETE') {
      uploads.delete(id);
      response.writeHead(204);
      return response.end();
    }
    try {
      upload.bytes = Buffer.concat([upload.bytes, await readAll(raw)]);
    } catch {
      return;
    }
    if (raw.method === 'PATCH') {
      response.writeHead(202, {
        location: `/v2/${name}/blobs/uploads/${id}?_state=${upload.bytes.length}`,
        range: `0-${upload.bytes.length - 1}`,
      });
      return response.end();
    }
    uploads.delete(id);
    if (digest === null || hash(upload.bytes, digest.slice(0, 6)) !== digest)
      return refuse(response, 400, 'DIGEST_INVALID');
    repositoryOf(name).blobs.set(digest, upload.bytes);
    response.writeHead(201, { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest });
    response.end();
  };

  const serveTags = (response: ServerResponse, name: string, url: URL) => {
    const repository = repositories.get(name);
    if (repository === undefined) return refuse(response, 404, 'NAME_UNKNOWN');
    const last = url.searchParams.get('last') ?? '';
    const size = Math.min(Number(url.searchParams.get('n') ?? 1000), double.options.pageSize ?? 1000);
    const rest = [...repository.tags.keys()].sort().filter((tag) => tag > last);
    const page = rest.slice(0, size);
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(rest.length > size
        ? { link: `</v2/${name}/tags/list?n=${size}&last=${page.at(-1)}>; rel="next"` }
        : {}),
    });
    response.end(JSON.stringify({ name, tags: page }));
  };

  const serveCatalog = (response: ServerResponse, url: URL) => {
    const last = url.searchParams.get('last') ?? '';
    const size = Math.min(Number(url.searchParams.get('n') ?? 1000), double.options.pageSize ?? 1000);
    const rest = double.repositories().filter((name) => name > last);
    const page = rest.slice(0, size);
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(rest.length > size ? { link: `</v2/_catalog?n=${size}&last=${page.at(-1)}>; rel="next"` } : {}),
    });
    response.end(JSON.stringify({ repositories: page }));
  };

  const serveReferrers = (response: ServerResponse, name: string, subject: string, url: URL) => {
    if (double.options.referrers === false) {
      response.writeHead(404, { 'content-type': 'text/plain' });
      return response.end('404 page not found\n');
    }
    const type = url.searchParams.get('artifactType');
    const stored = [...(repositories.get(name)?.manifests.values() ?? [])];
    const manifests = stored.flatMap(({ bytes, mediaType, digest }) => {
      const document = JSON.parse(bytes.toString()) as {
        subject?: { digest: string };
        artifactType?: string;
        config?: { mediaType: string };
        annotations?: object;
      };
      if (document.subject?.digest !== subject) return [];
      const artifactType = document.artifactType ?? document.config?.mediaType;
      if (type !== null && type !== artifactType) return [];
      return [{ mediaType, digest, size: bytes.length, artifactType, annotations: document.annotations }];
    });
    response.writeHead(200, { 'content-type': indexType });
    response.end(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }));
  };

  const serve = async (raw: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request: RecordedRequest = { method: raw.method!, path: raw.url!, headers: raw.headers };
    requests.push(request);
    response.on('finish', () => {
      request.status = response.statusCode;
    });
    for (const interceptor of [...interceptors].reverse())
      if (await interceptor(request, response, raw)) return;
    const url = new URL(raw.url!, double.origin);
    if (url.pathname === '/token') return serveToken(raw, response, url);
    const match =
      /^\/v2\/(.+?)\/(?:(manifests|blobs|referrers)\/([^/]+)|(tags)\/list|blobs\/(uploads)\/([^/]*))$/.exec(
        url.pathname,
      );
    const name = match?.[1] ?? '';
    const isRead = raw.method === 'GET' || raw.method === 'HEAD';
    const needs = isRead
      ? 'pull'
      : raw.method === 'DELETE' && match?.[2] === 'manifests'
        ? 'delete'
        : 'pull,push';
    const scope = `repository:${name}:${needs}`;
    if (!isAdmitted(raw.headers.authorization, scope)) {
      raw.resume();
      return challenge(response, scope);
    }
    if (url.pathname === '/v2/') {
      response.writeHead(200);
      response.end();
    } else if (url.pathname === '/v2/_catalog') serveCatalog(response, url);
    else if (match === null) refuse(response, 404, 'UNSUPPORTED');
    else if (match[5] === 'uploads') await serveUpload(raw, response, name, match[6]!, url);
    else if (match[2] === 'manifests') await serveManifest(raw, response, name, match[3]!);
    else if (match[2] === 'blobs') serveBlob(raw, response, name, match[3]!);
    else if (match[2] === 'referrers') serveReferrers(response, name, match[3]!, url);
    else serveTags(response, name, url);
  };

  const listener = (raw: IncomingMessage, response: ServerResponse) => {
    serve(raw, response).catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
  };
  const server: Server =
    initial.tls === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ cert: initial.tls.cert, key: initial.tls.key }, listener);
  if (initial.keepAlive !== undefined) {
    server.keepAliveTimeout = initial.keepAlive;
    server.keepAliveTimeoutBuffer = 0;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const double: RegistryDouble = {
    host: `127.0.0.1:${port}`,
    port,
    origin: `${initial.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    tokens,
    uploads,
    options: initial,
    count: (pattern) => requests.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length,
    putBlob(repository, content, mediaType = 'application/octet-stream') {
      const bytes = Buffer.from(content);
      const digest = hash(bytes);
      repositoryOf(repository).blobs.set(digest, bytes);
      return { mediaType, digest, size: bytes.length };
    },
    putManifest(repository, document, options = {}) {
      const bytes = Buffer.isBuffer(document) ? document : Buffer.from(JSON.stringify(document));
      const declared = (JSON.parse(bytes.toString()) as { mediaType?: string }).mediaType;
      const mediaType = options.mediaType ?? declared ?? 'application/vnd.oci.image.manifest.v1+json';
      const digest = hash(bytes);
      repositoryOf(repository).manifests.set(digest, { bytes, mediaType, digest });
      if (options.tag !== undefined) repositoryOf(repository).tags.set(options.tag, digest);
      return { mediaType, digest, size: bytes.length };
    },
    tag: (repository, tag, digest) => void repositoryOf(repository).tags.set(tag, digest),
    untag: (repository, tag) => void repositoryOf(repository).tags.delete(tag),
    tags: (repository) => [...(repositories.get(repository)?.tags.keys() ?? [])].sort(),
    repositories: () => [...repositories.keys()].sort(),
    blob: (repository, digest) => repositories.get(repository)?.blobs.get(digest),
    manifest(repository, reference) {
      const held = repositories.get(repository);
      return held?.manifests.get(reference.includes(':') ? reference : (held.tags.get(reference) ?? ''));
    },
    intercept(interceptor) {
      interceptors.push(interceptor);
      return () => {
        const at = interceptors.indexOf(interceptor);
        if (at >= 0) interceptors.splice(at, 1);
      };
    },
    failNext(pattern, status, { times = 1, headers = {} } = {}) {
      let left = times;
      double.intercept((request, response, raw) => {
        if (left === 0 || !pattern.test(`${request.method} ${request.path}`)) return false;
        left -= 1;
        raw.resume();
        response.writeHead(status, headers);
        response.end();
        return true;
      });
    },
    cutNext(pattern, bytes, { times = 1 } = {}) {
      let left = times;
      double.intercept((request, response) => {
        if (left === 0 || !pattern.test(`${request.method} ${request.path}`)) return false;
        left -= 1;
        const { end } = response;
        response.end = ((chunk?: Buffer | string) => {
          const part = Buffer.from(chunk ?? '').subarray(0, bytes);
          const cut = () => response.socket?.destroy();
          if (part.length === 0) response.flushHeaders();
          if (part.length === 0) setImmediate(cut);
          else response.write(part, cut);
          return response;
        }) as typeof end;
        return false;
      });
    },
    remove: (repository, digest) => {
      const held = repositoryOf(repository);
      held.blobs.delete(digest);
      held.manifests.delete(digest);
    },
    content: () =>
      [...repositories]
        .flatMap(([name, { tags, manifests, blobs }]) => [
          ...[...tags].map(([tag, digest]) => `${name}:${tag} ${digest}`),
          ...[...manifests.keys()].map((digest) => `${name} manifest ${digest}`),
          ...[...blobs].map(([digest, bytes]) => `${name} blob ${digest} ${hash(bytes, digest.slice(0, 6))}`),
        ])
        .sort(),
    corrupt: (repository, digest, bytes) => void repositoryOf(repository).blobs.set(digest, bytes),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => double.close(),
  };
  return double;
}

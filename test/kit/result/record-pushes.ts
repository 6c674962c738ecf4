import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RecordedRequest, RegistryDouble } from './registry-double.ts';

/** One request to a registry that may change it. */
export interface Push {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly repository: string;
  /** Every byte that arrived, also of a request that broke off. */
  readonly body: Buffer;
}

/** A blob or manifest that a registry was asked to keep, with the digest of the bytes that arrived for it. */
export interface Kept {
  readonly repository: string;
  /** As the request named it: a digest, or a tag. */
  readonly reference: string;
  readonly digest: string;
}

export interface PushRecord {
  readonly pushes: readonly Push[];
  blobs(): Kept[];
  manifests(): Kept[];
  /** Repositories and digests that were asked for as mounts. */
  mounts(): Kept[];
  /** Whether this text stands in anything that was asked or sent. */
  contains(text: string): boolean;
}

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/**
 * Keeps every byte that a registry gets, as it arrives.
 *
 * @param onChunk awaited before the registry reads on, so that something can be done while bytes are under way
 */
export function recordPushes(
  double: RegistryDouble,
  onChunk?: (request: RecordedRequest, chunk: Buffer) => unknown,
): PushRecord {
  const taken: { readonly request: RecordedRequest; readonly chunks: Buffer[] }[] = [];
  double.intercept((request, _response, raw) => {
    if (request.method === 'GET' || request.method === 'HEAD') return false;
    const chunks: Buffer[] = [];
    taken.push({ request, chunks });
    const read = raw[Symbol.asyncIterator].bind(raw);
    async function* tap(): AsyncGenerator<Buffer> {
      for await (const chunk of read()) {
        chunks.push(chunk as Buffer);
        await onChunk?.(request, chunk as Buffer);
        yield chunk as Buffer;
      }
    }
    Object.defineProperty(raw, Symbol.asyncIterator, { value: tap as IncomingMessage['read'] });
    return false;
  });
  const pushes = (): Push[] =>
    taken.map(({ request: { method, path }, chunks }) => ({
      method,
      path,
      repository: /^\/v2\/(.+?)\/(?:blobs|manifests)\//.exec(path)?.[1] ?? '',
      body: Buffer.concat(chunks),
    }));
  const uploadOf = (path: string): string => path.split('?')[0]!;
  return {
    get pushes() {
      return pushes();
    },
    blobs: () => {
      const all = pushes();
      return all
        .filter(({ method, path }) => method === 'PUT' && path.includes('/blobs/uploads/'))
        .map(({ path, repository }) => {
          const parts = all.filter((one) => one.method !== 'DELETE' && uploadOf(one.path) === uploadOf(path));
          return {
            repository,
            reference: new URL(path, 'http://x').searchParams.get('digest') ?? '',
            digest: sha256(Buffer.concat(parts.map(({ body }) => body))),
          };
        });
    },
    manifests: () =>
      pushes()
        .filter(({ method, path }) => method === 'PUT' && path.includes('/manifests/'))
        .map(({ path, repository, body }) => ({
          repository,
          reference: decodeURIComponent(path.split('/').at(-1)!),
          digest: sha256(body),
        })),
    mounts: () =>
      pushes().flatMap(({ path, repository }) => {
        const digest = new URL(path, 'http://x').searchParams.get('mount');
        return digest === null ? [] : [{ repository, reference: digest, digest }];
      }),
    contains: (text) =>
      double.requests.some(({ path, headers }) => `${path}${JSON.stringify(headers)}`.includes(text)) ||
      pushes().some(({ body }) => body.includes(text)),
  };
}

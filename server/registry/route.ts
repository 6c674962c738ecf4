import { type Digest, isDigest } from '../../src/base/digest.ts';
import { isRepositoryName, isTag } from '../../src/oci/reference.ts';

/** Parsed request to the registry (OCI distribution specification 1.1, Endpoints). */
export type RegistryRoute =
  | { readonly to: 'version' }
  | { readonly to: 'catalog' }
  | { readonly to: 'tags'; readonly repository: string }
  | { readonly to: 'manifest'; readonly repository: string; readonly tag: string }
  | { readonly to: 'manifest'; readonly repository: string; readonly digest: Digest }
  | { readonly to: 'blob'; readonly repository: string; readonly digest: Digest }
  | { readonly to: 'uploads'; readonly repository: string }
  | { readonly to: 'upload'; readonly repository: string; readonly session: string }
  | { readonly to: 'referrers'; readonly repository: string; readonly digest: Digest };

export type RouteRefusal =
  | { readonly refused: 'path' }
  | { readonly refused: 'method'; readonly allow: string }
  | { readonly refused: 'name' | 'digest' | 'reference'; readonly value: string };

/** Methods of each route of the registry. */
export const registryMethods: Readonly<Record<RegistryRoute['to'], readonly string[]>> = {
  version: ['GET', 'HEAD'],
  catalog: ['GET', 'HEAD'],
  tags: ['GET', 'HEAD'],
  manifest: ['GET', 'HEAD', 'PUT', 'DELETE'],
  blob: ['GET', 'HEAD', 'DELETE'],
  uploads: ['POST'],
  upload: ['GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'],
  referrers: ['GET', 'HEAD'],
};

const noPath: RouteRefusal = { refused: 'path' };
const sessionPattern = /^[A-Za-z0-9_-]{16,64}$/;

function parsePath(path: string): RegistryRoute | RouteRefusal {
  if (path === '/v2/' || path === '/v2') return { to: 'version' };
  if (!path.startsWith('/v2/') || path.length > 1024) return noPath;
  const rest = path.slice(4);
  if (rest === '_catalog') return { to: 'catalog' };
  const last = rest.lastIndexOf('/');
  if (last <= 0) return noPath;
  const tail = rest.slice(last + 1);
  const front = rest.slice(0, last);
  const named = (suffix: string): string | undefined =>
    front.endsWith(suffix) ? front.slice(0, -suffix.length) : undefined;
  const check = (
    repository: string,
    route: () => RegistryRoute | RouteRefusal,
  ): RegistryRoute | RouteRefusal =>
    isRepositoryName(repository) ? route() : { refused: 'name' as const, value: repository };

  let repository = named('/manifests');
  if (repository !== undefined) {
    const name = repository;
    return check(name, () => {
      const value = tail.includes('%') ? tail.replaceAll(/%3a/gi, ':') : tail;
      if (isDigest(value)) return { to: 'manifest', repository: name, digest: value };
      if (value.includes(':')) return { refused: 'digest', value };
      return isTag(value)
        ? { to: 'manifest', repository: name, tag: value }
        : { refused: 'reference', value };
    });
  }
  repository = named('/blobs/uploads');
  if (repository !== undefined) {
    const name = repository;
    return check(name, () => {
      if (tail === '') return { to: 'uploads', repository: name };
      return sessionPattern.test(tail) ? { to: 'upload', repository: name, session: tail } : noPath;
    });
  }
  if (tail === 'uploads') {
    repository = named('/blobs');
    if (repository !== undefined) {
      const name = repository;
      return check(name, () => ({ to: 'uploads', repository: name }));
    }
  }
  for (const [suffix, to] of [
    ['/blobs', 'blob'],
    ['/referrers', 'referrers'],
  ] as const) {
    repository = named(suffix);
    if (repository === undefined) continue;
    const name = repository;
    return check(name, (): RegistryRoute | RouteRefusal => {
      const value = tail.includes('%') ? tail.replaceAll(/%3a/gi, ':') : tail;
      return isDigest(value) ? { to, repository: name, digest: value } : { refused: 'digest', value };
    });
  }
  if (tail === 'list') {
    repository = named('/tags');
    if (repository !== undefined) {
      const name = repository;
      return check(name, () => ({ to: 'tags', repository: name }));
    }
  }
  return noPath;
}

/**
 * Parses method and raw path of a registry request into a route, or into the reason of its refusal. Names
 * contain neither `%` nor empty parts, so encoded slashes and empty segments never match one.
 */
export function parseRegistryRoute(method: string, path: string): RegistryRoute | RouteRefusal {
  const route = parsePath(path);
  if ('refused' in route) return route;
  const allowed = registryMethods[route.to];
  return allowed.includes(method) ? route : { refused: 'method', allow: allowed.join(', ') };
}

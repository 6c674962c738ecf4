import type { Digest } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { effectiveArtifactType, parseManifest } from '../../src/oci/manifest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { readUnaltered } from './read-unaltered.ts';
import { type RegistryCall, sendBytes } from './registry-call.ts';
import { wireError } from './wire-error.ts';

/** Maximum number of names on one page, and the default. */
const pageLimit = 10_000;
/** Maximum number of referrers on one page, and their bytes: clients read an index of at most 4 MiB. */
const referrersPage = { count: 1000, bytes: 3_500_000 } as const;

interface Page {
  readonly limit: number;
  readonly last: string | undefined;
}

function parsePage(parameters: URLSearchParams): Page {
  const n = parameters.get('n');
  if (n !== null && !/^[0-9]{1,9}$/.test(n)) {
    throw wireError(400, 'UNSUPPORTED', 'n must be a whole number', { n: n.slice(0, 32) });
  }
  const last = parameters.get('last');
  return {
    limit: Math.min(n === null ? pageLimit : Number(n), pageLimit),
    last: last === null || last === '' ? undefined : last.slice(0, 512),
  };
}

/** Selects one page of names and whether more follow. Reads in steps, since some names may be hidden. */
function selectPage(
  page: Page,
  read: (last: string | undefined, limit: number) => readonly string[],
  isShown: (name: string) => boolean,
): { readonly names: readonly string[]; readonly more: boolean } {
  const names: string[] = [];
  if (page.limit === 0) return { names, more: false };
  let { last } = page;
  for (;;) {
    const batch = read(last, page.limit + 1);
    for (const name of batch) {
      last = name;
      if (!isShown(name)) continue;
      if (names.length === page.limit) return { names, more: true };
      names.push(name);
    }
    if (batch.length <= page.limit) return { names, more: false };
  }
}

function nextLink(path: string, limit: number, last: string, further: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({ ...further, n: String(limit), last });
  return `<${path}?${parameters}>; rel="next"`;
}

function parameters(call: RegistryCall): URLSearchParams {
  return new URLSearchParams(call.exchange.query);
}

/** Handles GET of the catalog: repository names in byte order, paginated. */
export function listCatalog(call: RegistryCall): void {
  const { index } = call.store;
  const page = parsePage(parameters(call));
  const { names, more } = selectPage(
    page,
    (last, limit) => index.repositories({ limit, ...(last === undefined ? {} : { last }) }),
    (name) => call.gate.allowsRepository(name),
  );
  sendBytes(
    call,
    'application/json',
    Buffer.from(JSON.stringify({ repositories: names })),
    more ? { link: nextLink('/v2/_catalog', page.limit, names.at(-1)!) } : {},
  );
}

/**
 * Handles GET of the tags of a repository: in byte order, paginated (distribution specification, Listing
 * Tags).
 */
export function listTags(call: RegistryCall, repository: string): void {
  const { index } = call.store;
  if (!index.hasRepository(repository) || !call.gate.allowsRepository(repository)) {
    throw wireError(404, 'NAME_UNKNOWN', 'repository name not known to registry', { name: repository });
  }
  const page = parsePage(parameters(call));
  const { names, more } = selectPage(
    page,
    (last, limit) =>
      index.tags(repository, { limit, ...(last === undefined ? {} : { last }) }).map(({ tag }) => tag),
    (tag) => call.gate.allowsTag(repository, tag),
  );
  sendBytes(
    call,
    'application/json',
    Buffer.from(JSON.stringify({ name: repository, tags: names })),
    more ? { link: nextLink(`/v2/${repository}/tags/list`, page.limit, names.at(-1)!) } : {},
  );
}

async function toReferrer(call: RegistryCall, digest: Digest): Promise<Descriptor | undefined> {
  const content = await readUnaltered(call, digest);
  if (content === undefined) return undefined;
  const manifest = parseManifest(content.bytes, content.descriptor.mediaType);
  const artifactType = effectiveArtifactType(manifest);
  return {
    mediaType: manifest.mediaType,
    digest,
    size: content.bytes.length,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(Object.keys(manifest.annotations).length === 0 ? {} : { annotations: manifest.annotations }),
  };
}

/**
 * Handles GET of the referrers of a subject, which need not exist. Many referrers are paginated (Listing
 * Referrers).
 */
export async function listReferrers(call: RegistryCall, repository: string, subject: Digest): Promise<void> {
  const query = parameters(call);
  const wanted = query.get('artifactType') ?? '';
  const { last } = parsePage(query);
  const all = call.store.index
    .referrers(repository, subject)
    .filter(({ digest }) => call.gate.allowsManifest(repository, digest))
    .sort((a, b) => (a.digest < b.digest ? -1 : a.digest > b.digest ? 1 : 0));
  const manifests: Descriptor[] = [];
  let bytes = 0;
  let more = false;
  for (const record of all) {
    if (last !== undefined && record.digest <= last) continue;
    const referrer = await toReferrer(call, record.digest);
    if (referrer === undefined || (wanted !== '' && referrer.artifactType !== wanted)) continue;
    const length = Buffer.byteLength(JSON.stringify(referrer));
    const isFull = manifests.length >= referrersPage.count || bytes + length > referrersPage.bytes;
    if (isFull && manifests.length > 0) {
      more = true;
      break;
    }
    manifests.push(referrer);
    bytes += length;
  }
  const body = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests };
  sendBytes(call, mediaTypes.ociIndex, Buffer.from(JSON.stringify(body)), {
    ...(wanted === '' ? {} : { 'oci-filters-applied': 'artifactType' }),
    ...(more
      ? {
          link: nextLink(
            `/v2/${repository}/referrers/${subject}`,
            referrersPage.count,
            manifests.at(-1)!.digest,
            wanted === '' ? {} : { artifactType: wanted },
          ),
        }
      : {}),
  });
}

import { type Digest, type DigestAlgorithm, isDigest } from '../../../src/base/digest.ts';
import { Pacer } from '../../../src/base/pacer.ts';
import type { ManifestRecord } from '../../../src/catalog/model.ts';
import { isAttachmentTag, subjectOfTag } from '../../../src/oci/reference.ts';
import { listRecipes } from '../../../src/view/recipes.ts';
import { requireOpen } from '../../../src/view/require-open.ts';
import type { ViewParts } from '../parts.ts';

/** A place at which the store has a digest. */
export type DigestPlace =
  | {
      readonly repository: string;
      /** The version that has the digest, or of which it is a part; absent where no version is found. */
      readonly tag?: string;
      /** The digest, where it is a part: a platform, a layer, a signature. */
      readonly part?: Digest;
    }
  /** The digest is that of a recipe, or of its document. */
  | { readonly recipe: string; readonly version: string; readonly cookbook: string };

export interface FoundDigest {
  readonly digest: Digest;
  readonly places: readonly DigestPlace[];
}

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** Maximum number of places listed of one digest. */
const mostPlaces = 50;
/** Repositories of a part whose versions are looked through, and versions looked at in each. */
const mostOwners = { repositories: 5, versions: 200, found: 10 } as const;
/** Maximum number of digests listed that begin alike. */
export const mostDigests = 10;
/** Characters below which a text is no shortened digest: as git abbreviates. */
const shortest = 7;

/** The beginning of a digest that a text is: with or without the algorithm, in any case. */
function parseBeginning(
  text: string,
): { readonly hex: string; readonly algorithm?: DigestAlgorithm } | undefined {
  const [, algorithm, hex] =
    /^(?:(sha256|sha512):)?([0-9a-f]{7,128})(?:…|\.\.\.)?$/.exec(text.toLowerCase()) ?? [];
  if (hex === undefined || hex.length < shortest) return undefined;
  return algorithm === undefined ? { hex } : { hex, algorithm: algorithm as DigestAlgorithm };
}

/** Whether a version has a digest as a platform, as a layer, or as a layer of a platform. */
function hasPart({ index }: Parts['store'], version: Digest, digest: Digest): boolean {
  const record = index.manifest(version);
  if (record === undefined) return false;
  const isLayer = ({ blobs }: Pick<ManifestRecord, 'blobs'>): boolean =>
    blobs.some((each) => each.digest === digest);
  return (
    isLayer(record) ||
    record.manifests.some((child) => {
      if (child === digest) return true;
      const platform = index.manifest(child);
      return platform !== undefined && isLayer(platform);
    })
  );
}

/** The versions of a repository of which a digest is a part, from memory; the signed ones of a signature. */
function listOwners({ store, gate }: Parts, repository: string, digest: Digest): readonly DigestPlace[] {
  const { index } = store;
  const names = index.tagsOf(digest).flatMap(({ tag }) => subjectOfTag(tag) ?? []);
  const subject = index.manifest(digest)?.subject ?? names[0];
  const owners: DigestPlace[] = [];
  for (const { tag, digest: version, held } of index.tags(repository, { limit: mostOwners.versions })) {
    if (held || isAttachmentTag(tag) || !gate.allowsTag(repository, tag)) continue;
    if (version !== subject && !hasPart(store, version, digest)) continue;
    if (owners.push({ repository, tag, part: digest }) === mostOwners.found) break;
  }
  return owners;
}

async function listPlaces(parts: Parts, digest: Digest): Promise<readonly DigestPlace[]> {
  const { store, gate } = parts;
  const { index } = store;
  const tagged = index
    .tagsOf(digest)
    .filter(({ repository, tag, held }) => !held && !isAttachmentTag(tag) && gate.allowsTag(repository, tag));
  if (tagged.length > 0)
    return tagged.slice(0, mostPlaces).map(({ repository, tag }) => ({ repository, tag }));
  if (index.sizeOf(digest) === undefined) return [];
  const pacer = new Pacer();
  const places: { repository: string }[] = [];
  for (const repository of index.repositories()) {
    if (pacer.isDue()) await pacer.rest();
    const isHere =
      (index.isManifestIn(repository, digest) && gate.allowsManifest(repository, digest)) ||
      (index.isBlobIn(repository, digest) && gate.allowsBlob(repository, digest));
    if (isHere && gate.allowsRepository(repository) && places.push({ repository }) === mostPlaces) break;
  }
  if (places.length > mostOwners.repositories) return places;
  return places.flatMap((place) => {
    const owners = listOwners(parts, place.repository, digest);
    return owners.length === 0 ? [place] : owners;
  });
}

/** The recipes whose artifact or document begins with a digest; the artifact names them, whether its tag is there or not. */
async function listRecipePlaces(
  parts: Parts,
  begins: (digest: Digest) => boolean,
): Promise<ReadonlyMap<Digest, readonly DigestPlace[]>> {
  const found = new Map<Digest, DigestPlace[]>();
  const pacer = new Pacer();
  for (const each of await listRecipes(parts)) {
    if (!('version' in each)) continue;
    if (pacer.isDue()) await pacer.rest();
    const { name, version, cookbook } = each;
    for (const digest of new Set([each.digest, each.documentDigest])) {
      if (!begins(digest)) continue;
      const places = found.get(digest) ?? [];
      found.set(digest, places);
      if (places.length < mostPlaces) places.push({ recipe: name, version, cookbook });
    }
  }
  return found;
}

/**
 * Finds content of the store by a digest or its beginning. Results are recipes, versions that have it, else repositories
 * in which it is a part of a version. At most `mostDigests` digests, each with at most 50 places.
 *
 * @param text at least 7 hexadecimal digits, with or without the algorithm; other texts find nothing
 * @throws SVC-MED-030, SVC-MED-032 while the gate is closed
 */
export async function findDigests(parts: Parts, text: string): Promise<readonly FoundDigest[]> {
  const beginning = parseBeginning(text);
  if (beginning === undefined) return [];
  requireOpen(parts);
  const { hex, algorithm } = beginning;
  const begins = (digest: Digest): boolean =>
    (algorithm === undefined || digest.startsWith(`${algorithm}:`)) &&
    digest.startsWith(hex, digest.indexOf(':') + 1);
  const recipes = await listRecipePlaces(parts, begins);
  const whole = isDigest(text) ? [text] : [];
  const present =
    whole.length > 0 ? whole : parts.store.index.digestsBeginning({ ...beginning, limit: mostDigests });
  const found: FoundDigest[] = [];
  for (const digest of new Set([...recipes.keys(), ...present])) {
    // the page of a recipe has more than that of its artifact
    const places = recipes.get(digest) ?? (await listPlaces(parts, digest));
    if (places.length > 0 && found.push({ digest, places }) === mostDigests) break;
  }
  return found;
}

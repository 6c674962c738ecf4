import type { Digest } from '../../src/base/digest.ts';
import { toJsonPieces } from '../../src/base/json/json-pieces.ts';
import { KeptWork } from '../../src/base/kept-work.ts';
import { mapInTurns, Pacer } from '../../src/base/pacer.ts';
import { effectiveArtifactType } from '../../src/oci/manifest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { parseManifestInTurns } from '../../src/oci/parse-in-turns.ts';
import { sendParts } from '../send-parts.ts';
import { baseHeaders } from './base-headers.ts';
import { nextLink, parsePage } from './page.ts';
import { readUnaltered } from './read-unaltered.ts';
import type { RegistryCall } from './registry-call.ts';

/** Maximum number of referrers on one page, and their bytes: clients read an index of at most 4 MiB. */
const most = { count: 1000, bytes: 3_500_000 } as const;

/** Bytes of descriptors that are kept, of each store, and of one of them besides its text. */
const keptBytes = 16 << 20;
const ownBytes = 256;
/** Bytes that are written at once. */
const partBytes = 65_536;

/** The descriptors of referrers as their list has them, which never change. */
const keptOf = new WeakMap<object, KeptWork<Digest, Buffer>>();

function hasMembers(map: object): boolean {
  for (const _ in map) return true;
  return false;
}

/** Makes the descriptor of a referrer, or finds it made. @returns undefined where the store does not have the manifest */
async function toReferrer(call: RegistryCall, digest: Digest): Promise<Buffer | undefined> {
  const { index } = call.store;
  const kept = keptOf.get(index) ?? new KeptWork<Digest, Buffer>(keptBytes);
  keptOf.set(index, kept);
  const make = async (): Promise<Buffer | undefined> => {
    const content = await readUnaltered(call, digest);
    if (content === undefined) return undefined;
    const manifest = await parseManifestInTurns(content.bytes, content.descriptor.mediaType);
    const artifactType = effectiveArtifactType(manifest);
    const { mediaType, annotations } = manifest;
    const descriptor = {
      mediaType,
      digest,
      size: content.bytes.length,
      ...(artifactType === undefined ? {} : { artifactType }),
      ...(hasMembers(annotations) ? { annotations } : {}),
    };
    return Buffer.concat(await mapInTurns(toJsonPieces(descriptor), (piece) => Buffer.from(piece)));
  };
  // manifests that are gone or damaged are not listed from memory
  if (index.sizeOf(digest) === undefined) return make();
  return kept.run(digest, async () => {
    const value = await make();
    return value && { value, bytes: value.length + ownBytes };
  });
}

interface Wanted {
  readonly repository: string;
  readonly subject: Digest;
  /** Empty: any. */
  readonly artifactType: string;
}

/** Selects the first referrers after one, in the order of their digests. Thousands are never sorted at once. */
async function selectNext(
  { store, gate }: RegistryCall,
  { repository, subject, artifactType }: Wanted,
  last: string | undefined,
  pacer: Pacer,
): Promise<readonly Digest[]> {
  const limit = most.count + 1;
  const first: Digest[] = [];
  let end: Digest | undefined;
  const cut = (): void => {
    first.sort();
    if (first.length < limit) return;
    first.length = limit;
    end = first.at(-1);
  };
  for (const { digest, artifactType: type } of store.index.eachReferrer(repository, subject)) {
    if (pacer.isDue()) await pacer.rest();
    if ((last !== undefined && digest <= last) || (end !== undefined && digest > end)) continue;
    if (artifactType !== '' && type !== artifactType) continue;
    if (!gate.allowsManifest(repository, digest)) continue;
    first.push(digest);
    if (first.length >= 2 * limit) cut();
  }
  cut();
  return first;
}

interface Listed {
  readonly descriptors: readonly Buffer[];
  /** The last one, where more follow. */
  readonly last?: Digest | undefined;
}

async function readPage(call: RegistryCall, wanted: Wanted, after: string | undefined): Promise<Listed> {
  const pacer = new Pacer();
  const descriptors: Buffer[] = [];
  let bytes = 0;
  let last: Digest | undefined;
  let from = after;
  for (;;) {
    const digests = await selectNext(call, wanted, from, pacer);
    for (const digest of digests) {
      if (pacer.isDue()) await pacer.rest();
      if (call.exchange.res.destroyed) return { descriptors: [] };
      from = digest;
      const descriptor = await toReferrer(call, digest);
      if (descriptor === undefined) continue;
      const isFull = descriptors.length >= most.count || bytes + descriptor.length > most.bytes;
      if (isFull && last !== undefined) return { descriptors, last };
      descriptors.push(descriptor);
      bytes += descriptor.length;
      last = digest;
    }
    if (digests.length <= most.count) return { descriptors };
  }
}

/** Joins the texts of descriptors to parts of an index. */
function* joinParts(descriptors: readonly Buffer[], head: string, tail: string): Generator<Buffer> {
  let part: Buffer[] = [Buffer.from(head)];
  let bytes = 0;
  for (const [i, descriptor] of descriptors.entries()) {
    if (i > 0) part.push(Buffer.from(','));
    part.push(descriptor);
    bytes += descriptor.length;
    if (bytes < partBytes) continue;
    yield Buffer.concat(part);
    part = [];
    bytes = 0;
  }
  yield Buffer.concat([...part, Buffer.from(tail)]);
}

/**
 * Handles GET of the referrers of a subject, which need not exist. Many referrers are paginated (Listing
 * Referrers).
 */
export async function listReferrers(call: RegistryCall, repository: string, subject: Digest): Promise<void> {
  const { req, res, query: sent } = call.exchange;
  const query = new URLSearchParams(sent);
  const artifactType = query.get('artifactType') ?? '';
  const page = await readPage(call, { repository, subject, artifactType }, parsePage(query).last);
  if (res.destroyed) return;
  const { descriptors, last } = page;
  const [head, tail] = JSON.stringify({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [],
  }).split(/(?<=\[)/) as [string, string];
  const commas = Math.max(descriptors.length - 1, 0);
  const length = descriptors.reduce((sum, one) => sum + one.length, head.length + tail.length + commas);
  const filter: Record<string, string> = artifactType === '' ? {} : { artifactType };
  const path = `/v2/${repository}/referrers/${subject}`;
  res.writeHead(200, {
    ...baseHeaders(call),
    'content-type': mediaTypes.ociIndex,
    'content-length': length,
    ...(artifactType === '' ? {} : { 'oci-filters-applied': 'artifactType' }),
    ...(last === undefined ? {} : { link: nextLink(path, most.count, last, filter) }),
  });
  if (req.method === 'HEAD') res.end();
  else await sendParts(res, joinParts(descriptors, head, tail));
}

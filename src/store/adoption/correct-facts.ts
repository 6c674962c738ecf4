import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Content } from '../../catalog/content.ts';
import type { ContentGraph } from '../../catalog/content-graph.ts';
import type { ContentChange, ManifestChange } from '../../catalog/content-records.ts';
import { toManifestChange } from '../../catalog/graph-snapshot.ts';
import type { SvcError } from '../../text/error.ts';
import type { OpenStoreOptions } from '../model.ts';
import { readFacts } from '../read-facts.ts';

/** Differences between a ledger and the bytes of manifests. */
export interface Corrections {
  /** Facts by the bytes; undefined where no file matches the digest in the ledger. */
  readonly facts: ReadonlyMap<Digest, ManifestChange | undefined>;
  /** The error of a manifest that cannot be read now, for a reason outside the file. */
  readonly unread: SvcError | undefined;
}

export const noCorrections: Corrections = { facts: new Map(), unread: undefined };

interface CorrectionOptions {
  /** Real path of the store. */
  readonly root: string;
  /** Whether a blob file with this name exists. */
  readonly isFound: (digest: Digest) => boolean;
  /** Whether the ledger is this instance's: then its record is kept where the bytes are absent or damaged. */
  readonly isOurs: boolean;
  readonly bytesOf?: OpenStoreOptions['bytesOf'];
  readonly signal?: AbortSignal | undefined;
}

/** Manifests that are read concurrently. */
const readsAtOnce = 8;

/**
 * Compares the manifest records of a ledger with the bytes of the manifests. The bytes of a manifest determine its
 * references; a foreign ledger only shows where to look. Reads every manifest that the ledger names and the children of
 * those that differ; for a foreign ledger all children.
 *
 * @throws the signal's reason
 */
export async function findCorrections(graph: ContentGraph, options: CorrectionOptions): Promise<Corrections> {
  const { root, isFound, isOurs, bytesOf, signal } = options;
  const facts = new Map<Digest, ManifestChange | undefined>();
  let unread: SvcError | undefined;
  const seen = new Set<Digest>();
  let round: Digest[] = await listNamed(graph, isOurs);
  while (round.length > 0) {
    const next: Digest[] = [];
    await forEachBounded(round, readsAtOnce, async (digest) => {
      if (seen.has(digest)) return;
      seen.add(digest);
      signal?.throwIfAborted();
      const recorded = toRecord(graph, graph.get(digest));
      const read = isFound(digest)
        ? await readFacts(root, digest, isFound, { announced: recorded?.type, bytesOf }).catch(
            (error: SvcError) => {
              unread ??= error;
              return undefined;
            },
          )
        : undefined;
      if (read === undefined) {
        if (recorded !== undefined && !isOurs) facts.set(digest, undefined);
        return;
      }
      const isSame = recorded !== undefined && isEqual(recorded, read.facts);
      if (!isSame) facts.set(digest, read.facts);
      // children of unchanged records are in the list already, when the ledger is this instance's
      if (!isSame || !isOurs) next.push(...(read.facts.manifests ?? []));
    });
    round = next;
  }
  return { facts, unread };
}

/**
 * Lists the manifests that have a record and, for a foreign ledger, those that a tag or repository names
 * without a record.
 */
async function listNamed({ contents }: ContentGraph, isOurs: boolean): Promise<Digest[]> {
  const pacer = new Pacer();
  const named: Digest[] = [];
  for (let id = 0; id < contents.end; id += 1) {
    const content = contents.peek(id);
    if (content?.facts !== undefined || (!isOurs && content?.links !== undefined))
      named.push(contents.digestOf(id));
    if (pacer.isDue()) await pacer.rest();
  }
  return named;
}

function toRecord({ contents }: ContentGraph, content: Content | undefined): ManifestChange | undefined {
  return content?.facts && toManifestChange(contents, content, content.facts, true);
}

function isEqual(a: ManifestChange, b: ManifestChange): boolean {
  const toKey = ({ type, size, artifactType, subject, manifests = [], blobs = [] }: ManifestChange) =>
    JSON.stringify([type, size, artifactType, subject, manifests, blobs]);
  return toKey(a) === toKey(b);
}

/**
 * Number of manifests whose bytes differ from the ledger. Absent files and files that are not manifests are
 * not counted.
 */
export function countCorrected({ facts }: Corrections): number {
  let count = 0;
  for (const actual of facts.values()) if (actual !== undefined) count += 1;
  return count;
}

/** Corrects manifest records by the bytes of the manifests. */
export function* withCorrections(
  changes: Iterable<ContentChange>,
  { facts }: Pick<Corrections, 'facts'>,
): Generator<ContentChange> {
  for (const change of facts.values()) if (change !== undefined) yield change;
  for (const change of changes) if (change.op !== 'manifest' || !facts.has(change.digest)) yield change;
}

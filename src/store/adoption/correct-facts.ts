import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { SvcError } from '../../base/error.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Content } from '../../catalog/content.ts';
import type { ContentGraph } from '../../catalog/content-graph.ts';
import type { ContentChange, ManifestChange } from '../../catalog/content-records.ts';
import { toManifestChange } from '../../catalog/graph-snapshot.ts';
import { readFacts } from '../read-facts.ts';

/** Where the bytes of manifests say something else than a ledger. */
export interface Corrections {
  /** What the bytes say; undefined where no file has the bytes that the ledger speaks of. */
  readonly facts: ReadonlyMap<Digest, ManifestChange | undefined>;
  /** A manifest that could not be read now, for a reason that is not the file's. */
  readonly unread: SvcError | undefined;
}

export const noCorrections: Corrections = { facts: new Map(), unread: undefined };

interface CorrectionOptions {
  /** Real path of the store. */
  readonly root: string;
  /** Whether a file of this name is among the blobs. */
  readonly isFound: (digest: Digest) => boolean;
  /** Whether the ledger is ours: then its record stays where the bytes are gone or damaged. */
  readonly isOurs: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Manifests that are read at once. */
const readsAtOnce = 8;

/**
 * Compares what a ledger says of manifests with their bytes. What content reaches is a function of its bytes: a ledger
 * that is not ours only says where to look. Reads every manifest that the ledger or an index names.
 *
 * @throws the signal's reason
 */
export async function findCorrections(graph: ContentGraph, options: CorrectionOptions): Promise<Corrections> {
  const { root, isFound, isOurs, signal } = options;
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
        ? await readFacts(root, digest, isFound, recorded?.type).catch((error: SvcError) => {
            unread ??= error;
            return undefined;
          })
        : undefined;
      if (read === undefined) {
        if (recorded !== undefined && !isOurs) facts.set(digest, undefined);
        return;
      }
      const isSame = recorded !== undefined && isEqual(recorded, read.facts);
      if (!isSame) facts.set(digest, read.facts);
      // of our own records those that hold name their children
      if (!isSame || !isOurs) next.push(...(read.facts.manifests ?? []));
    });
    round = next;
  }
  return { facts, unread };
}

/** Manifests that a ledger speaks of; of one that is not ours also what a tag or a repository has without a record. */
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

/** How many manifests say something of their own; the others are gone, or are no manifests. */
export function countCorrected({ facts }: Corrections): number {
  let count = 0;
  for (const said of facts.values()) if (said !== undefined) count += 1;
  return count;
}

/** The records of a graph with what the bytes say in the place of what a ledger said. */
export function* withCorrections(
  changes: Iterable<ContentChange>,
  { facts }: Pick<Corrections, 'facts'>,
): Generator<ContentChange> {
  for (const change of facts.values()) if (change !== undefined) yield change;
  for (const change of changes) if (change.op !== 'manifest' || !facts.has(change.digest)) yield change;
}

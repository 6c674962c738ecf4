import { type Digest, digestHex } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Content } from '../../catalog/content.ts';
import type { ContentGraph } from '../../catalog/content-graph.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { Owner } from '../../contract/content.ts';
import type { RecoveredTag } from '../../contract/store.ts';
import { kindOf } from '../../oci/kind.ts';
import { manifestLimits } from '../../oci/manifest.ts';
import { isRepositoryName, isTag } from '../../oci/reference.ts';
import type { SvcError } from '../../text/error.ts';
import { judgeBlob } from '../blobs/judge-blob.ts';
import { type BlobFile, hashBlobFiles } from '../blobs/scan-blobs.ts';
import { type FoundManifest, readFacts } from '../read-facts.ts';
import type { IndexEntry } from '../rest/read-index.ts';

/** Repository for recovered manifests that no record names; their tag is the hex part of their digest. */
export const recoveredRepository = 'localhost/recovered';

interface RecoveryOptions {
  readonly root: string;
  /** Every blob file with its size in bytes, intact or not. */
  readonly files: ReadonlyMap<Digest, number>;
  /** Recipes of a recipe ledger that verifies under the key of this instance. */
  readonly recipes: readonly RecipeRecord[];
  /** Entries of the last `index.json`. */
  readonly index: readonly IndexEntry[];
  /** Whether recovered content without a record is held until a verified recipe reaches it. */
  readonly isHeld: boolean;
  /** Whether blobs that no manifest needs are hashed, and the intact ones kept for a day. */
  readonly keepsBlobs: boolean;
  /**
   * Called for a manifest that cannot be read now, for a reason outside the file. Default: the error ends the
   * recovery.
   */
  readonly onUnread?: (error: SvcError) => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal | undefined;
}

export interface Recovery {
  readonly manifests: number;
  readonly tags: readonly RecoveredTag[];
  /** Tags that a source names and whose manifest is absent. */
  readonly gone: readonly RecoveredTag[];
  readonly blobs: number;
}

/**
 * Adds content without records to the catalog: every manifest file, the tags of the recipe ledger and `index.json`, and
 * generated tags for other manifests. So none is collected because of a lost record. Existing records are never
 * changed.
 */
export async function recoverContent(graph: ContentGraph, options: RecoveryOptions): Promise<Recovery> {
  const { recipes, index, isHeld } = options;
  const found = await readUnrecorded(graph, options);
  const tags: RecoveredTag[] = [];
  const gone: RecoveredTag[] = [];
  const held = isHeld ? { held: true as const } : {};
  for (const { facts } of found.values()) graph.apply(facts);

  const addTag = (
    recovered: RecoveredTag,
    kind: RecipeRecord['ingredients'][number]['kind'],
    owner: Owner,
    hold: typeof held,
  ): void => {
    const { repository: repo, tag, digest } = recovered;
    if (graph.tag(repo, tag) !== undefined) return;
    if (graph.get(digest)?.facts === undefined) {
      gone.push(recovered);
      return;
    }
    graph.apply({ op: 'put', repo, digest, ...hold });
    graph.apply({ op: 'tag', repo, tag, digest, kind, owner, ...hold });
    tags.push(recovered);
  };

  for (const recipe of recipes) {
    const { name, version, cookbook } = recipe;
    const owner = { provenance: 'recipe', recipe: `${name}@${version}`, cookbook } as const;
    for (const one of [...recipe.ingredients, { ...recipe, kind: 'Recipe' as const }]) {
      const { repository, tag, digest, kind } = one;
      addTag({ repository, tag, digest, from: 'recipes' }, kind, owner, {});
    }
  }
  const kindOfDigest = async (digest: Digest) => {
    const manifest = found.get(digest)?.manifest ?? (await readOne(options, digest))?.manifest;
    return manifest === undefined ? ('OCIArtifact' as const) : kindOf(manifest);
  };
  for (const { reference, digest } of index) {
    const at = reference?.lastIndexOf(':') ?? -1;
    if (reference === undefined || at < 0) continue;
    const [repository, tag] = [reference.slice(0, at), reference.slice(at + 1)];
    if (!isRepositoryName(repository) || !isTag(tag) || graph.tag(repository, tag)) continue;
    addTag(
      { repository, tag, digest, from: 'index' },
      await kindOfDigest(digest),
      { provenance: 'import' },
      held,
    );
  }
  attachReferrers(graph, found);
  // referrers are attached to their subject, after the subject has a name
  for (const isReferrer of [false, true]) {
    for (const { digest, facts } of selectRoots(graph, found)) {
      if (isReferrer !== (facts?.subject?.facts !== undefined)) continue;
      const [repository, tag] = [recoveredRepository, digestHex(digest)];
      const kind = kindOf(found.get(digest)!.manifest);
      addTag({ repository, tag, digest, from: 'manifests' }, kind, { provenance: 'import' }, held);
    }
    attachReferrers(graph, found);
  }
  return {
    manifests: found.size,
    tags,
    gone,
    blobs: options.keepsBlobs ? await keepBlobs(graph, options) : 0,
  };
}

/** Reads every blob without a record that is a manifest. */
async function readUnrecorded(
  graph: ContentGraph,
  options: RecoveryOptions,
): Promise<ReadonlyMap<Digest, FoundManifest>> {
  const found = new Map<Digest, FoundManifest>();
  const pacer = new Pacer();
  for (const [digest, size] of options.files) {
    if (pacer.isDue()) await pacer.rest();
    if (size > manifestLimits.bytes || isRecorded(graph, digest)) continue;
    const one = await readOne(options, digest);
    if (one) found.set(digest, one);
  }
  return found;
}

/** Whether a manifest has a record. Called for every blob, and most blobs have no object. */
function isRecorded({ contents }: ContentGraph, digest: Digest): boolean {
  return contents.peek(contents.find(digest) ?? -1)?.facts !== undefined;
}

async function readOne(
  { root, files, onUnread }: RecoveryOptions,
  digest: Digest,
): Promise<FoundManifest | undefined> {
  if ((files.get(digest) ?? Number.POSITIVE_INFINITY) > manifestLimits.bytes) return undefined;
  return readFacts(root, digest, (one) => files.has(one)).catch((error: SvcError) => {
    if (onUnread === undefined) throw error;
    onUnread(error);
    return undefined;
  });
}

/** Adds signatures and other referrers to the repositories of their subjects. */
function attachReferrers(graph: ContentGraph, found: ReadonlyMap<Digest, FoundManifest>): void {
  // longer chains of referrers are rare
  for (let round = 0; round < manifestLimits.nesting; round += 1) {
    for (const digest of found.keys()) {
      const content = graph.get(digest);
      for (const home of [...(content?.facts?.subject?.links?.homes ?? [])]) {
        if (home.manifests.get(content!)?.put) continue;
        const hold = home.shadow ? { held: true as const } : {};
        graph.apply({ op: 'put', repo: home.name, digest, ...hold });
      }
    }
  }
}

/** Selects the manifests that no root reaches and that are not children of another one. */
function selectRoots(graph: ContentGraph, found: ReadonlyMap<Digest, FoundManifest>): Content[] {
  const children = new Set([...found.values()].flatMap(({ facts }) => facts.manifests ?? []));
  return [...found.keys()].flatMap((digest) => {
    const content = graph.get(digest)!;
    return content.refs > 0 || children.has(digest) ? [] : [content];
  });
}

/**
 * Keeps intact blobs that no manifest needs for another day: they may belong to uploads under way.
 *
 * @returns the number of blobs kept
 */
async function keepBlobs(graph: ContentGraph, options: RecoveryOptions): Promise<number> {
  const { root, files, signal, now: at } = options;
  const { contents } = graph;
  const alone: BlobFile[] = [];
  for (const [digest, size] of files) {
    const id = contents.find(digest);
    const isKnown =
      id !== undefined && (contents.refs[id]! > 0 || contents.uploads[id]! > 0 || isRecorded(graph, digest));
    if (!isKnown) alone.push({ digest, size });
  }
  let kept = 0;
  const bytes = alone.reduce((sum, { size }) => sum + size, 0);
  await hashBlobFiles(
    root,
    { files: alone, bytes },
    {
      signal,
      onOutcome: ({ digest, size }, outcome) => {
        if (judgeBlob(digest, outcome) !== 'whole') return;
        graph.apply({ op: 'upload', repo: recoveredRepository, digest, size, actor: 'svc store check', at });
        kept += 1;
      },
    },
  );
  return kept;
}

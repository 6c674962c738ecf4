import { createHash } from 'node:crypto';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, hashBytes, toDigest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { Content, Repository } from '../../catalog/content.ts';
import type { ContentGraph } from '../../catalog/content-graph.ts';
import { isRecipe } from '../../catalog/list-recipe-manifests.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../../oci/layout.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import {
  formatMediumEntry,
  formatMediumHeader,
  type MediumEntry,
  type MediumHeader,
  mediumManifestPath,
} from './media-manifest.ts';

/** Thrown when writing was abandoned because the store changes. */
export class RestAbandoned extends Error {
  override name = 'RestAbandoned';
}

/** How files are written. */
interface RestOptions {
  readonly signal: AbortSignal;
  /** Folder of unfinished files. Default: `_svc/tmp` below the root. */
  readonly unfinished?: string | undefined;
}

/**
 * A file that is written to a temporary name in slices and hashed, and then synced and renamed into place.
 */
class PacedFile {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #signal: AbortSignal;
  readonly #pacer = new Pacer();
  readonly #hash = createHash('sha256');
  #text: string[] = [];
  #length = 0;
  size = 0;

  private constructor(file: FileHandle, path: string, signal: AbortSignal) {
    this.#file = file;
    this.#path = path;
    this.#signal = signal;
  }

  static async open(path: string, signal: AbortSignal): Promise<PacedFile> {
    await unlink(path).catch(() => {});
    return new PacedFile(await open(path, 'wx', 0o644), path, signal);
  }

  /** @returns true when the caller must await `turn` */
  add(text: string): boolean {
    this.#text.push(text);
    this.#length += text.length;
    return this.#length >= 1 << 18 || this.#pacer.isDue();
  }

  isDue(): boolean {
    return this.#pacer.isDue();
  }

  /** Yields to the event loop. @throws RestAbandoned */
  async turn(): Promise<void> {
    if (this.#length >= 1 << 18) await this.#flush();
    await this.#pacer.rest();
    if (this.#signal.aborted) throw new RestAbandoned();
  }

  async commit(target: string): Promise<{ readonly digest: Digest; readonly size: number }> {
    await this.#flush();
    await this.#file.datasync();
    await this.#file.close();
    if (this.#signal.aborted) throw new RestAbandoned();
    await rename(this.#path, target);
    return { digest: toDigest('sha256', this.#hash), size: this.size };
  }

  async drop(): Promise<void> {
    await this.#file.close().catch(() => {});
    await unlink(this.#path).catch(() => {});
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#text.join(''));
    this.#text = [];
    this.#length = 0;
    this.#hash.update(bytes);
    await this.#file.writeFile(bytes);
    this.size += bytes.length;
  }
}

async function writePaced(
  root: string,
  name: string,
  { signal, unfinished = join(root, '_svc', 'tmp') }: RestOptions,
  write: (file: PacedFile) => Promise<void>,
): Promise<{ readonly digest: Digest; readonly size: number }> {
  let file: PacedFile | undefined;
  try {
    file = await PacedFile.open(join(unfinished, `${name}.rest`), signal);
    await write(file);
    const written = await file.commit(join(root, name));
    await syncFolder(root);
    return written;
  } catch (error) {
    await file?.drop();
    throw error instanceof RestAbandoned
      ? error
      : toWriteError(error, join(root, name), { size: file?.size ?? 0 });
  }
}

/** Lists the manifests of a repository without a tag: pushed ones, and referrers. */
function* untagged(repository: Repository): Generator<Content> {
  for (const [content, { put, pushed, bySubject }] of repository.manifests)
    if (put && (pushed || bySubject) && !content.links?.tags.some((tag) => tag.home === repository))
      yield content;
}

/**
 * Writes `index.json`: every tag that may be served, by repository and tag, then the manifests without a tag.
 *
 * @throws RestAbandoned
 */
export async function writeIndex(root: string, graph: ContentGraph, options: RestOptions): Promise<void> {
  await writePaced(root, indexPath, options, async (file) => {
    let separator = '';
    const add = (content: Content, reference?: string): boolean => {
      const { digest, size, facts } = content;
      const entry = {
        mediaType: facts!.mediaType,
        digest,
        size,
        ...(facts!.artifactType === undefined ? {} : { artifactType: facts!.artifactType }),
        ...(reference === undefined
          ? {}
          : { annotations: { 'org.opencontainers.image.ref.name': reference } }),
      };
      const text = `${separator}${JSON.stringify(entry)}`;
      separator = ',\n';
      return file.add(text);
    };
    file.add(`{"schemaVersion":2,"mediaType":"${mediaTypes.ociIndex}","manifests":[\n`);
    for (const name of graph.names.page(undefined, undefined)) {
      const repository = graph.repositories.get(name);
      for (const tagName of repository?.tagNames.page(undefined, undefined) ?? []) {
        // The catalog may change between two slices; the signal is then aborted, and nothing is renamed.
        const content = repository!.tags.get(tagName)?.content;
        if (content?.present && content.facts && add(content, `${name}:${tagName}`)) await file.turn();
      }
    }
    const named = new Set<Content>();
    for (const repository of graph.repositories.values()) {
      for (const content of untagged(repository)) {
        if (named.has(content) || !content.present || !content.facts) continue;
        named.add(content);
        if (add(content)) await file.turn();
      }
    }
    file.add('\n]}\n');
  });
}

type Optional = 'delivery' | 'base' | 'program';
type Described = Exclude<keyof MediumHeader, 'totals' | 'otherRecipes' | Optional>;

/** The `media.jsonl` that was written. */
export interface WrittenManifest {
  readonly manifest: Digest;
  readonly totals: MediumHeader['totals'];
}

/** Each member of the header but those that the files decide: a new one does not compile until the store describes it. */
export type MediumManifestParts = { readonly [N in Described]: MediumHeader[N] } & Pick<
  MediumHeader,
  Optional
> & {
    readonly graph: ContentGraph;
    /** Ledger files with their durable size, and the other files beside blobs, marker and index. */
    readonly others: readonly MediumEntry[];
    /** Reads the size of a blob, in bytes, that the ledger does not record. */
    readonly measure: (content: Content) => number | undefined;
  };

/**
 * Writes `media.jsonl`: the header, then one line for each file of the store outside `_svc/`, sorted by path.
 *
 * @returns its digest, and the files and bytes that it lists
 * @throws RestAbandoned
 */
export async function writeMediumManifest(
  root: string,
  parts: MediumManifestParts,
  options: RestOptions,
): Promise<WrittenManifest> {
  const { graph, others, measure, ...header } = parts;
  const index = await hashWhole(join(root, indexPath));
  const layout = Buffer.from(layoutText);
  const own: MediumEntry[] = [
    { path: indexPath, ...index },
    ...others,
    { path: layoutPath, size: layout.length, digest: hashBytes(layout) },
  ];
  own.sort((a, b) => (a.path < b.path ? -1 : 1));
  const totals = { files: own.length, bytes: own.reduce((sum, entry) => sum + entry.size, 0) };
  const { digest: manifest } = await writePaced(root, mediumManifestPath, options, async (file) => {
    const { contents } = graph;
    const buckets: Digest[][] = [];
    const listed = new Set(header.recipes.map(({ digest }) => digest));
    const otherRecipes: Digest[] = [];
    for (let id = 0; id < contents.end; id += 1) {
      if (file.isDue()) await file.turn();
      if (!contents.isPresent(id)) continue;
      const size = contents.sizes[id]! >= 0 ? contents.sizes[id] : measure(contents.at(id));
      if (size === undefined) continue;
      totals.files += 1;
      totals.bytes += size;
      // One sort of all digests would block the event loop; 8192 small sorts do not.
      const digest = contents.digestOf(id);
      if (isRecipe(contents.peek(id)) && !listed.has(digest)) otherRecipes.push(digest);
      const key =
        (digestAlgorithm(digest) === 'sha512' ? 4096 : 0) + Number.parseInt(digest.slice(7, 10), 16);
      const bucket = buckets[key];
      if (bucket) bucket.push(digest);
      else buckets[key] = [digest];
    }
    file.add(formatMediumHeader({ ...header, otherRecipes: otherRecipes.sort(), totals }));
    const isBefore = ({ path }: MediumEntry): boolean => path < 'blobs/';
    for (const entry of own.filter(isBefore)) file.add(formatMediumEntry(entry));
    for (const [key, bucket] of buckets.entries()) {
      for (const digest of bucket?.sort() ?? []) {
        const path = blobPath(digest);
        const size = contents.sizes[contents.find(digest) ?? -1] ?? 0;
        if (file.add(formatMediumEntry({ path, size, digest }))) await file.turn();
      }
      delete buckets[key];
    }
    for (const entry of own.filter((one) => !isBefore(one))) file.add(formatMediumEntry(entry));
  });
  return { manifest, totals };
}

/** Hashes a file of this program. @throws the operating system's error */
export async function hashWhole(path: string): Promise<{ readonly digest: Digest; readonly size: number }> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    let size = 0;
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    return { digest: toDigest('sha256', hash), size };
  } finally {
    await file.close();
  }
}

/** Finds out which of `index.json` and `media.jsonl` exist. */
export async function findRestFiles(root: string): Promise<{ index: boolean; manifest: boolean }> {
  const isFile = async (name: string): Promise<boolean> =>
    (await lstat(join(root, name)).catch(() => undefined))?.isFile() === true;
  return { index: await isFile(indexPath), manifest: await isFile(mediumManifestPath) };
}

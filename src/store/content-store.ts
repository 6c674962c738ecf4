import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Digest, DigestAlgorithm } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import { blobPath } from '../oci/layout.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { adoptContent } from './adopt-content.ts';
import { listAffected } from './affected.ts';
import { BlobFiles } from './blob-files.ts';
import { ChangeGate } from './change-gate.ts';
import { checkStore } from './check-store.ts';
import { collect } from './collect.ts';
import { compactLedgers } from './compact-ledgers.ts';
import type { Content } from './content.ts';
import { createContentIndex } from './content-index.ts';
import { type ContentChange, type MediumChange, storeFormat } from './content-records.ts';
import type { ContentTable } from './content-table.ts';
import { deleteBlob, deleteManifest, deleteTag, releaseOwners } from './delete-content.ts';
import { Holds } from './holds.ts';
import { listBlobs } from './list-blobs.ts';
import { openLocalRepository } from './local-repository.ts';
import { ManifestCache } from './manifest-cache.ts';
import { toMediumDescription } from './medium-description.ts';
import type {
  BlobWriter,
  CheckOptions,
  CheckStep,
  CollectionResult,
  ForeignReason,
  LocalRepository,
  OccupancyRecord,
  Owner,
  PutOptions,
  QuarantinedBlob,
  RecipeRecord,
  RemovedTag,
  RepositoryOptions,
  Standing,
  Store,
  StoreIndex,
  SyncRecord,
} from './model.ts';
import { Pacer } from './pacer.ts';
import { putManifest } from './put-manifest.ts';
import { putTags, releaseHeld } from './put-tags.ts';
import { quarantine } from './quarantine.ts';
import { readManifest } from './read-manifest.ts';
import { reclaim } from './reclaim.ts';
import { mountBlob, recordUpload } from './record-upload.ts';
import { writeIndex, writeMediumManifest } from './rest-files.ts';
import { RestKeeper } from './rest-keeper.ts';
import type { StoreCore } from './store-core.ts';
import type { StoreParts } from './store-parts.ts';
import { vouch } from './vouch.ts';

/** Figures that are added up between two looks at the clock. */
const idsAtOnce = 4096;
const minute = 60_000;
const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** The store on disk, open. */
export class ContentStore implements Store {
  readonly root: string;
  readonly notices: readonly string[];
  readonly index: StoreIndex;
  readonly #parts: StoreParts;
  readonly #core: StoreCore;
  readonly #files: BlobFiles;
  readonly #keeper: RestKeeper;
  /** Hashed by this process, and not yet vouched for in the ledger. */
  readonly #hashed = new Set<Content>();
  readonly #openedAt: number;
  #timer: NodeJS.Timeout | undefined;
  #order: Promise<unknown> = Promise.resolve();
  #mediaId: string;
  #standing: Standing;
  #readOnly: string | undefined;
  #adopting: Promise<void> | undefined;
  #isWriter: boolean;
  #bytes = 0;
  #isClosed = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.root = parts.root;
    this.notices = parts.notices;
    this.#mediaId = parts.mediaId;
    this.#standing = parts.standing;
    this.#readOnly = parts.readOnly;
    this.#openedAt = parts.now();
    this.#isWriter = parts.isWriter;
    const { graph, book, report, now, root } = parts;
    const holds = new Holds(now);
    this.#keeper = new RestKeeper({
      root,
      isAutomatic: () => this.#isWriter && parts.mode === 'mirror',
      writeIndex: (signal) => this.#writeIndex(signal),
      writeManifest: (signal) => this.#writeManifest(signal),
      report,
    });
    this.#files = new BlobFiles({
      root,
      graph,
      holds,
      limits: parts.limits,
      change: (work) => this.#keeper.change('content', work),
      onSound: (content) => {
        if (graph.isUnvouched(content)) this.#hashed.add(content);
      },
      onBytes: (delta) => {
        this.#bytes += delta;
      },
    });
    const isStanding = (at: number): boolean => now() < Math.max(at + day, this.#openedAt + hour);
    this.index = createContentIndex({
      graph,
      recipes: () => book.recipes,
      measure: (content) => this.#files.measure(content),
      isStanding,
    });
    graph.onReached = (id) => holds.reach(id);
    this.#core = {
      root,
      report,
      now,
      graph,
      index: this.index,
      files: this.#files,
      holds,
      cache: new ManifestCache(),
      book,
      gate: new ChangeGate(),
      keeper: this.#keeper,
      contentLedger: parts.contentLedger,
      recipeLedger: parts.recipeLedger,
      isStanding,
      requireWritable: () => this.#requireWritable(),
      record: (changes) => this.#record(changes),
    };
    if (parts.readOnly === undefined) {
      this.#collectAfter(hour);
    }
  }

  get mediaId(): string {
    return this.#mediaId;
  }

  get standing(): Standing {
    return this.#standing;
  }

  get reason(): ForeignReason | undefined {
    return this.#standing === 'foreign' ? this.#parts.reason : undefined;
  }

  get readOnly(): string | undefined {
    return this.#readOnly;
  }

  get lastSync(): SyncRecord | undefined {
    return this.#parts.book.lastSync;
  }

  get head(): string {
    return `${this.#parts.contentLedger.head} ${this.#parts.recipeLedger.head}`;
  }

  get ledgers(): Store['ledgers'] {
    const { contentLedger, recipeLedger } = this.#parts;
    return {
      content: relative(this.root, contentLedger.path),
      recipes: relative(this.root, recipeLedger.path),
    };
  }

  get damage(): Store['damage'] {
    const { contentLedger, recipeLedger } = this.#parts;
    const sides = [
      ['content', contentLedger],
      ['recipes', recipeLedger],
    ] as const;
    const damages = sides.flatMap(([ledger, { damage }]) =>
      damage ? [{ ledger, path: damage.path, detail: `damaged at byte ${damage.offset}` }] : [],
    );
    const { path } = recipeLedger;
    return this.#parts.isMixed
      ? [...damages, { ledger: 'recipes', path, detail: 'it belongs to another medium' }]
      : damages;
  }

  /** Reads the folders; asked once, before anything else. */
  async start(): Promise<readonly string[]> {
    const strangers = await this.#files.load();
    const pacer = new Pacer();
    const { contents } = this.#parts.graph;
    for (let from = 0; from < contents.end; from += idsAtOnce) {
      const to = Math.min(contents.end, from + idsAtOnce);
      for (let id = from; id < to; id += 1)
        if (contents.isPresent(id)) this.#bytes += Math.max(0, contents.sizes[id]!);
      if (pacer.isDue()) await pacer.rest();
    }
    await this.#keeper.start();
    return strangers.length > 0 ? [`${strangers.length} entries among the blobs are no blobs`] : [];
  }

  repository(name: string, options: RepositoryOptions): LocalRepository {
    return openLocalRepository(this.#core, this, this.#parts.limits.type, name, options);
  }

  readManifest(digest: Digest): Promise<ManifestContent | undefined> {
    return readManifest(this.#core, digest);
  }

  async openBlob(digest: Digest): Promise<{ readonly file: FileHandle; readonly size: number }> {
    const content = this.#core.graph.get(digest);
    if (content === undefined)
      throw svcError('SVC-STO-001', { path: blobPath(digest), detail: 'not in the store' });
    return this.#files.open(content);
  }

  async createBlobWriter(
    options: { readonly algorithm?: DigestAlgorithm; readonly size?: number; readonly direct?: boolean } = {},
  ): Promise<BlobWriter> {
    await this.#requireWritable();
    return this.#files.createWriter(options.algorithm ?? 'sha256', options.size, options.direct);
  }

  async newTemporary(size: number): Promise<string> {
    await this.#requireWritable();
    return this.#files.newTemporary(size);
  }

  async adoptFile(path: string, digest: Digest, size: number): Promise<void> {
    await this.#requireWritable();
    await this.#files.adopt(path, digest, size);
  }

  recordUpload(repository: string, digest: Digest, actor: string): Promise<void> {
    return recordUpload(this.#core, repository, digest, actor);
  }

  mountBlob(repository: string, digest: Digest, from: string, actor: string): Promise<boolean> {
    return mountBlob(this.#core, repository, digest, from, actor);
  }

  lease(digest: Digest): void {
    const content = this.#core.graph.get(digest);
    if (content?.present) this.#core.holds.lease(content);
  }

  putManifest(repository: string, manifest: ManifestContent, options: PutOptions): Promise<void> {
    return putManifest(this.#core, repository, manifest, options);
  }

  putTags(tags: Parameters<Store['putTags']>[0]): Promise<void> {
    return putTags(this.#core, tags);
  }

  deleteTag(repository: string, tag: string): Promise<CollectionResult | undefined> {
    return deleteTag(this.#core, repository, tag);
  }

  deleteManifest(repository: string, digest: Digest): Promise<CollectionResult | undefined> {
    return deleteManifest(this.#core, repository, digest);
  }

  deleteBlob(repository: string, digest: Digest): Promise<boolean> {
    return deleteBlob(this.#core, repository, digest);
  }

  releaseOwners(
    releases: readonly { readonly repository: string; readonly tag: string; readonly owner: Owner }[],
  ): Promise<{ readonly removed: readonly RemovedTag[] } & CollectionResult> {
    return releaseOwners(this.#core, releases);
  }

  async recordSync(sync: SyncRecord, recipes: readonly RecipeRecord[]): Promise<void> {
    await this.#requireWritable();
    const { book, recipeLedger } = this.#parts;
    await this.#keeper.change('ledger', () =>
      this.#core.gate.exclusive(async () => {
        const changes = book.plan(sync, recipes);
        // A creation that was interrupted has left a recipe ledger without its first word.
        const isFirst = recipeLedger.state().generation === 0;
        await recipeLedger.append(isFirst ? [this.#medium(), ...changes] : changes);
        for (const change of changes) book.apply(change);
      }),
    );
  }

  collect(): Promise<CollectionResult> {
    return collect(this.#core);
  }

  async adopt(): Promise<void> {
    this.#requireChangeable();
    if (this.#standing === 'ours') return;
    this.#adopting ??= this.#adopt().finally(() => {
      this.#adopting = undefined;
    });
    await this.#adopting;
  }

  async releaseHeld(tags: readonly { readonly repository: string; readonly tag: string }[]): Promise<void> {
    await releaseHeld(this.#core, tags);
  }

  async reset(): Promise<{ readonly repositories: number; readonly bytes: number }> {
    this.#requireChangeable();
    await this.adopt();
    const { graph, book, contentLedger, recipeLedger } = this.#parts;
    const { gate, holds, cache } = this.#core;
    const repositories = graph.names.size;
    return this.#keeper.change('content', async () => {
      const mediaId = newMediumId();
      await gate.exclusive(async () => {
        this.#files.endWriters();
        await this.#parts.remember(mediaId);
        const medium = this.#medium(mediaId);
        await contentLedger.compact(() => [medium]);
        await recipeLedger.compact(() => [medium]);
        graph.clear();
        book.clear();
        holds.clear();
        cache.clear();
        this.#hashed.clear();
        this.#mediaId = mediaId;
      });
      const { bytes } = await reclaim(this.#core, everything(graph.contents));
      await this.#parts.remember(mediaId);
      return { repositories, bytes };
    });
  }

  async rest(): Promise<void> {
    if (!this.#isWriter) return;
    await this.#files.makeAllDurable();
    await compactLedgers(this.#core, this.#medium());
    await this.#keeper.write();
    await this.#parts.remember(this.#mediaId);
  }

  occupancy(): OccupancyRecord {
    return { bytes: this.#bytes, sampledAt: new Date(this.#parts.wall()).toISOString() };
  }

  check(options: CheckOptions = {}): AsyncIterable<CheckStep> {
    return checkStore(this.#core, options);
  }

  listBlobs(last?: Digest): ReturnType<Store['listBlobs']> {
    return listBlobs(this.#core.graph.contents, last);
  }

  quarantine(suspects: Parameters<Store['quarantine']>[0]): Promise<readonly QuarantinedBlob[]> {
    return quarantine(this.#core, suspects);
  }

  vouch(digests: Iterable<Digest>): Promise<number> {
    return vouch(this.#core, digests);
  }

  affected(digests: readonly Digest[]): ReturnType<Store['affected']> {
    return listAffected(this.#core.graph, digests);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#keeper.stop();
    const { contentLedger, recipeLedger, release, report } = this.#parts;
    try {
      await this.rest();
    } catch (error) {
      report.log('warn', 'the store was closed without its rest', { error });
    } finally {
      await contentLedger.close();
      await recipeLedger.close();
      await release();
    }
  }

  async #requireWritable(): Promise<void> {
    this.#requireChangeable();
    if (this.#standing === 'ours') return;
    if (this.#parts.zone !== undefined) throw svcError('SVC-MED-030', { mediaId: this.#mediaId });
    await this.adopt();
  }

  #requireChangeable(): void {
    const detail = this.#isClosed ? 'it is closed' : this.#readOnly;
    if (detail !== undefined) throw svcError('SVC-STO-002', { path: this.root, detail });
    if (this.#parts.needsStateRoot)
      throw svcError('SVC-CFG-001', { setting: 'state.root', detail: 'the store is under a key' });
  }

  async #record(changes: readonly ContentChange[]): Promise<readonly Content[]> {
    const { graph, contentLedger } = this.#parts;
    const digests = [...this.#hashed].map(({ digest }) => digest);
    this.#hashed.clear();
    const all = digests.length > 0 ? [{ op: 'verified', digests } as const, ...changes] : changes;
    const appended = contentLedger.append(all);
    const applied = this.#order.then(async () => {
      await appended;
      const pacer = new Pacer();
      const released: Content[] = [];
      for (const change of all) {
        released.push(...graph.apply(change));
        if (pacer.isDue()) await pacer.rest();
      }
      return released;
    });
    this.#order = applied.catch(() => {});
    return applied;
  }

  async #adopt(): Promise<void> {
    const { zone, report, prepareAdoption } = this.#parts;
    const key = await prepareAdoption();
    await adoptContent(this.#core, { medium: this.#medium(), isHeld: zone !== undefined, key }, () => {
      this.#standing = 'ours';
      this.#isWriter = true;
    });
    await this.#parts.remember(this.#mediaId);
    report.log('info', 'store adopted', { mediaId: this.#mediaId });
  }

  #medium(id = this.#mediaId): MediumChange {
    return { op: 'medium', id, format: storeFormat };
  }

  /** What the rest says must hold after a power cut, and for whoever opens the store next. @throws SVC-STO-00x */
  async #requireRestable(): Promise<void> {
    const { contentLedger, recipeLedger } = this.#parts;
    await this.#files.makeAllDurable();
    for (const ledger of [contentLedger, recipeLedger]) ledger.requireWhole();
  }

  async #writeIndex(signal: AbortSignal): Promise<void> {
    await this.#requireRestable();
    await writeIndex(this.root, this.#parts.graph, signal);
  }

  async #writeManifest(signal: AbortSignal): Promise<boolean> {
    const { mode, book, producerVersion, wall } = this.#parts;
    if (mode !== 'mirror' || book.lastSync === undefined) return false;
    await this.#requireRestable();
    await writeMediumManifest(
      this.root,
      toMediumDescription(this.#core, {
        mediaId: this.#mediaId,
        lastSync: book.lastSync,
        producerVersion,
        writtenAt: new Date(wall()),
      }),
      signal,
    );
    return true;
  }

  #collectAfter(delay: number): void {
    this.#timer = setTimeout(() => {
      if (this.#parts.isBusy()) this.#collectAfter(minute);
      else this.#collectUnasked();
    }, delay);
    this.#timer.unref();
  }

  #collectUnasked(): void {
    if (!this.#isWriter) return;
    this.collect().catch((error: unknown) => {
      this.#parts.report.log('warn', 'the collection failed', { error });
    });
  }
}

function* everything(contents: ContentTable): Generator<Content> {
  for (let id = 0; id < contents.end; id += 1) yield contents.at(id);
}

/** Identifies a medium from its creation to its reset. */
export function newMediumId(): string {
  return randomUUID();
}

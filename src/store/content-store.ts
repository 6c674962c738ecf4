import { relative } from 'node:path';
import { KeyedSerial } from '../base/concurrency.ts';
import { Pacer, runInTurns } from '../base/pacer.ts';
import type { Content } from '../catalog/content.ts';
import { createContentIndex } from '../catalog/content-index.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import { Holds } from '../catalog/holds.ts';
import type { StoreIndex, SyncRecord } from '../catalog/model.ts';
import type { Place } from '../disk/place/place.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { adoptContent } from './adoption/adopt-content.ts';
import { correctGraph } from './adoption/adopted-records.ts';
import { countCorrected, noCorrections } from './adoption/correct-facts.ts';
import { BlobFiles } from './blobs/blob-files.ts';
import { ChangeGate } from './change-gate.ts';
import { collectGarbage } from './collect.ts';
import { ManifestCache } from './manifest-cache.ts';
import { toMedium } from './medium.ts';
import type { ForeignReason, Standing, Store } from './model.ts';
import { isUnused } from './opening/is-unused.ts';
import { toKept } from './reclaim.ts';
import { recoverHints } from './repair/recover-hints.ts';
import { toMediumDescription } from './rest/medium-description.ts';
import { writeIndex, writeMediumManifest } from './rest/rest-files.ts';
import { RestKeeper } from './rest/rest-keeper.ts';
import { writeRest } from './rest/write-rest.ts';
import type { StoreCore, StoreState } from './store-core.ts';
import type { StoreParts } from './store-parts.ts';
import { takeDurable } from './vouch.ts';

/** Sizes that are added up between two checks whether to yield. */
const idsAtOnce = 4096;
const minute = 60_000;
const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Records from which on a batch is formatted in slices. */
const manyRecords = 500;

/** An open store on disk. */
export class ContentStore implements Store {
  readonly root: string;
  readonly place: Place;
  readonly notices: readonly Rule[];
  readonly index: StoreIndex;
  readonly core: StoreCore;
  readonly #openedAt: number;
  #timer: NodeJS.Timeout | undefined;
  #order: Promise<unknown> = Promise.resolve();
  #adopting: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: StoreParts) {
    this.root = parts.root;
    this.place = parts.place;
    this.notices = parts.notices;
    this.#openedAt = parts.now();
    const { graph, book, report, now, root } = parts;
    const holds = new Holds(now);
    const { mediaId, standing, isWriter } = parts;
    const state: StoreState = {
      mediaId,
      standing,
      isWriter,
      unfinished: undefined,
      bytes: 0,
      hashed: new Set(),
      vouching: undefined,
      corrections: noCorrections,
    };
    const keeper = new RestKeeper({
      root,
      isAutomatic: () => state.isWriter && parts.mode === 'mirror',
      writeIndex: (signal) => this.#writeIndex(signal),
      writeManifest: (signal) => this.#writeManifest(signal),
      report,
    });
    const files = new BlobFiles({
      root,
      graph,
      holds,
      limits: parts.limits,
      away: parts.away,
      change: (work) => keeper.change('content', work),
      isWriter: () => state.isWriter,
      onSound: (content) => {
        if (graph.isUnvouched(content)) state.hashed.add(content);
      },
      onBytes: (delta) => {
        state.bytes += delta;
      },
    });
    const isStanding = (at: number): boolean => now() < Math.max(at + day, this.#openedAt + hour);
    this.index = createContentIndex({
      graph,
      recipes: () => book.recipes,
      measure: (content) => files.measure(content),
      isStanding,
      toKept: () => toKept(graph, holds),
    });
    graph.onReached = (id) => holds.reach(id);
    this.core = {
      root,
      report,
      now,
      graph,
      index: this.index,
      files,
      holds,
      cache: new ManifestCache(),
      book,
      gate: new ChangeGate(),
      tagging: new KeyedSerial(),
      keeper,
      contentLedger: parts.contentLedger,
      recipeLedger: parts.recipeLedger,
      parts,
      state,
      isStanding,
      requireChangeable: () => this.#requireChangeable(),
      adopt: () => this.#adoptOnce(),
      requireAdoptable: () => this.#requireAdoptable(),
      requireWritable: () => this.#requireWritable(),
      record: (changes, recordOptions) => this.#record(changes, recordOptions),
    };
    if (parts.readOnly === undefined) {
      this.#collectAfter(hour);
    }
  }

  get mediaId(): string {
    return this.core.state.mediaId;
  }

  get standing(): Standing {
    return this.core.state.standing;
  }

  get reason(): ForeignReason | undefined {
    return this.standing === 'foreign' ? this.core.parts.reason : undefined;
  }

  get readOnly(): Rule | undefined {
    return this.core.parts.readOnly ?? this.core.state.unfinished;
  }

  get earlier(): string | undefined {
    const { earlier, contentLedger } = this.core.parts;
    return earlier !== undefined && isUnused(contentLedger) ? earlier : undefined;
  }

  get lastSync(): SyncRecord | undefined {
    return this.core.parts.book.lastSync;
  }

  get head(): string {
    return `${this.core.parts.contentLedger.head} ${this.core.parts.recipeLedger.head}`;
  }

  get ledgers(): Store['ledgers'] {
    const { contentLedger, recipeLedger } = this.core.parts;
    return {
      content: relative(this.root, contentLedger.path),
      recipes: relative(this.root, recipeLedger.path),
    };
  }

  get contradicted(): number {
    return countCorrected(this.core.state.corrections);
  }

  get damage(): Store['damage'] {
    const { contentLedger, recipeLedger } = this.core.parts;
    const sides = [
      ['content', contentLedger],
      ['recipes', recipeLedger],
    ] as const;
    const damages = sides.flatMap(([ledger, { damage }]) =>
      damage
        ? [
            {
              ledger,
              path: damage.path,
              detail: rule(['damaged at byte {offset}', fr`abîmé à l’octet {offset}`], {
                offset: damage.offset,
              }),
            },
          ]
        : [],
    );
    const { path } = recipeLedger;
    return this.core.parts.isMixed
      ? [
          ...damages,
          {
            ledger: 'recipes',
            path,
            detail: rule(['belongs to another medium', fr`appartient à un autre support`]),
          },
        ]
      : damages;
  }

  /** Reads the blob folders; called once, before any other method. @returns notices for the operator */
  async start(): Promise<readonly Rule[]> {
    const { files, graph, keeper, state } = this.core;
    const strangers = await files.load();
    if (this.standing === 'foreign') await this.#correct();
    const pacer = new Pacer();
    const { contents } = graph;
    for (let from = 0; from < contents.end; from += idsAtOnce) {
      const to = Math.min(contents.end, from + idsAtOnce);
      for (let id = from; id < to; id += 1)
        if (contents.isPresent(id)) state.bytes += Math.max(0, contents.sizes[id]!);
      if (pacer.isDue()) await pacer.rest();
    }
    await keeper.start();
    const { contradicted } = this;
    return [
      ...(strangers.length > 0
        ? [
            rule(
              [
                '{count} entries among the blobs are no blobs',
                fr`{count} entrées parmi les blobs ne sont pas des blobs`,
              ],
              { count: strangers.length },
            ),
          ]
        : []),
      ...(contradicted > 0
        ? [
            rule(
              [
                'the ledger contradicts the bytes of {contradicted} manifests; the bytes count',
                fr`le journal du stockage contredit les octets de {contradicted} manifestes ; les octets font foi`,
              ],
              { contradicted },
            ),
          ]
        : []),
    ];
  }

  /** Adopts a foreign store; overlapping calls share one adoption. */
  async #adoptOnce(): Promise<void> {
    this.#requireChangeable();
    if (this.standing === 'ours') return;
    this.#adopting ??= this.#adopt().finally(() => {
      this.#adopting = undefined;
    });
    await this.#adopting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.core.keeper.stop();
    await this.core.state.vouching;
    const { contentLedger, recipeLedger, release, report } = this.core.parts;
    try {
      await writeRest(this);
    } catch (error) {
      report.log('warn', 'the store was closed without writing index.json', { error });
    } finally {
      await contentLedger.close();
      await recipeLedger.close();
      await release();
    }
  }

  async #requireWritable(): Promise<void> {
    this.#requireAdoptable();
    if (this.standing === 'foreign') await this.#adoptOnce();
    await this.place.requireInPlace();
  }

  #requireAdoptable(): void {
    this.#requireChangeable();
    if (this.standing === 'foreign' && this.core.parts.zone !== undefined)
      throw svcError('SVC-MED-030', { mediaId: this.mediaId });
  }

  #requireChangeable(): void {
    const detail = this.#isClosed ? rule(['it is closed', fr`il est fermé`]) : this.readOnly;
    if (detail !== undefined) throw svcError('SVC-STO-002', { path: this.root, detail });
    if (this.core.parts.needsStateRoot)
      throw svcError('SVC-CFG-001', {
        setting: 'state.root',
        detail: rule([
          'is not set, and it holds the key of this store',
          fr`n’est pas défini, alors qu’il contient la clé de ce stockage`,
        ]),
      });
  }

  async #record(
    changes: readonly ContentChange[],
    options?: { readonly awaitSync?: boolean },
  ): Promise<readonly Content[]> {
    const { graph, contentLedger } = this.core;
    const digests = takeDurable(this.core);
    const all = digests.length > 0 ? [{ op: 'verified', digests } as const, ...changes] : changes;
    const batch = all.length < manyRecords ? all : await runInTurns(contentLedger.prepare(all));
    const appended = contentLedger.append(batch, options);
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

  /** Compares the content ledger of a foreign store with `index.json` and with the bytes of its manifests. */
  async #correct(): Promise<void> {
    const { state, parts } = this.core;
    state.corrections = await correctGraph(this.core);
    if (!parts.isCarried) return;
    const unread = await recoverHints(this.core);
    state.corrections = { ...state.corrections, unread: state.corrections.unread ?? unread };
  }

  async #adopt(): Promise<void> {
    const { zone, report, prepareAdoption } = this.core.parts;
    const key = await prepareAdoption();
    const { state } = this.core;
    // content that could not be read when the store was opened would otherwise be lost with the adoption
    if (state.corrections.unread) await this.#correct();
    const { corrections } = state;
    if (corrections.unread) throw corrections.unread;
    await adoptContent(
      this.core,
      { medium: toMedium(state.mediaId), isHeld: zone !== undefined, key, corrections },
      () => {
        state.standing = 'ours';
        state.isWriter = true;
        state.corrections = noCorrections;
      },
    );
    await this.core.parts.remember(state.mediaId);
    report.log('info', 'store adopted', { mediaId: this.mediaId });
  }

  /**
   * Makes all blobs durable and checks the ledgers, because `index.json` and `media.jsonl` describe them
   * after a power cut and to the next instance.
   *
   * @throws SVC-STO-00x
   */
  async #requireRestable(): Promise<void> {
    const { contentLedger, recipeLedger } = this.core.parts;
    await this.core.files.makeAllDurable();
    for (const ledger of [contentLedger, recipeLedger]) ledger.requireWhole();
  }

  async #writeIndex(signal: AbortSignal): Promise<void> {
    await this.#requireRestable();
    await writeIndex(this.root, this.core.parts.graph, { signal });
  }

  async #writeManifest(signal: AbortSignal): Promise<boolean> {
    const { mode, book, producerVersion, wall } = this.core.parts;
    if (mode !== 'mirror' || book.lastSync === undefined) return false;
    await this.#requireRestable();
    await writeMediumManifest(
      this.root,
      toMediumDescription(this.core, {
        mediaId: this.mediaId,
        lastSync: book.lastSync,
        producerVersion,
        writtenAt: new Date(wall()),
      }),
      { signal },
    );
    return true;
  }

  #collectAfter(delay: number): void {
    this.#timer = setTimeout(() => {
      if (this.core.parts.isBusy()) this.#collectAfter(minute);
      else this.#collectInBackground();
    }, delay);
    this.#timer.unref();
  }

  #collectInBackground(): void {
    if (!this.core.state.isWriter) return;
    collectGarbage(this).catch((error: unknown) => {
      this.core.parts.report.log('warn', 'the collection failed', { error });
    });
  }
}

import { constants } from 'node:fs';
import { type FileHandle, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Serial } from '../base/concurrency.ts';
import type { Steps } from '../base/pacer.ts';
import { type GuardedFolder, openGuardedFolder } from '../disk/guarded-folder.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { isSameNode } from '../disk/place/same-node.ts';
import { toSystemCode } from '../disk/system-code.ts';
import { writeAll } from '../disk/write-all.ts';
import { toWriteError } from '../disk/write-error.ts';
import { isSvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { formatHeader, maxBatchBytes, sealBatch, toTag } from './codec.ts';
import { formatGenerationName } from './generation.ts';
import type { Ledger, LedgerAuthors, LedgerOptions, LedgerPlace, LedgerState } from './ledger.ts';
import type { LedgerReading } from './load-generation.ts';
import { PreparedRecords } from './prepared-records.ts';
import { listGenerations } from './read-ledger.ts';
import { type LedgerTip, toSlices, type WrittenGeneration, writeGeneration } from './write-generation.ts';

/** Bytes of records after which a batch accepts no further callers. */
const fullBatchBytes = 4 << 20;

/** Milliseconds after which records are synced that nobody waits for. */
const syncDelay = 50;

/** Records of several callers that share one write and one sync. */
interface Group {
  text: string[];
  bytes: number;
  records: number;
  /** Resolves when the batch is in the file, and `synced` when it is also durable, where a caller waits for that. */
  readonly written: PromiseWithResolvers<void>;
  synced: Promise<void>;
  /** Whether a caller waits for the sync. */
  isAwaited: boolean;
}

/** The one writer of an open ledger. */
export class LedgerWriter<R> implements Ledger<R> {
  readonly #options: LedgerOptions<R>;
  readonly #reading: LedgerReading;
  readonly #turns = new Serial();
  #group: Group | undefined;
  #folder: GuardedFolder | undefined;
  #file: FileHandle | undefined;
  #closed = false;
  /** Error after which nothing can be written any more, because the state of the file is unknown. */
  #broken: unknown;
  /** Whether there may be bytes after the tip. */
  #torn = false;

  #key: Buffer | undefined;
  #keyed: boolean;
  #tip: LedgerTip;
  /** The tip up to which the file would survive a power cut, where that is not `#tip`. */
  #durable: LedgerTip | undefined;
  /** Whether there are records after it whose callers do not learn that a sync fails. */
  #isAnswered = false;
  #syncTimer: NodeJS.Timeout | undefined;
  #damage: Ledger<R>['damage'];
  /** Whether every batch in the file was written under the current key, or, without a key, under none. */
  #isUnderKey: boolean;
  #state: LedgerState | undefined;

  constructor(options: LedgerOptions<R>, reading: LedgerReading) {
    this.#options = options;
    this.#reading = reading;
    this.#key = options.key;
    this.#keyed = reading.keyed;
    this.#tip = reading;
    this.#damage = reading.damage;
    this.#torn = reading.truncatedTail !== undefined;
    const { verified, unkeyed, foreign } = reading.authors;
    this.#isUnderKey = foreign === 0 && (options.key ? unkeyed : verified) === 0;
  }

  get path(): string {
    const { root, folder, name } = this.#options;
    return join(root, folder, formatGenerationName(name, Math.max(1, this.#tip.generation)));
  }
  get head(): string {
    const { generation, sequence, sha256 } = this.state();
    return `${generation}.${sequence}.${sha256.slice(0, 32)}`;
  }
  get records(): number {
    return this.#tip.records;
  }
  get keyed(): boolean {
    return this.#keyed;
  }
  get authors(): LedgerAuthors {
    return this.#reading.authors;
  }
  get prefix(): Ledger<R>['prefix'] {
    return this.#reading.prefix;
  }
  get unreadable(): number {
    return this.#reading.unreadable;
  }
  get damage(): Ledger<R>['damage'] {
    return this.#damage;
  }
  get lost(): Ledger<R>['lost'] {
    return this.#reading.lost;
  }
  get truncatedTail(): Ledger<R>['truncatedTail'] {
    return this.#reading.truncatedTail;
  }

  state(): LedgerState {
    const { generation, length, sequence, hash } = this.#durable ?? this.#tip;
    this.#state ??= { generation, length, sequence, sha256: hash.copy().digest('hex') };
    return this.#state;
  }

  place(): LedgerPlace | undefined {
    const isWhole = this.#durable === undefined && this.#damage === undefined && this.#broken === undefined;
    if (!isWhole || !this.#keyed || !this.#isUnderKey) return undefined;
    const { generation, records, batches, tag } = this.#tip;
    const unreadable = generation === this.#reading.generation ? this.unreadable : 0;
    return { ...this.state(), records, batches, unreadable, tag };
  }

  *prepare(records: readonly R[]): Steps<PreparedRecords> {
    const lines: string[] = [];
    for (const record of records) {
      lines.push(this.#toLine(record));
      yield;
    }
    return new PreparedRecords(lines);
  }

  append(
    records: readonly R[] | PreparedRecords,
    { awaitSync = true }: { readonly awaitSync?: boolean } = {},
  ): Promise<void> {
    let prepared: PreparedRecords;
    try {
      prepared =
        records instanceof PreparedRecords
          ? records
          : new PreparedRecords(records.map((record) => this.#toLine(record)));
      if (prepared.count === 0) return Promise.resolve();
      this.#requireOpen();
      this.#requireWritable();
    } catch (error) {
      return Promise.reject(error);
    }
    const { text } = prepared;
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBatchBytes) {
      return Promise.reject(
        svcError('SVC-STO-002', {
          path: this.path,
          detail: rule(['a batch of {bytes} bytes', fr`un lot de {bytes} octets`], { bytes }),
        }),
      );
    }
    if (!this.#group || this.#group.bytes + bytes > fullBatchBytes) this.#group = this.#openGroup();
    const group = this.#group;
    group.text.push(text);
    group.bytes += bytes;
    group.records += prepared.count;
    if (!awaitSync) return group.written.promise;
    group.isAwaited = true;
    return group.synced;
  }

  async compact(
    snapshot: () => Iterable<R>,
    options: { readonly key?: Buffer | undefined; readonly repair?: boolean } = {},
  ): Promise<void> {
    this.#requireOpen();
    await this.#turns.run(async () => {
      const rekey = 'key' in options;
      this.#requireWritable({ rekey, repair: options.repair === true });
      // callers that waited for the last batch update their state before the snapshot
      await nextTurn();
      await this.#sync();
      const folder = await this.#prepare();
      const { generation, length, sequence, sha256 } = this.state();
      const key = rekey ? options.key : this.#key;
      const predecessor = generation === 0 ? undefined : { generation, length, sequence, sha256 };
      const next = { ledger: this.#options.name, generation: generation + 1, predecessor, key };
      const written = await this.#writeOrRemove(folder, next, toSlices(this.#toReadables(snapshot())));
      await this.#continueIn(folder, written);
      this.#key = key;
      this.#keyed = key !== undefined;
      this.#damage = undefined;
    });
  }

  async prepareToWrite(): Promise<void> {
    this.#requireOpen();
    await this.#turns.run(async () => {
      this.#requireWritable();
      await this.#prepare();
    });
  }

  async sync(): Promise<void> {
    await this.#turns.run(() => this.#sync());
  }

  requireWhole(): void {
    if (this.#torn && this.#broken) throw toWriteError(this.#broken, this.path);
  }

  shouldCompact(liveRecords: number): boolean {
    const dead = this.#tip.records - liveRecords;
    return dead > liveRecords + 4096 || this.#tip.batches > liveRecords / 4 + 4096;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turns.run(async () => {
      await this.#sync().catch(() => {});
      await this.#release();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #requireOpen(): void {
    if (this.#closed)
      throw svcError('SVC-STO-002', {
        path: this.path,
        detail: rule(['the ledger is closed', fr`le journal du stockage est fermé`]),
      });
  }

  #requireWritable(allow: { rekey?: boolean; repair?: boolean } = {}): void {
    const { path } = this;
    if (!this.#options.writable)
      throw svcError('SVC-STO-002', {
        path,
        detail: rule(['opened read-only', fr`ouvert en lecture seule`]),
      });
    if (this.#broken) throw toWriteError(this.#broken, path);
    if (this.#damage && !(allow.repair && this.#options.salvage))
      throw svcError('SVC-STO-002', {
        path,
        detail: rule(['damaged at offset {offset}', fr`abîmé à l’octet {offset}`], {
          offset: this.#damage.offset,
        }),
      });
    // a batch without the key, or under another key, would make the ledger foreign to every instance
    if (!this.#isUnderKey && !allow.rekey)
      throw svcError('SVC-CFG-001', {
        setting: 'state.root',
        detail: rule(['does not hold the key of {path}', fr`ne contient pas la clé de {path}`], { path }),
      });
  }

  /** Returns the record. @throws SVC-STO-002 when `parse` refuses it: the next opening would lose its content */
  #toReadable(record: R): R {
    if (this.#options.parse(record) !== undefined) return record;
    throw svcError('SVC-STO-002', {
      path: this.path,
      detail: rule(
        [
          'a record that could not be read back: {record}',
          fr`un enregistrement illisible ensuite : {record}`,
        ],
        { record: JSON.stringify(record).slice(0, 512) },
      ),
    });
  }

  #toLine(record: R): string {
    return `${JSON.stringify(this.#toReadable(record))}\n`;
  }

  *#toReadables(records: Iterable<R>): Generator<R> {
    for (const record of records) yield this.#toReadable(record);
  }

  #openGroup(): Group {
    const written = Promise.withResolvers<void>();
    const { promise } = written;
    const group: Group = { text: [], bytes: 0, records: 0, written, synced: promise, isAwaited: false };
    group.synced = this.#turns.run(async () => {
      if (this.#group === group) this.#group = undefined;
      await this.#write({ payload: Buffer.from(group.text.join('')), records: group.records });
      written.resolve();
      if (group.isAwaited) await this.#sync();
      else this.#syncSoon();
    });
    group.synced.catch((error: unknown) => written.reject(error));
    // all callers of a batch may wait for its sync
    promise.catch(() => {});
    return group;
  }

  /** Writes a batch behind the tip: a kill of the process does not lose it any more. */
  async #write(slice: { payload: Buffer; records: number }): Promise<void> {
    // an earlier batch in the queue may have failed
    if (this.#broken) throw toWriteError(this.#broken, this.path);
    const folder = await this.#prepare();
    if (this.#tip.generation === 0) {
      const first = { ledger: this.#options.name, generation: 1, predecessor: undefined, key: this.#key };
      await this.#continueIn(folder, await this.#writeOrRemove(folder, first, [slice]));
      this.#keyed = this.#key !== undefined;
      return;
    }
    const { payload, records } = slice;
    const { generation, length, hash, sequence, tag } = this.#tip;
    const place = {
      sequence: sequence + 1,
      generation,
      records,
      after: tag,
      durable: this.#durable?.sequence,
    };
    const header = sealBatch(this.#options.name, place, payload, this.#key);
    const line = Buffer.from(formatHeader(header));
    this.#torn = true;
    try {
      await writeAll(this.#file!, [line, payload], length);
    } catch (error) {
      await this.#takeBack(error);
      throw toWriteError(error, this.path, { size: line.length + payload.length });
    }
    this.#torn = false;
    this.#durable ??= { ...this.#tip, hash: hash.copy() };
    this.#tip = {
      generation,
      length: length + line.length + payload.length,
      hash: hash.update(line).update(payload),
      sequence: place.sequence,
      records: this.#tip.records + records,
      batches: this.#tip.batches + 1,
      tag: toTag(header),
    };
  }

  /** Makes everything before the tip durable, or takes back the rest. @throws SVC-STO-002, SVC-STO-004 */
  async #sync(): Promise<void> {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    const durable = this.#durable;
    if (durable === undefined) return;
    try {
      await this.#file!.datasync();
    } catch (error) {
      const { path } = this;
      const size = this.#tip.length - durable.length;
      if (this.#isAnswered) {
        const { report } = this.#options;
        report.log('warn', 'Records of a ledger were written and could not be synced', { path, error });
      }
      this.#settle(durable);
      this.#torn = true;
      await this.#takeBack(error);
      throw toWriteError(error, path, { size });
    }
    this.#settle(this.#tip);
  }

  /** Continues from a tip that would survive a power cut. */
  #settle(tip: LedgerTip): void {
    this.#tip = tip;
    this.#durable = undefined;
    this.#isAnswered = false;
    this.#state = undefined;
  }

  /** Syncs records that nobody waits for: those that follow in a moment share the sync. */
  #syncSoon(): void {
    this.#isAnswered = true;
    this.#syncTimer ??= setTimeout(() => void this.sync().catch(() => {}), syncDelay).unref();
  }

  /**
   * Truncates the file after a failed write, which must not count when the ledger is opened again. After a full disk the
   * ledger stays usable; after any other failure the state of the file is unknown.
   */
  async #takeBack(error: unknown): Promise<void> {
    const code = toSystemCode(error) ?? '';
    await this.#truncate().catch(() => undefined);
    if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) this.#broken = error;
  }

  async #truncate(): Promise<void> {
    try {
      await this.#file!.truncate(this.#tip.length);
      await this.#file!.datasync();
      this.#settle(this.#tip);
      this.#torn = false;
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  /** Brings the folder to the state that was read: one file, ending with its last whole batch. */
  async #prepare(): Promise<GuardedFolder> {
    if (this.#folder) return this.#folder;
    const { root, folder: path, name } = this.#options;
    let folder: GuardedFolder | undefined;
    try {
      folder = await openGuardedFolder(root, path, { create: true });
      const leftovers = (await listGenerations(root, path, name)).filter((n) => n !== this.#tip.generation);
      const isNew = leftovers.some((n) => !this.#reading.leftovers.includes(n));
      if (isNew) throw svcError('SVC-STO-007', { path: this.path, problem: 'changed' });
      if (this.#tip.generation > 0) await this.#openFile(folder);
      // the process may have been killed between the commit and this sync
      if (leftovers.length > 0) await folder.sync();
      for (const leftover of leftovers) await unlink(folder.pathOf(formatGenerationName(name, leftover)));
      if (leftovers.length > 0) await folder.sync();
      if (this.#torn && !this.#damage) await this.#truncate();
      this.#folder = folder;
      return folder;
    } catch (error) {
      await this.#file?.close();
      this.#file = undefined;
      await folder?.close();
      throw toWriteError(error, this.path);
    }
  }

  /** Opens the file for writing. It must be the file that was read, with the same size. */
  async #openFile(folder: GuardedFolder): Promise<void> {
    const { identity } = this.#reading;
    this.#file = await folder.open(
      formatGenerationName(this.#options.name, this.#tip.generation),
      constants.O_RDWR,
    );
    const found = await this.#file.stat({ bigint: true });
    const isSame =
      identity !== undefined && isSameNode(identity, found, folder.path) && found.size === identity.size;
    if (!isSame) throw svcError('SVC-STO-007', { path: this.path, problem: 'changed' });
  }

  async #writeOrRemove(
    folder: GuardedFolder,
    next: Parameters<typeof writeGeneration>[1],
    slices: Parameters<typeof writeGeneration>[2],
  ): Promise<WrittenGeneration> {
    try {
      return await writeGeneration(folder, next, slices);
    } catch (error) {
      // a new file that is whole would count from now on, and later appends to the old one would be lost
      try {
        await unlink(folder.pathOf(formatGenerationName(next.ledger, next.generation)));
        await folder.sync();
      } catch (failure) {
        if (!isAbsent(failure)) this.#broken = failure;
      }
      throw isSvcError(error) ? error : toWriteError(error, this.path);
    }
  }

  /** Continues in the new file, which is durable, and removes the old one. */
  async #continueIn(folder: GuardedFolder, written: WrittenGeneration): Promise<void> {
    const old = this.#tip.generation;
    await this.#file?.close();
    this.#file = written.file;
    this.#tip = written;
    this.#torn = false;
    this.#isUnderKey = true;
    this.#state = undefined;
    if (old === 0) return;
    try {
      await unlink(folder.pathOf(formatGenerationName(this.#options.name, old)));
      await folder.sync();
    } catch (error) {
      // while its predecessor exists, a generation in use cannot be told from one that was never committed
      this.#broken = error;
      throw toWriteError(error, this.path);
    }
  }

  async #release(): Promise<void> {
    const [file, folder] = [this.#file, this.#folder];
    this.#file = undefined;
    this.#folder = undefined;
    await file?.close();
    await folder?.close();
  }
}

import { svcError } from '../../src/base/error.ts';

interface UploadRoomOptions {
  /** Names the volume in errors. */
  readonly path: string;
  /** Bytes that uploads leave free, for what must always work: ledgers, accounts, removal. */
  readonly reserve: number;
  /** Free bytes on the volume. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes that uploads have taken and not yet written. */
  readonly pending: () => number;
}

/** Milliseconds for which free bytes once asked for count, less what has been taken since: others write too. */
const sampleLife = 1000;

/** The part of a reserve that a volume keeps: a twentieth, at most 256 MiB. @param totalBytes of the volume */
export function toReserve(totalBytes: number): number {
  return Math.min(256 << 20, Math.floor(totalBytes / 20));
}

/** Room that a record of the ledgers, a tag or an empty upload takes at most, in bytes. */
export const recordBytes = 4096;

/** The room that all uploads share. What is taken is counted at once, so that many at a time pass no limit together. */
export class UploadRoom {
  readonly #options: UploadRoomOptions;
  /** Bytes taken since the start. */
  #taken = 0;
  #left = 0;
  #sampledAt = Number.NEGATIVE_INFINITY;

  constructor(options: UploadRoomOptions) {
    this.#options = options;
  }

  /** Takes room for bytes that go to a writer at once, without asking the disk; false: `take` must ask. */
  tryTake(bytes: number): boolean {
    if (bytes > this.#left || performance.now() - this.#sampledAt > sampleLife) return false;
    this.#count(bytes);
    return true;
  }

  /** Takes room for bytes that go to a writer or a ledger at once; the disk is asked once a second. @throws SVC-STO-004 */
  async take(bytes: number): Promise<void> {
    if (this.tryTake(bytes)) return;
    const free = await this.#sample();
    this.#requireLeft(bytes, free);
    this.#count(bytes);
  }

  /** Makes sure of room without taking any: for what is announced. @throws SVC-STO-004 */
  async require(bytes: number): Promise<void> {
    this.#requireLeft(bytes, await this.#sample());
  }

  /** Whether every upload is refused now: not even the smallest has room. */
  async isFull(): Promise<boolean> {
    await this.#sample();
    return this.#left < recordBytes;
  }

  #count(bytes: number): void {
    this.#left -= bytes;
    this.#taken += bytes;
  }

  /** @returns free bytes of the volume. What is written or taken while they are asked for may not be among the used ones */
  async #sample(): Promise<number> {
    const { reserve, freeBytes, pending } = this.#options;
    const [before, waiting] = [this.#taken, pending()];
    const free = await freeBytes();
    this.#left = free - reserve - waiting - (this.#taken - before);
    this.#sampledAt = performance.now();
    return free;
  }

  #requireLeft(bytes: number, free: number): void {
    if (bytes <= this.#left) return;
    const { path, reserve } = this.#options;
    const usable = Math.max(0, this.#left);
    throw svcError('SVC-STO-004', {
      path,
      needed: bytes,
      usable,
      free,
      margin: 0,
      shortfall: bytes - usable,
      ...(reserve > 0 ? { reserve } : {}),
    });
  }
}

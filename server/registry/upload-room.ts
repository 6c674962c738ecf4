import { svcError } from '../../src/text/error.ts';

interface UploadRoomOptions {
  /** Path of the volume, used in errors. */
  readonly path: string;
  /** Bytes that uploads leave free for the work that must never stop: ledgers, accounts, removal. */
  readonly reserve: number;
  /** Free bytes on the volume. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes that uploads have received and not yet written. */
  readonly pending: () => number;
}

/**
 * Milliseconds for which a reading of the free space is used, less the bytes reserved since. Other programs write too.
 */
const sampleLife = 1000;

/** Computes the reserve of a volume: 5 %, at most 256 MiB. @param totalBytes size of the volume */
export function toReserve(totalBytes: number): number {
  return Math.min(256 << 20, Math.floor(totalBytes / 20));
}

/** Maximum space of a record of the ledgers, a tag or an empty upload, in bytes. */
export const recordBytes = 4096;

/** The space that all uploads share. Reserved space counts at once, so that parallel uploads cannot exceed it together. */
export class UploadRoom {
  readonly #options: UploadRoomOptions;
  /** Bytes taken since the start. */
  #taken = 0;
  #left = 0;
  #sampledAt = Number.NEGATIVE_INFINITY;

  constructor(options: UploadRoomOptions) {
    this.#options = options;
  }

  /**
   * Takes space for bytes that are written next, without reading the free space. False: call `take` instead.
   */
  tryTake(bytes: number): boolean {
    if (!this.#isKnown(bytes)) return false;
    this.#count(bytes);
    return true;
  }

  /**
   * Takes space for bytes that are written next. Reads the free space at most once a second. @throws
   * SVC-STO-004
   */
  async take(bytes: number): Promise<void> {
    if (this.tryTake(bytes)) return;
    const free = await this.#sample();
    this.#requireLeft(bytes, free);
    this.#count(bytes);
  }

  /**
   * Checks for space without taking it, for an announced length. Reads the free space at most once a second, unless it
   * seems too little. @throws SVC-STO-004
   */
  async require(bytes: number): Promise<void> {
    if (this.#isKnown(bytes)) return;
    this.#requireLeft(bytes, await this.#sample());
  }

  /** Whether every upload is refused now: there is no space for the smallest one. */
  async isFull(): Promise<boolean> {
    await this.#sample();
    return this.#left < recordBytes;
  }

  /** Whether a reading that is still used leaves these bytes. */
  #isKnown(bytes: number): boolean {
    return bytes <= this.#left && performance.now() - this.#sampledAt <= sampleLife;
  }

  #count(bytes: number): void {
    this.#left -= bytes;
    this.#taken += bytes;
  }

  /**
   * Reads the free space. Bytes pending before the reading or taken during it are subtracted, since the
   * reading may not include them. @returns free bytes of the volume
   */
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
      shortfall: bytes - usable,
      ...(reserve > 0 ? { reserve } : {}),
    });
  }
}

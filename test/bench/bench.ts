import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LoadClient, startLoadClient } from './load/load-client.ts';
import { startZeroServer, type ZeroServer } from './load/zero-server.ts';
import type { PeerName, Peers } from './peers.ts';
import { removeFolder } from './remove-folder.ts';

export interface BenchOptions {
  /** A folder of its own, on the filesystem that is measured. */
  readonly folder: string;
  /** Small sizes and few rounds, to try out: the figures mean little. */
  readonly quick: boolean;
  readonly pairs: number;
  /** How long the workload of many clients lasts; undefined: as long as it says itself. */
  readonly seconds?: number | undefined;
  readonly peers: Peers;
  readonly tell: (text: string) => void;
}

/** The common parts of the workloads of one run; resources opened here are closed with it. */
export class Bench implements AsyncDisposable {
  readonly folder: string;
  readonly quick: boolean;
  readonly pairs: number;
  readonly seconds: number | undefined;
  readonly tell: (text: string) => void;
  readonly #peers: Peers;
  readonly #open = new AsyncDisposableStack();
  readonly #shared = new Map<string, Promise<unknown>>();
  #folders = 0;

  constructor(options: BenchOptions) {
    this.folder = options.folder;
    this.quick = options.quick;
    this.pairs = options.pairs;
    this.seconds = options.seconds;
    this.tell = options.tell;
    this.#peers = options.peers;
  }

  /** One size or another, by whether this run only tries out. */
  size<T>(full: T, quick: T): T {
    return this.quick ? quick : full;
  }

  peer(name: PeerName): string | undefined {
    return this.#peers.get(name);
  }

  /** Those of the names that are not installed. */
  missing(...names: readonly PeerName[]): PeerName[] {
    return names.filter((name) => !this.#peers.has(name));
  }

  /** A new empty folder. */
  async createFolder(name: string): Promise<string> {
    this.#folders += 1;
    const path = join(this.folder, `${this.#folders}-${name}`);
    await mkdir(path);
    return path;
  }

  /** Does some work in a folder that is gone afterwards. */
  async withFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
    const path = await this.createFolder(name);
    try {
      return await work(path);
    } finally {
      await removeFolder(path);
    }
  }

  /** Hands out a value that is made once in a run. */
  share<T>(name: string, make: () => Promise<T>): Promise<T> {
    let known = this.#shared.get(name) as Promise<T> | undefined;
    if (known === undefined) {
      known = make();
      this.#shared.set(name, known);
    }
    return known;
  }

  /** Has something closed at the end of the run, or of the workload when that closes it itself. */
  keep<T extends AsyncDisposable>(resource: T): T {
    return this.#open.use(resource);
  }

  client(): Promise<LoadClient> {
    return this.share('load client', async () => this.keep(await startLoadClient()));
  }

  zeros(): Promise<ZeroServer> {
    return this.share('zero server', async () => this.keep(await startZeroServer()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#open.disposeAsync();
  }
}

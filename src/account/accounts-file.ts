import { type BigIntStats, statSync } from 'node:fs';
import { join } from 'node:path';
import { Serial } from '../base/concurrency.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { acquireLock } from '../disk/lock.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { isSameNode } from '../disk/place/same-node.ts';
import { readPlainTextSync } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { keepReserve, writeIntoReserve } from '../disk/write-reserve.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import {
  type AccountsDocument,
  AccountsFormatError,
  formatAccountsDocument,
  parseAccountsDocument,
  type StoredAccount,
  type StoredToken,
} from './accounts-document.ts';

/** The document with the indexes that authentication needs. */
export interface AccountsView extends AccountsDocument {
  readonly byName: ReadonlyMap<string, StoredAccount>;
  /** Tokens that are not revoked, by the SHA-256 of their secret. */
  readonly bySecret: ReadonlyMap<string, StoredToken>;
}

const maxBytes = 16 << 20;
/** Least bytes that are reserved for the next version of the file. */
const minReserve = 64 << 10;
/** Milliseconds that a change waits for the lock of another process. */
const patience = 10_000;

/**
 * The file `accounts` under the state root. Other processes may change it: every read compares its identity
 * on disk, and every change reads it again under the lock.
 */
export class AccountsFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #changes = new Serial();
  #seen: BigIntStats | undefined;
  /** The folder in which the file was first found. Nothing of the product removes the file. */
  #home: BigIntStats | undefined;
  #view: AccountsView = toView({ accounts: [], tokens: [] });
  readonly #listeners: (() => void)[] = [];

  constructor(stateRoot: string) {
    this.#folder = stateRoot;
    this.#path = join(stateRoot, 'accounts');
  }

  /**
   * Returns the current content of the file; empty when there never was one. Synchronous: one `stat` of a
   * local file takes microseconds, and each request must see changes made before it.
   *
   * @throws SVC-STO-001 when the file cannot be read or does not have the expected format; SVC-STO-014 when it, or its
   *   folder, existed before: a removed disk of the state neither ends a session nor makes the next account the first
   *   one
   */
  read(): AccountsView {
    try {
      const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
      if (found === undefined) {
        if (this.#home)
          throw this.#gone(
            rule(['it was there before and is absent now', fr`il était présent et ne l’est plus`]),
          );
        this.#seen = undefined;
        this.#view = toView({ accounts: [], tokens: [] });
      } else if (!this.#seen || !isSameFile(found, this.#seen)) {
        this.#requireHome();
        if (found.size > maxBytes)
          throw new AccountsFormatError(
            rule(['larger than {limit} bytes', fr`plus de {limit} octets`], { limit: maxBytes }),
          );
        this.#view = toView(parseAccountsDocument(readPlainTextSync(this.#path)));
        // if the file has been replaced since the `stat`, its identity differs and the next call reads it
        // again
        this.#seen = found;
        for (const listener of this.#listeners) listener();
      }
      return this.#view;
    } catch (cause) {
      this.#seen = undefined;
      throw toReadError(cause, this.#path, toDetail(cause));
    }
  }

  /** Calls `listener`, which must not throw, after each reading of a changed file. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Replaces the document atomically and durably by the result of `decide`. On a full volume the reserved
   * space is used.
   *
   * @throws the errors of `decide`, without a change; SVC-STO-002 when the file cannot be written; SVC-STO-007 when
   *   another process keeps the lock
   */
  change<T>(decide: (document: AccountsDocument) => { document: AccountsDocument; result: T }): Promise<T> {
    return this.#changes.run(async () => {
      // the folder is not made again on the bare mount point of a removed disk
      this.read();
      await makeStateFolder(this.#folder);
      await using _lock = await acquireLock(`${this.#path}.lock`, 'exclusive', {
        holder: rule(['a change of accounts', fr`une modification des comptes`]),
        patience,
      });
      const { document, result } = decide(this.read());
      if (document !== this.#view) {
        await removeLeftovers(this.#path);
        await this.#write(Buffer.from(formatAccountsDocument(document)));
        this.#requireHome();
        // sessions of a removed account or token end before the change is answered
        this.read();
      }
      await this.#keepReserve();
      return result;
    });
  }

  #gone(detail: Rule): SvcError {
    return svcError('SVC-STO-014', { path: this.#path, detail });
  }

  /**
   * Requires that a changed file is in the folder that was read before. Another folder in its place, such as the bare
   * mount point of a removed disk, does not have the accounts of this instance.
   *
   * @throws SVC-STO-014
   */
  #requireHome(): void {
    const found = statSync(this.#folder, { bigint: true });
    this.#home ??= found;
    if (!isSameNode(this.#home, found, this.#folder))
      throw this.#gone(rule(['another folder is in its place', fr`un autre dossier est à sa place`]));
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      await writeStateFile(this.#path, bytes);
    } catch (error) {
      if (!isSvcError(error, 'SVC-STO-004')) throw error;
      await writeIntoReserve(this.#path, bytes).catch(() => {
        throw error;
      });
    }
  }

  /**
   * Reserves space for the next change, so that passwords can be changed and tokens revoked on a full volume.
   */
  async #keepReserve(): Promise<void> {
    const { size } = statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    if (size !== undefined) await keepReserve(this.#path, Math.max(minReserve, 2 * size));
  }
}

function toView(document: AccountsDocument): AccountsView {
  return {
    ...document,
    byName: new Map(document.accounts.map((account) => [account.name, account])),
    bySecret: new Map(
      document.tokens.filter((token) => token.revokedAt === undefined).map((token) => [token.sha256, token]),
    ),
  };
}

function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}

// a JSON error can quote the text, and this file contains hashes
function toDetail(cause: unknown): Rule | string {
  if (cause instanceof AccountsFormatError) return cause.rule;
  if (cause instanceof SyntaxError) return rule(['not JSON', fr`pas du JSON`]);
  return cause instanceof Error ? cause.message : String(cause);
}

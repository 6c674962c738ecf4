import { join } from 'node:path';
import { writeStateFile } from '../../disk/atomic-file.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { acquireLock } from '../../disk/lock.ts';
import { makeStateFolder } from '../../disk/make-folder.ts';
import { openPlain } from '../../disk/plain-file.ts';
import { requireKnownFormat, toReadError } from '../../disk/read-error.ts';
import { removeLeftovers } from '../../disk/remove-leftovers.ts';
import type { LedgerState } from '../../ledger/ledger.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { RuleError, rule } from '../../text/rule.ts';
import { type AwayTimes, isAwayTimes } from './away-times.ts';

/** The states of a medium's ledgers after its last use by this instance. */
export interface RememberedLedgers {
  readonly content: LedgerState;
  readonly recipe: LedgerState;
  /** When this instance last had the store open, as far as it was recorded; milliseconds since the epoch. */
  readonly usedUntil?: number | undefined;
  /** Earlier times at which it did not have the store open. */
  readonly away?: AwayTimes | undefined;
}

/** Most media that are remembered; the one not written for the longest time is removed first. */
export const maxRememberedMedia = 256;
const maxBytes = 1 << 20;
/** Milliseconds to wait for another process that has locked the file. */
const patience = 10_000;

/**
 * The state of a ledger that does not exist yet. Remembered before a store is created, it makes the store
 * this instance's.
 */
export const emptyLedgerState: LedgerState = {
  generation: 0,
  length: 0,
  sequence: 0,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/**
 * Reads the remembered states, by medium identifier.
 *
 * @throws SVC-STO-001 when the file cannot be read or does not have the expected format
 */
export async function readRememberedLedgers(
  stateRoot: string,
): Promise<ReadonlyMap<string, RememberedLedgers>> {
  const path = toPath(stateRoot);
  try {
    const file = await openPlain(path);
    try {
      if ((await file.stat()).size > maxBytes)
        throw svcError('SVC-STO-001', { path, detail: rule(['too large', fr`trop grand`]) });
      return parseDocument(await file.readFile('utf8'));
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (isAbsent(cause)) return new Map();
    throw toReadError(
      cause,
      path,
      rule(['not readable as the remembered ledgers', fr`illisible comme journaux mémorisés`]),
    );
  }
}

/**
 * Remembers the states of a medium's ledgers. The ledgers must be durable: a ledger that is shorter than its
 * remembered state makes the store foreign.
 *
 * @throws SVC-STO-001, SVC-STO-002, SVC-STO-004, SVC-STO-007
 */
export function rememberLedgers(stateRoot: string, mediaId: string, state: RememberedLedgers): Promise<void> {
  return change(stateRoot, (media) => {
    const { usedUntil, away } = { ...media.get(mediaId), ...state };
    media.delete(mediaId);
    media.set(mediaId, { content: state.content, recipe: state.recipe, usedUntil, away });
    for (const oldest of media.keys()) {
      if (media.size <= maxRememberedMedia) break;
      media.delete(oldest);
    }
  });
}

async function change(
  stateRoot: string,
  decide: (media: Map<string, RememberedLedgers>) => unknown,
): Promise<void> {
  const path = toPath(stateRoot);
  await makeStateFolder(stateRoot);
  await using _lock = await acquireLock(`${path}.lock`, 'exclusive', { holder: 'ledgers', patience });
  const media = new Map(await readRememberedLedgers(stateRoot));
  decide(media);
  await removeLeftovers(path);
  const list = [...media].map(([id, state]) => ({ id, ...state }));
  await writeStateFile(path, `${JSON.stringify({ format: 1, media: list }, undefined, 1)}\n`);
}

function parseDocument(text: string): Map<string, RememberedLedgers> {
  const document = JSON.parse(text) as { format?: unknown; media?: unknown };
  requireKnownFormat(document?.format, 1);
  if (document?.format !== 1 || !Array.isArray(document.media))
    throw new RuleError(rule(['not this format', fr`pas ce format`]));
  return new Map(
    document.media.map(({ id, content, recipe, usedUntil, away }: Record<string, unknown>) => {
      if (typeof id !== 'string' || !isState(content) || !isState(recipe))
        throw new RuleError(rule(['not a medium', fr`pas un support`]));
      const times = {
        ...(typeof usedUntil === 'number' ? { usedUntil } : {}),
        ...(isAwayTimes(away) ? { away } : {}),
      };
      return [id, { content, recipe, ...times }];
    }),
  );
}

function isState(value: unknown): value is LedgerState {
  if (typeof value !== 'object' || value === null) return false;
  const { generation, length, sequence, sha256 } = value as Record<string, unknown>;
  return (
    [generation, length, sequence].every((n) => Number.isSafeInteger(n) && (n as number) >= 0) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  );
}

function toPath(stateRoot: string): string {
  return join(stateRoot, 'ledgers');
}

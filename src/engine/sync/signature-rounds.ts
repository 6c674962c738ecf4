import { join } from 'node:path';
import { writeStateFile } from '../../disk/atomic-file.ts';
import { readPlainText } from '../../disk/plain-file.ts';

/** Time of the last query for new signatures of all ingredients. */
export interface SignatureRound {
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Keys (`toContentKey`) of ingredients whose query or transfer failed; the next run queries them. */
  readonly left: readonly string[];
}

/** Stores the last round between runs. */
export interface SignatureRounds {
  read(): Promise<SignatureRound | undefined>;
  write(round: SignatureRound): Promise<void>;
}

const everyMs = 24 * 3_600_000;

/** Whether all ingredients must be queried: once a day, and when the clock was set back. */
export function isRoundDue(round: SignatureRound | undefined, now: number): boolean {
  return round === undefined || now - round.askedAt >= everyMs || round.askedAt > now;
}

/**
 * Opens the record of rounds. Without a state root it is kept in memory. An unreadable file counts as no
 * round, so that all ingredients are queried.
 */
export function openSignatureRounds(stateRoot: string | undefined): SignatureRounds {
  let known: SignatureRound | undefined;
  if (stateRoot === undefined)
    return {
      read: async () => known,
      write: async (round) => {
        known = round;
      },
    };
  const path = join(stateRoot, 'signature-round');
  return {
    read: async () => {
      try {
        return parseRound(JSON.parse(await readPlainText(path)));
      } catch {
        return undefined;
      }
    },
    write: (round) => writeStateFile(path, Buffer.from(`${JSON.stringify(round)}\n`)),
  };
}

function parseRound(document: unknown): SignatureRound | undefined {
  const { askedAt, left } = (document ?? {}) as Record<string, unknown>;
  if (typeof askedAt !== 'number' || !Array.isArray(left)) return undefined;
  return { askedAt, left: left.filter((key) => typeof key === 'string') };
}

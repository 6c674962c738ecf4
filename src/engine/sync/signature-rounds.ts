import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../disk/atomic-file.ts';

/** When the sources of the ingredients were asked for new signatures. */
export interface SignatureRound {
  /** Of all: milliseconds since the epoch. */
  readonly askedAt: number;
  /** Ingredients, by `toContentKey`, whose answer did not come or did not land: they are asked in the next run. */
  readonly left: readonly string[];
}

/** Keeps the last round over the runs. */
export interface SignatureRounds {
  read(): Promise<SignatureRound | undefined>;
  write(round: SignatureRound): Promise<void>;
}

const everyMs = 24 * 3_600_000;

/** Whether all ingredients are due: once a day, and when the clock was set back. */
export function isRoundDue(round: SignatureRound | undefined, now: number): boolean {
  return round === undefined || now - round.askedAt >= everyMs || round.askedAt > now;
}

/** Without a state root the rounds live as long as the process. A file that cannot be read is no round: all are due. */
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
        return parseRound(JSON.parse(await readFile(path, 'utf8')));
      } catch {
        return undefined;
      }
    },
    write: (round) => writeFileAtomic(path, Buffer.from(`${JSON.stringify(round)}\n`)),
  };
}

function parseRound(document: unknown): SignatureRound | undefined {
  const { askedAt, left } = (document ?? {}) as Record<string, unknown>;
  if (typeof askedAt !== 'number' || !Array.isArray(left)) return undefined;
  return { askedAt, left: left.filter((key) => typeof key === 'string') };
}

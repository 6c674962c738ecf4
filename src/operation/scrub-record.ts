import { join } from 'node:path';
import { type Digest, isDigest } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { ScrubFinding } from '../contract/recipe.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { openPlain } from '../disk/plain-file.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';

const maxBytes = 4 << 20;

/** One pass through a store, in the order of the digests. */
export interface ScrubPass {
  readonly mediaId: string;
  /** Digest of the blob that was read last. */
  readonly startedAt: string;
  /** The one read last. */
  readonly lastDigest?: Digest;
  readonly files: number;
  readonly bytes: number;
  readonly damaged: number;
  /** Limited to 100. */
  readonly findings: readonly ScrubFinding[];
}

export interface ScrubState {
  /** The current pass, or the one that the last process did not complete. */
  readonly pass?: ScrubPass;
  readonly last?: ScrubPass & { readonly finishedAt: string };
}

/** Progress of the background check, kept over restarts. */
export interface ScrubRecord {
  state: ScrubState;
  /** Writes the state. A failure to write is logged and not thrown. */
  save(state: ScrubState): Promise<void>;
}

/** Opens the record below a state root. A record of another medium or an unreadable record is discarded. */
export async function openScrubRecord(
  stateRoot: string | undefined,
  mediaId: string,
  report: Report,
): Promise<ScrubRecord> {
  const path = stateRoot === undefined ? undefined : join(stateRoot, 'scrub');
  const record: ScrubRecord = {
    state: path === undefined ? {} : await read(path, mediaId),
    save: async (state) => {
      record.state = state;
      if (path === undefined) return;
      try {
        await writeStateFile(path, `${JSON.stringify({ format: 1, ...state })}\n`);
      } catch (error) {
        report.log('warn', 'the progress of the store check could not be recorded', { error });
      }
    },
  };
  if (path !== undefined) await removeLeftovers(path);
  return record;
}

async function read(path: string, mediaId: string): Promise<ScrubState> {
  try {
    const file = await openPlain(path);
    try {
      if ((await file.stat()).size > maxBytes) return {};
      const { format, pass, last } = (JSON.parse(await file.readFile('utf8')) ?? {}) as Record<
        string,
        unknown
      >;
      if (format !== 1) return {};
      return {
        ...(isPass(pass, mediaId) ? { pass } : {}),
        ...(isPass(last, mediaId) && isTime((last as { finishedAt?: unknown }).finishedAt)
          ? { last: last as NonNullable<ScrubState['last']> }
          : {}),
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return {};
    throw error;
  }
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}

function isPass(value: unknown, medium: string): value is ScrubPass {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaId, startedAt, lastDigest, files, bytes, damaged, findings } = value as Record<
    string,
    unknown
  >;
  return (
    mediaId === medium &&
    isTime(startedAt) &&
    (lastDigest === undefined || isDigest(lastDigest)) &&
    [files, bytes, damaged].every((count) => Number.isSafeInteger(count) && (count as number) >= 0) &&
    Array.isArray(findings) &&
    findings.every((one: unknown) => isDigest((one as { digest?: unknown } | null)?.digest))
  );
}

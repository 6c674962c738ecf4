import { randomUUID } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Digest, digestAlgorithm, isDigest } from '../../../base/digest.ts';
import { writeStateFile } from '../../../disk/atomic-file.ts';
import { isAbsent } from '../../../disk/is-absent.ts';
import { acquireLock, type Lock } from '../../../disk/lock.ts';
import { makeStateFolder } from '../../../disk/make-folder.ts';
import { readRecord } from '../../../disk/plain-file.ts';
import { toReadError } from '../../../disk/read-error.ts';
import { isSvcError } from '../../../text/error.ts';
import { fr } from '../../../text/language.ts';
import { rule } from '../../../text/rule.ts';
import type { Landing, LandingRecords, Landings } from './landings.ts';

/** A recipe that is about to be pushed. */
export interface IntendedLanding extends Omit<Landing, 'landedAt'> {
  /** Its repository at the destination, with the host. */
  readonly repository: string;
  readonly digest: Digest;
}

/** The registry of the zone, as it is asked about recipes of imports that were killed. */
export interface LandingPlaces {
  has(repository: string, digest: Digest): Promise<boolean>;
  /** @param tag registry, repository and tag */
  resolve(tag: string): Promise<Digest | undefined>;
}

/** A recipe that no other import gives other tags until it is over. */
export interface LandingClaim {
  /** Records that everything was pushed. @param landedAt RFC 3339 in UTC */
  land(landedAt: string): Promise<void>;
  /** Ends the claim of a recipe that was not pushed. */
  withdraw(): Promise<void>;
}

/** The landings of one import, beside those of other imports of this host. Disposal leaves open claims to the next import. */
export interface LandingRun extends AsyncDisposable {
  /** What landed, as it is known by the last claim. */
  readonly landings: Landings;
  /**
   * Claims the tags of a recipe durably, before any of them is given: a killed import is found by the next one. Waits while
   * another import pushes other content under one of them.
   *
   * @param toIntended decides the tags from the landings on record; called again after each wait
   */
  claim(toIntended: (landings: Landings) => IntendedLanding): Promise<LandingClaim>;
}

interface ClaimFile {
  /** The import. */
  readonly run: string;
  readonly file: string;
}

interface StoredIntent {
  readonly zone: string;
  readonly intended: Omit<IntendedLanding, 'tags'> & { readonly tags: Readonly<Record<string, Digest>> };
}

function isIntent(value: unknown): value is StoredIntent {
  const { zone, intended } = (value ?? {}) as Partial<StoredIntent>;
  const { name, version, repository, digest, resolvedAt, tags } = intended ?? {};
  return (
    [zone, name, version, repository, resolvedAt].every((one) => typeof one === 'string') &&
    isDigest(digest) &&
    typeof tags === 'object' &&
    tags !== null &&
    Object.values(tags).every(isDigest)
  );
}

interface LandingRunOptions {
  readonly zone: string;
  readonly places: LandingPlaces;
  /** Names of the configured peers; the tags of others do not count. Default: all do. */
  readonly peers?: ReadonlySet<string> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when another import pushes other content under a tag of a recipe. */
  readonly onWait?: ((recipe: Pick<IntendedLanding, 'name' | 'version'>) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds between two looks at the claim of another import. */
const longestPause = 500;

/**
 * Opens the landings of an import. First those of killed imports are settled: a recipe that the registry has is recorded, with
 * the tags that lead to its content. Of another one only the tags are, where the import gave them.
 *
 * @param stateRoot folder of the state
 * @throws SVC-STO-00x, errors of the registry
 */
export async function openLandingRun(
  stateRoot: string,
  records: LandingRecords,
  { zone, places, peers, now, onWait, signal }: LandingRunOptions,
): Promise<LandingRun> {
  const folder = join(stateRoot, 'media', 'landing');
  await makeStateFolder(folder);
  const holder = rule(['media import', fr`import du support`]);
  const own = randomUUID();
  const lockOf = (run: string): Promise<Lock> =>
    acquireLock(join(folder, `${run}.lock`), 'exclusive', { holder });
  const read = (file: string): Promise<StoredIntent | undefined> =>
    readRecord(
      join(folder, file),
      (document) => (isIntent(document) ? document : undefined),
      rule([
        'not a record of a recipe that was about to land',
        fr`pas un enregistrement d’une recette qui allait arriver`,
      ]),
    );
  /** The files of other imports. */
  const listFiles = async (): Promise<readonly ClaimFile[]> => {
    const names = await readdir(folder).catch((error: unknown) => {
      throw toReadError(error, folder);
    });
    return names.flatMap((file) => {
      const [, run] = /^([0-9a-f-]{36})\./.exec(file) ?? [];
      return run === undefined || run === own ? [] : [{ run, file }];
    });
  };
  const list = async () => (await listFiles()).filter(({ file }) => /^[^.]+\.[0-9]+\.json$/.test(file));
  const remove = (path: string): Promise<void> =>
    unlink(path).catch((error: unknown) => {
      if (!isAbsent(error)) throw toReadError(error, path);
    });
  /** Records a recipe of a killed import, as far as the registry has it. */
  const settle = async (file: string): Promise<void> => {
    const found = await read(file);
    if (found === undefined) return;
    const { intended } = found;
    const isThere = await places.has(intended.repository, intended.digest);
    const tags = new Map<string, Digest>();
    for (const [tag, digest] of Object.entries(intended.tags)) {
      const at = await places.resolve(tag);
      // registries name tagged content by sha256, also when its pin uses another algorithm
      const isOther = at !== digest && at !== undefined && digestAlgorithm(at) === digestAlgorithm(digest);
      if (at === digest || (isThere && at !== undefined && !isOther)) tags.set(tag, digest);
    }
    if (isThere || tags.size > 0) {
      const landedAt = new Date(now()).toISOString();
      const landing = { ...intended, tags, landedAt, isTagsOnly: !isThere };
      await records.during(async (locked) =>
        locked.add(found.zone, landing, await locked.get(found.zone, peers)),
      );
    }
    await remove(join(folder, file));
  };
  /** Settles the claims of an import that has ended. @returns false while it runs */
  const settleEnded = async (run: string): Promise<boolean> => {
    let lock: Lock;
    try {
      // not in the moment in which the import itself makes it
      lock = await records.during(() => lockOf(run));
    } catch (error) {
      if (isSvcError(error, 'SVC-STO-007')) return false;
      throw error;
    }
    try {
      for (const one of await list()) if (one.run === run) await settle(one.file);
      for (const one of await listFiles()) if (one.run === run) await remove(join(folder, one.file));
    } finally {
      await lock.release();
    }
    return true;
  };

  for (const run of new Set((await listFiles()).map((one) => one.run))) await settleEnded(run);
  const lock = await records.during(() => lockOf(own));
  const known = async (): Promise<[Landings, string]> =>
    records.during(async (locked) => [await locked.get(zone, peers), await locked.version()]);
  let [landings, version] = await known().catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  let serial = 0;

  /** The first other import that gives one of the tags to other content. */
  const findRival = async ({ tags }: IntendedLanding): Promise<ClaimFile | undefined> => {
    for (const one of await list()) {
      const other = await read(one.file);
      if (other?.zone !== zone) continue;
      const isRival = Object.entries(other.intended.tags).some(
        ([tag, digest]) => (tags.get(tag) ?? digest) !== digest,
      );
      if (isRival) return one;
    }
    return undefined;
  };
  const waitFor = async ({ run, file }: ClaimFile): Promise<void> => {
    for (let time = 20; ; time = Math.min(longestPause, time * 2)) {
      signal?.throwIfAborted();
      if (!(await list()).some((one) => one.file === file)) return;
      if (await settleEnded(run)) return;
      await pause(time, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  };
  const land = (file: string, intended: IntendedLanding, landedAt: string): Promise<void> =>
    records.during(async (locked) => {
      const isKnown = (await locked.version()) === version;
      await locked.add(zone, { ...intended, landedAt }, isKnown ? landings : await locked.get(zone, peers));
      if (isKnown) version = await locked.version();
      await remove(join(folder, file));
    });

  return {
    get landings() {
      return landings;
    },
    claim: async (toIntended) => {
      for (let isFirst = true; ; isFirst = false) {
        const outcome = await records.during(async (locked) => {
          const now = await locked.version();
          if (now !== version) [landings, version] = [await locked.get(zone, peers), now];
          const intended = toIntended(landings);
          const rival = await findRival(intended);
          if (rival !== undefined) {
            if (isFirst) onWait?.(intended);
            return { rival };
          }
          serial += 1;
          const file = `${own}.${serial}.json`;
          const stored: StoredIntent = {
            zone,
            intended: { ...intended, tags: Object.fromEntries(intended.tags) },
          };
          await writeStateFile(join(folder, file), `${JSON.stringify(stored)}\n`);
          return { intended, file };
        });
        if (outcome.rival === undefined) {
          const { intended, file } = outcome;
          return {
            land: (landedAt) => land(file, intended, landedAt),
            withdraw: () => remove(join(folder, file)),
          };
        }
        await waitFor(outcome.rival);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await remove(lock.path);
      await lock.release();
    },
  };
}

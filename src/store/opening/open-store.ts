import { open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { type MediumChange, storeFormat } from '../../catalog/content-records.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { makeFolder, syncName } from '../../disk/make-folder.ts';
import { openPlace } from '../../disk/place/place.ts';
import { toReadError } from '../../disk/read-error.ts';
import { inspectVolume } from '../../disk/volume.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { formatGenerationName } from '../../ledger/generation.ts';
import type { LedgerPlace } from '../../ledger/ledger.ts';
import { layoutPath, layoutText } from '../../oci/layout.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { ContentStore } from '../content-store.ts';
import { newMediumId, toMedium } from '../medium.ts';
import type { OpenStoreOptions, Store } from '../model.ts';
import { addAwayTime } from './away-times.ts';
import { findUnmounted } from './find-unmounted.ts';
import { isStateFolder } from './is-state-folder.ts';
import { isUnused } from './is-unused.ts';
import { closeReading, inspectLedgers, type Reading, readLedgers } from './read-ledgers.ts';
import { emptyLedgerState, readRememberedLedgers, rememberLedgers } from './remembered-ledgers.ts';
import { requireUnused } from './require-unused.ts';
import { saveIndex } from './saved-index.ts';
import { openStoreKey, readStoreKey } from './store-key.ts';
import { acquireStoreLock, type StoreLock } from './store-lock.ts';

const temporaryFolder = '_svc/tmp';
const blobFolders = ['blobs/sha256', 'blobs/sha512'] as const;

/**
 * Opens the store in a folder; `write` and `serve` create it when there is none, unless `create` is false.
 *
 * @throws SVC-STO-007 when another process has locked it; SVC-STO-008 for another format; SVC-STO-013 for a
 *   folder with other content; SVC-STO-020 when there is none and `create` is false; SVC-STO-017 when the folder is on a mount point that is not mounted; SVC-STO-001, SVC-STO-002,
 *   SVC-STO-004
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const store = await tryOpen(options);
  if (store === undefined && options.create === false) throw await toNoStore(options.root);
  if (store === undefined)
    throw svcError('SVC-STO-001', {
      path: options.root,
      detail: rule(['there is no store', fr`il n’y a pas de stockage`]),
      problem: 'unmade',
    });
  return store;
}

/** The error for a folder in which no store is made and there is none. */
export async function toNoStore(path: string): Promise<SvcError> {
  return svcError('SVC-STO-020', { path, state: (await isStateFolder(path)) ? 'yes' : undefined });
}

/**
 * Opens a store for inspection: nothing is locked, created or changed.
 *
 * @returns undefined when there is none
 */
export async function peekStore(options: Omit<OpenStoreOptions, 'access'>): Promise<Store | undefined> {
  return tryOpen({ ...options, access: 'peek' });
}

async function tryOpen(options: OpenStoreOptions): Promise<Store | undefined> {
  const mayWrite = options.access === 'write' || options.access === 'serve';
  const mayCreate = mayWrite && options.create !== false;
  const unmounted = mayWrite ? await findUnmounted(options.root) : undefined;
  if (unmounted !== undefined && !(await hasLedgers(options.root)))
    throw svcError('SVC-STO-017', { path: options.root, mount: unmounted });
  const root = await openRoot(options.root, mayCreate);
  if (root === undefined) return undefined;
  let lock: StoreLock | undefined;
  // a store that was made there is opened: it may hold content brought since
  const notices =
    unmounted === undefined
      ? []
      : [
          rule(
            [
              'the store is on the volume below the mount point {unmounted}, where nothing is mounted',
              fr`le stockage est sur le volume sous le point de montage {unmounted}, où rien n’est monté`,
            ],
            { unmounted },
          ),
        ];
  let reading = await readToOpen(root, options, mayWrite);
  try {
    if (reading.medium === undefined) {
      if (!mayCreate) {
        await closeReading(reading);
        return undefined;
      }
      // nothing is created in a folder with other content, not even the lock
      await requireUnused(root, listUnusedLedgers(reading));
      lock = await acquireStoreLock(root, { access: 'write', holder: options.holder ?? 'svc' });
    } else {
      requireFormat(reading.medium);
      lock = await takeLock(root, options, reading);
    }
    // Another process may have written before the lock was acquired.
    if (lock && lock.mode !== 'none' && (await inspectLedgers(root)).stamp !== reading.stamp) {
      await closeReading(reading);
      reading = await readToOpen(root, options, mayWrite);
      if (reading.medium) requireFormat(reading.medium);
    }
    if (reading.medium === undefined) {
      if (!mayCreate) throw await toNoStore(options.root);
      await requireUnused(root, listUnusedLedgers(reading));
      await closeReading(reading);
      reading = await create(root, options);
    }
    return await finish(root, options, reading, lock, notices);
  } catch (error) {
    await closeReading(reading);
    await lock?.release();
    throw error;
  }
}

/**
 * Reads the ledgers. For a store of another instance the recipe ledger can also name the medium. A damaged content
 * ledger is read beyond the damage, because it only shows where to look.
 */
async function readToOpen(root: string, options: OpenStoreOptions, writable: boolean): Promise<Reading> {
  let reading = await readLedgers(root, { ...options, writable });
  if (!isCarried(reading)) return reading;
  if (reading.content.damage) {
    await closeReading(reading);
    reading = await readLedgers(root, { ...options, writable, salvage: 'content' });
  }
  return { ...reading, medium: reading.medium ?? reading.recipeMedium };
}

/** Whether another instance made the store and this instance does not remember it. */
function isCarried({ verdict, remembered }: Reading): boolean {
  return verdict.standing === 'foreign' && remembered === undefined;
}

async function openRoot(path: string, mayCreate: boolean): Promise<string | undefined> {
  try {
    if (mayCreate) await makeFolder(path);
    const root = await realpath(path);
    if (!(await stat(root)).isDirectory()) throw notFolder(path);
    return root;
  } catch (error) {
    if (isSvcError(error)) throw error;
    if (!mayCreate && isAbsent(error)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw notFolder(path);
    throw mayCreate ? toWriteError(error, path) : toReadError(error, path);
  }
}

const notFolder = (path: string): SvcError =>
  svcError('SVC-STO-001', { path, detail: rule(['not a folder', fr`pas un dossier`]) });

function requireFormat({ format }: MediumChange): void {
  if (format !== storeFormat) throw svcError('SVC-STO-008', { found: format, supported: storeFormat });
}

async function takeLock(
  root: string,
  { access, holder = 'svc' }: OpenStoreOptions,
  { verdict }: Reading,
): Promise<StoreLock | undefined> {
  if (access === 'peek') return undefined;
  if (verdict.standing === 'foreign') return acquireStoreLock(root, { access: 'visit', holder });
  return acquireStoreLock(root, { access: access === 'read' ? 'read' : 'write', holder });
}

/** Ledger files without a record, which an interrupted first start leaves. */
function listUnusedLedgers({ content, recipes }: Reading): string[] {
  return Object.entries({ content, recipes }).flatMap(([name, ledger]) =>
    ledger.state().generation === 0 ? [formatGenerationName(name, 1)] : [],
  );
}

async function makeFolders(root: string): Promise<void> {
  for (const path of [...blobFolders, temporaryFolder])
    await (await openGuardedFolder(root, path, { create: true, mode: 0o755 })).close();
}

/** Whether a folder has the ledgers of a store. */
async function hasLedgers(root: string): Promise<boolean> {
  return (await readdir(join(root, 'ledger')).catch(() => [])).length > 0;
}

/** The store that an instance wrote before another one. */
async function findEarlier(stateRoot: string | undefined, mediaId: string): Promise<string | undefined> {
  if (stateRoot === undefined) return undefined;
  return [...(await readRememberedLedgers(stateRoot)).keys()].filter((id) => id !== mediaId).at(-1);
}

async function create(root: string, options: OpenStoreOptions): Promise<Reading> {
  const id = newMediumId();
  const { stateRoot } = options;
  if (stateRoot !== undefined) {
    await openStoreKey(stateRoot);
    // Remembered before the store exists: after a kill in between, the new store still belongs to this
    // instance.
    await rememberLedgers(stateRoot, id, { content: emptyLedgerState, recipe: emptyLedgerState });
  }
  await makeFolders(root);
  // another process may have created the folder and been killed before its name was durable
  await syncName(root);
  await writeFileAtomic(join(root, layoutPath), layoutText, { mode: 0o644 });
  const reading = await readLedgers(root, { ...options, writable: true });
  try {
    const medium = { op: 'medium', id, format: storeFormat } as const;
    await reading.content.append([medium]);
    await reading.recipes.append([medium]);
    return { ...reading, medium, recipeMedium: medium, verdict: { standing: 'ours', needsStateRoot: false } };
  } catch (error) {
    await closeReading(reading);
    throw error;
  }
}

/** Removes leftovers of a killed process; the lock excludes other writers. */
async function clearTemporary(root: string): Promise<void> {
  const folder = join(root, temporaryFolder);
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Creates and removes a file, to find out whether the store is writable.
 *
 * @throws SVC-STO-002, SVC-STO-004 when nothing can be written
 */
async function probe(root: string): Promise<void> {
  const path = join(root, temporaryFolder, 'probe');
  try {
    const file = await open(path, 'wx');
    await file.close();
    await rm(path);
  } catch (error) {
    throw toWriteError(error, path);
  }
}

async function prepareWriter(root: string): Promise<void> {
  await makeFolders(root);
  await clearTemporary(root);
  await probe(root);
}

async function finish(
  root: string,
  options: OpenStoreOptions,
  reading: Reading,
  firstLock: StoreLock | undefined,
  notices: Rule[],
): Promise<Store> {
  const { access, stateRoot, zone, mode, producer, report, holder = 'svc' } = options;
  const now = options.now ?? createSteadyClock();
  const { graph, book, content, recipes, verdict, recipeMedium } = reading;
  const medium = reading.medium!;
  const limits = await inspectVolume(root);
  let lock = firstLock;
  if (lock?.notice !== undefined) notices.push(lock.notice);
  if (content.state().generation === 0)
    notices.push(rule(['{path}: missing', fr`{path} : manque`], { path: content.path }));
  for (const { path, truncatedTail, damage, unreadable } of [content, recipes]) {
    if (truncatedTail)
      notices.push(
        rule(
          [
            '{path}: an interrupted write of {bytes} bytes does not count',
            fr`{path} : une écriture interrompue de {bytes} octets ne compte pas`,
          ],
          { path, bytes: truncatedTail.bytes },
        ),
      );
    if (damage)
      notices.push(
        rule(['{path}: damaged at byte {offset}', fr`{path} : abîmé à l’octet {offset}`], {
          path,
          offset: damage.offset,
        }),
      );
    if (unreadable > 0)
      notices.push(
        rule(
          [
            '{path}: {count} records are not understood',
            fr`{path} : {count} enregistrements ne sont pas compris`,
          ],
          { path, count: unreadable },
        ),
      );
  }
  if (verdict.reason === 'older' || verdict.reason === 'altered')
    notices.push(
      rule([
        'the ledgers differ from the state that this instance remembers; they can be repaired with `svc store check --repair`',
        fr`les journaux du stockage ne sont pas ceux que cette instance a mémorisés ; \`svc store check --repair\` peut les réparer`,
      ]),
    );
  const isMixed = recipeMedium !== undefined && recipeMedium.id !== medium.id;
  // in a store of this instance, only a reset interrupted between the two ledgers causes this: the records of the
  // recipe ledger are obsolete
  const isHalfReset = isMixed && verdict.standing === 'ours';
  if (isHalfReset) book.clear();
  // an adoption replaces the content ledger of another instance, damaged or not
  const needed = isCarried(reading) ? [recipes] : [content, recipes];
  const damaged = needed.find((ledger) => ledger.damage !== undefined);
  const mayWrite = access === 'write' || access === 'serve';
  const readOnly = damaged
    ? rule(
        [
          '{path} is damaged; it can be repaired with `svc store check --repair`',
          fr`{path} est abîmé ; \`svc store check --repair\` peut le réparer`,
        ],
        { path: damaged.path },
      )
    : !mayWrite
      ? rule(['it was opened for reading', fr`il a été ouvert en lecture`])
      : verdict.standing === 'ours' && lock?.mode !== 'exclusive'
        ? (lock?.notice ?? rule(['it is not locked', fr`il n’est pas verrouillé`]))
        : undefined;
  const isWriter = mayWrite && verdict.standing === 'ours' && readOnly === undefined;
  if (isWriter) {
    await prepareWriter(root);
    if (isHalfReset) await recipes.compact(() => [medium]);
  } else if (isHalfReset) {
    notices.push(
      rule(
        [
          '{path}: its reset was interrupted; the next writer completes it',
          fr`{path} : sa remise à zéro a été interrompue ; la prochaine écriture la termine`,
        ],
        { path: recipes.path },
      ),
    );
  } else if (isMixed) {
    notices.push(
      rule(['{path}: it belongs to another medium', fr`{path} : il appartient à un autre support`], {
        path: recipes.path,
      }),
    );
  }
  const earlier = isWriter && isUnused(content) ? await findEarlier(stateRoot, medium.id) : undefined;
  if (earlier !== undefined)
    notices.push(
      rule(
        [
          'the store in {root} is new and empty, although this instance wrote the store {earlier} before: check that its disk is mounted',
          fr`le stockage dans {root} est neuf et vide, alors que cette instance écrivait auparavant le stockage {earlier} : vérifiez que son disque est monté`,
        ],
        { root, earlier },
      ),
    );
  let rememberedHead = '';
  let { savedAt } = reading;
  const { usedUntil, away: known = [] } = reading.remembered ?? {};
  const away = usedUntil === undefined ? known : addAwayTime(known, usedUntil, systemClock.wall());
  const store = new ContentStore({
    root,
    graph,
    book,
    contentLedger: content,
    recipeLedger: recipes,
    mediaId: medium.id,
    isBusy: options.isBusy ?? (() => false),
    isMixed: isMixed && !isHalfReset,
    standing: verdict.standing,
    isCarried: isCarried(reading),
    reason: verdict.reason,
    bytesOf: options.bytesOf,
    readOnly,
    needsStateRoot: verdict.needsStateRoot,
    notices,
    earlier,
    limits,
    place: await openPlace(root),
    zone,
    mode,
    producerVersion: producer.version,
    report,
    now,
    wall: options.now ?? systemClock.wall,
    isWriter,
    away,
    prepareAdoption: async () => {
      await lock?.release();
      lock = await acquireStoreLock(root, { access: 'write', holder });
      if (lock.mode !== 'exclusive')
        throw svcError('SVC-STO-002', { path: root, ...(lock.notice ? { detail: lock.notice } : {}) });
      await prepareWriter(root);
      return stateRoot === undefined ? undefined : openStoreKey(stateRoot);
    },
    remember: async (mediaId) => {
      const head = `${mediaId} ${content.head} ${recipes.head} ${store.core.files.renewals}`;
      if (stateRoot === undefined || head === rememberedHead) return;
      await rememberLedgers(stateRoot, mediaId, {
        content: content.state(),
        recipe: recipes.state(),
        usedUntil: systemClock.wall(),
        away,
      });
      rememberedHead = head;
    },
    saveIndex: async (mediaId, signal) => {
      const end = content.place();
      const key = stateRoot === undefined ? undefined : await readStoreKey(stateRoot);
      if (key === undefined || end === undefined || !isSavingWorth(end, savedAt)) return;
      const medium = toMedium(mediaId);
      const place = () => content.place();
      savedAt = await saveIndex({ root, key, limits, medium, graph, place, signal });
    },
    release: async () => {
      await lock?.release();
    },
  });
  notices.push(...(await store.start()));
  return store;
}

/** Bytes of the content ledger that are read at each opening rather than saved as an index: some fifty milliseconds. */
const smallLedger = 4 << 20;

/** Whether reading the records since the index was saved would take long. */
function isSavingWorth(end: LedgerPlace, savedAt: LedgerPlace | undefined): boolean {
  if (end.length < smallLedger) return false;
  return savedAt?.generation !== end.generation || end.length - savedAt.length > end.length / 8;
}

/**
 * Makes a clock that starts at the system time and ignores later changes of the system clock. Leases and uploads then
 * expire neither early nor late.
 *
 * @returns a function that returns milliseconds since the epoch
 */
function createSteadyClock(): () => number {
  const start = systemClock.wall() - performance.now();
  return () => Math.round(start + performance.now());
}

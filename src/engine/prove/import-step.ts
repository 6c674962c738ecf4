import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { silentReport } from '../../base/report.ts';
import { documentOf } from '../../catalog/tag-rules.ts';
import { parseManifest } from '../../oci/manifest.ts';
import { parseReference } from '../../oci/reference.ts';
import { LiveTask } from '../../task/live-task.ts';
import type { TaskJournal } from '../../task/model.ts';
import { addParams, fromErrorRecord, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { importMedium } from '../medium/import-medium.ts';
import { openAwayContent } from '../medium/parts/away-content.ts';
import { compareDisks, toSaid } from '../medium/parts/compare-disks.ts';
import { openHeldBlobs } from '../medium/parts/hold-blobs.ts';
import { openSegmentShelf, type SegmentSpool } from '../medium/parts/segment-spool.ts';
import type { Destination } from '../promotion/model.ts';
import { openPromotion } from '../promotion/promote.ts';
import { nameRecipes } from '../sync/name-recipes.ts';
import { type CarriedFolder, keepDocuments, openCarried } from './carried-folder.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

export interface ImportStepOptions {
  readonly registry: MemoryRegistry;
  readonly destination: Destination;
  readonly policy: TrustPolicy;
  /** Repositories of blobs of the base that are not in those of the recipes. */
  readonly homes?: ReadonlyMap<Digest, readonly string[]> | undefined;
  /** Whether no base was given, so that the registry is assumed to be empty. Default false. */
  readonly isEmpty?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Number of recipes pushed at the same time. */
const parallelism = 3;

const nothing = rule(['nothing', fr`rien`]);

/** Content of one folder that the imports of the next ones use. */
interface KeptOfFolders {
  readonly spool: SegmentSpool;
  readonly keeping: ReturnType<typeof keepDocuments>;
}

/** A tag that an import set. */
interface SetTag {
  /** `<host>/<path>:<tag>` at the destination. */
  readonly reference: string;
  readonly digest: Digest;
  /** Digest of the document of a recipe, whose tag may lead to another manifest of the same document. */
  readonly document: Digest | undefined;
}

/**
 * Imports every folder into the registry in memory, by the import of a zone, then each of them again. Every recipe must
 * land, every tag must lead to its digest at the end, and the second import must move nothing.
 */
export async function importFolders(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  options: ImportStepOptions,
): Promise<StepCount> {
  const landing = new Landing(book, options);
  for (const folder of folders) await landing.add(folder);
  await landing.conclude();
  for (const folder of folders) await landing.repeat(folder);
  return landing.count;
}

/** The import of the folders of one delivery into a registry in memory, one after the other. */
export class Landing {
  readonly #book: ProofBook;
  readonly #options: ImportStepOptions;
  readonly #kept: KeptOfFolders = { spool: openSegmentShelf(), keeping: keepDocuments() };
  readonly #tags: SetTag[] = [];
  readonly #landed = new Set<string>();
  /** Recipes that wait for a folder. */
  readonly #waiting = new Map<string, SvcError>();
  /** What the disks of each delivery say. */
  readonly #disks = new Map<string, Parameters<typeof compareDisks>[1]>();
  /** Delivery of each folder that is a part of one. */
  readonly #deliveries = new Map<string, string>();

  constructor(book: ProofBook, options: ImportStepOptions) {
    this.#book = book;
    this.#options = options;
  }

  /** Recipes that landed, and bytes of their content. */
  get count(): StepCount {
    return { checked: this.#landed.size, bytes: this.#options.registry.pushedBytes };
  }

  /** Imports a folder; a recipe that needs other folders waits for them. */
  async add(folder: CarriedFolder): Promise<void> {
    const { delivery } = folder.verification.header ?? {};
    if (delivery !== undefined) {
      const { header } = folder.verification;
      const before = this.#disks.get(delivery.id) ?? [];
      const contradiction = compareDisks(header!, before);
      if (contradiction !== undefined) this.#book.find('import', 'warning', folder.folder, contradiction);
      this.#disks.set(delivery.id, [...before, { ...header!, part: delivery.part, said: toSaid(header!) }]);
      this.#deliveries.set(folder.folder, delivery.id);
    }
    const { landed, set, failures, waits } = await importFolder(folder, this.#options, this.#kept);
    for (const [name, error] of waits) this.#waiting.set(name, error);
    for (const name of landed) {
      this.#waiting.delete(name);
      this.#landed.add(name);
    }
    this.#tags.push(...set);
    // several folders of a delivery have the recipe
    for (const { subject, error } of failures)
      this.#book.findOnce(
        'import',
        'error',
        subject,
        this.#options.isEmpty && error.code === 'SVC-MED-040' ? addParams(error, { proof: 'empty' }) : error,
      );
  }

  /** Imports a folder again, which must move nothing. Does nothing when content did not land before. */
  async repeat(folder: CarriedFolder): Promise<void> {
    if (this.#book.isRefused) return;
    // a recipe that waits has nothing that could move
    const again = await importFolder(folder, this.#options, this.#kept, { isHolding: false });
    for (const reference of again.moved)
      this.#book.find('import', 'error', reference, svcError('SVC-CLO-004', { reference, problem: 'moves' }));
  }

  /** Requires after the last folder that no recipe waits, and that every tag leads to its digest. */
  async conclude(): Promise<void> {
    for (const [name, error] of this.#waiting) {
      const others = [...this.#deliveries].filter(([, id]) => id !== error.params.delivery);
      const foreign = others.map(([folder]) => folder).join(', ');
      const params = { proof: 'parts', ...(foreign === '' ? {} : { foreign }) };
      this.#book.find('import', 'error', name, addParams(error, params));
    }
    const wrong = new Set<string>();
    for (const { reference, digest, document } of this.#tags) {
      const { actual, isSame } = await resolveTag(this.#options.registry, { reference, digest, document });
      if (isSame || wrong.has(reference)) continue;
      wrong.add(reference);
      this.#book.find(
        'import',
        'error',
        reference,
        svcError('SVC-CLO-004', { reference, problem: 'tag', digest, actual: actual ?? nothing }),
      );
    }
  }
}

/** @param how.isHolding whether blobs of recipes that wait for another folder are pushed. Default true */
async function importFolder(
  folder: CarriedFolder,
  options: ImportStepOptions,
  { spool, keeping }: KeptOfFolders,
  { isHolding = true } = {},
) {
  const { registry, destination, policy, homes, signal } = options;
  const { verification, store } = folder;
  const journal = openSilentJournal();
  const away = openAwayContent({
    root: store.root,
    registry,
    destination,
    spool,
    homes: homes && (async () => homes),
    signal,
  });
  const source = (repository: string) => keeping(openCarried(folder, repository, away));
  const delivery = verification.header?.delivery;
  const promotion = openPromotion({
    registry,
    destination,
    policy,
    allowUnsigned: false,
    source,
    holders: away.holders,
    asksForBlobs: true,
    parallelism,
    // the findings of the proof report failures
    report: silentReport,
    signal,
  });
  await importMedium({
    root: store.root,
    verification,
    promotion,
    destination,
    journal,
    signal,
    parallelism,
    away,
    held: isHolding
      ? openHeldBlobs({ registry, destination, delivery, source, holders: away.holders, signal })
      : undefined,
    tagAt: (repository, tag) => store.index.tag(repository, tag)?.digest,
  });
  const blocked = verification.report.recipes.filter(({ pushable }) => !pushable);
  const known = new Set(
    nameRecipes([...blocked, ...verification.cleared.map(({ record }) => record)]).slice(0, blocked.length),
  );
  const { items, resolutions = [] } = journal.task;
  const documents = new Map(verification.cleared.map(({ record }) => [record.digest, record.documentDigest]));
  const set = resolutions.flatMap(
    ({ ingredient, digest, destination: reference, destinationStatus: status }) => {
      if (reference === undefined || digest === undefined) return [];
      if (status !== 'pushed' && status !== 'up-to-date') return [];
      return [
        { reference, digest, status, document: ingredient === undefined ? documents.get(digest) : undefined },
      ];
    },
  );
  return {
    landed: items.flatMap(({ name, status }) => (status === 'done' ? [name] : [])),
    waits: items.flatMap(({ name, warning }) =>
      warning?.code === 'SVC-MED-041' ? [[name, fromErrorRecord(warning)] as const] : [],
    ),
    set,
    moved: set.filter(({ status }) => status === 'pushed').map(({ reference }) => reference),
    failures: items.flatMap(({ name, error }) =>
      error === undefined || known.has(name) ? [] : [{ subject: name, error: fromErrorRecord(error) }],
    ),
  };
}

/** The digest that a tag leads to, in the algorithm of the wanted one, and whether it is the wanted content. */
async function resolveTag(
  registry: MemoryRegistry,
  { reference, digest, document }: SetTag,
): Promise<{ readonly actual?: Digest; readonly isSame: boolean }> {
  const { tag = '', ...place } = parseReference(reference);
  const found = await registry.repository(place, { access: 'push' }).fetchManifest(tag);
  if (found === undefined) return { isSame: false };
  const actual = hashBytes(found.bytes, digestAlgorithm(digest));
  const isSame =
    actual === digest || (document !== undefined && documentOf(parseManifest(found.bytes)) === document);
  return { actual, isSame };
}

const never = new Date(0).toISOString();

/** The journal of an import that no task records: its items are in memory only. */
function openSilentJournal(): TaskJournal {
  const request = { type: 'media-import', reference: 'proof', actor: 'proof' } as const;
  return new LiveTask({
    record: {
      sequence: 0,
      request,
      task: {
        id: 'tsk_000000000000',
        runId: 'proof',
        ...request,
        status: 'running',
        createdAt: never,
        resumed: false,
        items: [],
        counts: { total: 0, done: 0, failed: 0, skipped: 0 },
        progress: { bytesDone: 0, bytesTotal: 0 },
      },
    },
    note: async () => {},
    log: async () => {},
    onChange: () => {},
  });
}

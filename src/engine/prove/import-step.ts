import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { silentReport } from '../../base/report.ts';
import { parseReference } from '../../oci/reference.ts';
import { LiveTask } from '../../task/live-task.ts';
import type { TaskJournal } from '../../task/model.ts';
import { fromErrorRecord, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { importMedium } from '../medium/import-medium.ts';
import type { Destination } from '../promotion/model.ts';
import { openPromotion } from '../promotion/promote.ts';
import { nameRecipes } from '../sync/name-recipes.ts';
import { type CarriedFolder, openCarried } from './carried-folder.ts';
import type { MemoryRegistry } from './memory-registry.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

export interface ImportStepOptions {
  readonly registry: MemoryRegistry;
  readonly destination: Destination;
  readonly policy: TrustPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** Number of recipes pushed at the same time. */
const parallelism = 3;

const nothing = rule(['nothing', fr`rien`]);

/** A tag that an import set. */
interface SetTag {
  /** `<host>/<path>:<tag>` at the destination. */
  readonly reference: string;
  readonly digest: Digest;
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
  const { registry } = options;
  let checked = 0;
  const tags: SetTag[] = [];
  for (const folder of folders) {
    const { landed, set, failures } = await importFolder(folder, options);
    checked += landed;
    tags.push(...set);
    for (const { subject, error } of failures) book.find('import', 'error', subject, error);
  }
  const wrong = new Set<string>();
  for (const { reference, digest } of tags) {
    const actual = await resolveTag(registry, reference, digest);
    if (actual === digest || wrong.has(reference)) continue;
    wrong.add(reference);
    book.find(
      'import',
      'error',
      reference,
      svcError('SVC-CLO-004', { reference, problem: 'tag', digest, actual: actual ?? nothing }),
    );
  }
  if (wrong.size === 0 && !book.isRefused)
    for (const folder of folders)
      for (const reference of (await importFolder(folder, options)).moved)
        book.find('import', 'error', reference, svcError('SVC-CLO-004', { reference, problem: 'moves' }));
  return { checked, bytes: registry.pushedBytes };
}

async function importFolder(folder: CarriedFolder, options: ImportStepOptions) {
  const { registry, destination, policy, signal } = options;
  const { verification, store } = folder;
  const journal = openSilentJournal();
  const promotion = openPromotion({
    registry,
    destination,
    policy,
    allowUnsigned: false,
    source: (repository) => openCarried(folder, repository),
    parallelism,
    // the findings of the proof report what fails
    report: silentReport,
    signal,
  });
  const { landed } = await importMedium({
    verification,
    promotion,
    destination,
    journal,
    parallelism,
    tagAt: (repository, tag) => store.index.tag(repository, tag)?.digest,
  });
  const blocked = verification.report.recipes.filter(({ pushable }) => !pushable);
  const known = new Set(
    nameRecipes([...blocked, ...verification.cleared.map(({ record }) => record)]).slice(0, blocked.length),
  );
  const { items, resolutions = [] } = journal.task;
  const set = resolutions.flatMap(({ digest, destination: reference, destinationStatus: status }) =>
    reference !== undefined && digest !== undefined && (status === 'pushed' || status === 'up-to-date')
      ? [{ reference, digest, status }]
      : [],
  );
  return {
    landed: landed.length,
    set,
    moved: set.filter(({ status }) => status === 'pushed').map(({ reference }) => reference),
    failures: items.flatMap(({ name, error }) =>
      error === undefined || known.has(name) ? [] : [{ subject: name, error: fromErrorRecord(error) }],
    ),
  };
}

/** The digest that a tag leads to, in the algorithm of the wanted one. */
async function resolveTag(
  registry: MemoryRegistry,
  reference: string,
  wanted: Digest,
): Promise<Digest | undefined> {
  const { tag = '', ...place } = parseReference(reference);
  const found = await registry.repository(place, { access: 'push' }).fetchManifest(tag);
  return found && hashBytes(found.bytes, digestAlgorithm(wanted));
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

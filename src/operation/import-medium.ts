import { systemClock } from '../base/clock.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { ConfigFor } from '../config/requirements.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { Task } from '../contract/task.ts';
import { openClearedSource } from '../engine/medium/cleared-source.ts';
import { advance, type FreshnessRecords, findImport, openFreshness } from '../engine/medium/freshness.ts';
import { type ImportedMedium, importMedium as pushMedium } from '../engine/medium/import-medium.ts';
import { openHeldBlobs } from '../engine/medium/parts/hold-blobs.ts';
import { toFinding } from '../engine/medium/report.ts';
import type { MediumVerification } from '../engine/medium/verify-medium.ts';
import { openPromotion } from '../engine/promotion/promote.ts';
import { countErrors } from '../engine/sync/count-errors.ts';
import type { Store } from '../store/model.ts';
import { openRepository } from '../store/open-repository.ts';
import type { TaskJournal } from '../task/model.ts';
import { type SvcError, svcError, toSvcError } from '../text/error.ts';
import { openArrivals } from '../zone/arrivals.ts';
import {
  addArrival,
  hasBrought,
  isMetMeanwhile,
  isUnchanged,
  type RecipeOutcome,
} from '../zone/delivery-record.ts';
import { runCommandTask } from './command/run-command-task.ts';
import { type Context, toDestinationSetting } from './context.ts';
import type { MediumWaivers } from './verify-medium.ts';
import { issueReceipt } from './zone/issue-receipt.ts';
import { findBaseDelivery, findDelivery } from './zone/known-deliveries.ts';
import { openAway } from './zone/open-away.ts';
import { keepRefusals } from './zone/refusals.ts';

interface ImportMediumInput {
  /** The folder of the medium. */
  readonly root: string;
  /** Absent when the folder cannot be opened as a store: the medium is then blocked. */
  readonly store: Store | undefined;
  /** Verifies the medium. An import always verifies; it does not use an earlier report. */
  readonly verify: (
    waivers: MediumWaivers,
    actor: string,
    signal?: AbortSignal,
    origin?: string,
  ) => Promise<MediumVerification>;
  /** Whether the disk has another medium by now, or other files. */
  readonly isChanged?: (() => boolean) | undefined;
  readonly waivers: MediumWaivers;
  readonly actor: string;
  /** Client address; absent for a command. */
  readonly origin?: string | undefined;
  /** The zone of the key, where the import is for another one: it signs no receipt of that one. */
  readonly ownZone?: string | undefined;
  readonly task: Pick<Task, 'id' | 'runId'>;
  readonly journal: TaskJournal;
  readonly signal?: AbortSignal | undefined;
  readonly now?: () => number;
}

/** @throws SVC-CFG-001 naming a setting that an import of a medium requires */
export function requireImportSettings(context: Pick<Context, 'config'>): {
  readonly zone: string;
  readonly destination: NonNullable<ReturnType<typeof toDestinationSetting>>;
  readonly freshness: FreshnessRecords;
} {
  const { config } = context;
  return {
    zone: requireSetting('zone', config.zone),
    destination: requireSetting('destination.registry', toDestinationSetting(config)),
    freshness: openFreshness(requireSetting('state.root', config.state.root)),
  };
}

/**
 * Verifies a medium and pushes the passed recipes into the registry of the zone, as a task. The freshness
 * record is updated after every passed recipe was pushed.
 *
 * @throws the principal error when the complete medium is blocked; blocked recipes are failed items of the
 *   journal
 */
export async function importMedium(context: Context, input: ImportMediumInput): Promise<ImportedMedium> {
  const { zone, destination, freshness } = requireImportSettings(context);
  const { root, store, journal, signal, task, actor, waivers } = input;
  const report = context.report.child({ taskId: task.id, runId: task.runId, mediaId: store?.mediaId });
  const audit = (outcome: 'success' | 'failure', details: Readonly<Record<string, unknown>>): void =>
    report.audit({ actor, action: 'media.import', target: root, outcome, details: { ...details, zone } });
  try {
    journal.line(`verifying the medium at ${root}`);
    const verification = await input.verify(waivers, actor, signal, input.origin);
    const { header } = verification;
    const known = await findDelivery(context, header);
    const other = findOtherPart(known, verification);
    journal.setVerification(
      other === undefined
        ? verification.report
        : {
            ...verification.report,
            findings: [...verification.report.findings, toFinding(other, store?.mediaId)],
          },
    );
    const { config, registry } = context;
    const away = openAway(context, {
      root,
      zone,
      destination,
      verification,
      onSurvey: () => journal.line('looking for absent content in the registry of the zone'),
      signal,
    });
    const source = (repository: string) => {
      const names = openRepository(store!, repository, { owner: { provenance: 'recipe' } });
      return openClearedSource(store!.root, verification.cleared, names, away);
    };
    const onBytes = (count: number): void => journal.addBytes(count);
    const delivery = header?.delivery;
    const deliveryBefore = await findBaseDelivery(context, zone, header);
    const { parallelism } = config.sync;
    const push = (before: Delivery | undefined): Promise<ImportedMedium> => {
      const promotion = openPromotion({
        registry,
        destination,
        policy: context.policy,
        allowUnsigned: false,
        source,
        holders: away.holders,
        asksForBlobs: true,
        parallelism,
        report,
        onBytes,
        signal,
      });
      return pushMedium({
        verification,
        promotion,
        destination,
        journal,
        signal,
        parallelism,
        away,
        held: openHeldBlobs({
          registry,
          destination,
          delivery,
          source,
          holders: away.holders,
          onBytes,
          signal,
        }),
        hasBrought: (recipe, part) => hasBrought(before, recipe, part),
        deliveryBefore,
        tagAt: (repository, tag) => store?.index.tag(repository, tag)?.digest,
      });
    };
    let imported = await push(known);
    // content may be missing because the medium was replaced
    if (imported.failures.length > 0 && input.isChanged?.()) {
      await store?.place.requireInPlace();
      throw svcError('SVC-MED-033', { mediaId: store?.mediaId });
    }
    const importedAt = new Date((input.now ?? systemClock.wall)()).toISOString();
    let recorded: Delivery | undefined;
    if (delivery) {
      const record = (before: Delivery | undefined) =>
        recordArrival(context, { zone, verification, imported, importedAt, journal, known: before });
      const { isMet, ...first } = await record(known);
      ({ recorded } = first);
      if (isMet) {
        journal.line('another part was imported meanwhile: looking for its content');
        const { pushed, moved } = imported;
        const again = await push(recorded);
        imported = { ...again, pushed: pushed + again.pushed, moved: moved + again.moved };
        ({ recorded } = await record(recorded));
      }
    }
    for (const reference of imported.leftHolding)
      report.log('warn', 'The registry does not remove a holding manifest that nothing needs any more', {
        reference,
      });
    await settleDeliveries(context, zone, imported, importedAt);
    await keepRefusals(requireSetting('state.root', config.state.root), journal.task.items);
    const before = await freshness.get(zone);
    const isNew = imported.failures.length > 0 || imported.pushed > 0 || imported.moved > 0;
    const last = imported.isComplete && header ? findImport(before, header) : undefined;
    const at = findEarlier(known, recorded, verification) ?? last?.importedAt;
    if (at !== undefined && !isNew) {
      journal.setAlreadyImported(at);
      journal.line(`already imported on ${at}; nothing new`);
    }
    if (imported.isComplete && header)
      await recordImport(freshness, zone, {
        verification,
        runId: task.runId,
        imported,
        importedAt,
      });
    countErrors(imported.failures, report);
    audit(imported.failures.length === 0 ? 'success' : 'failure', {
      landed: imported.landed.map(({ record }) => `${record.name}@${record.version}`),
      sourceRunId: header?.producedBy.runId,
    });
    const { origin, now = systemClock.wall } = input;
    if (input.ownZone !== undefined)
      journal.line(`no receipt was written: the key is of zone ${input.ownZone}`);
    else await issueReceipt(context, { root, actor, origin, journal, signal, now });
    return imported;
  } catch (thrown) {
    const error = store === undefined ? thrown : await store.place.explain(thrown);
    const coded = toSvcError(error);
    if (!signal?.aborted) countErrors([coded], report);
    audit('failure', signal?.aborted ? { interrupted: true } : { code: coded.code });
    throw error;
  }
}

/** SVC-MED-044 when another medium was imported under the name of this part; it is only reported. */
function findOtherPart(
  before: Delivery | undefined,
  { header, manifest }: MediumVerification,
): SvcError | undefined {
  const { mediaId, delivery } = header ?? {};
  if (delivery === undefined || manifest === undefined) return undefined;
  const { id, part } = delivery;
  const known = before?.landed.find((one) => one.part === part)?.manifest;
  if (known === undefined || known === manifest) return undefined;
  return svcError('SVC-MED-044', { delivery: id, part, known, found: manifest, mediaId });
}

/** When the same part was imported before, without a difference in the record since (RFC 3339). */
function findEarlier(
  known: Delivery | undefined,
  recorded: Delivery | undefined,
  { header, manifest }: MediumVerification,
): string | undefined {
  if (known === undefined || recorded === undefined || !isUnchanged(known, recorded)) return undefined;
  const own = known.landed.find(({ part }) => part === header?.delivery?.part);
  return own?.manifest === manifest ? own?.importedAt : undefined;
}

/**
 * Records the part of a delivery that arrived, and the parts that its recipes still wait for.
 *
 * @returns the record, and whether another import has brought everything meanwhile that a recipe waits for
 */
async function recordArrival(
  { config }: Pick<Context, 'config'>,
  run: {
    readonly zone: string;
    readonly verification: MediumVerification;
    readonly imported: ImportedMedium;
    readonly importedAt: string;
    readonly journal: TaskJournal;
    /** The record when the import began. */
    readonly known: Delivery | undefined;
  },
): Promise<{ readonly recorded: Delivery; readonly isMet: boolean }> {
  const { zone, verification, imported, importedAt, journal, known } = run;
  const { mediaId, delivery, base, resolvedAt } = verification.header!;
  const { id, part, parts } = delivery!;
  const arrivals = openArrivals(requireSetting('state.root', config.state.root));
  const outcomes = listOutcomes(verification, imported, part);
  let isMet = false;
  const recorded = await arrivals.update(id, (before) => {
    isMet = outcomes.some((one) => isMetMeanwhile(one, known, before));
    return addArrival(before, {
      id,
      zone,
      resolvedAt,
      parts,
      ...(base ? { base } : {}),
      own: { part, mediaId, manifest: verification.manifest!, importedAt },
      outcomes,
      known,
    });
  });
  journal.setDelivery(recorded);
  return { recorded, isMet };
}

/** The outcome of each recipe that a medium lists. @param part the number of the medium */
function listOutcomes(
  { report, cleared }: MediumVerification,
  imported: ImportedMedium,
  part: number,
): readonly RecipeOutcome[] {
  const toParts = (all: ImportedMedium['waiting']) =>
    new Map(all.map(({ recipe, parts }) => [recipe.record.digest, parts]));
  const landed = new Set(imported.landed.map(({ record }) => record.digest));
  const [waits, held, again] = [imported.waiting, imported.withoutBase, imported.again].map(toParts);
  const others = new Map(
    cleared.map(({ record, away }) => {
      const places = [...away.values()].flatMap(({ at }) => (typeof at === 'string' ? [] : at));
      return [record.digest, places.filter((other) => other !== part)];
    }),
  );
  return report.recipes.map(({ name, version, digest, pushable }): RecipeOutcome => {
    const named = { name, version, digest };
    const [waiting, base] = [waits!.get(digest), held!.get(digest)];
    if (landed.has(digest)) return { ...named, outcome: 'landed', parts: [] };
    if (waiting) return { ...named, outcome: 'waiting', parts: waiting };
    if (base) return { ...named, outcome: 'held', parts: base };
    if (!pushable) return { ...named, outcome: 'blocked', parts: [] };
    return {
      ...named,
      outcome: 'failed',
      parts: others.get(digest) ?? [],
      forgotten: again!.get(digest),
    };
  });
}

/** Records in other deliveries that recipes landed. They may have waited there for a disk that nobody will bring. */
async function settleDeliveries(
  { config }: Pick<Context, 'config'>,
  zone: string,
  { landed }: ImportedMedium,
  importedAt: string,
): Promise<void> {
  const stateRoot = requireSetting('state.root', config.state.root);
  const digests = new Set(landed.map(({ record }) => record.digest));
  if (digests.size > 0) await openArrivals(stateRoot).settle(zone, digests, importedAt);
}

async function recordImport(
  freshness: FreshnessRecords,
  zone: string,
  run: {
    readonly verification: MediumVerification;
    readonly runId: string;
    readonly imported: ImportedMedium;
    readonly importedAt: string;
  },
): Promise<void> {
  const { verification, runId, imported, importedAt } = run;
  const recipes = Object.fromEntries(imported.landed.map(({ record }) => [record.name, record.version]));
  const { header, manifest } = verification;
  const { mediaId, resolvedAt, delivery } = header!;
  await freshness.update(zone, (record) =>
    advance(record, {
      mediaId,
      resolvedAt,
      importedAt,
      runId,
      recipes,
      ...(manifest ? { manifest } : {}),
      ...(delivery ? { delivery: { id: delivery.id, part: delivery.part } } : {}),
    }),
  );
}

/**
 * Imports a medium for a command, as a task of its own.
 *
 * @returns the task after its end
 * @throws SVC-STO-002, SVC-STO-004 when its record cannot be created; nothing is imported then
 */
export async function importMediumAlone(
  context: Context<ConfigFor<'media-import'>>,
  input: Omit<ImportMediumInput, 'task' | 'journal'> & { readonly onChange?: (task: Task) => void },
): Promise<Task> {
  const { root, store, onChange, signal, waivers } = input;
  const { task } = await runCommandTask(context.config, context.report, {
    request: {
      type: 'media-import',
      command: 'svc media import',
      reference: store?.mediaId ?? root,
      actor: input.actor,
      parameters: {
        allowZoneMismatch: waivers.allowZoneMismatch === true,
        allowStale: waivers.allowStale === true,
      },
    },
    signal,
    onChange,
    explain: async (error) => (store === undefined ? error : store.place.explain(error)),
    work: async (work) => {
      await importMedium(context, { ...input, ...work });
    },
  });
  return task;
}

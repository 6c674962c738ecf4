import { systemClock } from '../base/clock.ts';
import type { Details } from '../base/details.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { ConfigFor } from '../config/requirements.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { MediumReport } from '../contract/medium.ts';
import type { Task } from '../contract/task.ts';
import { findContradictions } from '../custody/claims.ts';
import { findCut } from '../custody/find-line.ts';
import { toCustodyFolder } from '../custody/ledger-files.ts';
import type { CustodyEntry, OpenIntent } from '../custody/model.ts';
import { readClaims } from '../custody/read-claims.ts';
import { openClearedSource } from '../engine/medium/cleared-source.ts';
import { boundDate, type FreshnessRecords, findImport, openFreshness } from '../engine/medium/freshness.ts';
import { type ImportedMedium, importMedium as pushMedium } from '../engine/medium/import-medium.ts';
import { openLandingRun } from '../engine/medium/landed/landing-run.ts';
import { countRecorded, requireRecordRoom } from '../engine/medium/landed/record-room.ts';
import { openHeldBlobs } from '../engine/medium/parts/hold-blobs.ts';
import { toFinding } from '../engine/medium/report.ts';
import type { MediumVerification } from '../engine/medium/verify-medium.ts';
import type { SparseFinding } from '../engine/promotion/model.ts';
import { openPromotion } from '../engine/promotion/promote.ts';
import { countErrors } from '../engine/sync/count-errors.ts';
import type { Store } from '../store/model.ts';
import { openRepository } from '../store/open-repository.ts';
import type { TaskJournal } from '../task/model.ts';
import { type SvcError, svcError, toSvcError } from '../text/error.ts';
import { hasBrought } from '../zone/delivery-record.ts';
import { runCommandTask } from './command/run-command-task.ts';
import { type Context, toDestinationSetting } from './context.ts';
import { describeCarried, readCarried } from './custody/carry-custody.ts';
import { keepCarriedPassport } from './custody/kept-statements.ts';
import { describeContradictions, listKeptClaims, listOwnClaims } from './custody/known-claims.ts';
import { openCustody } from './custody/open-custody.ts';
import { loadConfiguredPeers } from './load-policy.ts';
import { listRefused, type MediumWaivers } from './verify-medium.ts';
import { issueReceipt } from './zone/issue-receipt.ts';
import { findBaseDelivery, findDelivery, openBaseSearch } from './zone/known-deliveries.ts';
import { openAway } from './zone/open-away.ts';
import {
  beginArrival,
  findEarlier,
  recordArrival,
  recordImport,
  settleDeliveries,
  withStrangers,
} from './zone/record-arrival.ts';
import { keepSparse } from './zone/refusals.ts';

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
  /** The bytes of small files as the verification hashed them. Default: all files are read again to be sent. */
  readonly hashed?: Parameters<typeof openClearedSource>[4];
  /** Whether the disk has another medium by now, or other files. */
  readonly isChanged?: (() => boolean) | undefined;
  readonly waivers: MediumWaivers;
  readonly actor: string;
  /** Client address; absent for a command. */
  readonly origin?: string | undefined;
  /** The zone of the key, where the import is for another one: it signs no receipt of that one. */
  readonly ownZone?: string | undefined;
  /** Called with the reason why an import wrote no receipt although a key is configured. */
  readonly onUnwritten?: ((error: SvcError) => void) | undefined;
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
 *   journal; SVC-STO-019 when the disk was exchanged meanwhile: landed recipes stay, and the receipt is only in the state
 */
export async function importMedium(context: Context, input: ImportMediumInput): Promise<ImportedMedium> {
  const { zone, destination, freshness } = requireImportSettings(context);
  const { root, store, journal, signal, task, actor, waivers, now = systemClock.wall } = input;
  const report = context.report.child({ taskId: task.id, runId: task.runId, mediaId: store?.mediaId });
  const audit = (outcome: 'success' | 'failure', details: Details): void =>
    report.audit({ actor, action: 'media.import', target: root, outcome, details: { ...details, zone } });
  const custody = openCustody(context.config, context.policy);
  let intent: OpenIntent | undefined;
  let exchanged: SvcError;
  try {
    intent = await custody.begin({
      type: 'imported',
      actor,
      details: { medium: store?.mediaId, folder: root, zone, run: task.runId, origin: input.origin },
    });
    journal.line(`verifying the medium at ${root}`);
    const verification = await input.verify(waivers, actor, signal, input.origin);
    const { header } = verification;
    const named = await findDelivery(context, verification);
    const { own: known, isStranger } = named;
    const shown = withStrangers(verification, named);
    let contradictions: readonly SvcError[] = [];
    if (store !== undefined && custody.stateRoot !== undefined) {
      const { stateRoot } = custody;
      const peers = await loadConfiguredPeers(context.config, context.policy);
      const carried = await readCarried(root, peers, header?.delivery?.id);
      const { manifest } = verification;
      const passport =
        manifest === undefined ? [] : await keepCarriedPassport(root, stateRoot, manifest, peers);
      if (carried && 'claims' in carried) {
        const { claims } = await readClaims(toCustodyFolder(stateRoot), undefined, []);
        contradictions = findContradictions(carried.claims, [
          ...(await listKeptClaims(stateRoot)),
          ...claims,
        ]);
        await carried.keep(stateRoot);
      }
      // lines that the import appends would hide the cut
      for (const claim of await listOwnClaims(stateRoot)) {
        const cut =
          claim.receipt?.zone === zone &&
          claim.site === context.config.custody.site &&
          (await findCut(toCustodyFolder(stateRoot), claim));
        if (cut) contradictions = [...contradictions, cut];
      }
      for (const { code, params } of contradictions)
        journal.line(`${code}: the custody ledger of ${params.site} contradicts itself: ${params.rule}`);
      if (carried && 'flaw' in carried) {
        journal.line(`the custody lines on the medium are not taken: ${carried.flaw}`);
        report.log('warn', 'The custody lines on the medium are not taken', { detail: carried.flaw });
      }
      const arrival = describeArrival(verification, shown, { actor, zone, medium: store.mediaId });
      await custody.record({
        ...arrival,
        subjects: [...(arrival.subjects ?? []), ...passport],
        details: {
          ...arrival.details,
          ...describeCarried(carried),
          ...describeContradictions(contradictions),
        },
      });
    }
    journal.setVerification({
      ...shown,
      findings: [
        ...shown.findings,
        ...contradictions.map((one) => toFinding(one, { mediaId: store?.mediaId })),
      ],
    });
    const { config, registry } = context;
    // nothing of a blocked medium is recorded: its guards refuse it below
    if (verification.report.verdict !== 'blocked')
      await requireRecordRoom(requireSetting('state.root', config.state.root), countRecorded(verification));
    const { away, survey } = openAway(context, {
      root,
      zone,
      destination,
      verification,
      onSurvey: () => journal.line('looking for absent content in the registry of the zone'),
      signal,
    });
    const source = (repository: string) => {
      const names = openRepository(store!, repository, { owner: { provenance: 'recipe' } });
      return openClearedSource(store!.root, verification.cleared, names, away, input.hashed);
    };
    const onBytes = (count: number): void => journal.addBytes(count);
    const delivery = isStranger ? undefined : header?.delivery;
    const deliveryBefore = await findBaseDelivery(context, zone, header);
    if (!isStranger) await beginArrival(context, zone, verification, deliveryBefore);
    const { parallelism } = config.sync;
    const resolvedAt = header && boundDate(header.resolvedAt, now());
    const writtenAt = header?.writtenAt && boundDate(header.writtenAt, now());
    let sparse: SparseFinding | undefined;
    const push = async (before: Delivery | undefined): Promise<ImportedMedium> => {
      await using run =
        verification.report.verdict === 'blocked'
          ? undefined
          : await openLandingRun(requireSetting('state.root', config.state.root), freshness.landings, {
              ...{ zone, now, signal },
              peers: new Set(
                config.peers.flatMap(({ name, for: kinds }) => (kinds.includes('passport') ? name : [])),
              ),
              places: toLandingPlaces(registry, signal),
              onWait: ({ name, version }) =>
                journal.line(
                  `${name}@${version} waits: another import pushes other content under one of its tags`,
                ),
            });
      const promotion = openPromotion({
        registry,
        destination,
        policy: context.policy,
        allowUnsigned: false,
        source,
        holders: away.holders,
        asksForBlobs: true,
        onSparse: (found) => {
          sparse = found;
        },
        parallelism,
        report,
        onBytes,
        signal,
      });
      return await pushMedium({
        root,
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
        isStranger,
        hasBrought: (recipe, part) => hasBrought(before, recipe, part),
        findBase: openBaseSearch(context, zone, header, survey),
        tagAt: (repository, tag) => store?.index.tag(repository, tag)?.digest,
        // the import of an older medium on purpose takes its tags
        landing: run && {
          run,
          now,
          resolvedAt: resolvedAt!,
          writtenAt,
          isForced: waivers.allowStale === true,
        },
      });
    };
    let imported = await push(known);
    // content may be missing because the medium was replaced
    if (imported.failures.length > 0 && input.isChanged?.()) {
      await store?.place.requireInPlace();
      throw svcError('SVC-MED-033', { mediaId: store?.mediaId });
    }
    const importedAt = new Date(now()).toISOString();
    let recorded: Delivery | undefined;
    if (delivery) {
      const record = (before: Delivery | undefined) =>
        recordArrival(context, {
          ...{ zone, verification, imported, importedAt, journal, known: before },
          baseDelivery: deliveryBefore,
        });
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
    await keepSparse(requireSetting('state.root', config.state.root), sparse);
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
        recorded,
      });
    countErrors(imported.failures, report);
    audit(imported.failures.length === 0 ? 'success' : 'failure', {
      landed: imported.landed.map(({ record }) => `${record.name}@${record.version}`),
      sourceRunId: header?.producedBy.runId,
    });
    const landed = imported.landed.map(({ record: { name, version, digest } }) => ({
      name: `${name}@${version}`,
      digest,
    }));
    await intent.end({
      subjects: [...landed, ...listRefused(verification.report)],
      details: { pushed: imported.pushed, moved: imported.moved, failed: imported.failures.length },
      result: imported.failures.length === 0 ? 'success' : 'failure',
    });
    const { origin, onUnwritten } = input;
    if (input.ownZone !== undefined)
      journal.line(`no receipt was written: the key is of zone ${input.ownZone}`);
    else {
      const refused = [
        ...verification.report.recipes.map(({ reason, ...record }) => ({ record, code: reason?.code })),
        ...imported.refused.map(({ recipe: { record }, code }) => ({ record, code })),
      ].flatMap(({ record: { name, version, digest }, code }) =>
        code === undefined ? [] : { name, version, digest, code },
      );
      await issueReceipt(context, {
        root,
        place: store?.place,
        actor,
        origin,
        refused,
        unfinished: imported.unfinished.map(({ record, recipe }) => ({ record, recipe, source })),
        journal,
        onUnwritten,
        signal,
        now,
      });
    }
    const lost = await findLost(store);
    if (lost === undefined) return imported;
    exchanged = lost;
  } catch (thrown) {
    const error = store === undefined ? thrown : await store.place.explain(thrown);
    const coded = toSvcError(error);
    await intent?.fail(error, signal);
    if (!signal?.aborted) countErrors([coded], report);
    audit('failure', signal?.aborted ? { interrupted: true } : { code: coded.code });
    throw error;
  }
  // its content landed, and the import is recorded
  countErrors([exchanged], report);
  throw exchanged;
}

/** Asks the registry of the zone about recipes and tags by their full names. */
function toLandingPlaces(
  registry: Context['registry'],
  signal: AbortSignal | undefined,
): Parameters<typeof openLandingRun>[2]['places'] {
  const open = (name: string) => {
    const [host = '', ...path] = name.split('/');
    return registry.repository({ host, repository: path.join('/') }, { access: 'push', substitute: false });
  };
  return {
    has: (repository, digest) => open(repository).hasManifest(digest, { signal }),
    resolve: async (tag) => {
      const at = tag.lastIndexOf(':');
      return (await open(tag.slice(0, at)).resolve(tag.slice(at + 1), { signal }))?.digest;
    },
  };
}

/** SVC-STO-019 when another folder is in the place of the medium by now. */
async function findLost(store: Store | undefined): Promise<SvcError | undefined> {
  try {
    await store?.place.requireInPlace();
    return undefined;
  } catch (error) {
    return toSvcError(error);
  }
}

/** The line about a medium that was read, whether a passport vouches for it, and the codes about it. Its zone is that of the medium, also where another one received it. */
function describeArrival(
  { header, manifest, report }: MediumVerification,
  { findings }: MediumReport,
  {
    actor,
    zone,
    medium,
  }: { readonly actor: string; readonly zone: string; readonly medium?: string | undefined },
): CustodyEntry {
  const { id, part, parts } = header?.delivery ?? {};
  const before = new Set(report.findings);
  const strange = findings.flatMap((one) => (before.has(one) ? [] : one.code));
  const ofRecipes = report.recipes.flatMap(({ reason }) => reason?.code ?? []);
  const ofMedium = report.blocks.flatMap(({ code, waived }) => (waived === true ? [] : code));
  const blocks = [...new Set([...ofMedium, ...ofRecipes])];
  return {
    type: 'received',
    actor,
    subjects: manifest === undefined ? [] : [{ name: 'media.jsonl', digest: manifest }],
    details: {
      medium,
      zone: header?.zone ?? zone,
      ownZone: header === undefined || header.zone === zone ? undefined : zone,
      delivery: id,
      part,
      parts,
      vouched: manifest === undefined ? undefined : report.passport !== undefined,
      peer: report.passport?.signer,
      blocks: blocks.length === 0 ? undefined : blocks,
      findings: strange.length === 0 ? undefined : strange,
    },
  };
}

/**
 * Imports a medium for a command, as a task of its own.
 *
 * @returns the task after its end
 * @throws SVC-STO-002, SVC-STO-004 when its record cannot be created; nothing is imported then
 */
export async function importMediumAlone(
  context: Context<ConfigFor<'media-import'>>,
  input: Omit<ImportMediumInput, 'task' | 'journal'> & {
    readonly onChange?: (task: Task) => void;
    /** Called when the end of the task cannot be recorded. */
    readonly onUnkept?: (error: SvcError) => void;
  },
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
        ...(waivers.reason === undefined ? {} : { reason: waivers.reason }),
      },
    },
    signal,
    onChange,
    onUnkept: input.onUnkept,
    explain: async (error) => (store === undefined ? error : store.place.explain(error)),
    work: async (work) => {
      await importMedium(context, { ...input, ...work });
    },
  });
  return task;
}

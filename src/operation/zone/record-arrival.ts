import { requireSetting } from '../../base/require-setting.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { MediumReport } from '../../contract/medium.ts';
import { advance, type FreshnessRecords, selectHighest } from '../../engine/medium/freshness.ts';
import type { ImportedMedium } from '../../engine/medium/import-medium.ts';
import { compareDisks, toSaid } from '../../engine/medium/parts/compare-disks.ts';
import { toFinding } from '../../engine/medium/report.ts';
import type { MediumVerification } from '../../engine/medium/verify-medium.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import type { TaskJournal } from '../../task/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { openArrivals } from '../../zone/arrivals.ts';
import {
  addArrival,
  beginDelivery,
  isMetMeanwhile,
  isUnchanged,
  listElsewhere,
  type NamedDeliveries,
  type RecipeOutcome,
  selectDelivery,
} from '../../zone/delivery-record.ts';
import type { Context } from '../context.ts';

type Disk = Pick<MediumVerification, 'report' | 'header' | 'manifest'>;

/** Findings about a disk beside those that arrived under its name: SVC-MED-044 and SVC-MED-049. They are only reported. */
function findStrangers(named: NamedDeliveries, verification: Disk): readonly SvcError[] {
  const { header } = verification;
  const { own, others } = named;
  const all = [...(own ? [own] : []), ...others];
  const landed = all.flatMap((one) => (one === own || one.peer === undefined ? one.landed : []));
  const contradiction = header && (findStranger(named, verification) ?? compareDisks(header, landed));
  return [findOtherPart(all, verification) ?? [], contradiction ?? []].flat();
}

/** The report of a medium with the findings about it beside the disks of its delivery that arrived. */
export function withStrangers(verification: Disk, named: NamedDeliveries): MediumReport {
  const { report, header } = verification;
  const found = findStrangers(named, verification).map((one) => toFinding(one, { mediaId: header?.mediaId }));
  return found.length === 0 ? report : { ...report, findings: [...report.findings, ...found] };
}

/**
 * SVC-MED-049 about a medium beside those of another peer under its name. Nothing is said of the disk that arrived, and of one
 * whose passport is wrong, which is a block of its own.
 */
function findStranger(
  { others, verified }: NamedDeliveries,
  { header, manifest, report }: Disk,
): SvcError | undefined {
  const peer = report.passport?.signer;
  const vouched = [
    ...others.flatMap(({ peer: by, landed }) =>
      by === undefined ? [] : landed.map((one) => ({ ...one, peer: by })),
    ),
    ...verified,
  ];
  const [before] = vouched;
  if (!header?.delivery || before === undefined) return undefined;
  if (
    vouched.some((one) => one.manifest === manifest) ||
    report.blocks.some(({ code }) => code === 'SVC-MED-042')
  )
    return undefined;
  const { id, part } = header.delivery;
  const detail =
    peer === undefined
      ? rule(
          [
            'peer {known} signed the passport of the delivery, and this disk has none of a configured peer',
            fr`le pair {known} a signé le passeport de la livraison, et ce disque n’en a aucun d’un pair configuré`,
          ],
          { known: before.peer },
        )
      : rule(
          [
            'peer {known} signed the passport of the delivery, and peer {peer} that of this disk',
            fr`le pair {known} a signé le passeport de la livraison, et le pair {peer} celui de ce disque`,
          ],
          { peer, known: before.peer },
        );
  return svcError('SVC-MED-049', {
    ...{ delivery: id, part, mediaId: header.mediaId, detail },
    ...{ other: before.mediaId, otherPart: before.part, odd: 'peer' },
  });
}

/** SVC-MED-044 when another medium was imported under the name of this part. */
function findOtherPart(
  all: readonly Delivery[],
  { header, manifest }: Pick<Disk, 'header' | 'manifest'>,
): SvcError | undefined {
  const { mediaId, delivery } = header ?? {};
  if (delivery === undefined || manifest === undefined) return undefined;
  const { id, part } = delivery;
  const ofPart = all.flatMap(({ landed }) => landed.filter((one) => one.part === part));
  if (ofPart.length === 0 || ofPart.some((one) => one.manifest === manifest)) return undefined;
  const known = ofPart[0]!.manifest;
  return svcError('SVC-MED-044', { delivery: id, part, known, found: manifest, mediaId });
}

/** When the same part was imported before, without a difference in the record since (RFC 3339). */
export function findEarlier(
  known: Delivery | undefined,
  recorded: Delivery | undefined,
  { header, manifest }: MediumVerification,
): string | undefined {
  if (known === undefined || recorded === undefined || !isUnchanged(known, recorded)) return undefined;
  const own = known.landed.find(({ part }) => part === header?.delivery?.part);
  return own?.manifest === manifest ? own?.importedAt : undefined;
}

/** What a medium says of its delivery. */
function toHeading(
  zone: string,
  { delivery, base, resolvedAt }: MediumHeader,
  baseDelivery: string | undefined,
): Parameters<typeof beginDelivery>[0] {
  const { id, parts } = delivery!;
  return {
    ...{ id, zone, resolvedAt, parts },
    ...(base ? { base } : {}),
    ...(baseDelivery === undefined ? {} : { baseDelivery }),
  };
}

/**
 * Records durably, before content goes to the registry, that a delivery arrives: one whose import is killed is incomplete. A
 * medium that is refused as a whole is no arrival.
 */
export async function beginArrival(
  { config }: Pick<Context, 'config'>,
  zone: string,
  { header, report }: Pick<MediumVerification, 'header' | 'report'>,
  baseDelivery: string | undefined,
): Promise<void> {
  if (header?.delivery === undefined || report.verdict === 'blocked') return;
  const arrivals = openArrivals(requireSetting('state.root', config.state.root));
  const peer = report.passport?.signer;
  const begun = beginDelivery({ ...toHeading(zone, header, baseDelivery), ...(peer ? { peer } : {}) });
  if (selectDelivery(await arrivals.find(begun.id), peer).own !== undefined) return;
  await arrivals.update(begun, (before) => before ?? begun);
}

/**
 * Records the part of a delivery that arrived, and the parts that its recipes still wait for.
 *
 * @returns the record, and whether another import has brought everything meanwhile that a recipe waits for; no record of a disk
 *   without a passport, where one of a peer came meanwhile
 */
export async function recordArrival(
  { config }: Pick<Context, 'config'>,
  run: {
    readonly zone: string;
    readonly verification: MediumVerification;
    readonly imported: ImportedMedium;
    readonly importedAt: string;
    readonly journal: TaskJournal;
    /** The record when the import began. */
    readonly known: Delivery | undefined;
    readonly baseDelivery: string | undefined;
  },
): Promise<{ readonly recorded: Delivery | undefined; readonly isMet: boolean }> {
  const { zone, verification, imported, importedAt, journal, known, baseDelivery } = run;
  const { mediaId, delivery } = verification.header!;
  const { id, part } = delivery!;
  const arrivals = openArrivals(requireSetting('state.root', config.state.root));
  const outcomes = listOutcomes(verification, imported, part);
  let isMet = false;
  const bases = new Set(imported.withoutBase.map((one) => one.delivery));
  const named = bases.size === 0 ? baseDelivery : bases.size === 1 ? [...bases][0] : undefined;
  const peer = verification.report.passport?.signer;
  const recorded = await arrivals.update({ id, ...(peer ? { peer } : {}) }, (before, others) => {
    isMet = outcomes.some((one) => isMetMeanwhile(one, known, before));
    return addArrival(before, {
      ...toHeading(zone, verification.header!, named),
      own: {
        part,
        mediaId,
        manifest: verification.manifest!,
        importedAt,
        said: toSaid(verification.header!),
      },
      outcomes,
      leftHolding: imported.leftHolding,
      peer,
      known,
      elsewhere: listElsewhere(zone, others),
    });
  });
  if (recorded) journal.setDelivery(recorded);
  return { recorded, isMet };
}

/** The outcome of each recipe that a medium lists. @param part the number of the medium */
function listOutcomes(
  { report, cleared, partsOfBlocked }: MediumVerification,
  imported: ImportedMedium,
  part: number,
): readonly RecipeOutcome[] {
  const toParts = (all: ImportedMedium['waiting']) =>
    new Map(all.map(({ recipe, parts }) => [recipe.record.digest, parts]));
  const landed = new Set(imported.landed.map(({ record }) => record.digest));
  const [waits, held, again] = [imported.waiting, imported.withoutBase, imported.again].map(toParts);
  const bases = new Map(imported.withoutBase.map(({ recipe, delivery }) => [recipe.record.digest, delivery]));
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
    if (base) return { ...named, outcome: 'held', parts: base, baseDelivery: bases.get(digest) };
    if (!pushable) {
      const parts = partsOfBlocked?.get(digest);
      return { ...named, outcome: 'blocked', parts: parts ? [...parts, part] : [] };
    }
    return {
      ...named,
      outcome: 'failed',
      parts: others.get(digest) ?? [],
      forgotten: again!.get(digest),
    };
  });
}

/** Records in other deliveries that recipes landed. They may have waited there for a disk that nobody will bring. */
export async function settleDeliveries(
  { config }: Pick<Context, 'config'>,
  zone: string,
  { landed }: ImportedMedium,
  importedAt: string,
): Promise<void> {
  const stateRoot = requireSetting('state.root', config.state.root);
  const digests = new Set(landed.map(({ record }) => record.digest));
  if (digests.size > 0) await openArrivals(stateRoot).settle(zone, digests, importedAt);
}

/** Records a whole medium as the freshest one of a zone, unless a later one is. @throws SVC-STO-002, SVC-STO-004 */
export async function recordImport(
  freshness: FreshnessRecords,
  zone: string,
  run: {
    readonly verification: MediumVerification;
    readonly runId: string;
    readonly imported: ImportedMedium;
    readonly importedAt: string;
    /** The record of its delivery, if it is recorded as a part of one. */
    readonly recorded: Delivery | undefined;
  },
): Promise<void> {
  const { verification, runId, imported, importedAt, recorded } = run;
  const isWhole =
    imported.landed.length === verification.report.recipes.length && recorded?.complete !== false;
  const recipes = Object.fromEntries(selectHighest(imported.landed.map(({ record }) => record)));
  const { header, manifest, report } = verification;
  const { passport } = report;
  const { mediaId, resolvedAt, delivery } = header!;
  await freshness.update(zone, (record) =>
    advance(record, {
      mediaId,
      resolvedAt,
      importedAt,
      runId,
      recipes,
      ...(manifest ? { manifest } : {}),
      ...(recorded && delivery ? { delivery: { id: delivery.id, part: delivery.part } } : {}),
      ...(isWhole ? { whole: true } : {}),
      ...(passport ? { peer: passport.signer } : {}),
    }),
  );
}

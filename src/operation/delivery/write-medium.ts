import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { type Clock, systemClock, toStamp } from '../../base/clock.ts';
import type { Details } from '../../base/details.ts';
import type { Digest } from '../../base/digest.ts';
import { collectNow } from '../../base/release-memory.ts';
import type { Report } from '../../base/report.ts';
import type { MediumProof } from '../../contract/proof.ts';
import type { MediumWriting, SentDelivery } from '../../contract/write-medium.ts';
import { noCustody } from '../../custody/custody.ts';
import type { Custody } from '../../custody/model.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { openPlace, openPlaceOf, type Place } from '../../disk/place/place.ts';
import { type CopyPool, openCopyPool } from '../../disk/threads/copy-pool.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { sumContents } from '../../engine/copy/sum-contents.ts';
import { toContents } from '../../engine/delivery/close.ts';
import { openRangeHashes } from '../../engine/delivery/hash-ranges.ts';
import { inspectTarget } from '../../engine/delivery/inspect-target.ts';
import type { WrittenPart } from '../../engine/delivery/model.ts';
import { selectOnPart } from '../../engine/delivery/plan.ts';
import { openSmallBlobs } from '../../engine/delivery/small-blobs.ts';
import { writePart } from '../../engine/delivery/write-part.ts';
import { passPreflight } from '../../engine/sync/preflight/pass-preflight.ts';
import type { Signer } from '../../signing/signer.ts';
import { holdContent } from '../../store/keep-content.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';
import { hashWhole } from '../../store/rest/rest-files.ts';
import type { TaskJournal } from '../../task/model.ts';
import { isSvcError, svcError, toSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { openPartsProof } from '../prove/prove-parts.ts';
import { toProofBase } from './choose-base.ts';
import { type DonePart, describeWriting } from './describe-writing.ts';
import { findDamage } from './find-damage.ts';
import { explainLack } from './measure-room.ts';
import { type PlannedWriting, type PlanWriteInput, planWriting } from './plan-write.ts';
import { signPart, signPassport, withdrawSignatures } from './sign-part.ts';

/** The end of the proof of a part. */
export interface PartOutcome {
  readonly part: number;
  readonly path: string;
  readonly isProved: boolean;
  /** Files that the disk of the complete part had lost or changed, and that are written again. */
  readonly damaged?: readonly string[] | undefined;
}

interface WriteMediumInput extends PlanWriteInput {
  readonly actor: string;
  readonly report: Report;
  readonly version: string;
  /** Ignores refusals of the pre-flight check, which are audited. */
  readonly preflightDisabled: boolean;
  /** The zone of the sender, which passports name. */
  readonly from?: string | undefined;
  /** Signs passports. */
  readonly signer?: Signer | undefined;
  /** Milliseconds for which passports are valid. */
  readonly expiresIn?: number | undefined;
  /** Whether large files are read back from their disk before they are proved. Default: they are. */
  readonly readBack?: boolean | undefined;
  /** The trust roots that prove the media. Scopes are not used. */
  readonly policy: TrustPolicy;
  /** Called with the plan, before anything is written. */
  readonly onPlan?: ((plan: MediumWriting) => void) | undefined;
  /** Called at the end of the proof of a part. The disk of a proved one can leave. */
  readonly onPart?: ((done: PartOutcome) => void) | undefined;
  readonly onBytes?: ((done: number, total: number) => void) | undefined;
  readonly journal?: TaskJournal | undefined;
  readonly clock?: Pick<Clock, 'wall'> | undefined;
  /** The ledger of written and proved media. Default: none. */
  readonly custody?: Custody | undefined;
}

/**
 * Writes the media of a delivery, one after the other. Each part is completed as soon as its large files are copied, and
 * proved by the import of a zone into a registry in memory, while files of the next part are copied. It gets its passport
 * then, and its disk can leave. A repeated command continues: complete parts stay as they are, where their bytes are those
 * that this source wrote.
 *
 * @returns the delivery, with any result of the proof. A part has no passport when it, or one before it, is not proved; the
 *   last part has none when a recipe of the delivery would not land, and no part where the zone has no room for all
 * @throws the errors of `planWriting` and `writePart`, SVC-MED-050 for content that the store lost meanwhile, SVC-STO-004 and SVC-STO-005 for a volume without room, SVC-STO-019
 *   for a disk that is gone
 */
export async function writeMedium(input: WriteMediumInput): Promise<MediumWriting> {
  const { zone, actor, report } = input;
  const audit = (outcome: 'success' | 'failure', details: Details): void =>
    report.audit({ actor, action: 'media.write', target: zone, outcome, details });
  let planned: PlannedWriting | undefined;
  try {
    planned = await planWriting(input);
    if (planned.places.length === 0) {
      const nothing = describeWriting(planned);
      input.onPlan?.(nothing);
      return nothing;
    }
    passPreflight(planned.checks, input.preflightDisabled, report, actor);
    const { done, proof } = await writeParts(input, planned);
    const { id, program } = planned.delivery;
    const [lost] = planned.blocked;
    audit(lost === undefined ? 'success' : 'failure', {
      delivery: id,
      parts: done.length,
      folders: planned.places.map(({ path }) => path),
      proved: proof.ok,
      ...(lost === undefined
        ? {}
        : {
            code: lost.error.code,
            blocked: planned.blocked.map(({ record: { name, version } }) => `${name}@${version}`),
          }),
      ...(program === undefined ? {} : { program: program.version }),
    });
    return describeWriting(planned, done, proof);
  } catch (thrown) {
    const error = await explainFailure(input, planned, thrown);
    audit('failure', {
      ...(planned === undefined ? {} : { delivery: planned.delivery.id }),
      ...(input.signal?.aborted ? { interrupted: true } : { code: toSvcError(error).code }),
    });
    throw error;
  }
}

/** The cause of a failed writing: content that the store lost, or a volume that is gone, where that explains the error. */
async function explainFailure(
  input: WriteMediumInput,
  planned: PlannedWriting | undefined,
  thrown: unknown,
): Promise<unknown> {
  if (isSvcError(thrown, 'SVC-MED-050')) return thrown;
  const explained = await input.store.place.explain(thrown);
  if (planned === undefined || input.signal?.aborted) return explained;
  return (await findDamage(input, planned.delivery, explained)) ?? explained;
}

async function writeParts(
  input: WriteMediumInput,
  planned: PlannedWriting,
): Promise<{ readonly done: readonly DonePart[]; readonly proof: NonNullable<MediumWriting['proof']> }> {
  const { store, signal } = input;
  const { delivery, places } = planned;
  const { content } = delivery;
  const files = [...content.always, ...content.blobs].map(([digest, size]) => ({ digest, size }));
  const held = holdContent(store, files);
  if (held === undefined)
    throw svcError('SVC-STO-001', {
      path: store.root,
      detail: rule(['planned content was deleted', fr`un contenu prévu a été supprimé`]),
    });
  await using _held = held;
  // a disk that is pulled before its turn would be written in its absence, below its mount point
  const disks = await Promise.all(places.map(({ path }) => openDisk(path)));
  input.onPlan?.(describeWriting(planned));
  // every folder is looked at before the first one is written
  await inspectTargets(planned, await listBroken(input));
  const { custody = noCustody } = input;
  const about = { delivery: delivery.id, zone: delivery.zone, parts: places.length };
  const intent = await custody.begin({
    type: 'written',
    actor: input.actor,
    subjects: delivery.closures.map(({ record: { name, version, digest } }) => ({
      name: `${name}@${version}`,
      digest,
    })),
    details: { ...about, folders: places.map(({ path }) => path) },
  });
  try {
    const written = await writePlanned(input, planned, disks);
    const isProved = written.proof.ok;
    await intent.end({
      subjects: written.done.map(({ manifest }) => ({ name: 'media.jsonl', digest: manifest })),
      details: { proved: isProved },
    });
    return written;
  } catch (thrown) {
    // the line, the audit record and the task name one cause
    const error = await explainFailure(input, planned, thrown);
    await intent.fail(error, signal);
    throw error;
  }
}

/** Writes and proves the parts, once the intent is recorded. @param disks of each part */
async function writePlanned(
  input: WriteMediumInput,
  planned: PlannedWriting,
  disks: readonly Awaited<ReturnType<typeof openDisk>>[],
): ReturnType<typeof writeParts> {
  const {
    store,
    sent,
    signal,
    version,
    journal,
    signer,
    custody = noCustody,
    readBack: isReadBack = true,
  } = input;
  const { delivery, places } = planned;
  const believing = isReadBack ? {} : { readBack: false };
  let record = await beginRecord(input, planned);
  // the store may lose a recipe that the zone keeps
  for (const [digest, contents] of planned.base?.roots ?? [])
    if (contents !== undefined) await sent.keepClosure(digest, contents);
  for (const closure of delivery.closures) await sent.keepClosure(closure.record.digest, toContents(closure));
  const proving = await openPartsProof(toProofOptions(input, planned));
  let proof: MediumProof | undefined;
  const total = places.reduce((sum, { bytes }) => sum + bytes, 0);
  journal?.setTotalBytes(total);
  let told = 0;
  const tell = (bytes: number): void => {
    if (bytes <= told) return;
    journal?.addBytes(bytes - told);
    told = bytes;
    input.onBytes?.(bytes, total);
  };
  /** Bytes of complete parts that were not copied: small files, and those that were there. */
  let others = 0;
  await using pool = openCopyPool({
    // a thread waits for its disk more than it hashes
    threads: Math.min(4, availableParallelism() + 1),
    onBytes: (read) => tell(read + others),
    signal,
  });
  const broken = await listBroken(input);
  const ranges = openRangeHashes(store, delivery);
  const small = openSmallBlobs(store);
  const done: DonePart[] = [];
  const prove = async (part: number, { readBack, ...written }: WrittenPart): Promise<void> => {
    const { path } = places[part - 1]!;
    journal?.line(`proving part ${part} of ${places.length}: ${path}`);
    let isProved = await proving.add(await realpath(path), readBack);
    if (part === places.length) {
      proof = await proving.conclude();
      isProved = proof.verdict === 'proved';
    }
    const { manifest } = written;
    const passport =
      isProved && signer !== undefined
        ? await signPassport(input, delivery, { part, record, manifest }, signer)
        : undefined;
    await custody.record({
      type: 'proved',
      actor: input.actor,
      subjects: [
        { name: 'media.jsonl', digest: manifest },
        ...(passport ? [{ name: statementNames.passport, digest: passport.digest }] : []),
      ],
      details: {
        ...{ delivery: delivery.id, zone: delivery.zone, part, parts: places.length, ...believing },
        // the findings are known at the end of the delivery
        findings: isProved || proof === undefined ? undefined : toCodes(proof),
      },
      result: isProved ? 'success' : 'failure',
    });
    if (!isProved) await withdrawSignatures(path);
    else if (passport !== undefined) await signPart(path, input, delivery, passport, signer!);
    done.push(signer === undefined ? written : { ...written, passport: isProved });
    const others = record.written.filter((one) => one.part !== part);
    const recipes = selectOnPart(delivery.content.recipes, delivery.parts[part - 1]!).map(
      (one) => one.record.digest,
    );
    const own = { part, manifest, recipes, ...(isProved ? {} : { unproved: true }) };
    record = { ...record, written: [...others, own].sort((a, b) => a.part - b.part) };
    await sent.keepDelivery(record);
    const state = isProved ? 'complete' : 'written, and not proved';
    journal?.line(`part ${part} of ${places.length} is ${state}: ${path}`);
    const { damaged } = written;
    if (damaged !== undefined) journal?.line(`part ${part} was damaged before: ${damaged.join(', ')}`);
    input.onPart?.({ part, path, isProved, damaged });
  };
  /** Writes a part, and proves it when all before are. @returns after its proof */
  const settle = async (
    i: number,
    before: Promise<void>,
    { onCopied, signal }: { readonly onCopied: () => void; readonly signal: AbortSignal },
  ): Promise<void> => {
    const { path, bytes } = places[i]!;
    const part = i + 1;
    let copied = 0;
    const copy: CopyPool['copy'] = async (job) => {
      const { target } = job;
      const believed = !isReadBack && 'path' in target;
      const outcome = await pool.copy(believed ? { ...job, target: { ...target, believed } } : job);
      copied += job.size;
      return outcome;
    };
    const written = await disks[i]!(() =>
      writePart({
        ...{ store, delivery, part, path, writtenAt: record.startedAt, version },
        ...{ ranges, small, broken, onCopied, signal },
        pool: { copy, writeSmall: pool.writeSmall, concurrency: pool.concurrency },
        known: findManifest(record, part),
        beforeChange: () => withdrawSignatures(path),
      }).catch(async (error: unknown) => {
        throw await explainLack(error, path, bytes);
      }),
    );
    others += bytes - copied;
    tell(pool.bytes + others);
    await before;
    await disks[i]!(() => prove(part, written));
    // the proof of the next part makes as many objects
    if (part < places.length) collectNow();
  };
  const settled: Promise<void>[] = [];
  try {
    let before = Promise.resolve();
    let stop = new AbortController();
    for (const i of places.keys()) {
      const copied = Promise.withResolvers<void>();
      const own = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
      own.throwIfAborted();
      const current = settle(i, before, { onCopied: copied.resolve, signal: own });
      settled.push(current);
      const next = new AbortController();
      current.catch((error: unknown) => next.abort(error));
      // the next part is copied while this one is closed and proved
      await Promise.race([copied.promise, current]);
      await before;
      [before, stop] = [current, next];
    }
    await before;
  } finally {
    await Promise.allSettled(settled);
  }
  const { verdict, findings } = proof!;
  for (const { code, subject, detail } of findings) journal?.line(`${subject}: ${code}: ${detail}`);
  journal?.line(verdict === 'proved' ? 'the delivery is proved' : 'the delivery is not proved');
  return { done, proof: { ok: verdict === 'proved', ...believing, findings } };
}

const toCodes = ({ findings }: MediumProof): readonly string[] => [
  ...new Set(findings.map(({ code }) => code)),
];

/**
 * Remembers the disk of a part.
 *
 * @returns does work on this disk; rejects with SVC-STO-019 when it is gone before or afterwards
 */
async function openDisk(path: string): Promise<<T>(work: () => Promise<T>) => Promise<T>> {
  const { root, place } = await openPlaceOf(path);
  /** The folder of the part. It may be new: the place above it stays when another disk is there. */
  let own: Place | undefined;
  const begin = async (): Promise<void> => {
    await place.requireInPlace();
    if (own !== undefined) return own.requireInPlace();
    // made through the open disk: a path would lead below its mount point when it is pulled in this moment
    const check = (): Promise<void> => place.requireInPlace();
    await (await openGuardedFolder(root, relative(root, path), { create: true, check })).close();
    own = await openPlace(path);
  };
  return async (work) => {
    try {
      await begin().catch((error: unknown) => {
        throw toWriteError(error, path);
      });
      const result = await work();
      await place.requireInPlace();
      return result;
    } catch (error) {
      const found = await place.explain(error);
      throw found === error && own !== undefined ? await own.explain(error) : found;
    }
  };
}

/** The zone as this delivery assumes it. */
function toProofOptions(
  { zone, policy, report, version, store, sent, signal, clock = systemClock, base, signer }: WriteMediumInput,
  planned: PlannedWriting,
): Parameters<typeof openPartsProof>[0] {
  const { always, blobs, absent } = planned.delivery.content;
  const content = new Map([...always, ...blobs]);
  const isStamped = signer !== undefined;
  const common = { zone, policy, report, version, signal, content, isStamped, now: () => clock.wall() };
  const { inventory } = planned.base ?? {};
  const listed = [...absent].filter(([digest]) => inventory?.has(digest));
  if (typeof base === 'object') {
    const { receipt } = toProofBase(base);
    return { ...common, base: { receipt, store, sent }, held: new Map(listed) };
  }
  const contents = [...(planned.base?.roots.values() ?? [])];
  return { ...common, held: new Map(contents.flatMap((one) => [...(one ?? [])])) };
}

/**
 * Whether every part of a delivery is complete in its folder, with the manifest that was written there. Further files are
 * not read.
 *
 * @throws SVC-MED-045 for a folder with anything else than its part
 */
export async function isWritten(planned: PlannedWriting, sent: WriteMediumInput['sent']): Promise<boolean> {
  const states = await inspectTargets(planned, new Set());
  if (!states.every((state) => state === 'complete')) return false;
  const record = await findRecord(sent, planned);
  for (const [i, { path }] of planned.places.entries()) {
    const { digest } = await hashWhole(join(path, mediumManifestPath));
    if (digest !== findManifest(record, i + 1)) return false;
  }
  return true;
}

/** Looks at the folder of each part. @throws SVC-MED-045 for a folder with anything else than its part */
async function inspectTargets(
  { delivery, places }: PlannedWriting,
  broken: ReadonlySet<string>,
): Promise<readonly Awaited<ReturnType<typeof inspectTarget>>[]> {
  for (const [i, { path }] of places.entries())
    for (const other of places)
      if (path.startsWith(`${other.path}/`))
        throw svcError('SVC-MED-045', {
          path,
          delivery: delivery.id,
          part: i + 1,
          detail: rule(['it lies in {other}', fr`il se trouve dans {other}`], { other: other.path }),
        });
  return Promise.all(
    places.map(({ path }, i) =>
      inspectTarget(path, { delivery: delivery.id, part: i + 1, parts: places.length }, broken),
    ),
  );
}

/** The deliveries for a zone that cannot be completed. Their unfinished disks are nobody's. */
async function listBroken({
  sent,
  zone,
}: Pick<WriteMediumInput, 'sent' | 'zone'>): Promise<ReadonlySet<string>> {
  return new Set((await sent.deliveries(zone)).flatMap(({ id, lost }) => (lost === undefined ? [] : [id])));
}

/** The record of a delivery that is written already, or in part. */
async function findRecord(
  sent: WriteMediumInput['sent'],
  { delivery }: PlannedWriting,
): Promise<SentDelivery | undefined> {
  const known = await sent.delivery(delivery.id);
  return known?.zone === delivery.zone && known.parts === delivery.parts.length ? known : undefined;
}

const findManifest = (record: SentDelivery | undefined, part: number): Digest | undefined =>
  record?.written.find((one) => one.part === part)?.manifest;

/** The record of this delivery, or a new one. The time of its start stays: a part that is written again is the same. */
async function beginRecord(
  { store, sent, zone, clock }: WriteMediumInput,
  planned: PlannedWriting,
): Promise<SentDelivery> {
  const { delivery, room } = planned;
  const bytes = sumContents([delivery.content.always, delivery.content.blobs]);
  const known = await findRecord(sent, planned);
  if (known !== undefined) {
    const { lost, ...again } = known;
    // the lost content has come back
    if (lost !== undefined) await sent.keepDelivery(again);
    return again;
  }
  const [latest] = await sent.deliveries(zone);
  const record: SentDelivery = {
    id: delivery.id,
    zone,
    sequence: (latest?.sequence ?? 0) + 1,
    startedAt: toStamp(clock),
    ...(delivery.base === undefined ? {} : { base: delivery.base }),
    recipes: delivery.closures.map((closure) => closure.record.digest),
    ...(delivery.closures.length < store.index.recipes().length ? { selected: true } : {}),
    ...(room === undefined ? {} : { room }),
    ...{ parts: delivery.parts.length, bytes },
    written: [],
  };
  await sent.keepDelivery(record);
  return record;
}

import { systemClock } from '../../base/clock.ts';
import { requestBody, requireAbsolute } from '../../base/require-absolute.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { breaksZoneName } from '../../config/keys/instance.ts';
import type { Task, TaskItem } from '../../contract/task.ts';
import type { MediumWriting } from '../../contract/write-medium.ts';
import { vfat } from '../../disk/filesystem.ts';
import { requireParent } from '../../disk/place/require-parent.ts';
import type { Store } from '../../store/model.ts';
import type { TaskJournal } from '../../task/model.ts';
import type { MediaWriteRequest } from '../../task/request.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { openSent } from '../../zone/sent.ts';
import type { Context } from '../context.ts';
import { openCustody } from '../custody/open-custody.ts';
import { describeWriting } from '../delivery/describe-writing.ts';
import { planWriting } from '../delivery/plan-write.ts';
import { resolveBase } from '../delivery/resolve-base.ts';
import { writeMedium } from '../delivery/write-medium.ts';
import { resolveLayoutPath } from '../layout-paths.ts';
import { selectPermit } from '../run-layout-task.ts';
import type { MediumVerifier } from '../verify-medium.ts';
import { type ChosenRecipes, chooseWanted } from '../zone/choose-wanted.ts';
import { logUnread } from '../zone/known-receipts.ts';
import { requireConfiguredZone } from '../zone/read-zone-boards.ts';
import { WantedRecipes } from '../zone/wanted-recipes.ts';
import type { Instance, Requester } from './instance.ts';
import { requireVisible } from './layout-requests.ts';

/** Media for a zone, written on the machine of the instance. */
type WriteInput = MediaWriteRequest['parameters'];

/** A delivery that is not written yet. Without folders, its disks are not there yet. */
interface PlanRequest extends Pick<WriteInput, 'zone' | 'base' | 'recipes' | 'folders' | 'volumeBytes'> {
  /** In place of `recipes`: those that the Retriever of the zone wants. */
  readonly wanted?: ChosenRecipes | undefined;
  readonly filesystem: 'any' | 'fat32';
}

/**
 * Plans the media of a delivery, as a dry run does. Reads manifests and writes nothing.
 *
 * @throws SVC-VAL-001 for the name of a zone or its folders, SVC-FIL-003, SVC-FIL-005, SVC-CFG-001 without a state folder, SVC-MED-030, SVC-MED-032, the errors of
 *   {@link planWriting}
 */
export async function planMediaWrite(
  { context, store, verifier }: Pick<Instance, 'context' | 'store' | 'verifier'>,
  { zone, base, recipes, wanted, folders, volumeBytes, filesystem }: PlanRequest,
  signal: AbortSignal,
): Promise<MediumWriting> {
  requireZoneName(zone, 'query');
  const { config, policy } = context;
  const sent = openSent(requireSetting('state.root', config.state.root));
  const { gate } = selectPermit(store, verifier, { recipes: wanted?.recipes ?? recipes, repositories: [] });
  const planned = await planWriting({
    store,
    sent,
    zone,
    base: await resolveBase(base, { config, policy, zone, onUnread: logUnread(context) }),
    recipes,
    wanted,
    folders: await resolveDisks(context, { folders, volumeBytes }, 'folder', 'query'),
    volumeBytes,
    filesystem: filesystem === 'fat32' ? vfat : undefined,
    marginPercent: config.preflight.safetyMarginPercent,
    gate,
    signal,
  });
  return describeWriting(planned);
}

/**
 * Checks a delivery and creates the task that writes its media.
 *
 * @param asked.folders absolute paths
 * @throws SVC-FIL-003, SVC-FIL-005, SVC-MED-030, SVC-MED-032, SVC-CFG-001, SVC-TSK-002, SVC-VAL-001
 */
export async function submitMediaWrite(
  { context, store, verifier, tasks }: Pick<Instance, 'context' | 'store' | 'verifier' | 'tasks'>,
  asked: WriteInput & Requester,
): Promise<Task> {
  const { actor, origin, requestId, rank, ...parameters } = asked;
  requireZoneName(parameters.zone);
  requireSetting('state.root', context.config.state.root);
  if (parameters.wanted) requireWantable(context, parameters);
  selectPermit(store, verifier, { recipes: parameters.recipes, repositories: [] });
  // a disk that cannot be begun is refused at once, and not after a wait in the queue
  for (const place of await resolveDisks(context, parameters, 'folders')) await requireParent(place);
  const reference = parameters.folders.join(', ');
  return tasks.submit({ type: 'media-write', reference, actor, origin, requestId, parameters }, rank);
}

/**
 * Requires that the wanted recipes of a zone can be known.
 *
 * @param file names the request in errors; its body unless given
 * @throws SVC-VAL-001 beside names of recipes, SVC-REG-005 for a zone that is not configured
 */
export function requireWantable(
  { config }: Pick<Context, 'config'>,
  { zone, recipes }: Pick<WriteInput, 'zone' | 'recipes'>,
  file: string | Rule = requestBody,
): void {
  if (recipes.length > 0)
    throw svcError('SVC-VAL-001', {
      file,
      path: '/wanted',
      rule: rule([
        'chooses the recipes, and cannot be given with names of recipes',
        fr`choisit les recettes et ne peut pas être donné avec des noms de recettes`,
      ]),
    });
  requireConfiguredZone(config.zones, zone);
}

/** @param file names the request in errors; its body unless given @throws SVC-VAL-001 */
function requireZoneName(zone: string, file: string | Rule = requestBody): void {
  const broken = breaksZoneName(zone);
  if (broken !== undefined) throw svcError('SVC-VAL-001', { file, path: '/zone', rule: broken });
}

/**
 * Checks the folders that a request names for its disks.
 *
 * @param member of the request
 * @param file names the request in errors; its body unless given
 * @returns their real paths
 * @throws SVC-VAL-001 for a relative path, a folder named twice, or several folders for disks of one size, SVC-FIL-003, SVC-FIL-005
 */
async function resolveDisks(
  context: Context,
  { folders, volumeBytes }: Pick<WriteInput, 'folders' | 'volumeBytes'>,
  member: string,
  file: string | Rule = requestBody,
): Promise<readonly string[]> {
  if (volumeBytes !== undefined && folders.length > 1)
    throw svcError('SVC-VAL-001', {
      file,
      path: `/${member}`,
      rule: rule([
        'must be given once with volumeBytes, as one folder gets all parts',
        fr`doit être donné une seule fois avec volumeBytes, car un seul dossier reçoit toutes les parties`,
      ]),
    });
  const places: string[] = [];
  for (const folder of folders) {
    requireAbsolute(folder, member, file);
    const place = await resolveLayoutPath(context, folder, 'disk');
    requireVisible(place, folder);
    places.push(place);
  }
  if (new Set(places).size < places.length)
    throw svcError('SVC-VAL-001', {
      file,
      path: `/${member}`,
      rule: rule(['names the same folder twice', fr`nomme deux fois le même dossier`]),
    });
  return places;
}

/** The recipes of a delivery of which some are not written, as items of its task. */
function toItems({ recipes, blocked = [], lacking = [] }: MediumWriting): readonly TaskItem[] {
  const toName = ({ name, version }: { readonly name: string; readonly version: string }): string =>
    `${name}@${version}`;
  return [
    ...recipes.map(({ digest, writeBytes, ...one }): TaskItem => {
      return { name: toName(one), digest, status: 'done', transferredBytes: writeBytes };
    }),
    ...blocked.map(({ digest, error, ...one }): TaskItem => {
      return { name: toName(one), digest, status: 'failed', transferredBytes: 0, error };
    }),
    ...lacking.map(({ name, requested, version = requested, error }): TaskItem => {
      return { name: toName({ name, version }), status: 'failed', transferredBytes: 0, error };
    }),
  ];
}

/** Runs the task that writes media. @throws the errors of `writeMedium` and `resolveBase` */
export async function runMediaWrite(parts: {
  readonly context: Context;
  readonly store: Store;
  readonly verifier: MediumVerifier;
  readonly request: MediaWriteRequest;
  readonly journal: TaskJournal;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { context, store, verifier, request, journal, signal } = parts;
  const { zone, base, recipes, folders, volumeBytes } = request.parameters;
  const { config, policy, report, version } = context;
  const stateRoot = requireSetting('state.root', config.state.root);
  const wanted = request.parameters.wanted
    ? await chooseWanted(context, {
        ...{ zone, store, now: systemClock.wall() },
        wanted: new WantedRecipes(context, { signal }),
      })
    : undefined;
  const { gate } = selectPermit(store, verifier, { recipes: wanted?.recipes ?? recipes, repositories: [] });
  const written = await writeMedium({
    store,
    sent: openSent(stateRoot),
    zone,
    base: await resolveBase(base, { config, policy, zone, onUnread: logUnread(context) }),
    recipes,
    wanted,
    folders: await Promise.all(folders.map((folder) => resolveLayoutPath(context, folder, 'disk'))),
    volumeBytes,
    marginPercent: config.preflight.safetyMarginPercent,
    preflightDisabled: config.preflight.disabled,
    policy,
    custody: openCustody(config, policy),
    gate,
    actor: request.actor,
    report,
    version,
    journal,
    onPlan: ({ delivery, totals, unknownRoots, blocked = [], lacking = [] }) => {
      journal.line(
        `delivery ${delivery.id} for ${zone}: ${totals.writeBytes} bytes, ${delivery.parts} parts`,
      );
      if (delivery.base === undefined) journal.line('everything is written');
      const { freeBytes = Number.POSITIVE_INFINITY } = delivery.base ?? {};
      if (totals.writeBytes > freeBytes)
        journal.line(`the zone had ${freeBytes} bytes free, and the delivery needs ${totals.writeBytes}`);
      for (const digest of unknownRoots) journal.line(`unknown recipe of the zone: ${digest}`);
      for (const { name, version, error } of blocked)
        journal.line(`${name}@${version} is blocked: ${error.code}: ${String(error.params.path)}`);
      for (const { name, requested, version = requested, error } of lacking)
        journal.line(`${name}@${version} is wanted, and cannot be brought: ${error.code}`);
    },
    signal,
  });
  if (written.proof !== undefined)
    journal.setWritten({
      delivery: written.delivery.id,
      zone,
      parts: written.delivery.parts,
      recipes: written.recipes.length,
      bytes: written.totals.writeBytes,
      proved: written.proof.ok,
    });
  if (written.blocked !== undefined || written.lacking !== undefined)
    await journal.settleItems(toItems(written));
}

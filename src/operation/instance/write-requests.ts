import { requireSetting } from '../../base/require-setting.ts';
import type { Task } from '../../contract/task.ts';
import type { Store } from '../../store/model.ts';
import type { TaskJournal } from '../../task/model.ts';
import type { MediaWriteRequest } from '../../task/request.ts';
import { openSent } from '../../zone/sent.ts';
import type { Context } from '../context.ts';
import { resolveBase } from '../delivery/resolve-base.ts';
import { writeMedium } from '../delivery/write-medium.ts';
import { resolveLayoutPath } from '../layout-paths.ts';
import { selectPermit } from '../run-layout-task.ts';
import type { MediumVerifier } from '../verify-medium.ts';
import type { Instance, Requester } from './instance.ts';
import { requireAbsolute, requireVisible } from './layout-requests.ts';

/** Media for a zone, written on the machine of the instance. */
type WriteInput = MediaWriteRequest['parameters'];

/**
 * Checks a delivery and creates the task that writes its media.
 *
 * @param asked.folders absolute paths
 * @throws SVC-FIL-003, SVC-MED-030, SVC-MED-032, SVC-CFG-001, SVC-TSK-002, SVC-VAL-001
 */
export async function submitMediaWrite(
  { context, store, verifier, tasks }: Pick<Instance, 'context' | 'store' | 'verifier' | 'tasks'>,
  asked: WriteInput & Requester,
): Promise<Task> {
  const { actor, origin, requestId, rank, ...parameters } = asked;
  requireSetting('state.root', context.config.state.root);
  selectPermit(store, verifier, { recipes: parameters.recipes, repositories: [] });
  for (const folder of parameters.folders) {
    requireAbsolute(folder, 'folders');
    requireVisible(await resolveLayoutPath(context, folder, 'output'), folder);
  }
  const reference = parameters.folders.join(', ');
  return tasks.submit({ type: 'media-write', reference, actor, origin, requestId, parameters }, rank);
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
  const { gate } = selectPermit(store, verifier, { recipes, repositories: [] });
  await writeMedium({
    store,
    sent: openSent(stateRoot),
    zone,
    base: await resolveBase(base, { config, policy, zone }),
    recipes,
    folders: await Promise.all(folders.map((folder) => resolveLayoutPath(context, folder, 'output'))),
    volumeBytes,
    marginPercent: config.preflight.safetyMarginPercent,
    preflightDisabled: config.preflight.disabled,
    gate,
    actor: request.actor,
    report,
    version,
    journal,
    onPlan: ({ delivery, totals, unknownRoots }) => {
      journal.line(
        `delivery ${delivery.id} for ${zone}: ${totals.writeBytes} bytes, ${delivery.parts} parts`,
      );
      if (delivery.base === undefined) journal.line('everything is written');
      for (const digest of unknownRoots) journal.line(`unknown recipe of the zone: ${digest}`);
    },
    signal,
  });
}

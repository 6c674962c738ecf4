import type { Task } from '../contract/task.ts';
import { importArtifact as importFromRegistry } from '../engine/import/import-artifact.ts';
import { importChart } from '../engine/import/import-chart.ts';
import { hostOf, parseImportReference } from '../engine/import/import-reference.ts';
import type { ImportRun } from '../engine/import/import-run.ts';
import type { ImportChoice } from '../engine/import/model.ts';
import { countErrors } from '../engine/sync/count-errors.ts';
import { collectGarbage } from '../store/collect.ts';
import type { Store } from '../store/model.ts';
import { writeRest } from '../store/rest/write-rest.ts';
import type { TaskJournal } from '../task/model.ts';
import type { ImportRequest } from '../task/request.ts';
import { svcError, toSvcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { Context } from './context.ts';
import { openCustody } from './custody/open-custody.ts';
import type { Instance, Requester } from './instance/instance.ts';

/** A requested unit import. */
export interface AskedImport {
  readonly reference: string;
  /** Chosen platforms of the inspected artifact; at least one. */
  readonly platforms: readonly ImportChoice[];
  /** Adds missing dependencies to a chart. */
  readonly vendorDependencies: boolean;
  /** As of `fingerprintTag`: the content of the tag when the import was confirmed. */
  readonly replaces?: string | undefined;
}

/**
 * Validates a requested import and converts it to the request of a task.
 *
 * @throws SVC-REG-001, SVC-POL-001, SVC-VAL-001 without a choice, SVC-MED-030 when the store is foreign
 */
export function toImportTask(
  { config, registry, transport }: Context,
  store: Store,
  request: AskedImport & { readonly actor: string; readonly requestId?: string },
): ImportRequest {
  const { platforms, vendorDependencies, replaces, actor, requestId } = request;
  const asked = parseImportReference(request.reference);
  if (platforms.length === 0)
    throw svcError('SVC-VAL-001', {
      file: rule(['request body', fr`corps de la requête`]),
      path: '/platforms',
      rule: rule([
        'must name at least one item of the inspection',
        fr`doit nommer au moins un élément de l’inspection`,
      ]),
    });
  if (store.standing === 'foreign' && config.zone !== undefined)
    throw svcError('SVC-MED-030', { mediaId: store.mediaId });
  const host = asked.kind === 'registry' ? registry.effective(asked.reference).host : hostOf(asked);
  if (!transport.isAllowed(host)) throw svcError('SVC-POL-001', { host });
  return {
    type: 'import',
    reference: asked.text,
    actor,
    requestId,
    parameters: {
      platforms: platforms.map(({ name, digest }) => ({ name, digest })),
      vendorDependencies,
      ...(replaces === undefined ? {} : { replaces }),
    },
  };
}

/** Creates the task of a unit import. @throws SVC-TSK-002, and the errors of {@link toImportTask} */
export async function submitImport(
  { context, store, tasks }: Pick<Instance, 'context' | 'store' | 'tasks'>,
  request: AskedImport & Requester,
): Promise<Task> {
  return tasks.submit(toImportTask(context, store, request), request.rank);
}

interface ImportInput {
  /** Store opened for writing. */
  readonly store: Store;
  readonly task: Pick<Task, 'id' | 'runId'>;
  readonly request: ImportRequest;
  readonly journal: TaskJournal;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports one artifact as a task.
 *
 * @throws the first error that prevents the import
 */
export async function importArtifact(context: Context, input: ImportInput): Promise<void> {
  const { config, registry, transport, credentials, spool } = context;
  const { store, task, request, journal, signal } = input;
  const report = context.report.child({ taskId: task.id, runId: task.runId });
  const asked = parseImportReference(request.reference);
  const run: ImportRun = {
    registry,
    transport,
    credentials,
    store,
    report,
    spool,
    journal,
    signal,
    actor: request.actor,
    chosen: request.parameters.platforms,
    vendorDependencies: request.parameters.vendorDependencies,
    replaces: request.parameters.replaces,
    settings: {
      basePrefix: config.storage.basePrefix,
      retries: config.sync.retries,
      parallelism: config.sync.parallelism,
      resumeThreshold: config.state.root === undefined ? 0 : config.transfer.resumeThreshold,
      marginPercent: config.preflight.safetyMarginPercent,
      preflightDisabled: config.preflight.disabled,
      stateRoot: config.state.root,
    },
  };
  const { reference } = request;
  const intent = await openCustody(config, context.policy).begin({
    type: 'fetched',
    actor: request.actor,
    details: { run: task.runId, reference, platforms: request.parameters.platforms.map(({ name }) => name) },
  });
  try {
    const imported =
      asked.kind === 'chart'
        ? await importChart(asked.reference, run)
        : await importFromRegistry(asked.reference, run);
    const { repository, tag, digest, movedBytes, leavesContent } = imported;
    journal.line(`${repository}:${tag} is ${digest}: ${movedBytes} bytes copied`);
    if (leavesContent) {
      const { blobs, bytes } = await collectGarbage(store);
      if (blobs > 0) report.log('info', 'Unreachable content was collected', { blobs, bytes });
    }
    await writeRest(store);
    await intent.end({
      subjects: [{ name: `${repository}:${tag}`, digest }],
      details: { bytes: movedBytes },
    });
  } catch (error) {
    await intent.fail(error, signal);
    if (!signal?.aborted) {
      const coded = toSvcError(error);
      journal.line(`${request.reference}: ${coded.code}`);
      countErrors([coded], report);
    }
    throw error;
  }
}

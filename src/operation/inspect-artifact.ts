import { formatDuration } from '../base/duration.ts';
import { within } from '../base/within.ts';
import type { Inspection } from '../contract/content.ts';
import { hostOf, parseImportReference } from '../engine/import/import-reference.ts';
import { inspectArtifact as inspectInRegistry } from '../engine/import/inspect-artifact.ts';
import { inspectChart } from '../engine/import/inspect-chart.ts';
import type { ImportCollaborators } from '../engine/import/model.ts';
import type { Store } from '../store/model.ts';
import { svcError } from '../text/error.ts';
import type { Context } from './context.ts';

interface InspectInput {
  readonly store: Store;
  /** Reference as a user writes it. */
  readonly reference: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Inspects the artifact of a unit import. Writes nothing. Takes at most `import.inspectTimeout`.
 *
 * @throws SVC-REG-001, SVC-REG-004, and the errors of the inspection
 */
export async function inspectArtifact(context: Context, input: InspectInput): Promise<Inspection> {
  const { registry, transport, credentials, report, config } = context;
  const { store, signal: left } = input;
  const asked = parseImportReference(input.reference);
  const timeout = config.import.inspectTimeout;
  const settings = { basePrefix: config.storage.basePrefix, retries: config.sync.retries };

  const toLate = () =>
    svcError('SVC-REG-004', {
      host: hostOf(asked),
      timeout: formatDuration(timeout),
      setting: 'import.inspectTimeout',
    });
  return within(timeout, left, toLate, (signal) => {
    const collaborators: ImportCollaborators = { registry, transport, credentials, store, report, signal };
    return asked.kind === 'chart'
      ? inspectChart(asked.reference, settings, collaborators)
      : inspectInRegistry(asked.reference, settings, collaborators, context.policy.roots);
  });
}

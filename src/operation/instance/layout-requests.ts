import { requireDestination } from '../../archive/destination.ts';
import { requireUnchanged } from '../../base/digest.ts';
import { requireAbsolute } from '../../base/require-absolute.ts';
import type { LayoutImportPlan, LayoutPlan } from '../../contract/layout.ts';
import type { Task } from '../../contract/task.ts';
import { parseImportTarget } from '../../oci/import-target.ts';
import { svcError } from '../../text/error.ts';
import { type LayoutFormat, planLayout } from '../export-layout.ts';
import { planLayoutImport, requireOwn } from '../import-layout.ts';
import { resolveLayoutPath } from '../layout-paths.ts';
import { selectPermit } from '../run-layout-task.ts';
import type { Instance, Requester } from './instance.ts';

/** An export to the machine of the instance. */
interface ExportInput {
  readonly format: LayoutFormat;
  readonly recipes: readonly string[];
  readonly repositories: readonly string[];
  readonly overwrite: boolean;
}

/** An import from the machine of the instance. */
interface ImportInput {
  /** Absolute path. */
  readonly input: string;
  /** Target of entries without a repository, `<repository>[:<tag>]`. */
  readonly repository?: string | undefined;
}

/**
 * Refuses to write into a hidden folder: the names and bytes of an archive are those of content, which programs of the account
 * of the service would read as their settings (`.ssh`, `.config`).
 *
 * @param place absolute, without links except in its last name
 * @throws SVC-FIL-003
 */
export function requireVisible(place: string, output: string): void {
  if (place.split('/').some((name) => name.startsWith('.')))
    throw svcError('SVC-FIL-003', { path: output, layout: 'yes' });
}

/**
 * Shows what an export of the store, or of a part of it, would write. Writes nothing.
 *
 * @param asked.output absolute path; with it, also checks whether the export can be written there
 * @throws SVC-REG-005, SVC-MED-030, SVC-MED-032; with an output SVC-FIL-003, SVC-LAY-003, SVC-STO-004, SVC-STO-005,
 *   SVC-VAL-001
 */
export async function previewLayoutExport(
  { context, store, verifier }: Pick<Instance, 'context' | 'store' | 'verifier'>,
  asked: ExportInput & { readonly output?: string | undefined },
): Promise<LayoutPlan> {
  const { output, format, recipes, repositories, overwrite } = asked;
  if (output !== undefined) {
    requireAbsolute(output, 'output');
    requireVisible(await resolveLayoutPath(context, output, 'output'), output);
  }
  const selection = { recipes, repositories };
  const { gate, blocked } = selectPermit(store, verifier, selection);
  return planLayout(context, { store, gate, blocked, format, selection, output, overwrite });
}

/**
 * Checks an export and creates its task.
 *
 * @param asked.output absolute path
 * @throws SVC-FIL-003, SVC-LAY-003, SVC-MED-03x, SVC-TSK-002, SVC-VAL-001
 */
export async function submitLayoutExport(
  { context, store, verifier, tasks }: Pick<Instance, 'context' | 'store' | 'verifier' | 'tasks'>,
  asked: ExportInput & Requester & { readonly output: string },
): Promise<Task> {
  const { actor, origin, requestId, output, format, recipes, repositories, overwrite } = asked;
  requireAbsolute(output, 'output');
  selectPermit(store, verifier, { recipes, repositories });
  const place = await resolveLayoutPath(context, output, 'output');
  requireVisible(place, output);
  await requireDestination(place, format, overwrite);
  return tasks.submit({
    type: 'layout-export',
    reference: output,
    actor,
    origin,
    requestId,
    parameters: { output, format, recipes, repositories, overwrite },
  });
}

/**
 * Shows what an import of a layout would do, entry by entry. Changes nothing and verifies no content.
 *
 * @throws SVC-FIL-003, SVC-LAY-001, SVC-LAY-002, SVC-MED-030, SVC-REG-001, SVC-VAL-001
 */
export async function previewLayoutImport(
  { context, store }: Pick<Instance, 'context' | 'store'>,
  { input, repository }: ImportInput,
): Promise<LayoutImportPlan> {
  requireAbsolute(input, 'input');
  return planLayoutImport(context, { store, input, repository });
}

/**
 * Checks an import and creates its task.
 *
 * @param asked.fingerprint of the plan that was confirmed
 * @throws SVC-FIL-003, SVC-MED-030, SVC-REG-001, SVC-TSK-002, SVC-VAL-001; with a fingerprint SVC-SRV-007 and the errors of
 *   {@link previewLayoutImport}
 */
export async function submitLayoutImport(
  { context, store, tasks }: Pick<Instance, 'context' | 'store' | 'tasks'>,
  asked: ImportInput & Requester & { readonly fingerprint?: string | undefined },
): Promise<Task> {
  const { actor, origin, requestId, input, repository, fingerprint } = asked;
  requireAbsolute(input, 'input');
  parseImportTarget(repository);
  requireOwn(store, context.config);
  await resolveLayoutPath(context, input, 'input');
  if (fingerprint !== undefined) {
    const { fingerprint: present } = await planLayoutImport(context, { store, input, repository });
    requireUnchanged(fingerprint, () => present, input);
  }
  return tasks.submit({
    type: 'layout-import',
    reference: input,
    actor,
    origin,
    requestId,
    parameters: {
      input,
      ...(repository === undefined ? {} : { repository }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  });
}

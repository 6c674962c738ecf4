import { isAbsolute } from 'node:path';
import { requireDestination } from '../src/archive/destination.ts';
import { requireUnchanged } from '../src/base/digest.ts';
import { planLayout } from '../src/operation/export-layout.ts';
import { parseImportTarget, planLayoutImport, requireOwn } from '../src/operation/import-layout.ts';
import { resolveLayoutPath } from '../src/operation/layout-paths.ts';
import { selectPermit } from '../src/operation/run-layout-task.ts';
import { svcError } from '../src/text/error.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';
import type { OperationsParts } from './instance-operations.ts';
import type { LayoutOperations } from './operations.ts';

/** @throws SVC-VAL-001 for a relative path: the working directory of the instance is unknown to the client */
function requireAbsolute(path: string, member: string): void {
  if (!isAbsolute(path))
    throw svcError('SVC-VAL-001', {
      file: rule(['request body', fr`corps de la requête`]),
      path: `/${member}`,
      rule: rule(['must be an absolute path', fr`doit être un chemin absolu`]),
    });
}

/**
 * Refuses to write into a hidden folder: the names and bytes of an archive are those of content, which programs of the account
 * of the service would read as their settings (`.ssh`, `.config`).
 *
 * @param place absolute, without links except in its last name
 * @throws SVC-FIL-003
 */
function requireVisible(place: string, output: string): void {
  if (place.split('/').some((name) => name.startsWith('.')))
    throw svcError('SVC-FIL-003', { path: output, layout: 'yes' });
}

/**
 * Makes the layout operations of a running instance. A request is checked before a task is created for it.
 */
export function createLayoutOperations(
  parts: Pick<OperationsParts, 'context' | 'store' | 'verifier' | 'tasks'>,
): LayoutOperations {
  const { context, store, verifier, tasks } = parts;
  return {
    plan: async ({ output, format, recipes, repositories, overwrite }) => {
      if (output !== undefined) {
        requireAbsolute(output, 'output');
        requireVisible(await resolveLayoutPath(context, output, 'output'), output);
      }
      const selection = { recipes, repositories };
      const { gate, blocked } = selectPermit(store, verifier, selection);
      return planLayout(context, { store, gate, blocked, format, selection, output, overwrite });
    },
    submitExport: async ({ actor, origin, requestId, output, format, recipes, repositories, overwrite }) => {
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
    },
    planImport: async ({ input, repository }) => {
      requireAbsolute(input, 'input');
      return planLayoutImport(context, { store, input, repository });
    },
    submitImport: async ({ actor, origin, requestId, input, repository, fingerprint }) => {
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
    },
  };
}

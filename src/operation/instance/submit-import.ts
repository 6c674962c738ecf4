import type { Task } from '../../contract/task.ts';
import { type AskedImport, toImportTask } from '../import-artifact.ts';
import type { Instance, Requester } from './instance.ts';

/** Creates the task of a unit import. @throws SVC-REG-001, SVC-POL-001, SVC-VAL-001, SVC-TSK-002, SVC-MED-030 */
export async function submitImport(
  { context, store, tasks }: Pick<Instance, 'context' | 'store' | 'tasks'>,
  request: AskedImport & Requester,
): Promise<Task> {
  return tasks.submit(toImportTask(context, store, request), request.rank);
}

import { hasRole } from '../../../../src/account/model.ts';
import { isOver } from '../../../../src/task/model.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { taskFloors } from '../../../api/tasks.ts';
import type { PageCall } from '../../ui-route.ts';

/** Whether the viewer may end the task; one of a command is ended at its terminal. */
export const mayCancel = ({ identity }: PageCall, task: TaskHead): boolean =>
  !isOver(task) &&
  task.command === undefined &&
  task.cancelledBy === undefined &&
  hasRole(identity.role, taskFloors[task.type]);

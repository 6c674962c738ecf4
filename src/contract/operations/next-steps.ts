import type { NextStep } from '../operation.ts';

const toStep = (operation: string, description: string, parameters: NextStep['parameters']): NextStep => ({
  operation,
  description,
  parameters,
});

const task = { id: '/task/id' };

/** Next steps of a client with a task that it created. */
export const taskSteps: readonly NextStep[] = [
  toStep('getTask', 'Follows the task', task),
  toStep('getTaskLog', 'Reads the log of the task', task),
  toStep('cancelTask', 'Cancels the task', task),
];

const account = { name: '/account/name' };

/** Next steps of an administrator with an account. */
export const accountSteps: readonly NextStep[] = [
  toStep('updateAccount', 'Changes role or password of the account', account),
  toStep('deleteAccount', 'Deletes the account', account),
];

/** Next steps of an administrator with a token. */
export const tokenSteps: readonly NextStep[] = [
  toStep('revokeToken', 'Revokes the token', { name: '/token/name' }),
];

import { type Attempt, audited as record, auditedRefusal as recordRefusal } from '../../src/base/audited.ts';
import type { Details } from '../../src/base/details.ts';
import type { AuditAction } from '../../src/base/report.ts';
import type { Task } from '../../src/contract/task.ts';
import type { Requester } from '../../src/operation/instance/instance.ts';
import type { SvcError } from '../../src/text/error.ts';
import type { ApiCall } from './api-route.ts';

function toAttempt(
  { identity, exchange }: ApiCall,
  action: AuditAction,
  target: string,
  details: Details,
): Attempt {
  return { actor: identity.actor, action, target, origin: exchange.origin, details };
}

const toFailure =
  ({ exchange: { correlationId }, signal }: ApiCall) =>
  ({ code, cause }: SvcError): Details =>
    signal.aborted && cause === signal.reason
      ? { reason: 'the client disconnected before the answer', correlationId }
      : { code, correlationId };

/**
 * Runs an operation and records in the audit log its actor, its target and its outcome.
 *
 * @param target of the operation
 * @param toDetails details of the audit record that only the result contains
 * @param isFailure whether the outcome of a result is a failure, as its line in the custody ledger says
 */
export function audited<T>(
  call: ApiCall,
  action: AuditAction,
  target: string,
  work: () => Promise<T>,
  details: Details = {},
  toDetails: (result: T) => Details = () => ({}),
  isFailure: (result: T) => boolean = () => false,
): Promise<T> {
  const describe = { success: toDetails, failure: toFailure(call), isFailure };
  return record(call.report, toAttempt(call, action, target, details), work, describe);
}

/** Runs an operation that is audited when it ends, such as a task: records only a refusal here. */
export function auditedRefusal<T>(
  call: ApiCall,
  action: AuditAction,
  target: string,
  work: () => Promise<T>,
  details: Details = {},
): Promise<T> {
  return recordRefusal(call.report, toAttempt(call, action, target, details), work, toFailure(call));
}

/** The requester of a task, for its record. */
export function toRequester({ identity, holder, exchange }: ApiCall): Required<Requester> {
  const { origin, correlationId } = exchange;
  return { actor: identity.actor, rank: holder.rank, origin, requestId: correlationId };
}

/** Details that link the audit record of a created task to the records that the task writes. */
export function toTaskDetails({ id, runId }: Pick<Task, 'id' | 'runId'>): Details {
  return { taskId: id, runId };
}

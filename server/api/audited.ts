import { type Attempt, audited as record, auditedRefusal as recordRefusal } from '../../src/base/audited.ts';
import type { SvcError } from '../../src/base/error.ts';
import type { AuditAction } from '../../src/base/report.ts';
import type { Task } from '../../src/task/model.ts';
import type { ApiCall } from './api-route.ts';

type Details = Readonly<Record<string, unknown>>;

function toAttempt(
  { identity, exchange }: ApiCall,
  action: AuditAction,
  target: string | undefined,
  details: Details,
): Attempt {
  return { actor: identity.actor, action, target, origin: exchange.origin, details };
}

const toFailure =
  ({ exchange: { correlationId } }: ApiCall) =>
  ({ code }: SvcError): Details => ({ code, correlationId });

/**
 * Does something sensitive and keeps who tried it, on what, and how it ended.
 *
 * @param toDetails what only the result can tell
 */
export function audited<T>(
  call: ApiCall,
  action: AuditAction,
  target: string | undefined,
  work: () => Promise<T>,
  details: Details = {},
  toDetails: (result: T) => Details = () => ({}),
): Promise<T> {
  const describe = { success: toDetails, failure: toFailure(call) };
  return record(call.report, toAttempt(call, action, target, details), work, describe);
}

/** Asks for something sensitive that is audited when it ends: here only a refusal is kept. */
export function auditedRefusal<T>(
  call: ApiCall,
  action: AuditAction,
  target: string | undefined,
  work: () => Promise<T>,
  details: Details = {},
): Promise<T> {
  return recordRefusal(call.report, toAttempt(call, action, target, details), work, toFailure(call));
}

/** What joins the audit record of a created task with the records of what the task does. */
export function toTaskDetails({ id, runId }: Pick<Task, 'id' | 'runId'>): Details {
  return { taskId: id, runId };
}

import { toSvcError } from '../../src/base/error.ts';
import type { AuditAction } from '../../src/base/report.ts';
import type { ApiCall } from './api-route.ts';

/**
 * Does something sensitive and keeps who tried it, on what, and how it ended.
 *
 * @param toDetails what only the result can tell
 */
export async function audited<T>(
  call: ApiCall,
  action: AuditAction,
  target: string | undefined,
  work: () => Promise<T>,
  details: Readonly<Record<string, unknown>> = {},
  toDetails: (result: T) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<T> {
  const common = { actor: call.identity.actor, action, target, origin: call.exchange.origin };
  try {
    const result = await work();
    call.report.audit({ ...common, outcome: 'success', details: { ...details, ...toDetails(result) } });
    return result;
  } catch (error) {
    const { code, class: kind } = toSvcError(error);
    call.report.audit({
      ...common,
      outcome: kind === 'policy' ? 'denied' : 'failure',
      details: { ...details, code, correlationId: call.exchange.correlationId },
    });
    throw error;
  }
}

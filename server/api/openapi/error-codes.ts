import { errorKinds } from '../../../src/text/errors/codes.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import type { ApiRoute } from '../api-route.ts';

/** Codes that every operation can answer: no or a wrong credential, another site, a wrong request, a busy instance. */
const always = [
  'SVC-AUTH-002',
  'SVC-AUTH-004',
  'SVC-AUTH-012',
  'SVC-VAL-001',
  'SVC-SRV-001',
  'SVC-SRV-006',
  'SVC-STO-014',
  'SVC-STO-019',
] as const satisfies readonly ErrorCode[];

/**
 * Lists every code that an operation can answer, in the order of the registry. It has the codes of the handler, and of
 * the steps before it (path, credentials, role, query, body).
 */
export function listErrorCodes({ method, path, floor, errors }: ApiRoute): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...always, ...errors]);
  // the first two roles differ only when the floor is above the lowest
  if (floor !== 'viewer') codes.add('SVC-AUTH-003');
  if (path.includes('{')) codes.add('SVC-SRV-002');
  // only reads accept a session; only they have no body
  if (method === 'GET') codes.add('SVC-AUTH-005');
  else for (const code of ['SVC-VAL-002', 'SVC-SRV-005'] as const) codes.add(code);
  return (Object.keys(errorKinds) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Groups the codes of an operation by the status of their answer, in ascending order. */
export function listErrorStatuses(route: ApiRoute): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = Map.groupBy(listErrorCodes(route), (code) => errorKinds[code].status);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

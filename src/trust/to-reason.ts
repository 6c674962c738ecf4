import type { SvcError } from '../text/error.ts';

/** The limit that an error names, with its unit. */
export const toLimit = ({ params: { limit } }: Pick<SvcError, 'params'>): string =>
  typeof limit === 'number' ? `${limit} bytes` : String(limit);

/** Text of an error in the reasons of a verdict. */
export function toReason({ code, params, detail }: SvcError): string {
  if (code === 'SVC-VAL-002') return `more than ${toLimit({ params })}`;
  if (code === 'SVC-SIG-002') return 'does not have its digest';
  return typeof params.detail === 'string' ? params.detail : (detail ?? code);
}

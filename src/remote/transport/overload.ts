import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { Transport, TransportResponse } from '../model.ts';
import { toWait } from './retry-policy.ts';
import { markTransient } from './transience.ts';

/**
 * Creates the error for an answer of an overloaded or failing peer. It is transient, unless the peer asks to wait longer
 * than the transport does: then it says when to come back.
 *
 * @param subject.host the host to name
 * @param subject.detail the request and its status
 */
export function toOverloaded(
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
  { host, detail }: { readonly host: string; readonly detail: Rule },
  { clock, longestWait }: Pick<Transport, 'clock' | 'longestWait'>,
): SvcError {
  const now = clock.wall();
  const wait = toWait(headers, now);
  const isTooLong = wait > longestWait;
  const error = svcError('SVC-REG-002', {
    host,
    detail:
      wait > 0
        ? rule(['{detail}, asking to wait {wait} s', fr`{detail}, en demandant d’attendre {wait} s`], {
            detail,
            wait: Math.ceil(wait / 1000),
          })
        : detail,
    // a failure of its own, of its storage in most cases: the state of connections does not explain it
    problem: isTooLong ? 'busy' : status >= 500 ? 'answered' : undefined,
    until: isTooLong ? `${new Date(now + wait).toISOString().slice(0, 19)}Z` : undefined,
  });
  return isTooLong ? error : markTransient(error, wait);
}

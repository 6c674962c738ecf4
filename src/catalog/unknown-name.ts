import { selectNearest } from '../base/nearest.ts';
import { type SvcError, svcError } from '../text/error.ts';

/** Maximum length of a name in an error, in characters. */
const shownLength = 256;

/**
 * The error for a name that the store of this instance, or its state, does not have. No registry was asked.
 *
 * @param name as it was requested
 * @param known names that are there; the one that is most like the requested name, and is not that name, is suggested
 * @param local `state` for the identifier of a delivery, `custody` for one that was imported, or written, here, `zones` for a zone of the configuration, `receipts` for a zone of a known receipt
 */
export function toUnknownName(
  name: string,
  known: Iterable<string> = [],
  local: 'store' | 'state' | 'zones' | 'custody' | 'receipts' = 'store',
): SvcError {
  const nearest = selectNearest(name, others(name, known));
  return svcError('SVC-REG-005', { reference: name.slice(0, shownLength), local, nearest });
}

function* others(name: string, known: Iterable<string>): Generator<string> {
  for (const each of known) if (each !== name) yield each;
}

import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/**
 * Returns the coded error of a thread that ended before its first answer. It could not start, for want of descriptors,
 * memory or threads, and has read nothing. SVC-STO-014.
 *
 * @param path file or folder that the thread was to read
 */
export function toStartError(error: unknown, path: string): SvcError {
  const { message } = error instanceof Error ? error : new Error(String(error));
  // as pthread_create(3) reports it: the runtime names a shortage in a sentence only
  const cause = Object.assign(new Error(message, { cause: error }), { code: 'EAGAIN' });
  const detail = rule(
    ['no thread can be started: {message}', fr`aucun fil d’exécution ne peut être démarré : {message}`],
    { message },
  );
  return svcError('SVC-STO-014', { path, detail }, { cause });
}

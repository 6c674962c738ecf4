import { toPlainType } from '../../oci/media-types.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TransportResponse } from '../model.ts';

type Answer = Pick<TransportResponse, 'headers' | 'url'>;

const toType = ({ headers }: Pick<Answer, 'headers'>): string => toPlainType(headers['content-type'] ?? '');

/** Whether an answer is declared as a page for people. */
export function isPageType(answer: Pick<Answer, 'headers'>): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(toType(answer));
}

/** Types that servers declare for want of a better one. */
const anything: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
]);

/**
 * Whether an answer is a page for people, such as for signing in: declared as one, or undeclared, with markup as its
 * first bytes. Nothing that is requested here is; content of another declared type is judged by its digest.
 */
export function isPage(answer: Pick<Answer, 'headers'>, bytes: Buffer): boolean {
  const begin = bytes
    .toString('latin1', 0, 1024)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (isPageType(answer)) return begin.startsWith('<');
  return anything.has(toType(answer)) && /^<(?:!doctype\s+html|html)\b/i.test(begin);
}

/**
 * Creates the error for a page in place of the requested content. It is not transient: a page does not go away by
 * itself, and altered content must not become acceptable by asking again.
 */
export function toPageAnswer({ url }: Pick<Answer, 'url'>, reference: string): SvcError {
  const detail = rule(
    [
      'the server answered with a page instead of {reference}',
      fr`le serveur a répondu par une page au lieu de {reference}`,
    ],
    { reference },
  );
  return svcError('SVC-REG-002', { host: url.host, detail, problem: 'page' });
}

/** @throws SVC-REG-002 for a page */
export function refusePage(answer: Answer, bytes: Buffer, reference: string): void {
  if (isPage(answer, bytes)) throw toPageAnswer(answer, reference);
}

import { evidenceLimits } from '../../contract/evidence.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

type Limit = keyof typeof evidenceLimits;

/** The error of a pack that is too large. @param count the limit of its lines or files @param bytes that of their bytes */
export function toTooLarge(count: Extract<Limit, 'lines' | 'files'>, bytes: Limit): SvcError {
  const params = { count: evidenceLimits[count], size: evidenceLimits[bytes] / 2 ** 20 };
  const broken =
    count === 'lines'
      ? rule(
          [
            'it shows at most {count} lines of ledgers with {size} MiB',
            fr`il montre au plus {count} lignes de journaux de garde, de {size} Mio`,
          ],
          params,
        )
      : rule(
          ['it has at most {count} files with {size} MiB', fr`il a au plus {count} fichiers, de {size} Mio`],
          params,
        );
  return svcError('SVC-CUS-004', { rule: broken });
}

/** The same error of a file whose text is longer than a check of the pack reads. */
export const toLongFile = (name: string): SvcError =>
  svcError('SVC-CUS-004', {
    rule: rule(['its file {name} has at most {limit:size}', fr`son fichier {name} a au plus {limit:size}`], {
      name,
      limit: evidenceLimits.document,
    }),
  });

import type { Config } from '../../config/model.ts';
import type { Custody } from '../../custody/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { openCustody } from './open-custody.ts';

/** Opens the ledger of a configuration that must keep one. @throws SVC-CFG-001 */
export function requireCustody(config: Pick<Config, 'custody' | 'state'>): Custody {
  if (config.custody.enabled) return openCustody(config);
  throw svcError('SVC-CFG-001', {
    setting: 'custody.enabled',
    detail: rule([
      'is false, and a line of the custody ledger was asked for',
      fr`vaut false, alors qu’une ligne du journal de garde est demandée`,
    ]),
  });
}

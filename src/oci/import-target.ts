import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { isRepositoryName, isTag, withoutCredentials } from './reference.ts';

/**
 * Parses the target of entries without a repository.
 *
 * @throws SVC-REG-001
 */
export function parseImportTarget(text: string | undefined): { repository?: string; tag?: string } {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  const repository = colon < 0 ? text : text.slice(0, colon);
  const tag = colon < 0 ? undefined : text.slice(colon + 1);
  const refuse = (broken: Rule) =>
    svcError('SVC-REG-001', { reference: withoutCredentials(text).slice(0, 512), rule: broken });
  if (!isRepositoryName(repository))
    throw refuse(
      rule([
        'must be a repository of the store, <path>[:<tag>]; the : of a port is written _',
        fr`doit être un dépôt du stockage, <chemin>[:<étiquette>], où le : d’un port s’écrit _`,
      ]),
    );
  if (tag !== undefined && !isTag(tag))
    throw refuse(rule(['the tag is not valid', fr`l’étiquette n’est pas valide`]));
  return { repository, ...(tag === undefined ? {} : { tag }) };
}

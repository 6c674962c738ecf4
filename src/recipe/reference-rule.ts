import { isTag, parseRepositoryReference, type RepositoryReference } from '../oci/reference.ts';
import { isSvcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';
import { ConstraintError, isConstraint, parseConstraint } from './constraint.ts';
import type { DocumentReader } from './document-reader.ts';
import type { YamlValue } from './read-yaml.ts';

/** Reads a `ref` or `cookbook`: exactly `<host>[:<port>]/<path>`, fully qualified. */
export function readRepository(
  reader: DocumentReader,
  value: YamlValue | undefined,
  path: string,
): RepositoryReference | undefined {
  const text = reader.text(value, path, 512);
  if (text === undefined) return undefined;
  if (text.includes('://'))
    return reader.fail(path, rule(['must not contain a scheme', fr`ne doit pas contenir de schéma`]));
  if (text.includes('@'))
    return reader.fail(
      path,
      rule([
        'must not contain a digest or a user name',
        fr`ne doit contenir ni empreinte ni nom d’utilisateur`,
      ]),
    );
  if (/[?#]/.test(text))
    return reader.fail(
      path,
      rule(['must not contain a query or fragment', fr`ne doit contenir ni requête ni fragment`]),
    );
  try {
    return parseRepositoryReference(text);
  } catch (error) {
    if (!isSvcError(error, 'SVC-REG-001')) throw error;
    return reader.fail(path, textParam(error, 'rule') as Rule);
  }
}

/** Returns the rule for a `version` member, an exact tag or a constraint, if `text` breaks it. */
export function versionRule(text: string): Rule | undefined {
  if (!isConstraint(text)) {
    return isTag(text)
      ? undefined
      : rule([
          'must be a tag (letters, digits, ".", "_", "-", at most 128) or a version constraint',
          fr`doit être une étiquette (lettres, chiffres, « . », « _ », « - », au plus 128) ou une contrainte de version`,
        ]);
  }
  try {
    parseConstraint(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    return rule(['is not a version constraint: {why}', fr`n’est pas une contrainte de version : {why}`], {
      why: error.rule,
    });
  }
}

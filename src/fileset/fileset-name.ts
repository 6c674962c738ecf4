import { isRepositoryName, isTag } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** Name and version of a packed folder. */
export interface FilesetName {
  readonly name: string;
  readonly version: string;
}

/** Whether a FileSet can have this name. */
export const isFilesetName = (name: string): boolean =>
  !name.includes('/') && name.length <= 128 && isRepositoryName(name);

/** @throws SVC-FIL-001 */
export function requireFilesetName({ name, version }: FilesetName): void {
  const refuse = (rule: Rule) => svcError('SVC-FIL-001', { path: `${name}:${version}`.slice(0, 512), rule });
  if (!isFilesetName(name))
    throw refuse(
      rule([
        'the name must be lower-case letters and digits, separated by . _ __ or any number of -',
        fr`le nom doit être en lettres minuscules et chiffres, séparés par . _ __ ou des -`,
      ]),
    );
  if (!isTag(version))
    throw refuse(
      rule([
        'the version must be 1 to 128 letters, digits, dots, dashes and underscores',
        fr`la version doit compter de 1 à 128 lettres, chiffres, points, tirets et tirets bas`,
      ]),
    );
}

/** Reads `<name>:<version>`. @throws SVC-FIL-001 */
export function parseFilesetName(text: string): FilesetName {
  const colon = text.indexOf(':');
  if (colon < 0)
    throw svcError('SVC-FIL-001', {
      path: text.slice(0, 512),
      rule: rule(['the version is missing', fr`la version manque`]),
    });
  const parsed = { name: text.slice(0, colon), version: text.slice(colon + 1) };
  requireFilesetName(parsed);
  return parsed;
}

import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/**
 * Returns the rule that a recipe named as `<name>[@<version>]` breaks when a colon stands before the version, as in the
 * reference of an artifact. A name never has a colon.
 */
export function versionedNameRule(text: string): Rule | undefined {
  const [, name, version] = /^([^@:/\s]+):([^@:/\s]+)$/.exec(text) ?? [];
  return name === undefined
    ? undefined
    : rule(
        [
          'a version follows the name after @: write {meant}',
          fr`une version suit le nom après @ : écrivez {meant}`,
        ],
        { meant: `${name}@${version}` },
      );
}

/**
 * Splits `<name>` or `<name>@<version>`. Neither part is checked.
 *
 * @throws SVC-REG-001 that names the form for `<name>:<version>`
 */
export function parseVersionedName(text: string): {
  readonly name: string;
  readonly version: string | undefined;
} {
  const broken = versionedNameRule(text);
  if (broken !== undefined) throw svcError('SVC-REG-001', { reference: text.slice(0, 512), rule: broken });
  const at = text.lastIndexOf('@');
  return at < 0
    ? { name: text, version: undefined }
    : { name: text.slice(0, at), version: text.slice(at + 1) };
}

/** A recipe of the store. Neither part is checked. */
export interface VersionedName {
  readonly name: string;
  readonly version: string;
}

/** Splits `<name>@<version>`. @returns undefined for any other text, which may be a reference */
export function parseStoredName(text: string): VersionedName | undefined {
  const [, name, version] = /^([^@/:]+)@([^@/]+)$/.exec(text) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

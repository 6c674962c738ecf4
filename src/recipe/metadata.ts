import { isDigest } from '../base/digest.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { DocumentReader } from './document-reader.ts';
import type { Metadata } from './model.ts';
import { childPath, type YamlMap, type YamlValue } from './read-yaml.ts';
import { parseVersion, versionLimit } from './version.ts';
import { parseVersionedName } from './versioned-name.ts';

export const nameLimit = 63;
const reservedPrefix = 'recipe.tobby.dev/';

const namePattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const labelName = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const dnsLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const timestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns the rule for recipe names if `text` breaks it. */
export function recipeNameRule(text: string): Rule | undefined {
  return namePattern.test(text)
    ? undefined
    : rule([
        'must be lower-case letters and digits, joined by ".", "_", "__" or "-"',
        fr`doit être en lettres minuscules et chiffres, reliés par « . », « _ », « __ » ou « - »`,
      ]);
}

/**
 * Splits `<name>[@<version>]` of a recipe, as `parseVersionedName` does, and checks the name.
 *
 * @throws SVC-REG-001 with the rule that is broken
 */
export function parseRecipeName(text: string): ReturnType<typeof parseVersionedName> {
  const parsed = parseVersionedName(text);
  const broken =
    parsed.version === ''
      ? rule(['the version after @ is missing', fr`la version manque après @`])
      : recipeNameRule(parsed.name);
  if (broken === undefined) return parsed;
  throw svcError('SVC-REG-001', { reference: text.slice(0, 512), rule: broken });
}

/** Returns the rule for exact recipe versions if `text` breaks it. */
export function recipeVersionRule(text: string): Rule | undefined {
  if (text.length > versionLimit)
    return rule(['at most {versionLimit} characters', fr`au plus {versionLimit} caractères`], {
      versionLimit,
    });
  if (text.includes('+'))
    return rule([
      'must be a SemVer version without build metadata, because it becomes a tag',
      fr`doit être une version SemVer sans métadonnées de construction, car elle devient une étiquette`,
    ]);
  return parseVersion(text)
    ? undefined
    : rule([
        'must be a SemVer 2.0.0 version, such as 1.2.3',
        fr`doit être une version SemVer 2.0.0, par exemple 1.2.3`,
      ]);
}

/** Returns the rule for a label key (Kubernetes label syntax: `[prefix/]name`) if `key` breaks it. */
function labelKeyRule(key: string): Rule | undefined {
  if (key.length > 253 + 1 + 63)
    return rule([
      'the key is longer than a label allows',
      fr`la clé est plus longue qu’un label ne le permet`,
    ]);
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (prefix !== undefined) {
    const isDomain =
      prefix.length <= 253 && prefix.split('.').every((label) => label.length <= 63 && dnsLabel.test(label));
    if (!isDomain)
      return rule([
        'the prefix of a label key must be a DNS name',
        fr`le préfixe d’une clé de label doit être un nom DNS`,
      ]);
  }
  return name.length <= 63 && labelName.test(name)
    ? undefined
    : rule([
        'a label key must be letters, digits, "-", "_" and ".", at most 63, with a letter or digit at both ends',
        fr`une clé de label doit être en lettres, chiffres, « - », « _ » et « . », au plus 63, avec une lettre ou un chiffre aux deux bouts`,
      ]);
}

function labelValueRule(text: string): Rule | undefined {
  return text === '' || labelName.test(text)
    ? undefined
    : rule([
        'a label value must be letters, digits, "-", "_" and ".", with a letter or digit at both ends',
        fr`une valeur de label doit être en lettres, chiffres, « - », « _ » et « . », avec une lettre ou un chiffre aux deux bouts`,
      ]);
}

function annotationRule(key: string, text: string): Rule | undefined {
  if (key === `${reservedPrefix}cooked-at` && !(timestamp.test(text) && !Number.isNaN(Date.parse(text))))
    return rule(['must be an RFC 3339 time', fr`doit être une date RFC 3339`]);
  if (key.startsWith(`${reservedPrefix}upstream-digest.`) && !isDigest(text))
    return rule([
      'must be sha256:<64 hex> or sha512:<128 hex>',
      fr`doit être sha256:<64 hex> ou sha512:<128 hex>`,
    ]);
  return undefined;
}

const common = ['name', 'description', 'labels', 'annotations'];

/** Members of the metadata of a recipe. */
export const metadataMembers: readonly string[] = ['version', ...common];

/** Reads `metadata`; reports problems to the reader. Only a recipe has a `version`. */
export function readMetadata(
  reader: DocumentReader,
  value: YamlValue | undefined,
  kind: 'Recipe' | 'Retriever',
): (Metadata & { readonly version: string }) | undefined {
  const path = 'metadata';
  const map: YamlMap | undefined =
    kind === 'Recipe'
      ? reader.object(value, path, metadataMembers)
      : reader.object(value, path, common, {
          version: rule(['a Retriever has no version', fr`un Retriever n’a pas de version`]),
        });
  if (!map) return undefined;
  const at = (member: string) => childPath(path, member);
  const name = reader.text(map.get('name'), at('name'), nameLimit, recipeNameRule);
  const version =
    kind === 'Recipe'
      ? reader.text(map.get('version'), at('version'), versionLimit, recipeVersionRule)
      : undefined;
  const description = reader.optionalText(map.get('description'), at('description'), 2048);
  const labels = reader.strings(map.get('labels'), at('labels'), 63, labelKeyRule, (_, text) =>
    labelValueRule(text),
  );
  const annotations = reader.strings(
    map.get('annotations'),
    at('annotations'),
    4096,
    (key) =>
      key === '' || key.length > 317
        ? rule([
            'an annotation key must have 1 to 317 characters',
            fr`une clé d’annotation doit avoir de 1 à 317 caractères`,
          ])
        : undefined,
    annotationRule,
  );
  return {
    name: name ?? '',
    version: version ?? '',
    ...(description === undefined ? {} : { description }),
    labels,
    annotations,
  };
}

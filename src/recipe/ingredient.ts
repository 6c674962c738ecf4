import { isDigest } from '../base/digest.ts';
import { formatPlatform, type Platform, parsePlatform } from '../oci/platform.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { constraintLimit } from './constraint.ts';
import type { DocumentReader } from './document-reader.ts';
import type { Ingredient, IngredientKind } from './model.ts';
import { childPath, type YamlValue } from './read-yaml.ts';
import { readRepository, versionRule } from './reference-rule.ts';

const kinds: readonly IngredientKind[] = ['ContainerImage', 'HelmChart', 'OCIArtifact', 'FileSet'];

const ofEveryKind = ['name', 'kind', 'ref', 'version', 'digest'];
const owners: Readonly<Record<string, readonly IngredientKind[]>> = {
  platforms: ['ContainerImage', 'FileSet'],
  vendorDependencies: ['HelmChart'],
  artifactType: ['OCIArtifact'],
  extract: ['FileSet'],
};

/** Members of an ingredient of any kind. */
export const ingredientMembers: readonly string[] = [...ofEveryKind, ...Object.keys(owners)];

const dnsLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
// RFC 6838, section 4.2: restricted names, without parameters
const mediaType = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;

const nameRule = (text: string) =>
  dnsLabel.test(text)
    ? undefined
    : rule([
        'must be lower-case letters, digits and "-", with a letter or digit at both ends',
        fr`doit être en lettres minuscules, chiffres et « - », avec une lettre ou un chiffre aux deux bouts`,
      ]);
const digestRule = (text: string) =>
  isDigest(text)
    ? undefined
    : rule([
        'must be sha256:<64 hex> or sha512:<128 hex>',
        fr`doit être sha256:<64 hex> ou sha512:<128 hex>`,
      ]);
// content under such a tag would decide which signatures of another artifact count
const contentVersionRule = (text: string) =>
  isAttachmentTag(text)
    ? rule([
        'must not be a tag of signatures or referrers: these are carried with the signed artifact',
        fr`ne doit pas être une étiquette de signatures ou de référents ; ils sont transportés avec ce qu’ils signent`,
      ])
    : versionRule(text);
const mediaTypeRule = (text: string) =>
  mediaType.test(text) ? undefined : rule(['must be a media type', fr`doit être un type de média`]);

function globRule(text: string): Rule | undefined {
  if (text === '') return rule(['must not be empty', fr`ne doit pas être vide`]);
  if (text.startsWith('/'))
    return rule(['must be relative to the root of the image', fr`doit être relatif à la racine de l’image`]);
  if (text.split('/').includes('..')) return rule(['must not contain ".."', fr`ne doit pas contenir « .. »`]);
  return text.includes('\0')
    ? rule(['must not hold a zero character', fr`ne doit pas contenir de caractère nul`])
    : undefined;
}

/** Reads one entry of `spec.ingredients`; reports problems to the reader. */
export function readIngredient(
  reader: DocumentReader,
  value: YamlValue,
  path: string,
): Ingredient | undefined {
  const kind = readKind(reader, value, path);
  const own = Object.keys(owners).filter((member) => kind !== undefined && owners[member]!.includes(kind));
  const foreign = Object.fromEntries(
    Object.entries(owners).flatMap(([member, of]) =>
      own.includes(member) || kind === undefined
        ? []
        : [
            [
              member,
              rule(['is a member of {of} only', fr`est un membre de {of} seulement`], {
                of: of.join(' and '),
              }),
            ],
          ],
    ),
  );
  const members = kind === undefined ? ingredientMembers : [...ofEveryKind, ...own];
  const map = reader.object(value, path, members, foreign);
  if (!map) return undefined;
  const at = (member: string) => childPath(path, member);
  const get = (member: string) => (members.includes(member) ? map.get(member) : undefined);
  const name = reader.text(map.get('name'), at('name'), 63, nameRule);
  const ref = readRepository(reader, map.get('ref'), at('ref'));
  const version = reader.text(map.get('version'), at('version'), constraintLimit, contentVersionRule);
  const digest = reader.optionalText(map.get('digest'), at('digest'), 140, digestRule);
  const platforms = readPlatforms(reader, get('platforms'), at('platforms'));
  const vendorDependencies = reader.optionalBoolean(get('vendorDependencies'), at('vendorDependencies'));
  const artifactType = reader.optionalText(get('artifactType'), at('artifactType'), 255, mediaTypeRule);
  const paths = readExtract(reader, get('extract'), at('extract'));
  if (name === undefined || kind === undefined || ref === undefined || version === undefined)
    return undefined;
  return {
    name,
    kind,
    ref,
    version,
    ...(isDigest(digest) ? { digest } : {}),
    platforms,
    vendorDependencies: vendorDependencies ?? false,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(paths === undefined ? {} : { extract: { paths } }),
  };
}

function readKind(reader: DocumentReader, value: YamlValue, path: string): IngredientKind | undefined {
  if (!(value instanceof Map)) return undefined;
  const kindRule = (text: string) =>
    (kinds as readonly string[]).includes(text)
      ? undefined
      : rule(['must be one of {kinds}', fr`doit être l’un de : {kinds}`], { kinds: kinds.join(', ') });
  return reader.text(value.get('kind'), childPath(path, 'kind'), 64, kindRule) as IngredientKind | undefined;
}

function readPlatforms(
  reader: DocumentReader,
  value: YamlValue | undefined,
  path: string,
): readonly Platform[] {
  if (value === undefined) return [];
  const platforms = new Map<string, Platform>();
  for (const [i, item] of (reader.list(value, path, 'may-be-empty') ?? []).entries()) {
    const text = reader.text(item, childPath(path, i), 191);
    if (text === undefined) continue;
    const platform = parsePlatform(text);
    if (!platform)
      reader.fail(
        childPath(path, i),
        rule([
          'must be os/arch[/variant], such as linux/amd64',
          fr`doit être os/arch[/variante], par exemple linux/amd64`,
        ]),
      );
    else if (!platforms.has(formatPlatform(platform))) platforms.set(formatPlatform(platform), platform);
  }
  return [...platforms.values()];
}

function readExtract(
  reader: DocumentReader,
  value: YamlValue | undefined,
  path: string,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const map = reader.object(value, path, ['paths']);
  if (!map) return undefined;
  const where = childPath(path, 'paths');
  const items = reader.list(map.get('paths'), where, 'non-empty');
  return items?.flatMap((item, i) => reader.text(item, childPath(where, i), 4096, globRule) ?? []);
}

import { join } from 'node:path';
import { type Digest, hashBytes } from '../../base/digest.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { readRefused } from '../../custody/refused.ts';
import { readBounded } from '../../disk/named-file.ts';
import { parseManifest } from '../../oci/manifest.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { isSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { documentName, type Fault, limits, type OpenedPack } from './verify-statements.ts';

type Recipe = Evidence['recipes'][number];

/** The name and version that the documents of a pack have, by the digests of their manifests and of themselves. */
export type SignedNames = ReadonlyMap<Digest, string>;

/** Checks the files of the recipes by their digests, and reads their names and versions. @throws the signal's reason */
export async function checkRecipes(pack: OpenedPack, recipes: readonly Recipe[]): Promise<SignedNames> {
  const names = new Map<Digest, string>();
  for (const recipe of recipes) {
    pack.signal?.throwIfAborted();
    const name = await checkRecipe(pack, recipe);
    if (name !== undefined)
      for (const digest of [recipe.digest, recipe.documentDigest!]) names.set(digest, name);
  }
  return names;
}

/** @returns the name and version in the document; undefined without files, or for files that are a fault */
async function checkRecipe(
  { root, isListed, fault, signal }: OpenedPack,
  { name, version, digest, folder, documentDigest }: Recipe,
): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const [manifestPath, documentPath] = [`${folder}/manifest.json`, `${folder}/recipe.yaml`];
  if (![manifestPath, documentPath].every((path) => isListed(path, documentName))) return undefined;
  const bytes = await readBounded(join(root, manifestPath), limits.signed);
  const document = await readBounded(join(root, documentPath), limits.signed);
  let isSame = hashBytes(bytes) === digest && hashBytes(document) === documentDigest;
  try {
    isSame &&= selectRecipeLayer(parseManifest(bytes)).digest === documentDigest;
  } catch {
    isSame = false;
  }
  if (!isSame) {
    fault(
      folder,
      rule(
        [
          'it is not recipe {recipe} with digest {digest}',
          fr`ce n’est pas la recette {recipe} d’empreinte {digest}`,
        ],
        { recipe: `${name}@${version}`, digest },
      ),
    );
    return undefined;
  }
  try {
    const { metadata } = await readRecipeDocument(document, documentPath, { signal });
    return `${metadata.name}@${metadata.version}`;
  } catch (error) {
    signal?.throwIfAborted();
    if (!isSvcError(error, 'SVC-VAL-001') && !isSvcError(error, 'SVC-VAL-002')) throw error;
    fault(documentPath, rule(['it is no recipe', fr`ce n’est pas une recette`]));
    return undefined;
  }
}

/** A recipe as a line or a statement names it. */
export interface Naming {
  /** The file that names it. */
  readonly path: string;
  /** Of the line; absent for a statement. */
  readonly site?: string | undefined;
  readonly seq?: number;
  readonly name: string;
  readonly digest: Digest;
}

/**
 * Finds lines and statements that name a recipe otherwise than its signed document does. Without the document, two names of one
 * digest contradict each other.
 */
export function checkNames(
  { ledgers, recipes }: Evidence,
  names: SignedNames,
  stated: readonly Naming[],
  fault: Fault,
): void {
  // the recipes follow from the lines
  const known = new Set(recipes.map(({ name, version, digest }) => `${name}@${version} ${digest}`));
  const lines = ledgers.flatMap(({ lines: all, checkpoint, files: [file] }) =>
    all.flatMap((line) => {
      const { site, seq, subjects } = line;
      // a medium may give any name to a recipe that is refused
      const refused = readRefused(line);
      return subjects
        .filter(({ name, digest }) => known.has(`${name} ${digest}`) && !refused.has(name))
        .map((subject) => ({ path: file ?? checkpoint ?? documentName, site, seq, ...subject }));
    }),
  );
  const first = new Map(names);
  const told = new Set<string>();
  for (const naming of [...lines, ...stated]) {
    const { path, site, seq, name, digest } = naming;
    const signed = first.get(digest) ?? name;
    first.set(digest, signed);
    if (signed === name || told.has(`${path} ${name} ${digest}`)) continue;
    told.add(`${path} ${name} ${digest}`);
    fault(
      path,
      names.has(digest)
        ? rule(
            [
              '[line {seq} of {site}|it] names recipe {digest} {name}, and its document is {signed}',
              fr`[la ligne {seq} de {site}|il] nomme la recette {digest} {name}, et son document est {signed}`,
            ],
            { seq, site, name, digest, signed },
          )
        : rule(
            [
              '[line {seq} of {site}|it] names recipe {digest} {name}, and another statement {other}',
              fr`[la ligne {seq} de {site}|il] nomme la recette {digest} {name}, et une autre déclaration {other}`,
            ],
            { seq, site, name, digest, other: signed },
          ),
    );
  }
}

import { fr } from '../language.ts';

/** The page `/recipes/publish`. */
export const publish = {
  title: ['Publish a recipe', fr`Publier une recette`],
  recipes: ['Recipes', fr`Recettes`],
  lead: [
    'Puts a recipe document into a cookbook, of this registry or another. A published version never changes; signing is left to cosign.',
    fr`Place un document de recette dans un livre de recettes, de ce registre ou d’un autre. Une version publiée ne change jamais ; la signature revient à cosign.`,
  ],
  document: ['Recipe document', fr`Document de recette`],
  documentHint: [
    'YAML, with an exact tag and a digest for each ingredient.',
    fr`YAML, avec une étiquette exacte et une empreinte pour chaque ingrédient.`,
  ],
  file: ['Or a file:', fr`Ou un fichier :`],
  fromFile: [
    'The file is published byte for byte as it was read. To change it, give it again.',
    fr`Le fichier est publié octet pour octet tel qu’il a été lu. Pour le modifier, donnez-le à nouveau.`,
  ],
  preview: ['Preview', fr`Aperçu`],
  previewAgain: ['Preview again', fr`Nouvel aperçu`],
  previewing: ['Reading the document…', fr`Lecture du document…`],
  previewHint: ['Reads the document; nothing is published.', fr`Lit le document ; rien n’est publié.`],
  offending: ['Line {line} of the document', fr`Ligne {line} du document`],
  name: ['Name', fr`Nom`],
  version: ['Version', fr`Version`],
  description: ['Description', fr`Description`],
  ingredients: ['Ingredients', fr`Ingrédients`],
  ingredient: ['Ingredient', fr`Ingrédient`],
  kind: ['Kind', fr`Type`],
  platforms: ['Platforms', fr`Plateformes`],
  allPlatforms: ['all', fr`toutes`],
  relocated: ['For nodes', fr`Pour les nœuds`],
  notRelocated: ['has no name that the registry allows', fr`n’a pas de nom que le registre accepte`],
  more: ['The first {shown} of {total} are listed.', fr`Les {shown} premiers sur {total} sont listés.`],
  reference: ['Publish as', fr`Publier sous`],
  referenceHint: [
    'registry/cookbook/name:version; the name and the version are those of the document.',
    fr`registre/livre/nom:version ; le nom et la version sont ceux du document.`,
  ],
  publish: ['Publish', fr`Publier`],
  publishing: ['Publishing…', fr`Publication…`],
  published: ['Published', fr`Publiée`],
  publishedAs: ['Published as', fr`Publiée sous`],
  unchanged: [
    'This version was published already with the same document: nothing was written.',
    fr`Cette version était déjà publiée avec le même document : rien n’a été écrit.`,
  ],
  publishedHint: [
    'Sign it before a zone may synchronize it.',
    fr`Signez-la avant qu’une zone puisse la synchroniser.`,
  ],
  digest: ['Digest', fr`Empreinte`],
  documentDigest: ['Digest of the document', fr`Empreinte du document`],
  another: ['Publish another one', fr`En publier une autre`],
} as const;

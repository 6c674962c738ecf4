import { fr } from '../language.ts';

/** The page `/search`. */
export const searchWords = {
  title: ['Search', fr`Recherche`],
  titleOf: ['Search: {q}', fr`Recherche : {q}`],
  field: ['Name, digest or code', fr`Nom, empreinte ou code`],
  hint: [
    'A part of the name of content, of a recipe or of a task. A name with its version, a digest or the fingerprint of a key or its first 7 characters, the identifier of a task or medium, a correlation identifier, and an error code lead straight there.',
    fr`Une partie du nom d’un contenu, d’une recette ou d’une tâche. Un nom avec sa version, une empreinte de contenu ou de clé ou ses 7 premiers caractères, l’identifiant d’une tâche ou d’un support, un identifiant de corrélation et un code d’erreur y mènent directement.`,
  ],
  find: ['Search', fr`Rechercher`],
  nothing: ['Nothing is found for {q}.', fr`Rien n’est trouvé pour {q}.`],
  nothingNext: [
    'A shorter part of the name finds more.',
    fr`Une partie plus courte du nom trouve davantage.`,
  ],
  content: ['Content', fr`Contenu`],
  recipes: ['Recipes', fr`Recettes`],
  tasks: ['Tasks', fr`Tâches`],
  all: ['All {count}', fr`Les {count}`],
  places: {
    one: ['Where this digest is', fr`Où se trouve cette empreinte`],
    other: ['Digests that begin like this', fr`Empreintes qui commencent ainsi`],
  },
  versions: ['Versions of this name', fr`Versions de ce nom`],
  signed: ['Recipes signed by this key', fr`Recettes signées par cette clé`],
  digest: ['Digest', fr`Empreinte`],
  recipe: ['recipe', fr`recette`],
  moreDigests: [
    'The first {shown} are listed: more characters find fewer.',
    fr`Les {shown} premières sont listées : plus de caractères en trouvent moins.`,
  ],
  part: ['part of a version', fr`partie d’une version`],
} as const;

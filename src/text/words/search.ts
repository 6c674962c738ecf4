/** The page `/search`. */
export const searchWords = {
  title: ['Search', 'Recherche'],
  titleOf: ['Search: {q}', 'Recherche : {q}'],
  field: ['Name, digest or code', 'Nom, empreinte ou code'],
  hint: [
    'A part of the name of content, of a recipe or of a task. A name with its version, a digest or the fingerprint of a key or its first 7 characters, the identifier of a task or medium, a correlation identifier, and an error code lead straight there.',
    'Une partie du nom d’un contenu, d’une recette ou d’une tâche. Un nom avec sa version, une empreinte de contenu ou de clé ou ses 7 premiers caractères, l’identifiant d’une tâche ou d’un support, un identifiant de corrélation et un code d’erreur y mènent directement.',
  ],
  find: ['Search', 'Rechercher'],
  nothing: ['Nothing is found for {q}.', 'Rien n’est trouvé pour {q}.'],
  nothingNext: ['A shorter part of the name finds more.', 'Une partie plus courte du nom trouve davantage.'],
  content: ['Content', 'Contenu'],
  recipes: ['Recipes', 'Recettes'],
  tasks: ['Tasks', 'Tâches'],
  all: ['All {count}', 'Les {count}'],
  places: {
    one: ['Where this digest is', 'Où se trouve cette empreinte'],
    other: ['Digests that begin like this', 'Empreintes qui commencent ainsi'],
  },
  versions: ['Versions of this name', 'Versions de ce nom'],
  signed: ['Recipes signed by this key', 'Recettes signées par cette clé'],
  digest: ['Digest', 'Empreinte'],
  recipe: ['recipe', 'recette'],
  moreDigests: [
    'The first {shown} are listed: more characters find fewer.',
    'Les {shown} premières sont listées : plus de caractères en trouvent moins.',
  ],
  part: ['part of a version', 'partie d’une version'],
} as const;

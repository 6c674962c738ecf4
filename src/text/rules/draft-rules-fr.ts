/** French of the rules about the sources of a draft. */
export const draftRulesFr: Readonly<Record<string, string>> = {
  'must be the name of an image, in ASCII without spaces':
    'doit être le nom d’une image, en ASCII sans espaces',
  "'{a}' is not the name of an image: {rule}": '« {a} » n’est pas le nom d’une image : {rule}',
  'a list has one name on each line, and nothing else': 'une liste a un nom par ligne, et rien d’autre',
  'line {line}: {rule}': 'ligne {line} : {rule}',
  'is empty, or has comments only': 'est vide ou n’a que des commentaires',
  'is an empty folder': 'est un dossier vide',
  'is a recipe already: svc recipe pin {a} turns its tags into digests':
    'est déjà une recette : svc recipe pin {a} change ses étiquettes en empreintes',
  'is a Retriever, which names recipes and no images':
    'est un Retriever, qui nomme des recettes et pas d’images',
  'is a configuration of svc, which names no images':
    'est une configuration de svc, qui ne nomme pas d’images',
  'is a text: a chart is a folder or an archive': 'est un texte : un chart est un dossier ou une archive',
  'is a file: a repository is <registry>/<repository>': 'est un fichier : un dépôt est <registre>/<dépôt>',
  'must be at most {a} bytes': 'doit avoir au plus {a} octets',
  'must name a source': 'doit nommer une source',
  'the variable {a} has no value': 'la variable {a} n’a pas de valeur',
  'the variable {a} has no value: {b}': 'la variable {a} n’a pas de valeur : {b}',
  'is no {a}: it must be a map of members': 'n’est pas un {a} : ce doit être une table de membres',
  'is a compose file: svc recipe init NAME --from FILE drafts a recipe from it':
    'est un fichier compose : svc recipe init NOM --from FICHIER en fait un brouillon de recette',
  'has a variable expression that cannot be read': 'contient une expression de variable illisible',
  'must begin with the host, without {a}': 'doit commencer par l’hôte, sans {a}',
  'only a chart is read from a URL: save the document':
    'seul un chart se lit depuis une URL : enregistrez le document',
  'has no known form: no list of images, chart, Kubernetes manifest, compose file, or definition of hauler, zarf, oc-mirror or imgpkg':
    'n’a pas de forme connue : ni liste d’images, ni chart, ni manifeste Kubernetes, ni fichier compose, ni définition de hauler, zarf, oc-mirror ou imgpkg',
  'is a built package: give its definition, such as zarf.yaml or the manifest of hauler':
    'est un paquet construit : donnez sa définition, comme zarf.yaml ou le manifeste de hauler',
  'has no chart, compose file, list of images, Kubernetes manifest or definition of another tool; --push-filesets REGISTRY/PATH packs a folder of files, which becomes an ingredient':
    'n’a ni chart, ni fichier compose, ni liste d’images, ni manifeste Kubernetes, ni définition d’un autre outil ; --push-filesets REGISTRE/CHEMIN empaquette un dossier de fichiers, qui devient un ingrédient',
  'is packed into a registry: name the place of its FileSet with --push-filesets REGISTRY/PATH':
    's’empaquette vers un registre : nommez la place de son FileSet avec --push-filesets REGISTRE/CHEMIN',
  'the name of a FileSet has lower-case letters and digits, separated by . _ __ or -; svc fileset pack DIRECTORY NAME:VERSION --push REGISTRY/PATH:VERSION packs a folder under another name':
    'le nom d’un FileSet a des lettres minuscules et des chiffres, séparés par . _ __ ou - ; svc fileset pack DOSSIER NOM:VERSION --push REGISTRE/CHEMIN:VERSION empaquette un dossier sous un autre nom',
  'has {a} beside {b}: --from fileset:{c} packs the folder, {d} reads what is in it':
    'contient {a} à côté de {b} : --from fileset:{c} empaquette le dossier, {d} lit ce qu’il contient',
  'has {a}: --from fileset:{c} packs the folder, --from {d} names it alone':
    'contient {a} : --from fileset:{c} empaquette le dossier, --from {d} le nomme seul',
  'has the name of another folder, {a}: their FileSets would have one repository; svc fileset pack DIRECTORY NAME:VERSION --push REGISTRY/PATH:VERSION packs one under another name':
    'porte le nom d’un autre dossier, {a} : leurs FileSets auraient le même dépôt ; svc fileset pack DOSSIER NOM:VERSION --push REGISTRE/CHEMIN:VERSION en empaquette un sous un autre nom',
  'a FileSet that is pushed has an exact version, not {a}':
    'un FileSet à publier a une version exacte, pas {a}',
  'is a file: fileset: packs a folder': 'est un fichier : fileset: empaquette un dossier',
  'is ambiguous, as it has {a}: name one of them with --from':
    'est ambigu, car il a {a} : nommez l’un d’eux avec --from',
  'must have at most {a} files': 'doit avoir au plus {a} fichiers',
  'is a link that leads out of the folder': 'est un lien qui mène hors du dossier',
  'no ingredient has this name: {a} has {b}': 'aucun ingrédient n’a ce nom : {a} a {b}',
  'is no Helm chart: {rule}': 'n’est pas un chart Helm : {rule}',
  'a Helm chart': 'un chart Helm',
  'a chart with a version': 'un chart avec une version',
  'its aliases stand for more than {a} values': 'ses alias représentent plus de {a} valeurs',
  'must have at most {a} embedded charts': 'doit avoir au plus {a} charts embarqués',
  'must have at most {a} levels of embedded charts': 'doit avoir au plus {a} niveaux de charts embarqués',
};

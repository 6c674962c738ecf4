/** French of the rules about the sources of a draft. */
export const draftRulesFr: Readonly<Record<string, string>> = {
  'must be the name of an image, in ASCII without spaces':
    'doit être le nom d’une image, en ASCII sans espaces',
  'must name a source': 'doit nommer une source',
  'the variable {a} has no value: give it in a file with --env-file':
    'la variable {a} n’a pas de valeur : donnez-la dans un fichier avec --env-file',
  'has a variable expression that cannot be read': 'contient une expression de variable illisible',
  'only a chart is read from a URL: save the document':
    'seul un chart se lit depuis une URL : enregistrez le document',
  'has no known form: no list of images, chart, Kubernetes manifest, compose file, or definition of hauler, zarf, oc-mirror or imgpkg':
    'n’a pas de forme connue : ni liste d’images, ni chart, ni manifeste Kubernetes, ni fichier compose, ni définition de hauler, zarf, oc-mirror ou imgpkg',
  'is a built package: give its definition, such as zarf.yaml or the manifest of hauler':
    'est un paquet construit : donnez sa définition, comme zarf.yaml ou le manifeste de hauler',
  'has no chart, compose file, list of images, Kubernetes manifest or definition of another tool':
    'n’a ni chart, ni fichier compose, ni liste d’images, ni manifeste Kubernetes, ni définition d’un autre outil',
  'is ambiguous, as it has {a}: name one of them with --from':
    'est ambigu, car il a {a} : nommez l’un d’eux avec --from',
  'must have at most {a} files': 'doit avoir au plus {a} fichiers',
  'is a link that leads out of the folder': 'est un lien qui mène hors du dossier',
  'names no ingredient of the draft': 'ne nomme aucun ingrédient du brouillon',
  'is no Helm chart: {rule}': 'n’est pas un chart Helm : {rule}',
  'a Helm chart': 'un chart Helm',
  'a chart with a version': 'un chart avec une version',
  'its aliases stand for more than {a} values': 'ses alias représentent plus de {a} valeurs',
  'must have at most {a} embedded charts': 'doit avoir au plus {a} charts embarqués',
  'must have at most {a} levels of embedded charts': 'doit avoir au plus {a} niveaux de charts embarqués',
};

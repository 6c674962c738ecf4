import type { CommandHelp } from './command-help.ts';

/** French help of the commands that write documents for an author. */
export const draftFr: Readonly<Record<string, CommandHelp>> = {
  'recipe init': {
    details: [
      'Affiche un brouillon : chaque ingrédient porte un commentaire qui dit où il a été trouvé, et ce qui est seulement proposé est entièrement en commentaire. svc recipe pin change ses étiquettes en empreintes. Ce qu’une source nomme et que le brouillon n’a pas est listé sur la sortie d’erreur, avec la raison.',
      'Une source est un fichier, un dossier, - (entrée standard), oci://<registre>/<chart>, https://<dépôt de charts>/<chart> ou <registre>/<dépôt>, et est reconnue à son contenu : liste d’images, chart Helm, manifestes Kubernetes, fichier compose, définition de hauler, zarf, oc-mirror ou imgpkg. Un préfixe en impose une : images:, chart:, manifests:, compose:, repository:, fileset:, hauler:, zarf:, oc-mirror:, imgpkg:. Dans toutes, nginx signifie docker.io/library/nginx.',
      'D’un dossier, tout ce qui est reconnu est repris : charts, fichier compose, listes d’images (fichiers ainsi nommés), manifestes. Là où un dossier contient un chart ou la définition d’un autre outil, rien d’autre n’y est lu. Ce qui est laissé de côté est listé sur la sortie d’erreur. Un dossier avec deux fichiers compose ou deux définitions est refusé.',
      'Les images d’un chart sont celles de son annotation artifacthub.io/images et de ses valeurs. Avec --render, ce sont celles que rend le helm de PATH, dans un dossier personnel vide, avec au plus 1 Gio de mémoire, et sans réseau si le système le permet. C’est une copie du chart qui est rendue : un lien qui mène hors de son dossier est refusé. Les valeurs ne sont pas vérifiées selon values.schema.json, qui pourrait désigner n’importe quel fichier de cette machine.',
      'Une recette nomme des charts de registres. Avec --push-charts, un chart de cette machine ou d’un dépôt classique est poussé sous ce dépôt et devient un ingrédient ; sinon, il est listé comme non repris.',
      'Avec --push-filesets, un dossier où aucune source n’est reconnue est empaqueté comme le fait svc fileset pack, poussé sous ce dépôt et sous son propre nom, et devient un ingrédient. Un dossier qui a une source à côté d’autres fichiers est refusé : fileset:DOSSIER l’empaquette en entier. La version est celle de --tag NOM=VERSION, sinon la plus haute du registre, sinon 1.0.0. Le même dossier sous la même version n’est poussé qu’une fois ; un dossier modifié exige une autre version. Avec --index et --gpg-key, un dossier de paquets reçoit un index signé avant d’être empaqueté.',
      'Code de sortie : 0 succès, 1 rien n’a été trouvé, ou une source n’est pas lisible ; rien n’est alors écrit.',
    ],
    flags: {
      '--from': 'source à lire ; répétable',
      '--platform': 'plateforme de chaque image, os/arch[/variante] ; répétable (toutes)',
      '--tags': 'étiquettes d’un dépôt : contrainte de version ou motif (la plus haute version)',
      '--env-file': 'fichier des variables des fichiers compose, NOM=valeur par ligne',
      '--values': 'fichier de valeurs pour les charts ; répétable, les derniers l’emportent',
      '--render': 'reprend les images des conteneurs que rend helm template ; propose les autres',
      '--find-more': 'propose ce qui ressemble à une image dans arguments, variables et modèles',
      '--tag': 'NOM=ÉTIQUETTE, pour un ingrédient dont la source ne nomme pas d’étiquette ; répétable',
      '--push-charts': 'dépôt sous lequel les charts sont poussés, <registre>/<chemin>',
      '--push-filesets': 'dépôt sous lequel les dossiers sont empaquetés et poussés, <registre>/<chemin>',
      '--index': 'fait d’abord l’index des paquets de ces dossiers : apt ou rpm ; répétable',
      '--gpg-key': 'empreinte de la clé qui signe ces index',
      '--out': 'fichier à écrire au lieu de la sortie standard ; il ne doit pas exister',
    },
    examples: [
      'Un chart et un fichier compose',
      'Ce qu’un chart rend vraiment',
      'Dossiers de paquets, empaquetés et poussés',
      'Une liste d’images, pour une plateforme',
      'Rendu à la main',
      'Les versions d’un dépôt',
    ],
  },
  'retriever init': {
    details: [
      'Affiche le document qui liste les recettes d’une zone, chacune avec les versions que la zone accepte, et nomme le livre de recettes où elles sont publiées. retriever.source d’une instance nomme le fichier.',
      'Code de sortie : 0 succès.',
    ],
    flags: {
      '--cookbook': 'dépôt des recettes, <registre>/<chemin>',
      '--recipe': '<nom>@<version ou intervalle> d’une recette ; répétable',
    },
    examples: ['Une zone qui accepte chaque version ultérieure de la même version majeure'],
  },
  'retriever lint': {
    details: [
      'Vérifie le format, et ce que le format permet et qui est rarement voulu : deux fois la même recette, des intervalles qui peuvent choisir la même version, une version sous laquelle aucune recette n’est publiée, n’importe quelle version, un livre de recettes sur cette machine. Ne contacte rien. Un fichier illisible ne cache pas les constats des autres.',
      'Code de sortie : 0 aucune erreur, avec ou sans avertissements, 1 une erreur a été trouvée ou un fichier n’est pas lisible.',
    ],
    flags: {},
    examples: ['Vérifier un Retriever', 'Tous les Retrievers, pour un script'],
  },
};

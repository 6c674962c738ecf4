import { fr } from '../../language.ts';

/** The pages `/filesets` and `/filesets/pack`. */
export const filesets = {
  title: ['File sets', fr`Jeux de fichiers`],
  lead: [
    'Folders that are packed as images and served over HTTP, for apt, dnf and others.',
    fr`Des dossiers empaquetés comme images et servis par HTTP, pour apt, dnf et d’autres.`,
  ],
  configured: ['In the configuration', fr`Dans la configuration`],
  isServed: ['served', fr`servi`],
  notServed: ['not served', fr`non servi`],
  onOtherDisk: ['not on this disk', fr`pas sur ce disque`],
  elsewhere: [
    'The registry of the zone has it, from {parts:part …/parts …} of the delivery. This instance serves only file sets that are whole on the disk that is mounted.',
    fr`Le registre de la zone l’a, depuis {parts:la partie …/les parties …} de la livraison. Cette instance ne sert que les jeux de fichiers entiers sur le disque monté.`,
  ],
  anonymous: ['without credentials', fr`sans identifiants`],
  credentials: ['with credentials', fr`avec identifiants`],
  signed: ['signed', fr`signé`],
  unsigned: ['not signed', fr`non signé`],
  url: ['Address', fr`Adresse`],
  version: ['Version', fr`Version`],
  versions: ['Versions', fr`Versions`],
  digest: ['Digest', fr`Empreinte`],
  repository: ['Repository', fr`Dépôt`],
  provenance: ['Provenance', fr`Provenance`],
  name: ['Name', fr`Nom`],
  details: ['Digest, repository and history', fr`Empreinte, dépôt et historique`],
  clients: ['Configure clients', fr`Configurer les clients`],
  clientsLine: [
    'TOKEN is a token with the role viewer; the package manager checks the signature of the archive itself.',
    fr`TOKEN est un jeton de rôle viewer ; le gestionnaire de paquets vérifie lui-même la signature de l’archive.`,
  ],
  views: ['Views', fr`Vues`],
  viewsLine: [
    'Trees that are made from content of the store, such as a chart repository for helm repo add.',
    fr`Des arborescences produites à partir du contenu du stockage, comme un dépôt de charts pour helm repo add.`,
  ],
  viewRepositories: ['Repositories', fr`Dépôts`],
  charts: ['Listed versions', fr`Versions listées`],
  leftOut: {
    one: ['{count} chart is left out', fr`{count} chart est omis`],
    other: ['{count} charts are left out', fr`{count} charts sont omis`],
  },
  leftOutReasons: {
    name: ['its name cannot be part of a URL', fr`son nom ne peut pas faire partie d’une URL`],
    version: ['its version is not a semantic version', fr`sa version n’est pas une version sémantique`],
    config: [
      'its metadata cannot be read, or is larger than 64 KiB',
      fr`ses métadonnées sont illisibles, ou dépassent 64 Kio`,
    ],
    archive: ['the store does not have its archive', fr`le stockage n’a pas son archive`],
    reference: [
      'its repository does not end in its name, or its tag is not its version',
      fr`son dépôt ne finit pas par son nom, ou son étiquette n’est pas sa version`,
    ],
    duplicate: [
      'another chart has its name and version, or its file name',
      fr`un autre chart a son nom et sa version, ou son nom de fichier`,
    ],
  },
  others: ['In the store, not served', fr`Dans le stockage, non servis`],
  othersLine: [
    'A file set is served when files.filesets of the configuration names it.',
    fr`Un jeu de fichiers est servi quand files.filesets de la configuration le nomme.`,
  ],
  noOthers: [
    'There is no other file set in the store.',
    fr`Il n’y a pas d’autre jeu de fichiers dans le stockage.`,
  ],
  allServed: {
    one: ['{count} configured file set is served', fr`{count} jeu de fichiers configuré est servi`],
    other: [
      'All {count} configured file sets are served',
      fr`Les {count} jeux de fichiers configurés sont servis`,
    ],
  },
  someWithheld: {
    one: [
      '{count} of {total:configured file set/configured file sets} is not served',
      fr`{count} jeu de fichiers configuré sur {total} n’est pas servi`,
    ],
    other: [
      '{count} of {total:configured file set/configured file sets} are not served',
      fr`{count} jeux de fichiers configurés sur {total} ne sont pas servis`,
    ],
  },
  noneServed: [
    'No file set is served. The configuration names them in files.filesets.',
    fr`Aucun jeu de fichiers n’est servi. La configuration les nomme dans files.filesets.`,
  ],
  closed: [
    'Versions are shown of content that is served.',
    fr`Les versions affichées sont celles du contenu servi.`,
  ],
  image: ['The image in the content', fr`L’image dans le contenu`],
  broughtBy: ['Tasks that brought it', fr`Tâches qui l’ont apportée`],
  bring: [
    'Synchronize or import a recipe that has it, or have an administrator pack a folder under this name. Or correct the reference in files.filesets.',
    fr`Synchronisez ou importez une recette qui le contient, ou faites empaqueter un dossier sous ce nom par un administrateur. Ou corrigez la référence dans files.filesets.`,
  ],
  pack: ['Pack a folder', fr`Empaqueter un dossier`],
  packLine: [
    'The folder is on the machine of the instance. The same folder gives the same digest.',
    fr`Le dossier est sur la machine de l’instance. Le même dossier donne la même empreinte.`,
  ],
  source: ['Folder', fr`Dossier`],
  sourceHint: ['Absolute path, below {roots}.', fr`Chemin absolu, sous {roots}.`],
  versionHint: [
    'An existing version is moved to the new content.',
    fr`Une version existante est déplacée vers le nouveau contenu.`,
  ],
  replaceTitle: ['Replace {name}?', fr`Remplacer {name} ?`],
  replaceLine: [
    'This version exists. If the folder has other content now, the version names the new content afterwards.',
    fr`Cette version existe. Si le dossier a un autre contenu à présent, la version désignera ensuite le nouveau contenu.`,
  ],
  replace: ['Pack and replace', fr`Empaqueter et remplacer`],
  keep: ['Back to the form', fr`Retour au formulaire`],
  packing: ['Packing…', fr`Empaquetage…`],
  packedTitle: ['Packed: {name}', fr`Empaqueté : {name}`],
  packedLine: [
    '{files:file/files}, {directories:folder/folders}, {symlinks:link/links}, {bytes:size}',
    fr`{files:fichier/fichiers}, {directories:dossier/dossiers}, {symlinks:lien/liens}, {bytes:size}`,
  ],
  reference: ['Reference', fr`Référence`],
  contents: ['Contents', fr`Contenu`],
  all: ['All file sets', fr`Tous les jeux de fichiers`],
} as const;

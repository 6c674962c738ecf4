/** The pages `/filesets` and `/filesets/pack`. */
export const filesets = {
  title: ['File sets', 'Jeux de fichiers'],
  lead: [
    'Folders that are packed as images and served over HTTP, for apt, dnf and others.',
    'Des dossiers empaquetés comme images et servis par HTTP, pour apt, dnf et d’autres.',
  ],
  configured: ['In the configuration', 'Dans la configuration'],
  isServed: ['served', 'servi'],
  notServed: ['not served', 'non servi'],
  anonymous: ['without credentials', 'sans identifiants'],
  credentials: ['with credentials', 'avec identifiants'],
  signed: ['signed', 'signé'],
  unsigned: ['not signed', 'non signé'],
  url: ['Address', 'Adresse'],
  version: ['Version', 'Version'],
  versions: ['Versions', 'Versions'],
  digest: ['Digest', 'Empreinte'],
  repository: ['Repository', 'Dépôt'],
  provenance: ['Provenance', 'Provenance'],
  name: ['Name', 'Nom'],
  clients: ['Configure clients', 'Configurer les clients'],
  clientsLine: [
    'TOKEN is a token with the role viewer; the package manager checks the signature of the archive itself.',
    'TOKEN est un jeton de rôle viewer ; le gestionnaire de paquets vérifie lui-même la signature de l’archive.',
  ],
  views: ['Views', 'Vues'],
  viewsLine: [
    'Trees that are made from content of the store, such as a chart repository for helm repo add.',
    'Des arborescences produites à partir du contenu du magasin, comme un dépôt de charts pour helm repo add.',
  ],
  viewRepositories: ['Repositories', 'Dépôts'],
  charts: ['Listed versions', 'Versions listées'],
  leftOut: {
    one: ['{count} chart is left out', '{count} chart est omis'],
    other: ['{count} charts are left out', '{count} charts sont omis'],
  },
  leftOutReasons: {
    name: ['its name cannot be part of a URL', 'son nom ne peut pas faire partie d’une URL'],
    version: ['its version is not a semantic version', 'sa version n’est pas une version sémantique'],
    config: [
      'its metadata cannot be read, or is larger than 64 KiB',
      'ses métadonnées sont illisibles, ou dépassent 64 Kio',
    ],
    archive: ['the store does not have its archive', 'le magasin n’a pas son archive'],
    reference: [
      'its repository does not end in its name, or its tag is not its version',
      'son dépôt ne finit pas par son nom, ou son étiquette n’est pas sa version',
    ],
    duplicate: [
      'another chart has its name and version, or its file name',
      'un autre chart a son nom et sa version, ou son nom de fichier',
    ],
  },
  others: ['In the store, not served', 'Dans le magasin, non servis'],
  othersLine: [
    'A file set is served when files.filesets of the configuration names it.',
    'Un jeu de fichiers est servi quand files.filesets de la configuration le nomme.',
  ],
  noOthers: [
    'There is no other file set in the store.',
    'Il n’y a pas d’autre jeu de fichiers dans le magasin.',
  ],
  noneServed: [
    'No file set is served. The configuration names them in files.filesets.',
    'Aucun jeu de fichiers n’est servi. La configuration les nomme dans files.filesets.',
  ],
  closed: [
    'Versions are shown once the medium has been verified.',
    'Les versions sont affichées une fois le support vérifié.',
  ],
  pack: ['Pack a folder', 'Empaqueter un dossier'],
  packLine: [
    'The folder is on the machine of the instance, below files.packRoots. The same folder gives the same digest.',
    'Le dossier est sur la machine de l’instance, sous files.packRoots. Le même dossier donne la même empreinte.',
  ],
  source: ['Folder', 'Dossier'],
  sourceHint: ['Absolute path.', 'Chemin absolu.'],
  versionHint: [
    'An existing version is moved to the new content.',
    'Une version existante est déplacée vers le nouveau contenu.',
  ],
  replaceTitle: ['Replace {name}?', 'Remplacer {name} ?'],
  replaceLine: [
    'This version exists. If the folder has other content now, the version names the new content afterwards.',
    'Cette version existe. Si le dossier a un autre contenu à présent, la version désignera ensuite le nouveau contenu.',
  ],
  replace: ['Pack and replace', 'Empaqueter et remplacer'],
  keep: ['Back to the form', 'Retour au formulaire'],
  packing: ['Packing…', 'Empaquetage…'],
  packedTitle: ['Packed: {name}', 'Empaqueté : {name}'],
  packedLine: [
    '{files:file/files}, {directories:folder/folders}, {symlinks:link/links}, {bytes:size}',
    '{files:fichier/fichiers}, {directories:dossier/dossiers}, {symlinks:lien/liens}, {bytes:size}',
  ],
  reference: ['Reference', 'Référence'],
  contents: ['Contents', 'Contenu'],
  all: ['All file sets', 'Tous les jeux de fichiers'],
} as const;

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

import { fr } from '../../language.ts';

/** The page `/content/{repo}/-/tags/{tag}/files`. */
export const filesetFiles = {
  title: ['Files', fr`Fichiers`],
  titleOf: ['Files of {name}', fr`Fichiers de {name}`],
  folderOf: ['{folder} in {name}', fr`{folder} dans {name}`],
  browse: ['Browse the files', fr`Parcourir les fichiers`],
  lead: [
    'A file is saved by your browser, and never shown: it may hold anything.',
    fr`Un fichier est enregistré par votre navigateur, et jamais affiché : il peut tout contenir.`,
  ],
  search: ['Part of the name, in this folder and below', fr`Partie du nom, dans ce dossier et en dessous`],
  findFile: ['Part of the name of a file', fr`Partie du nom d’un fichier`],
  find: ['Find files', fr`Trouver des fichiers`],
  findIn: ['Find files of {name}', fr`Trouver des fichiers de {name}`],
  folders: ['Folders', fr`Dossiers`],
  root: ['All files', fr`Tous les fichiers`],
  name: ['Name', fr`Nom`],
  size: ['Size', fr`Taille`],
  digest: ['Digest', fr`Empreinte`],
  folder: ['folder', fr`dossier`],
  link: ['link to', fr`lien vers`],
  broken: ['link to nothing:', fr`lien vers rien :`],
  noAddress: [
    'No address can hold this name. Pull the image to read the file.',
    fr`Aucune adresse ne peut contenir ce nom. Récupérez l’image pour lire le fichier.`,
  ],
  empty: ['This folder is empty.', fr`Ce dossier est vide.`],
  names: { one: ['{count} name', fr`{count} nom`], other: ['{count} names', fr`{count} noms`] },
  reading: [
    'The instance reads the {bytes:size} of this version once, and then lists its files.',
    fr`L’instance lit une fois les {bytes:size} de cette version, puis en liste les fichiers.`,
  ],
  platforms: ['Platform', fr`Plateforme`],
  clients: ['Use as a package repository', fr`Utiliser comme dépôt de paquets`],
  clientsOf: ['As {name}, for {client}', fr`Sous le nom {name}, pour {client}`],
  secrets: [
    'Put a token with the role viewer in the place of TOKEN.',
    fr`Mettez un jeton de rôle viewer à la place de TOKEN.`,
  ],
} as const;

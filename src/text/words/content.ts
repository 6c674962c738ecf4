import { fr } from '../language.ts';

/** The pages `/content`, `/content/{repo}` and the deletion of imported content. */
export const content = {
  title: ['Content', fr`Contenu`],
  stampServed: ['Served', fr`Servi`],
  stampPartly: ['In part', fr`En partie`],
  stampClosed: ['Closed', fr`Fermé`],
  closed: ['No content is served', fr`Aucun contenu n’est servi`],
  served: {
    one: [
      '{count} repository is served[, {bytes:size} in all][; {empty:has/have} no version]',
      fr`{count} dépôt est servi[, {bytes:size} en tout][ ; {empty:n’a/n’ont} aucune version]`,
    ],
    other: [
      '{count} repositories are served[, {bytes:size} in all][; {empty:has/have} no version]',
      fr`{count} dépôts sont servis[, {bytes:size} en tout][ ; {empty:n’a/n’ont} aucune version]`,
    ],
  },
  matching: {
    one: [
      '{count} of {total:repository matches/repositories matches}',
      fr`{count} dépôt sur {total} correspond`,
    ],
    other: [
      '{count} of {total:repository match/repositories match}',
      fr`{count} dépôts sur {total} correspondent`,
    ],
  },
  withheld: {
    one: [
      '{served}; {count} recipe of the medium is withheld',
      fr`{served} ; {count} recette du support est retenue`,
    ],
    other: [
      '{served}; {count} recipes of the medium are withheld',
      fr`{served} ; {count} recettes du support sont retenues`,
    ],
  },
  lead: [
    'Everything that this instance holds, by repository.',
    fr`Tout ce que cette instance détient, par dépôt.`,
  ],
  search: ['Part of the name', fr`Partie du nom`],
  kinds: ['Kinds', fr`Types`],
  ContainerImage: ['image', fr`image`],
  HelmChart: ['Helm chart', fr`chart Helm`],
  OCIArtifact: ['artifact', fr`artefact`],
  FileSet: ['file set', fr`jeu de fichiers`],
  Recipe: ['recipe', fr`recette`],
  recipe: ['recipe', fr`recette`],
  import: ['import', fr`import`],
  push: ['push', fr`envoi`],
  'vulnerability-database': ['vulnerability database', fr`base de vulnérabilités`],
  'local-pack': ['packed here', fr`empaqueté ici`],
  repository: ['Repository', fr`Dépôt`],
  repositories: {
    one: ['{count} repository', fr`{count} dépôt`],
    other: ['{count} repositories', fr`{count} dépôts`],
  },
  kind: ['Kind', fr`Type`],
  versions: ['Versions', fr`Versions`],
  landed: ['Landed', fr`Arrivée`],
  newest: ['Newest', fr`La plus récente`],
  size: ['Size', fr`Taille`],
  provenance: ['Provenance', fr`Provenance`],
  allContent: ['All', fr`Tout`],
  folders: ['Folders', fr`Dossiers`],
  foldersShown: {
    one: ['The first of {count} folder', fr`Le premier de {count} dossier`],
    other: ['The first {shown} of {count} folders', fr`Les {shown} premiers de {count} dossiers`],
  },
  empty: ['The store has no content yet.', fr`Le stockage n’a pas encore de contenu.`],
  namesOnly: ['Only names are shown.', fr`Seuls les noms sont affichés.`],
  deleted: [
    'The imported content of {repository} is deleted.',
    fr`Le contenu importé de {repository} est supprimé.`,
  ],
  searchVersions: ['Version or digest', fr`Version ou empreinte`],
  version: ['Version', fr`Version`],
  digest: ['Digest', fr`Empreinte`],
  platforms: ['Platforms', fr`Plateformes`],
  absentPlatform: ['not carried', fr`non embarquée`],
  morePlatforms: {
    one: ['and {count} more', fr`et {count} de plus`],
    other: ['and {count} more', fr`et {count} de plus`],
  },
  owners: ['Owned by', fr`Détenu par`],
  signed: ['signed', fr`signé`],
  namedBy: ['named by recipe', fr`nommé par la recette`],
  namedBySigner: [
    '[, signed by {signer}|, whose key was withdrawn since]',
    fr`[, signée par {signer}|, dont la clé a été retirée depuis]`,
  ],
  unsigned: ['not signed', fr`non signé`],
  held: ['not verified', fr`non vérifié`],
  noVersions: ['No version.', fr`Aucune version.`],
  // the name of the account stands before it
  deletedOn: ['deleted content of it on {time}.', fr`en a supprimé du contenu le {time}.`],
  recipes: ['Recipes', fr`Recettes`],
  delete: ['Delete imported content', fr`Supprimer le contenu importé`],
  deleteTitle: ['Delete imported content of {repository}', fr`Supprimer le contenu importé de {repository}`],
  deleteLead: [
    'Deletes the content of unit imports in this repository. Content that a recipe or a client owns too stays.',
    fr`Supprime ce que des imports unitaires ont apporté dans ce dépôt. Ce qu’une recette ou un client détient aussi reste.`,
  ],
  goes: ['Removed', fr`Retiré`],
  goesNothing: [
    'No version is removed: each one has another owner. The import is removed from their owners.',
    fr`Aucune version n’est retirée : chacune a un autre propriétaire. L’import est retiré de leurs propriétaires.`,
  ],
  comesBack: ['The tag then names', fr`L’étiquette désigne ensuite`],
  stays: ['Kept', fr`Conservé`],
  staysNothing: ['Nothing: the repository itself is removed.', fr`Rien : le dépôt lui-même est retiré.`],
  frees: [
    '{bytes:size} are freed on the volume, each file counted once.',
    fr`{bytes:size} sont libérés sur le volume, chaque fichier compté une fois.`,
  ],
  irreversible: [
    'Deleted content comes back only by another import.',
    fr`Le contenu supprimé ne revient que par un nouvel import.`,
  ],
  deleting: ['Deleting…', fr`Suppression…`],
  cancel: ['Keep everything', fr`Tout conserver`],
} as const;

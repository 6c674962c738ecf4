import { fr } from '../../language.ts';

/** The pages `/clients` and `/clients/{client}`. */
export const clientWords = {
  title: ['Clients', fr`Clients`],
  lead: [
    'Files with which containerd, Podman, helm, apt and others find the delivered content here, under the names they already use.',
    fr`Les fichiers avec lesquels containerd, Podman, helm, apt et d’autres trouvent ici ce qui a été livré, sous les noms qu’ils emploient déjà.`,
  ],
  client: ['Client', fr`Client`],
  directory: ['Folder on the node', fr`Dossier sur le nœud`],
  files: ['Files', fr`Fichiers`],
  reads: ['Reads from', fr`Lit depuis`],
  registry: ['the registry', fr`le registre`],
  instance: ['this instance', fr`cette instance`],
  revision: ['Revision', fr`Révision`],
  nothing: ['nothing yet', fr`rien pour l’instant`],
  cannot: ['cannot be made', fr`impossibles à produire`],
  configOf: ['Configuration of {client}', fr`Configuration de {client}`],
  configLead: [
    'The first line says which zone and revision the file came from. The same content gives the same file.',
    fr`La première ligne dit de quelle zone et de quelle révision vient le fichier. Le même contenu donne le même fichier.`,
  ],
  secrets: [
    'A file with the word TOKEN has the mode 0600. Put the secret of a token with the role viewer in its place.',
    fr`Un fichier portant le mot TOKEN a le mode 0600. Mettez à sa place le secret d’un jeton de rôle viewer.`,
  ],
  noSecrets: [
    'The files contain no password and no certificate. Give the nodes a token with the role viewer.',
    fr`Les fichiers ne contiennent ni mot de passe ni certificat. Donnez aux nœuds un jeton de rôle viewer.`,
  ],
  emptyRegistry: [
    'There is no recipe in the store yet, so there is no name to lead here.',
    fr`Il n’y a pas encore de recette dans le stockage, donc aucun nom à diriger ici.`,
  ],
  emptyInstance: [
    'This instance serves nothing that {client} reads yet: no file set with a repository for it, or no chart.',
    fr`Cette instance ne sert encore rien que {client} lise : aucun jeu de fichiers avec un dépôt pour lui, ou aucun chart.`,
  ],
  ownRegistry: [
    'Nodes are led to {host}, which on each of them is the node itself: name the address by which they reach the registry above, or set server.publicURL.',
    fr`Les nœuds sont menés vers {host}, qui sur chacun est le nœud lui-même : indiquez plus haut l’adresse par laquelle ils atteignent le registre, ou définissez server.publicURL.`,
  ],
  ownInstance: [
    'Nodes are led to {host}, which on each of them is the node itself: set server.publicURL to the address by which they reach this instance.',
    fr`Les nœuds sont menés vers {host}, qui sur chacun est le nœud lui-même : donnez à server.publicURL l’adresse par laquelle ils atteignent cette instance.`,
  ],
  withheld: ['{place} is not served: {code}: {reason}', fr`{place} n’est pas servi : {code} : {reason}`],
  closed: [
    'Files are made from content that is served.',
    fr`Les fichiers sont produits à partir du contenu servi.`,
  ],
} as const;

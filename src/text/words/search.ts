import { fr } from '../language.ts';

/** The page `/search`. */
export const searchWords = {
  title: ['Search', fr`Recherche`],
  titleOf: ['Search: {q}', fr`Recherche : {q}`],
  lead: [
    'Type into the field above. A complete name or digest leads straight there.',
    fr`Saisissez dans le champ ci-dessus. Ce qui désigne une seule chose y mène directement.`,
  ],
  part: [
    'A part of the name of content or of a recipe, or of the subject of a task',
    fr`Une partie du nom d’un contenu ou d’une recette, ou de ce que nomme une tâche`,
  ],
  partOrAccount: [
    'A part of the name of content, of a recipe, of an account or of a token, or of the subject of a task',
    fr`Une partie du nom d’un contenu, d’une recette, d’un compte ou d’un jeton, ou de ce que nomme une tâche`,
  ],
  named: ['A name with its version', fr`Un nom avec sa version`],
  beginning: [
    'A digest or the fingerprint of a key, or its first 7 characters',
    fr`Une empreinte de contenu ou de clé, ou ses 7 premiers caractères`,
  ],
  identifier: [
    'The identifier of a task, a medium or a delivery, its beginning, or a correlation identifier',
    fr`L’identifiant d’une tâche, d’un support ou d’une livraison, son début, ou un identifiant de corrélation`,
  ],
  bare: ['A version', fr`Une version`],
  words: ['Several words, in any order', fr`Plusieurs mots, dans n’importe quel ordre`],
  state: [
    'A state, alone or with a name: missing, blocked, verified, failed, stalled',
    fr`Un état, seul ou avec un nom : manquante, bloquée, vérifiée, échouée, à l’arrêt`,
  ],
  zone: ['The name of a zone', fr`Le nom d’une zone`],
  code: ['An error code, or a word of the help', fr`Un code d’erreur, ou un mot de l’aide`],
  aPage: [
    'A page, by its name, a file or a command that it replaces',
    fr`Une page, par son nom, un fichier ou une commande qu’elle remplace`,
  ],
  by: ['by', fr`par`],
  ofVersions: {
    one: ['{count} version', fr`{count} version`],
    other: ['{count} versions', fr`{count} versions`],
  },
  nothing: ['Nothing is found for {q}.', fr`Rien n’est trouvé pour {q}.`],
  shortDigest: [
    'A digest is found by its first 7 characters; this text has {count}.',
    fr`Une empreinte est trouvée par ses 7 premiers caractères ; ce texte en a {count}.`,
  ],
  nothingNext: [
    'A shorter part of the name finds more.',
    fr`Une partie plus courte du nom trouve davantage.`,
  ],
  searched: ['Searched: {places}.', fr`Recherché : {places}.`],
  inContent: {
    one: ['the name of {count} repository', fr`le nom de {count} dépôt`],
    other: ['the names of {count} repositories', fr`les noms de {count} dépôts`],
  },
  inRecipes: {
    one: ['the name of {count} recipe', fr`le nom de {count} recette`],
    other: ['the names of {count} recipes', fr`les noms de {count} recettes`],
  },
  inTasks: { one: ['{count} task', fr`{count} tâche`], other: ['{count} tasks', fr`{count} tâches`] },
  inAccess: ['the names of accounts and tokens', fr`les noms de comptes et de jetons`],
  nearest: ['The most similar name here:', fr`Le nom le plus proche ici :`],
  meant: ['Did you mean {code}?', fr`Vouliez-vous dire {code} ?`],
  zones: ['Zones', fr`Zones`],
  carried: ['Deliveries and media', fr`Livraisons et supports`],
  zoneReceipts: ['receipts', fr`reçus`],
  missing: ['Wanted recipes that are not here', fr`Recettes demandées qui manquent ici`],
  ofMedium: ['On the medium, or awaited', fr`Sur le support, ou attendues`],
  onMedium: ['on the medium', fr`sur le support`],
  filesets: ['File sets', fr`Jeux de fichiers`],
  onlyTasks: [
    'Only tasks name {q}, the last one on {time}: no recipe and no content of this name is here.',
    fr`Seules des tâches nomment {q}, la dernière le {time} : aucune recette et aucun contenu de ce nom n’est ici.`,
  ],
  blocked: ['Blocked recipes', fr`Recettes bloquées`],
  verified: ['Verified recipes', fr`Recettes vérifiées`],
  unverified: ['Recipes not verified here', fr`Recettes non vérifiées ici`],
  tasksIn: ['Tasks: {state}', fr`Tâches : {state}`],
  pages: ['Pages', fr`Pages`],
  zonesUnknown: ['Zones with unknown recipes', fr`Zones aux recettes inconnues`],
  zonesOnTheWay: ['Zones with recipes in transit', fr`Zones avec des recettes en route`],
  zonesBehind: ['Zones with another version', fr`Zones dans une autre version`],
  zonesCurrent: ['Zones with all their recipes', fr`Zones avec toutes leurs recettes`],
  zonesBlocked: ['Zones with blocked recipes', fr`Zones avec des recettes bloquées`],
  zonesLate: ['Zones that are overdue', fr`Zones en retard`],
  zonesMissing: ['Zones with missing recipes', fr`Zones où manquent des recettes`],
  deletedContent: ['History: deletions', fr`Historique : suppressions`],
  deniedActions: ['History: denied actions', fr`Historique : actions refusées`],
  runningTasks: ['Tasks: running', fr`Tâches : en cours`],
  notInState: [
    '{name} is not {state}: {version} is here, {verdict}.',
    fr`{name} n’est pas {state} : {version} est ici, {verdict}.`,
  ],
  isVerified: ['verified', fr`vérifiée`],
  notVerified: ['not verified', fr`non vérifiée`],
  noSuggestion: ['No name has {q}: search everything', fr`Aucun nom n’a {q} : tout chercher`],
  inHistory: ['the audit records', fr`les enregistrements d’audit`],
  inFiles: [
    'Look for it among the files of the file set:',
    fr`Le chercher parmi les fichiers du jeu de fichiers :`,
  ],
  eachWord: ['Nothing has all of the words. Each alone:', fr`Rien n’a tous les mots. Chacun seul :`],
  withoutState: ['Without the state:', fr`Sans l’état :`],
  refused: ['Recipes refused for this key', fr`Recettes refusées pour cette clé`],
  refusedBy: ['refused by {task}', fr`refusée par {task}`],
  refusedHere: ['refused by the verification of the medium', fr`refusée par la vérification du support`],
  key: ['Key', fr`Clé`],
  help: ['Help', fr`Aide`],
  inZones: {
    one: ['the name of {count} zone', fr`le nom de {count} zone`],
    other: ['the names of {count} zones', fr`les noms de {count} zones`],
  },
  inHelp: ['the help', fr`l’aide`],
  kinds: ['Kinds of results', fr`Genres de résultats`],
  exact: ['Exact match', fr`Correspondance exacte`],
  landed: ['landed {time}', fr`arrivée {time}`],
  created: ['created {time}', fr`création {time}`],
  content: ['Content', fr`Contenu`],
  recipes: ['Recipes', fr`Recettes`],
  tasks: ['Tasks', fr`Tâches`],
  access: ['Accounts and tokens', fr`Comptes et jetons`],
  account: ['account', fr`compte`],
  token: ['token', fr`jeton`],
  revoked: ['revoked token', fr`jeton révoqué`],
  history: ['Audit records with {q}', fr`Enregistrements d’audit avec {q}`],
  allResults: ['All results', fr`Tous les résultats`],
  all: ['All {count}', fr`Les {count}`],
  places: {
    one: ['Where this digest is', fr`Où se trouve cette empreinte`],
    other: ['Digests that begin like this', fr`Empreintes qui commencent ainsi`],
  },
  versions: ['Versions of this name', fr`Versions de ce nom`],
  signed: ['Recipes signed by this key', fr`Recettes signées par cette clé`],
  digest: ['Digest', fr`Empreinte`],
  recipe: ['recipe', fr`recette`],
  moreDigests: [
    'The first {shown} are listed: more characters find fewer.',
    fr`Les {shown} premières sont listées : plus de caractères en trouvent moins.`,
  ],
  /** Words of a question that its answer in the help does not have. */
  ofQuestions: [
    'a an the how do does did can i we to of is are was were it in on at this that what where why when who which has have my with from for',
    fr`à au un une le la les l d du de des comment où pourquoi quand que qu quoi quel quelle est ce je on puis peut faire mon ma mes avec pour non qui sur dans a ont sont ai ce cette il elle se`,
  ],
  /** Words with which a question begins. Each is understood in both languages. */
  opening: [
    'how what where why when who which is are can',
    fr`comment pourquoi où qui que quoi quel quelle quels quelles quand est peut`,
  ],
  /** Words of readers, each with the one that the help has for it. */
  ofReaders: [
    'untrusted=trusted unsigned=signature usb=medium stick=medium drive=medium upload=push',
    fr`approuvée=reconnue approuvé=reconnue fiable=reconnue usb=support disque=support charger=envoyer`,
  ],
  partOf: ['part of a version', fr`partie d’une version`],
} as const;

/** Words that ask for a state, with commas between them. Each is understood in both languages. */
export const searchedStates = {
  missing: [
    'missing, absent, no longer here',
    fr`manquante, manque, manquent, manquantes, manquant, manquants, absente, absentes, absents`,
  ],
  blocked: [
    'blocked, refused, rejected',
    fr`bloquée, bloquées, bloqué, bloqués, refusée, refusées, refusé, refusés, rejetée, rejetées, rejeté, rejetés`,
  ],
  verified: ['verified, trusted', fr`vérifiée, vérifiées, vérifié, vérifiés`],
  unverified: ['unverified, not verified', fr`non vérifiée, non vérifiées, non vérifié, non vérifiés`],
  failed: ['failed, failure', fr`échouée, échouées, échoué, échoués, en échec, échec`],
  partial: ['partial, partly', fr`partielle, partielles, partiel, partiels, en partie`],
  stalled: ['stalled, stuck, hung, hanging', fr`à l’arrêt, figée, figées, arrêtée, arrêtées`],
  running: ['running, in progress, active', fr`en cours, actives`],
  waiting: ['waiting, pending, queued', fr`en attente`],
  done: ['done, succeeded, completed, finished', fr`terminée, terminées, réussie, réussies`],
  cancelled: ['cancelled, canceled, aborted', fr`annulée, annulées`],
} as const;

/** Words that lead to a page, with commas between them. Each is understood in both languages. */
export const searchedPages = {
  accounts: [
    'account, accounts, user, users, token, tokens, revoke, withdraw, create, add, delete, remove, change, reset, password, role',
    fr`compte, comptes, utilisateur, jeton, jetons, révoquer, retirer, créer, ajouter, supprimer, changer, mot, passe, rôle`,
  ],
  network: ['network, certificate, tls, https, port', fr`réseau, certificat`],
  store: [
    'store, storage, damaged, damage, occupancy, threshold, disk usage, full, space, garbage, gc, scrub, quarantine, reset',
    fr`stockage, endommagé, endommagée, occupation, seuil, espace, plein, nettoyage, quarantaine`,
  ],
  deletions: [
    'delete, deleted, deletion, deletions, remove, removed',
    fr`supprimer, supprimé, supprimée, supprimés, suppression, suppressions, effacé, effacée`,
  ],
  denied: ['denied, forbidden, 403', fr`refusé, refusée, refusés, interdit`],
  stalled: ['stalled', fr`arrêtée, arrêtées`],
  zones: ['overdue', fr`retard, en retard`],
  zonesUnknown: ['unknown', fr`inconnu, inconnue`],
  zonesOnTheWay: ['in transit, on its way, on the way', fr`en route, en chemin`],
  zonesBehind: ['behind, another version', fr`autre version`],
  zonesCurrent: ['current, arrived', fr`à jour, arrivé, arrivée, arrivés, arrivées`],
  zonesBlocked: ['refused, rejected', fr`refusé, refusée, refusés, refusées`],
  zonesMissing: ['lost', fr`perdu, perdue, perdus, perdues`],
  arrived: ['arrived', fr`arrivé, arrivée, arrivés, arrivées`],
  onTheWay: ['in transit, on its way, on the way, awaited', fr`en route, en chemin, attendu, attendue`],
  lost: ['lost, overtaken', fr`perdu, perdue, perdus, perdues, dépassée, dépassées`],
  refused: ['refused, rejected', fr`refusé, refusée, refusés, refusées`],
  sync: [
    'prune, pruning, plan, sync, mirror, copy, pull, fetch, dry run, package pull',
    fr`élagage, élaguer, synchro, miroir, copier, tirer`,
  ],
  medium: [
    'partial, incomplete, disk, usb, stick, drive, gate, verify, verification',
    fr`partiel, partielle, incomplet, incomplète, disque, usb, clé usb, vérifier, vérification`,
  ],
  retriever: [
    'threshold, retriever, source, schedule, interval, trust, trust root, trust roots, trusted keys, signature, signatures, signatures required, scopes, substitutions, cosign, policy.json, key, keys',
    fr`seuil, source, planification, intervalle, confiance, signature, signatures, signatures exigées, clé, clés`,
  ],
  clients: [
    'connect, configure, registries.yaml, registries.conf, hosts.toml, certs.d, daemon.json, containerd, k3s, k8s, kubernetes, kubectl, docker, podman, skopeo, crane, oras, helm, apt, dnf, login, mirror, mirrors, pull, nodes, settings',
    fr`miroir, miroirs, nœud, nœuds, noeud, noeuds, configurer, connecter, configuration, connexion`,
  ],
  import: ['import, copy, pull, add', fr`importer, copier, ajouter`],
  publish: ['push, upload, apply, create', fr`publier, envoyer, pousser, créer`],
  check: ['lint, validate, pin, digest, digests, draft', fr`contrôler, valider, figer, brouillon`],
  compare: ['diff, difference, changes', fr`différence, différences, comparer`],
  tasks: [
    'task, job, jobs, run, runs, log, logs, progress, cancel',
    fr`tâche, journal, journaux, progression, annuler`,
  ],
  content: [
    'image, images, chart, charts, tag, tags, repository, repositories, artifact, artifacts, catalog, list, ls, inspect, delete, remove',
    fr`dépôt, dépôts, étiquette, étiquettes, artefact, artefacts, catalogue, supprimer`,
  ],
  filesets: ['filesets, file set, files, deb, rpm, packages, pack', fr`fichiers, paquets`],
  deliver: ['carry, bundle, ship, export, air gap, airgap, zarf', fr`transporter, livrer, exporter`],
  layout: ['layout, archive, tar, tarball, oci archive, export', fr`archive, exporter`],
  history: ['audit, audit log, who, records', fr`audit, qui, enregistrements`],
  about: ['version, build, limits, licence, license', fr`version, licence, limites`],
  api: ['api, openapi, swagger, rest, curl', fr`api`],
} as const;

import { fr } from '../language.ts';

/** Around every page: header, navigation, notices, live sections. */
export const shell = {
  skip: ['Skip to the content', fr`Aller au contenu`],
  navigation: ['Main navigation', fr`Navigation principale`],
  administration: ['Administration', fr`Administration`],
  breadcrumbs: ['Path', fr`Chemin`],
  overview: ['Overview', fr`Vue d’ensemble`],
  medium: ['Medium', fr`Support`],
  deliver: ['Deliver', fr`Livrer`],
  thisMedium: ['This medium', fr`Ce support`],
  receipts: ['Receipts', fr`Reçus`],
  proof: ['Proof', fr`Preuve`],
  recipes: ['Recipes', fr`Recettes`],
  content: ['Content', fr`Contenu`],
  tasks: ['Tasks', fr`Tâches`],
  filesets: ['File sets', fr`Jeux de fichiers`],
  clients: ['Clients', fr`Clients`],
  help: ['Help', fr`Aide`],
  accounts: ['Accounts and tokens', fr`Comptes et jetons`],
  retriever: ['Retriever', fr`Retriever`],
  network: ['Network', fr`Réseau`],
  store: ['Store', fr`Magasin`],
  layout: ['OCI layout', fr`Disposition OCI`],
  singleSignOn: ['Single sign-on', fr`Authentification unique`],
  planned: ['planned', fr`prévu`],
  search: ['Search', fr`Rechercher`],
  searchHint: ['Name, digest or code', fr`Nom, empreinte ou code`],
  language: ['Language', fr`Langue`],
  theme: ['Theme', fr`Thème`],
  auto: ['As the system', fr`Comme le système`],
  light: ['Light', fr`Clair`],
  dark: ['Dark', fr`Sombre`],
  contrast: ['High contrast', fr`Contraste élevé`],
  account: ['Account', fr`Compte`],
  anonymous: ['anonymous', fr`anonyme`],
  ownAccount: ['Your account', fr`Votre compte`],
  sessionUntil: ['Signed in until {time}', fr`Connexion jusqu’au {time}`],
  signIn: ['Sign in', fr`Se connecter`],
  signInAgain: ['Sign in again', fr`Se reconnecter`],
  signOut: ['Sign out', fr`Se déconnecter`],
  about: ['About', fr`À propos`],
  api: ['API', fr`API`],
  passthrough: ['passthrough', fr`passthrough`],
  mirror: ['mirror', fr`mirror`],
  pause: ['Pause updates', fr`Suspendre`],
  resume: ['Resume updates', fr`Reprendre`],
  noContact: ['No contact with the instance since {time}', fr`Aucun contact avec l’instance depuis {time}`],
  notices: ['Notices', fr`Avis`],
  moreNotices: {
    one: ['{count} more notice', fr`{count} autre avis`],
    other: ['{count} more notices', fr`{count} autres avis`],
  },
  draining: [
    'The instance is shutting down: it completes what is under way and accepts nothing new. These pages can be read until it has stopped.',
    fr`L’instance s’arrête : elle termine ce qui est en cours et n’accepte rien de nouveau. Ces pages restent lisibles jusqu’à son arrêt.`,
  ],
  storeAway: [
    'The folder of the store is absent or does not answer: nothing can be pulled or changed. Check that its disk is connected and mounted. If this notice stays, restart the instance.',
    fr`Le dossier du magasin est absent ou ne répond pas : rien ne peut être récupéré ni modifié. Vérifiez que son disque est branché et monté. Si cet avis demeure, redémarrez l’instance.`,
  ],
  stateAway: [
    'The folder of the state is absent or does not answer: tasks, accounts and settings cannot be changed. Check that its disk is connected and mounted. If this notice stays, restart the instance.',
    fr`Le dossier d’état est absent ou ne répond pas : les tâches, les comptes et les réglages ne peuvent être modifiés. Vérifiez que son disque est branché et monté. Si cet avis demeure, redémarrez l’instance.`,
  ],
  storeNew: [
    'The store is new and empty, although this instance wrote another one before. Check that the disk of the store is mounted.',
    fr`Le magasin est neuf et vide, alors que cette instance en écrivait un autre auparavant. Vérifiez que le disque du magasin est monté.`,
  ],
  storeForeign: [
    'The store was made by another instance and is served unverified, because no zone is set.',
    fr`Le magasin vient d’une autre instance et est servi sans vérification, car aucune zone n’est définie.`,
  ],
  storeFull: [
    'The volume of the store is nearly full: pushes are refused, synchronizations may fail.',
    fr`Le volume du magasin est presque plein : les envois sont refusés, des synchronisations peuvent échouer.`,
  ],
  stateFull: [
    'The volume of the state is nearly full: tasks may fail. Accounts and tokens can be changed.',
    fr`Le volume de l’état est presque plein : des tâches peuvent échouer. Les comptes et les jetons peuvent être modifiés.`,
  ],
  certificateEarly: [
    'The certificate of this instance is not valid yet: clients refuse the connection. Check the clock, or replace the certificate.',
    fr`Le certificat de cette instance n’est pas encore valable : les clients refusent la connexion. Vérifiez l’horloge, ou remplacez le certificat.`,
  ],
  certificateExpired: [
    'The certificate of this instance has expired: clients refuse the connection. Replace it.',
    fr`Le certificat de cette instance a expiré : les clients refusent la connexion. Remplacez-le.`,
  ],
  showCertificate: ['Show the certificate', fr`Afficher le certificat`],
  linkDamaged: [
    'A cap or windows that an administrator set cannot be read: the configuration holds in their place. Set them again.',
    fr`Un plafond ou des fenêtres définis par un administrateur sont illisibles : la configuration s’applique à leur place. Définissez-les à nouveau.`,
  ],
  showLink: ['Show the link to other hosts', fr`Afficher la liaison avec les autres hôtes`],
  authDisabled: [
    'Authentication is disabled: every request has the rights of an administrator.',
    fr`L’authentification est désactivée : toute requête a les droits d’un administrateur.`,
  ],
  occupancyExceeded: [
    'The store exceeds its threshold: {used:size} of {threshold:size}.',
    fr`Le magasin dépasse son seuil : {used:size} sur {threshold:size}.`,
  ],
  filesetsUnserved: [
    'File sets that are configured and cannot be served: {names}.',
    fr`Jeux de fichiers configurés qui ne peuvent pas être servis : {names}.`,
  ],
  anonymousFilesets: [
    'File sets readable without credentials: {names}.',
    fr`Jeux de fichiers lisibles sans identifiants : {names}.`,
  ],
  relaxedScopes: [
    'Trust scopes with relaxed rules: {names}.',
    fr`Périmètres de confiance aux règles assouplies : {names}.`,
  ],
  gateClosed: [
    'No content is served: the medium has not been verified yet.',
    fr`Aucun contenu n’est servi : le support n’a pas encore été vérifié.`,
  ],
  gateRefused: [
    'No content is served: the last verification refused the medium.',
    fr`Aucun contenu n’est servi : la dernière vérification a refusé le support.`,
  ],
  recipesLowered: [
    'A source offers a lower version than is here: {names}.',
    fr`Une source propose une version inférieure à la version présente : {names}.`,
  ],
  showOverview: ['Show what is wanted', fr`Voir ce qui est demandé`],
  gateReplaced: [
    'No content is served: the medium was replaced or changed. It is opened and verified when it no longer changes.',
    fr`Aucun contenu n’est servi : le support a été remplacé ou modifié. Il est ouvert et vérifié dès qu’il ne change plus.`,
  ],
  recipesBlocked: {
    one: [
      '{count} recipe of the medium did not pass its verification and is withheld.',
      fr`{count} recette du support n’a pas passé la vérification et est retenue.`,
    ],
    other: [
      '{count} recipes of the medium did not pass its verification and are withheld.',
      fr`{count} recettes du support n’ont pas passé la vérification et sont retenues.`,
    ],
  },
  readOnly: [
    'The store is read-only: changes are refused.',
    fr`Le magasin est en lecture seule : les modifications sont refusées.`,
  ],
  preflightDisabled: [
    'The pre-flight check is disabled: a lack of space is reported, not refused.',
    fr`Le contrôle préalable est désactivé : un manque d’espace est signalé, non refusé.`,
  ],
  showVerification: ['Show the verification', fr`Afficher la vérification`],
  showOccupancy: ['Show what fills the store', fr`Afficher ce qui remplit le magasin`],
  asOf: ['What follows is as of {time}', fr`Ce qui suit est l’état au {time}`],
  resultGone: [
    'This result is not kept any more. Ask for it again below.',
    fr`Ce résultat n’est plus conservé. Demandez-le à nouveau ci-dessous.`,
  ],
} as const;

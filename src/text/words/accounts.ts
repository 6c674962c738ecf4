import type { Sentence } from '../language.ts';
import { fr } from '../language.ts';

/** Actors of records that are words of the program. */
export const actorWords = {
  system: ['system', fr`système`],
  schedule: ['schedule', fr`planification`],
  unauthenticated: ['not signed in', fr`non connecté`],
  anonymous: ['anonymous', fr`anonyme`],
} as const satisfies Readonly<Record<string, Sentence>>;

/** The roles as a page names them. */
export const roleWords = {
  admin: ['admin', fr`administrateur`],
  operator: ['operator', fr`opérateur`],
  viewer: ['viewer', fr`lecteur`],
} as const;

/** The pages below `/admin/accounts`. */
export const accounts = {
  title: ['Accounts and tokens', fr`Comptes et jetons`],
  lead: [
    'Accounts are for people, tokens for machines. Both have one of three roles.',
    fr`Les comptes sont pour les personnes, les jetons pour les machines. Les deux ont l’un de trois rôles.`,
  ],
  accounts: ['Accounts', fr`Comptes`],
  name: ['Name', fr`Nom`],
  role: ['Role', fr`Rôle`],
  created: ['Created', fr`Création`],
  createdBy: ['Created by', fr`Créé par`],
  lastLogin: ['Last sign-in', fr`Dernière connexion`],
  lastUsed: ['Last used', fr`Dernière utilisation`],
  never: ['never', fr`jamais`],
  you: ['you', fr`vous`],
  noAccounts: [
    'There is no account yet. The first one is an administrator.',
    fr`Il n’y a pas encore de compte. Le premier est administrateur.`,
  ],
  newAccount: ['New account', fr`Nouveau compte`],
  nameHint: [
    'Up to 64 letters, digits, and . _ @ -; it begins with a letter or a digit.',
    fr`Jusqu’à 64 lettres, chiffres et . _ @ - ; il commence par une lettre ou un chiffre.`,
  ],
  password: ['Password', fr`Mot de passe`],
  passwordHint: ['At least {least} characters.', fr`Au moins {least} caractères.`],
  create: ['Create the account', fr`Créer le compte`],
  accountOf: ['Account {name}', fr`Compte {name}`],
  changeRole: ['Change the role', fr`Changer le rôle`],
  roleLine: [
    'A change of the role or the password ends the sessions of this account.',
    fr`Un changement du rôle ou du mot de passe met fin aux sessions de ce compte.`,
  ],
  newPassword: ['New password', fr`Nouveau mot de passe`],
  setPassword: ['Set the password', fr`Définir le mot de passe`],
  remove: ['Delete this account', fr`Supprimer ce compte`],
  removeTitle: ['Delete the account {name}', fr`Supprimer le compte {name}`],
  goes: [
    'The account is deleted and its sessions end at once.',
    fr`Le compte est supprimé et ses sessions se terminent aussitôt.`,
  ],
  stays: [
    'The work of the account stays: its tasks, and its name in the audit records.',
    fr`Ce que le compte a lancé reste : ses tâches, et son nom dans les enregistrements d’audit.`,
  ],
  removeSubmit: ['Delete the account', fr`Supprimer le compte`],
  cancel: ['Back without a change', fr`Retour sans changement`],
  tokens: ['Tokens', fr`Jetons`],
  state: ['State', fr`État`],
  valid: ['valid', fr`valable`],
  revokedAt: ['revoked {time}', fr`révoqué {time}`],
  revoke: ['Revoke', fr`Révoquer`],
  revokeNamed: ['Revoke the token {name}', fr`Révoquer le jeton {name}`],
  tokenNamed: ['Token {name}', fr`Jeton {name}`],
  revokeGoes: [
    'The token is refused from now on. This cannot be undone.',
    fr`Le jeton est refusé désormais. Cela ne peut pas être annulé.`,
  ],
  revokeStays: [
    'Its name stays in this list and cannot be used again.',
    fr`Son nom reste dans cette liste et ne peut pas être réutilisé.`,
  ],
  revokeSubmit: ['Revoke the token', fr`Révoquer le jeton`],
  noTokens: [
    'There is no token yet. Create one for each machine that uses this instance.',
    fr`Il n’y a pas encore de jeton. Créez-en un pour chaque machine qui utilise cette instance.`,
  ],
  newToken: ['New token', fr`Nouveau jeton`],
  createToken: ['Create the token', fr`Créer le jeton`],
  tokenHint: [
    'Name the machine or the pipeline that uses it.',
    fr`Nommez la machine ou la chaîne qui l’utilise.`,
  ],
  createdTitle: ['Token {name}', fr`Jeton {name}`],
  once: [
    'This is the only page that shows the secret, and for one minute only. Copy it now.',
    fr`Cette page est la seule à afficher le secret, et pendant une minute seulement. Copiez-le maintenant.`,
  ],
  secretGone: [
    'The secret was shown once and is not kept. If it was not copied, revoke the token and create another one.',
    fr`Le secret a été affiché une fois et n’est pas conservé. S’il n’a pas été copié, révoquez le jeton et créez-en un autre.`,
  ],
  secret: ['Secret', fr`Secret`],
  login: ['Sign in with it', fr`S’en servir pour se connecter`],
  loginLine: [
    'Registry clients take it as the password of any user name. The lines read it from the file token: umask 077; cat > token, paste it, then Enter and Ctrl+D.',
    fr`Les clients de registre le prennent comme mot de passe de n’importe quel nom. Les lignes le lisent dans le fichier token : umask 077; cat > token, collez-le, puis Entrée et Ctrl+D.`,
  ],
  done: ['Done', fr`Terminé`],
} as const;

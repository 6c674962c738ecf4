import type { CommandHelp } from './command-help.ts';

/** French help of the commands for accounts and tokens. */
export const accessFr: Readonly<Record<string, CommandHelp>> = {
  'user add': {
    details: [
      'Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le premier compte est toujours administrateur ; les suivants ont le rôle viewer, sauf si --role est donné. Le mot de passe est saisi deux fois sur le terminal, ou lu sur la première ligne de l’entrée standard avec --password-stdin, ou d’un fichier avec --password-file.',
      'Avec --first, rien n’est lu ni modifié s’il existe un compte, et le code de sortie est 0 : ce qui prépare une machine ou un pod peut lancer la commande à chaque démarrage.',
    ],
    flags: {
      '--role': 'rôle du compte (viewer ; le premier compte est toujours admin)',
      '--password-stdin': 'lit le mot de passe sur la première ligne de l’entrée standard',
      '--password-file': 'lit le mot de passe sur la première ligne de ce fichier',
      '--first': 'ne crée le compte que s’il n’en existe aucun',
    },
    examples: ['Créer un opérateur sans terminal', 'Créer le premier compte d’un pod avec un secret monté'],
  },
  'user list': {
    details: ['Lit directement le dossier d’état, même pendant qu’une instance tourne.'],
    flags: {},
    examples: ['Lister les comptes'],
  },
  'user passwd': {
    details: [
      'Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le nouveau mot de passe vaut dès la requête suivante et met fin aux sessions du compte. Le mot de passe est saisi deux fois sur le terminal, ou lu sur la première ligne de l’entrée standard avec --password-stdin.',
    ],
    flags: { '--password-stdin': 'lit le mot de passe sur la première ligne de l’entrée standard' },
    examples: ['Avec un dialogue', 'Définir le mot de passe sans terminal'],
  },
  'user role': {
    details: [
      'Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le nouveau rôle vaut dès la requête suivante. Rôles : viewer consulte, operator transfère aussi, admin administre aussi. Le dernier administrateur garde son rôle.',
    ],
    flags: {},
    examples: ['Faire d’un compte un opérateur'],
  },
  'user remove': {
    details: [
      'Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le compte ne peut plus se connecter et ses sessions prennent fin à la requête suivante. Le dernier administrateur ne peut pas être supprimé. Les enregistrements d’audit gardent le nom.',
    ],
    flags: {},
    examples: ['Supprimer un compte'],
  },
  'token create': {
    details: [
      'Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le secret du jeton est affiché une fois, sur la sortie standard : il n’est conservé nulle part. Un programme l’envoie comme jeton porteur, comme mot de passe d’un nom d’utilisateur quelconque, ou à svc par SVC_API_TOKEN. Le nom d’un jeton sert une seule fois ; un jeton révoqué le garde.',
    ],
    flags: { '--role': 'rôle du jeton (viewer)' },
    examples: ['Un jeton qui peut seulement lire', 'Un jeton qui lance des synchronisations'],
  },
  'token list': {
    details: [
      'Lit directement le dossier d’état, même pendant qu’une instance tourne. Les jetons révoqués sont listés aussi ; les secrets ne sont conservés nulle part.',
    ],
    flags: {},
    examples: ['Lister les jetons'],
  },
  'token revoke': {
    details: [
      'Écrit directement dans le dossier d’état, même pendant qu’une instance tourne : le jeton est refusé dès la requête suivante. Un jeton révoqué ne redevient jamais valide. Le révoquer deux fois n’est pas une erreur.',
    ],
    flags: {},
    examples: ['Révoquer un jeton'],
  },
};

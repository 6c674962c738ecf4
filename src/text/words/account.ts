import { fr } from '../language.ts';

/** The page `/account`. */
export const account = {
  title: ['Your account', fr`Votre compte`],
  name: ['Name', fr`Nom`],
  role: ['Role', fr`Rôle`],
  session: ['Session', fr`Session`],
  sessionUntil: ['until {time}', fr`jusqu’au {time}`],
  password: ['Change the password', fr`Changer le mot de passe`],
  passwordLead: [
    'Changing it ends every session of this account: you then sign in with the new one.',
    fr`Le changer met fin à toutes les sessions de ce compte : vous vous reconnectez ensuite avec le nouveau.`,
  ],
  current: ['Current password', fr`Mot de passe actuel`],
  new: ['New password', fr`Nouveau mot de passe`],
  newHint: ['At least {least} characters.', fr`Au moins {least} caractères.`],
  submit: ['Change the password', fr`Changer le mot de passe`],
  noPassword: [
    'Only an account that signed in with a password can change it here.',
    fr`Seul un compte connecté par mot de passe peut le changer ici.`,
  ],
  roles: ['Rights of the role', fr`Ce que permet le rôle`],
  viewer: [
    'Read content, tasks and recipes; pull from the registry; change the own password',
    fr`Lire le contenu, les tâches et les recettes ; récupérer depuis le registre ; changer son mot de passe`,
  ],
  operator: [
    'Also import, synchronize, publish recipes, verify media and push to the registry',
    fr`Aussi importer, synchroniser, publier des recettes, vérifier les supports et envoyer vers le registre`,
  ],
  admin: [
    'Also manage accounts, tokens, content and the configuration of the instance',
    fr`Aussi gérer les comptes, les jetons, le contenu et la configuration de l’instance`,
  ],
} as const;

import { fr } from '../language.ts';

/** The page `/login`. */
export const login = {
  title: ['Sign in', fr`Connexion`],
  lead: [
    'Use an account of this instance of svc. An administrator of it can set a forgotten password again.',
    fr`Utilisez un compte de cette instance de svc. Un de ses administrateurs peut redéfinir un mot de passe oublié.`,
  ],
  name: ['Name', fr`Nom`],
  password: ['Password', fr`Mot de passe`],
  submit: ['Sign in', fr`Se connecter`],
  short: [
    'Your password has fewer than the {least} characters that a new one needs. Change it under Account.',
    fr`Votre mot de passe a moins de {least} caractères, le minimum exigé d’un nouveau. Changez-le sous Compte.`,
  ],
  wrong: ['The name or the password is wrong.', fr`Le nom ou le mot de passe est incorrect.`],
  wrongAction: [
    'Enter both again. A lost password can be set again by an administrator, or on the machine: svc user passwd <name>. Tokens are for programs and cannot sign in here.',
    fr`Saisissez-les à nouveau. Un mot de passe perdu peut être redéfini par un administrateur, ou sur la machine : svc user passwd <nom>. Les jetons sont pour les programmes et ne permettent pas de se connecter ici.`,
  ],
  ended: ['Your session has ended.', fr`Votre session est terminée.`],
  endedCause: [
    'It expired, the instance was restarted, or your password or role was changed.',
    fr`Elle a expiré, l’instance a été redémarrée, ou votre mot de passe ou votre rôle a été modifié.`,
  ],
  changed: [
    'The password was changed. Sign in with the new one.',
    fr`Le mot de passe a été changé. Connectez-vous avec le nouveau.`,
  ],
  kept: [
    'Your session has ended. Sign in: the form then appears again with your input. Nothing has been sent.',
    fr`Votre session est terminée. Connectez-vous : le formulaire est ensuite réaffiché avec votre saisie. Rien n’a été envoyé.`,
  ],
  disabled: [
    'Authentication is disabled on this instance. There is nothing to sign in to.',
    fr`L’authentification est désactivée sur cette instance. Il n’y a pas de connexion à établir.`,
  ],
  continue: ['Continue', fr`Continuer`],
} as const;

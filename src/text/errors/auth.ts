import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of accounts, tokens and sessions. */
export const authErrors = {
  'SVC-AUTH-001': {
    class: 'policy',
    status: 500,
    params: { 'detail?': 'text', 'at?': 'name', 'hint?': 'rule' },
    what: [
      'The instance does not start: authentication is on, and no account could sign in[ ({detail})].',
      fr`L’instance ne démarre pas : l’authentification est active et aucun compte ne pourrait se connecter[ ({detail})].`,
    ],
    cause: [
      'No account has been created yet, or no state folder (state.root) is configured to hold the accounts.',
      fr`Aucun compte n’a encore été créé, ou aucun dossier d’état (state.root) n’est configuré pour conserver les comptes.`,
    ],
    action: [
      '[Create the first administrator with: svc user add <name> {at}.|Set state.root (--state-root), then create the first administrator with: svc user add <name>; or run svc quickstart.] By default an instance without accounts does not start.[ {hint}]',
      fr`[Créez le premier administrateur avec : svc user add <nom> {at}.|Définissez state.root (--state-root), puis créez le premier administrateur avec : svc user add <nom> ; ou lancez svc quickstart.] Par défaut, une instance sans compte ne démarre pas.[ {hint}]`,
    ],
  },
  'SVC-AUTH-002': {
    class: 'failure',
    status: 401,
    params: { 'session?': 'name', 'fileset?': 'name' },
    what: [
      'The request carries no credential that this instance accepts[{session=refused} for it: the session of a browser is not enough].',
      fr`La requête ne porte aucun identifiant accepté par cette instance[{session=refused} pour elle : la session d’un navigateur ne suffit pas].`,
    ],
    cause: [
      '[{fileset} is no FileSet that is readable without a credential, or its name is mistyped: a client without a credential is not told which. ][{session=refused}The cookie of a session is accepted by the web interface, and for reading through the API. Any other request needs a credential that no browser sends by itself, so that another site cannot cause it.][{session!}No user name and password or token was sent, the password is wrong, the token is mistyped or cut, or the account or token has been removed or revoked.]',
      fr`[{fileset} n’est pas un FileSet lisible sans identifiant, ou son nom est mal saisi : un client sans identifiant n’apprend pas lequel des deux. ][{session=refused}Le cookie d’une session est accepté par l’interface web, et pour lire par l’API. Toute autre requête demande un identifiant qu’aucun navigateur n’envoie de lui-même, pour qu’un autre site ne puisse pas la provoquer.][{session!}Aucun mot de passe ni jeton n’a été envoyé, le mot de passe est faux, le jeton est mal saisi ou tronqué, ou le compte ou le jeton a été supprimé ou révoqué.]`,
    ],
    action: [
      '[Check the name {fileset} in the address. For a FileSet that needs a credential, apt reads it from /etc/apt/auth.conf.d and dnf from the repo file. ][{session=refused}Send the header Authorization with a user name and password (Basic) or a token (Bearer); signing in again does not help.][{session!}At the command line, check the token: the file of --token-file, or SVC_API_TOKEN (new: svc token create NAME --role ROLE). In a browser, sign in again.]',
      fr`[Vérifiez le nom {fileset} dans l’adresse. Pour un FileSet qui demande un identifiant, apt le lit dans /etc/apt/auth.conf.d et dnf dans le fichier repo. ][{session=refused}Envoyez l’en-tête Authorization avec un nom et un mot de passe (Basic) ou un jeton (Bearer) ; se reconnecter n’y change rien.][{session!}En ligne de commande, vérifiez le jeton : le fichier de --token-file, ou SVC_API_TOKEN (nouveau : svc token create NOM --role RÔLE). Dans un navigateur, reconnectez-vous.]`,
    ],
  },
  'SVC-AUTH-003': {
    class: 'policy',
    status: 403,
    params: { role: 'name' },
    what: [
      'The role of this account or token does not allow the request: it needs {role}.',
      fr`Le rôle de ce compte ou de ce jeton ne permet pas la requête : il faut {role}.`,
    ],
    cause: [
      'Roles are viewer, operator and admin; each includes the permissions of the roles before it.',
      fr`Les rôles sont viewer, operator et admin ; chacun comprend les droits des précédents.`,
    ],
    action: [
      'Use an account or token with the role {role}, or ask an administrator to grant it.',
      fr`Utilisez un compte ou un jeton de rôle {role}, ou demandez ce rôle à un administrateur.`,
    ],
  },
  'SVC-AUTH-004': {
    class: 'failure',
    status: 403,
    params: {},
    what: [
      'The request was refused because its origin could not be established.',
      fr`La requête a été refusée, car son origine n’a pas pu être établie.`,
    ],
    cause: [
      'The form is older than the session, the page was opened in another window before signing in, or another site sent the request.',
      fr`Le formulaire est plus ancien que la session, la page a été ouverte avant la connexion, ou un autre site a envoyé la requête.`,
    ],
    action: [
      'Reload the page and try again from there. Programs should send a Bearer token, or Basic credentials without Origin and Sec-Fetch-Site headers.',
      fr`Rechargez la page et recommencez. Un programme doit envoyer un jeton Bearer, ou des identifiants Basic sans en-têtes Origin ni Sec-Fetch-Site.`,
    ],
  },
  'SVC-AUTH-005': {
    class: 'failure',
    status: 401,
    params: {},
    what: ['The session has ended.', fr`La session est terminée.`],
    cause: [
      'The session expired, the instance was restarted, or the password or role of the account has changed.',
      fr`La session a expiré, l’instance a redémarré, ou le mot de passe ou le rôle du compte a changé.`,
    ],
    action: ['Sign in again.', fr`Reconnectez-vous.`],
  },
  'SVC-AUTH-006': {
    class: 'failure',
    status: 422,
    params: {},
    what: [
      'The current password is wrong; nothing was changed.',
      fr`Le mot de passe actuel est faux ; rien n’a été modifié.`,
    ],
    cause: [
      'The password was mistyped, or was changed in the meantime.',
      fr`Le mot de passe a été mal saisi, ou changé entre-temps.`,
    ],
    action: [
      'Enter the current password again. If the password is lost, an administrator can set a new one: svc user passwd <name>.',
      fr`Saisissez-le de nouveau. S’il est perdu, un administrateur peut en définir un autre : svc user passwd <nom>.`,
    ],
  },
  'SVC-AUTH-007': {
    class: 'failure',
    status: 422,
    params: { 'rule?': 'rule', 'least?': 'name' },
    what: [
      'The new password is not acceptable[: {rule}].',
      fr`Le nouveau mot de passe n’est pas acceptable[ : {rule}].`,
    ],
    cause: [
      'A new password has at least [{least} characters|12 characters, or as many as auth.passwordMinLength says], at most 1024 bytes, no control characters, and does not start with svc_.',
      fr`Un nouveau mot de passe compte au moins [{least} caractères|12 caractères, ou le nombre fixé par auth.passwordMinLength], et au plus 1024 octets, sans caractère de contrôle ; il ne commence pas par svc_.`,
    ],
    action: ['Choose another password.', fr`Choisissez un autre mot de passe.`],
  },
  'SVC-AUTH-008': {
    class: 'failure',
    status: 422,
    params: { rule: 'rule' },
    what: [
      'The account or token cannot be created or changed: {rule}.',
      fr`Le compte ou le jeton ne peut pas être créé ou modifié : {rule}.`,
    ],
    cause: [
      'The name or the role is not valid, or another name differs from it only in case.',
      fr`Le nom ou le rôle n’est pas valide, ou un autre nom n’en diffère que par les majuscules et minuscules.`,
    ],
    action: [
      'Names have 1 to 64 letters, digits, . _ @ or -; roles are viewer, operator and admin.',
      fr`Un nom compte de 1 à 64 lettres, chiffres, . _ @ ou - ; les rôles sont viewer, operator et admin.`,
    ],
  },
  'SVC-AUTH-009': {
    class: 'failure',
    status: 409,
    params: { name: 'name' },
    what: ['The name {name} is taken.', fr`Le nom {name} est déjà pris.`],
    cause: [
      'An account or a token has this name already; a revoked token keeps its name.',
      fr`Un compte ou un jeton porte déjà ce nom ; un jeton révoqué garde le sien.`,
    ],
    action: [
      'Choose another name. To replace a token, create the new one under another name, then revoke the old one.',
      fr`Choisissez un autre nom. Pour remplacer un jeton, créez le nouveau sous un autre nom, puis révoquez l’ancien.`,
    ],
  },
  'SVC-AUTH-010': {
    class: 'failure',
    status: 404,
    params: { name: 'name' },
    what: ['There is no account or token named {name}.', fr`Il n’existe ni compte ni jeton nommé {name}.`],
    cause: [
      'The name is mistyped, or the account or token has been deleted.',
      fr`Le nom est mal saisi, ou le compte ou le jeton a été supprimé.`,
    ],
    action: [
      'List the accounts and tokens: svc user list, svc token list, GET /api/v1/accounts or GET /api/v1/tokens.',
      fr`Affichez les comptes et les jetons : svc user list, svc token list, GET /api/v1/accounts ou GET /api/v1/tokens.`,
    ],
  },
  'SVC-AUTH-011': {
    class: 'policy',
    status: 409,
    params: { name: 'name' },
    what: [
      '{name} is the last administrator and cannot be removed or demoted.',
      fr`{name} est le dernier administrateur et ne peut être ni supprimé ni rétrogradé.`,
    ],
    cause: [
      'Accounts, tokens and content can only be managed by an administrator.',
      fr`Seul un administrateur peut gérer les comptes, les jetons et le contenu.`,
    ],
    action: [
      'Make another account administrator first, then delete or demote {name}.',
      fr`Donnez d’abord le rôle admin à un autre compte, puis supprimez ou rétrogradez {name}.`,
    ],
  },
  'SVC-AUTH-012': {
    class: 'failure',
    status: 429,
    params: { retryAfterSeconds: 'name' },
    what: [
      'Too many failed sign-ins from this address; passwords and invalid tokens are refused for another {retryAfterSeconds} seconds.',
      fr`Trop d’échecs de connexion depuis cette adresse ; les mots de passe et les jetons non valides sont refusés pendant encore {retryAfterSeconds} secondes.`,
    ],
    cause: [
      'A client keeps sending a wrong password or token, often a job or a registry login with an old password.',
      fr`Un client envoie sans cesse un mauvais mot de passe ou jeton, souvent une tâche automatique ou un client de registre resté sur l’ancien.`,
    ],
    action: [
      'Find and correct that client (the audit log names the address), then wait {retryAfterSeconds} seconds. Valid API tokens still work meanwhile.',
      fr`Trouvez et corrigez ce client (le journal d’audit donne l’adresse), puis attendez {retryAfterSeconds} secondes. Les jetons valides fonctionnent entre-temps.`,
    ],
  },
} as const satisfies Family;

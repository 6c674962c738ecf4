import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of the configuration. */
export const cfgErrors = {
  'SVC-CFG-001': {
    class: 'failure',
    status: 409,
    params: { setting: 'text', 'detail?': 'text', 'problem?': 'name', 'hint?': 'rule' },
    what: [
      '[{setting} {detail}|Invalid configuration: {setting}].',
      fr`[{setting} {detail}|Configuration non valide : {setting}].`,
    ],
    cause: [
      '[{problem=address}Another instance or program listens at this address, or the address cannot be used on this machine.|A setting is missing, malformed, unknown, or contradicts another one.]',
      fr`[{problem=address}Une autre instance ou un autre programme écoute à cette adresse, ou l’adresse n’est pas utilisable sur cette machine.|Un réglage manque, est mal formé, inconnu, ou en contredit un autre.]`,
    ],
    action: [
      '[{problem=address}Stop the program that uses it (ss -ltnp shows it), or choose another address: server.addr (--server-addr).|Correct the flag, the SVC_ variable or the configuration file. svc config dump prints all settings that it can read, and then the errors that remain.][ {hint}]',
      fr`[{problem=address}Arrêtez le programme qui l’utilise (ss -ltnp l’affiche), ou choisissez une autre adresse : server.addr (--server-addr).|Corrigez l’option, la variable SVC_ ou le fichier de configuration. svc config dump affiche tous les réglages qu’il peut lire, puis les erreurs qui restent.][ {hint}]`,
    ],
  },
  'SVC-CFG-002': {
    class: 'policy',
    status: 500,
    params: { path: 'name', root: 'name' },
    what: [
      'A file with a key or a password lies inside the store: {path} is below {root}.',
      fr`Un fichier de clé ou de mot de passe se trouve dans le stockage : {path} est sous {root}.`,
    ],
    cause: [
      'A store can be carried on a medium together with every file in it; a key found on a medium must never become a trust root.',
      fr`Un stockage peut être transporté sur un support avec tous ses fichiers ; une clé trouvée sur un support ne doit jamais décider de la confiance.`,
    ],
    action: [
      'Move {path} out of {root}, and correct the setting that names it. Replace a private key, a password or a token if the store has already travelled; a public key can stay in use.',
      fr`Déplacez {path} hors de {root}, et corrigez le réglage qui le désigne. Remplacez une clé privée, un mot de passe ou un jeton si le stockage a déjà voyagé ; une clé publique peut rester en service.`,
    ],
  },
} as const satisfies Family;

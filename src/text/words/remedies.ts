import { fr } from '../language.ts';

/** Remedies for errors on a page, where a command or a program would do something else. */
export const remedies = {
  noZone: [
    'This instance has no zone, so that it takes no medium.',
    fr`Cette instance n’a pas de zone : elle ne prend aucun support.`,
  ],
  noZoneCause: [
    'The setting zone says which media are meant for an instance. It has no value here.',
    fr`Le réglage zone dit quels supports sont destinés à une instance. Il n’a pas de valeur ici.`,
  ],
  setZone: [
    'Set the zone in the configuration, and start the instance again.',
    fr`Indiquez la zone dans la configuration, et redémarrez l’instance.`,
  ],
  setting: ['Line of the configuration', fr`Ligne de la configuration`],
  acceptKey: ['Check the key', fr`Vérifier la clé`],
  zoneMismatch: [
    'Get the medium of this zone. If this one is meant for it, an administrator can waive the zone guard on the page of the medium: signatures are still checked.',
    fr`Procurez-vous le support de cette zone. Si celui-ci lui est destiné, un administrateur peut déroger au contrôle de la zone sur la page du support : les signatures restent contrôlées.`,
  ],
  stale: [
    'Get the newest medium. If going back is intended, an administrator can waive the freshness guard on the page of the medium: signatures are still checked.',
    fr`Procurez-vous le support le plus récent. Si le retour en arrière est voulu, un administrateur peut déroger au contrôle de fraîcheur sur la page du support : les signatures restent contrôlées.`,
  ],
  ledgerName: [
    'Look for the name in the history, and give it as it is written there. A ledger has lines from the time on when custody.enabled was set.',
    fr`Cherchez le nom dans l’historique, et donnez-le tel qu’il y est écrit. Un journal de garde a des lignes à partir du moment où custody.enabled a été défini.`,
  ],
  overwrite: [
    'Choose another path, or tick the box that replaces an earlier layout; nothing else is replaced.',
    fr`Choisissez un autre chemin, ou cochez la case qui remplace une disposition antérieure ; rien d’autre n’est remplacé.`,
  ],
  unknownPage: [
    'Check the address, or begin at the overview.',
    fr`Vérifiez l’adresse, ou partez de la vue d’ensemble.`,
  ],
  unknownPageCause: [
    'The address is mistyped, or the page has moved.',
    fr`L’adresse est mal saisie, ou la page a changé de place.`,
  ],
  unknownFileset: [
    'Look for the name on the page of file sets.',
    fr`Cherchez le nom sur la page des jeux de fichiers.`,
  ],
  unknownContent: ['Look for the name on the page of content.', fr`Cherchez le nom sur la page du contenu.`],
  unknownName: [
    'Correct the address, or choose from the list:',
    fr`Corrigez l’adresse, ou choisissez dans la liste :`,
  ],
  recordsClosed: [
    'Ask an administrator for the role {role}, or for auth.historyRole: this setting opens the history, evidence, deliveries, receipts and the report of a medium to a lower role, for reading only.',
    fr`Demandez à un administrateur le rôle {role}, ou le réglage auth.historyRole : il ouvre l’historique, les preuves, les livraisons, les reçus et le rapport d’un support à un rôle moindre, en lecture seule.`,
  ],
  confirmation: [
    'Type the word RESET, in capitals, and send the form again.',
    fr`Tapez le mot RESET, en majuscules, et envoyez à nouveau le formulaire.`,
  ],
} as const;

import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of custody ledgers. */
export const cusErrors = {
  'SVC-CUS-001': {
    class: 'verification',
    status: 422,
    params: { path: 'name', 'line?': 'name', rule: 'rule' },
    what: [
      'The custody ledger {path} is broken[ at line {line}]: {rule}.',
      fr`Le journal de garde {path} est rompu[ à la ligne {line}] : {rule}.`,
    ],
    cause: [
      'A line was changed, removed or added by hand, the end of the ledger was cut, or the disk returned other bytes.',
      fr`Une ligne a été modifiée, retirée ou ajoutée à la main, la fin du journal de garde a été coupée, ou le disque a renvoyé d’autres octets.`,
    ],
    action: [
      'Find out who could write the file, and compare it with a backup and with the lines on delivered media. An own ledger that is broken at its end stops deliveries and imports: move its folder away, keep it for auditors, and a new ledger begins.',
      fr`Cherchez qui a pu écrire le fichier, et comparez-le avec une sauvegarde et avec les lignes des supports livrés. Le journal de garde de ce site, rompu à sa fin, arrête les livraisons et les imports : déplacez son dossier, gardez-le pour les auditeurs, et un nouveau journal de garde commence.`,
    ],
  },
  'SVC-CUS-002': {
    class: 'failure',
    status: 404,
    params: { 'since?': 'name', 'recipe?': 'name', 'delivery?': 'name', 'problem?': 'name' },
    what: [
      'The custody ledger of this site has no line[ since {since}][ about recipe {recipe}][ about delivery {delivery}].',
      fr`Le journal de garde de ce site n’a aucune ligne[ depuis le {since}][ sur la recette {recipe}][ sur la livraison {delivery}].`,
    ],
    cause: [
      '[{problem=off}Custody is off: custody.enabled is false.][{problem=since}Nothing was recorded from then on, or custody.enabled was false.][{problem=name}The name is written differently in the ledger, the ledger began later, or custody.enabled was false at that time.]',
      fr`[{problem=off}Le journal de garde est désactivé : custody.enabled vaut false.][{problem=since}Rien n’a été inscrit depuis, ou custody.enabled valait false.][{problem=name}Le nom est écrit autrement dans le journal de garde, celui-ci a commencé plus tard, ou custody.enabled valait false à ce moment.]`,
    ],
    action: [
      '[{problem=off}Set custody.enabled, and custody.site where there is no zone.][{problem=since}Give an earlier time.][{problem=name}Look for the name with svc history, and run the command again with it.] A ledger has lines from the time on when custody.enabled was set.',
      fr`[{problem=off}Définissez custody.enabled, et custody.site s’il n’y a pas de zone.][{problem=since}Indiquez une date antérieure.][{problem=name}Cherchez le nom avec svc history, puis relancez la commande avec lui.] Un journal de garde a des lignes à partir du moment où custody.enabled a été défini.`,
    ],
  },
  'SVC-CUS-003': {
    class: 'verification',
    status: 422,
    params: { path: 'name', rule: 'rule' },
    what: [
      'The evidence pack does not hold: {path} - {rule}.',
      fr`Le dossier de preuves n’est pas valide : {path} - {rule}.`,
    ],
    cause: [
      'A file of the pack was changed, removed or added after it was made, or it was signed with another key than those given, or with one that is given in another role.',
      fr`Un fichier du dossier a été modifié, retiré ou ajouté après sa création, ou il a été signé avec une autre clé que celles indiquées, ou avec une clé indiquée dans un autre rôle.`,
    ],
    action: [
      'Give the public key of each signer as you received it on another way: --key SITE=FILE for a site, --key FILE for recipes, --approver FILE for approvals. Ask the site that made the pack for another copy, and compare both.',
      fr`Indiquez la clé publique de chaque signataire telle que reçue par une autre voie : --key SITE=FICHIER pour un site, --key FICHIER pour les recettes, --approver FICHIER pour les approbations. Demandez une autre copie au site qui a créé le dossier, et comparez les deux.`,
    ],
  },
  'SVC-CUS-004': {
    class: 'failure',
    status: 413,
    params: { rule: 'rule' },
    what: [
      'The evidence pack would be too large: {rule}.',
      fr`Le dossier de preuves serait trop grand : {rule}.`,
    ],
    cause: [
      'The delivery, the recipe or the time has more events or receipts than a pack can show, or the ledger itself is larger.',
      fr`La livraison, la recette ou la période a plus d’événements ou de reçus qu’un dossier ne peut en montrer, ou le journal de garde lui-même est plus grand.`,
    ],
    action: [
      'Pack one version of the recipe, one delivery, or a later time. Give auditors a copy of the ledger itself where they need all of it.',
      fr`Demandez une seule version de la recette, une seule livraison, ou une période plus courte. Donnez aux auditeurs une copie du journal de garde lui-même s’il leur faut tout.`,
    ],
  },
  'SVC-CUS-005': {
    class: 'verification',
    status: 422,
    params: { site: 'name', rule: 'rule' },
    what: [
      'Two statements about the custody ledger of site {site} contradict each other: {rule}.',
      fr`Deux déclarations sur le journal de garde du site {site} se contredisent : {rule}.`,
    ],
    cause: [
      'The site wrote lines of its ledger anew, restored it from a backup, or began a new one under the same name.',
      fr`Le site a réécrit des lignes de son journal de garde, l’a restauré depuis une sauvegarde, ou en a commencé un nouveau sous le même nom.`,
    ],
    action: [
      'Ask the site for a copy of its ledger, check it with svc custody verify --peer-ledger FILE, and find out which of the two lines it has. A new ledger needs another custody.site.',
      fr`Demandez au site une copie de son journal de garde, contrôlez-la avec svc custody verify --peer-ledger FICHIER, et cherchez laquelle des deux lignes elle a. Un nouveau journal de garde nécessite un autre custody.site.`,
    ],
  },
} as const satisfies Family;

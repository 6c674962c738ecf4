import { fr } from '../language.ts';

/** The page `/admin/store`. */
export const store = {
  title: ['Store', fr`Stockage`],
  occupancy: ['Occupancy', fr`Occupation`],
  mediaId: ['Identifier of the medium', fr`Identifiant du support`],
  sampled: ['Measured', fr`Mesuré`],
  largest: ['The largest repositories', fr`Les plus grands dépôts`],
  repository: ['Repository', fr`Dépôt`],
  size: ['Size', fr`Taille`],
  share: ['Share', fr`Part`],
  tags: ['Versions', fr`Versions`],
  noContent: ['The store is empty.', fr`Le stockage est vide.`],
  all: ['All repositories by size', fr`Tous les dépôts par taille`],
  scrub: ['Background check', fr`Contrôle en arrière-plan`],
  scrubLine: [
    'The instance reads its whole store again, slowly, and moves damaged files to quarantine.',
    fr`L’instance relit tout son stockage, lentement, et met les fichiers endommagés en quarantaine.`,
  ],
  scrubOff: [
    'The background check is off: the store belongs to another instance or is read-only.',
    fr`Le contrôle en arrière-plan est arrêté : le stockage appartient à une autre instance ou est en lecture seule.`,
  ],
  scrubRunning: [
    '{percent} read, {files:file/files}, {bytes:size} of {total:size}',
    fr`{percent} lu, {files:fichier/fichiers}, {bytes:size} sur {total:size}`,
  ],
  scrubWaiting: ['Waiting for the next pass.', fr`En attente du prochain passage.`],
  last: ['Last pass', fr`Dernier passage`],
  lastLine: ['{time}: {files:file/files}, {bytes:size}', fr`{time} : {files:fichier/fichiers}, {bytes:size}`],
  damaged: {
    one: ['{count} damaged file', fr`{count} fichier endommagé`],
    other: ['{count} damaged files', fr`{count} fichiers endommagés`],
  },
  damagedIn: {
    one: [
      '{count} file missing or damaged[: {names}]',
      fr`{count} fichier manquant ou endommagé[ : {names}]`,
    ],
    other: [
      '{count} files missing or damaged[: {names}]',
      fr`{count} fichiers manquants ou endommagés[ : {names}]`,
    ],
  },
  moreHit: { one: ['{count} more', fr`{count} autre`], other: ['{count} more', fr`{count} autres`] },
  mendBySync: [
    'Synchronize: damaged content counts as absent and is fetched again. Then check the disk.',
    fr`Synchronisez : un contenu endommagé compte comme absent et est récupéré de nouveau. Vérifiez ensuite le disque.`,
  ],
  mendByImport: [
    'Import {names} again, or delete it: no wanted recipe needs it, so no synchronization fetches it. Then check the disk.',
    fr`Importez à nouveau {names}, ou supprimez ce contenu : aucune recette demandée n’en a besoin, une synchronisation ne le récupère donc pas. Vérifiez ensuite le disque.`,
  ],
  mendByBoth: [
    'Import {names} again, or delete it: no wanted recipe needs it. Synchronize for the rest. Then check the disk.',
    fr`Importez à nouveau {names}, ou supprimez ce contenu : aucune recette demandée n’en a besoin. Synchronisez pour le reste. Vérifiez ensuite le disque.`,
  ],
  mendByMedium: [
    'Import a medium with this content again: damaged content counts as absent. Then check the disk.',
    fr`Importez à nouveau un support qui a ce contenu : un contenu endommagé compte comme absent. Vérifiez ensuite le disque.`,
  ],
  mendByPush: [
    'Push or publish this content again: damaged content counts as absent. Then check the disk.',
    fr`Envoyez ou publiez à nouveau ce contenu : un contenu endommagé compte comme absent. Vérifiez ensuite le disque.`,
  ],
  importAgain: ['Import again', fr`Importer à nouveau`],
  mended: [
    'The damaged content of the last pass has come again, or nothing needs it any more.',
    fr`Le contenu endommagé du dernier passage est revenu, ou plus rien n’en a besoin.`,
  ],
  sound: ['No file of the store is damaged', fr`Aucun fichier du stockage n’est endommagé`],
  notRead: ['The store has not been read again yet', fr`Le stockage n’a pas encore été relu`],
  notChecked: [
    'The store is not checked in the background',
    fr`Le stockage n’est pas contrôlé en arrière-plan`,
  ],
  stampSound: ['Sound', fr`Intact`],
  stampDamaged: ['Damaged', fr`Endommagé`],
  stampOpen: ['Pending', fr`À suivre`],
  stampOff: ['Not checked', fr`Non contrôlé`],
  asOfPass: [
    'Last whole pass: {time}, {files:file/files}.',
    fr`Dernier passage complet : {time}, {files:fichier/fichiers}.`,
  ],
  busy: ['Not possible now: a task is running.', fr`Impossible pour l’instant : une tâche est en cours.`],
  nothingNew: {
    one: [
      'This pass found nothing; {count} file found damaged[ on {time}] is in quarantine',
      fr`Ce passage n’a rien trouvé ; {count} fichier trouvé endommagé[ le {time}] est en quarantaine`,
    ],
    other: [
      'This pass found nothing; {count} files found damaged[, the last one on {time},] are in quarantine',
      fr`Ce passage n’a rien trouvé ; {count} fichiers trouvés endommagés[, le dernier le {time},] sont en quarantaine`,
    ],
  },
  nothingBack: {
    one: [
      'This pass found nothing; {count} file is missing or damaged now',
      fr`Ce passage n’a rien trouvé ; {count} fichier manque ou est endommagé maintenant`,
    ],
    other: [
      'This pass found nothing; {count} files are missing or damaged now',
      fr`Ce passage n’a rien trouvé ; {count} fichiers manquent ou sont endommagés maintenant`,
    ],
  },
  undamaged: ['nothing damaged', fr`rien d’endommagé`],
  findings: ['Damaged files', fr`Fichiers endommagés`],
  digest: ['Digest', fr`Empreinte`],
  problem: ['Problem', fr`Problème`],
  affects: ['Affects', fr`Concerne`],
  found: ['Found', fr`Trouvé`],
  quarantine: ['Quarantine', fr`Quarantaine`],
  quarantineEmpty: ['empty', fr`vide`],
  quarantined: {
    one: ['{count} file, {bytes:size}', fr`{count} fichier, {bytes:size}`],
    other: ['{count} files, {bytes:size}', fr`{count} fichiers, {bytes:size}`],
  },
  empty: ['Empty the store', fr`Vider le stockage`],
  removes: [
    'Removes everything in the store: {repositories:repository/repositories} with {tags:version/versions}, {bytes:size}. Recipes, cookbooks and content that is not served count too. The medium gets a new identifier.',
    fr`Retire tout ce qui est dans le stockage : {repositories:dépôt/dépôts} avec {tags:version/versions}, {bytes:size}. Les recettes, les livres de recettes et le contenu qui n’est pas servi comptent aussi. Le support reçoit un nouvel identifiant.`,
  ],
  foreign: [
    'This store was written by another instance: it may be a delivery. Emptying it erases that medium, and makes the store one of this instance.',
    fr`Ce stockage a été écrit par une autre instance : c’est peut-être une livraison. Le vider efface ce support, et fait du stockage celui de cette instance.`,
  ],
  stays: [
    'Stays: accounts, tokens, settings, the history of tasks and the logs.',
    fr`Reste : les comptes, les jetons, les réglages, l’historique des tâches et les journaux.`,
  ],
  confirmation: ['Type RESET to confirm', fr`Tapez RESET pour confirmer`],
  confirmationHint: [
    'Not possible while a task runs or the medium is being verified.',
    fr`Impossible pendant qu’une tâche tourne ou que le support est vérifié.`,
  ],
  emptying: ['Emptying…', fr`Vidage…`],
} as const;

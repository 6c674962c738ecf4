import { fr } from '../../language.ts';

/** A recipe of a zone on its page, where the store has not got it, and beside a medium. */
export const inZone = {
  saysHere: [
    '{name} {version} is in the zone[ since {day}]',
    fr`{name} {version} est dans la zone[ depuis le {day}]`,
  ],
  saysDamaged: [
    '{name} {version} is in the zone[ since {day}]; its copy on this disk is damaged',
    fr`{name} {version} est dans la zone[ depuis le {day}] ; sa copie sur ce disque est endommagée`,
  ],
  saysWaits: [
    '{name} {version} waits for {parts:part …/parts …}',
    fr`{name} {version} attend {parts:la partie …/les parties …}`,
  ],
  saysMissing: ['{name} {version} is not here', fr`{name} {version} n’est pas ici`],
  saysGone: ['{name} {version} is no longer here', fr`{name} {version} n’est plus ici`],
  saysBlocked: ['{name} {version} is blocked', fr`{name} {version} est bloquée`],
  stampHere: ['In the zone', fr`Dans la zone`],
  stampDamaged: ['Here; damaged on this disk', fr`Ici ; endommagée sur ce disque`],
  stampWaits: ['Waits', fr`En attente`],
  stampMissing: ['Missing', fr`Manquante`],
  stampBlocked: ['Blocked', fr`Bloquée`],
  by: ['Delivery {id} brought it.', fr`La livraison {id} l’a apportée.`],
  notOnDisk: ['The disk in the drive does not carry it.', fr`Le disque dans le lecteur ne la contient pas.`],
  notInStore: ['This store does not have it.', fr`Ce stockage ne la contient pas.`],
  newer: ['Newer in the zone: {version}.', fr`Plus récente dans la zone : {version}.`],
  versions: ['Versions in the zone', fr`Versions dans la zone`],
  others: ['Other versions in the zone', fr`Autres versions dans la zone`],
  version: ['Version', fr`Version`],
  since: ['In the zone since', fr`Dans la zone depuis`],
  signedBy: ['Signed by', fr`Signée par`],
  delivery: ['Delivery', fr`Livraison`],
  inZone: ['In the zone', fr`Dans la zone`],
  hasSame: ['same', fr`la même`],
  hasOlder: ['older: {version}', fr`plus ancienne : {version}`],
  hasNewer: ['newer: {version}', fr`plus récente : {version}`],
  hasNone: ['new', fr`nouvelle`],
  alreadyHere: ['The zone already has {name} {version}.', fr`La zone a déjà {name} {version}.`],
  copyStaysOut: [
    'This copy is neither served nor imported. The zone lacks nothing of it.',
    fr`Cette copie n’est ni servie ni importée. Il n’en manque rien à la zone.`,
  ],
  lastImport: ['Last import', fr`Dernier import`],
  inPart: ['in part ({done} of {total})', fr`en partie ({done} sur {total})`],
  stampImported: ['Imported', fr`Importé`],
  stampInPart: ['Imported in part', fr`Importé en partie`],
  imported: {
    one: [
      '{count} recipe was imported on {time}[; {refused} refused]',
      fr`{count} recette importée le {time}[ ; {refused:refusée/refusées}]`,
    ],
    other: [
      '{count} recipes were imported on {time}[; {refused} refused]',
      fr`{count} recettes importées le {time}[ ; {refused:refusée/refusées}]`,
    ],
  },
  sentNothing: [
    'The zone had all of it before: nothing was sent.',
    fr`La zone avait déjà tout : rien n’a été envoyé.`,
  ],
  carryHome: [
    'Take the disk out, and carry receipt {sequence} home: the file {path}.',
    fr`Retirez le disque, et rapportez le reçu {sequence} à la source : le fichier {path}.`,
  ],
  carryReceipt: [
    'Carry receipt {sequence} home, the file {path}: the source adds it on its page Receipts, or with svc receipt add FILE.',
    fr`Rapportez le reçu {sequence} à la source, le fichier {path} : elle l’ajoute sur sa page Reçus, ou avec svc receipt add FILE.`,
  ],
  takeOut: ['The disk can be taken out.', fr`Le disque peut être retiré.`],
  openTask: ['Open the task', fr`Ouvrir la tâche`],
  bringsNothing: {
    one: [
      'It is in the zone already: an import would bring nothing.',
      fr`Elle est déjà dans la zone : un import n’apporterait rien.`,
    ],
    other: [
      'All of them are in the zone already: an import would bring nothing.',
      fr`Toutes sont déjà dans la zone : un import n’apporterait rien.`,
    ],
  },
  bringsSome: {
    one: [
      '{count} of them is in the zone already: an import would bring {others:other/others}.',
      fr`{count} d’entre elles est déjà dans la zone : un import en apporterait {others:autre/autres}.`,
    ],
    other: [
      '{count} of them are in the zone already: an import would bring {others:other/others}.',
      fr`{count} d’entre elles sont déjà dans la zone : un import en apporterait {others:autre/autres}.`,
    ],
  },
  bringsHeld: {
    one: [
      'The last import held {count} of them back: the registry lacks content that this disk leaves out.[ Another import would bring {others:other/others} only.| Another import would bring nothing before that content is there.]',
      fr`Le dernier import en a retenu {count} : le registre n’a pas du contenu que ce disque omet.[ Un autre import n’en apporterait que {others:autre/autres}.| Un autre import n’apporterait rien avant que ce contenu soit là.]`,
    ],
    other: [
      'The last import held {count} of them back: the registry lacks content that this disk leaves out.[ Another import would bring {others:other/others} only.| Another import would bring nothing before that content is there.]',
      fr`Le dernier import en a retenu {count} : le registre n’a pas du contenu que ce disque omet.[ Un autre import n’en apporterait que {others:autre/autres}.| Un autre import n’apporterait rien avant que ce contenu soit là.]`,
    ],
  },
  stampHeld: ['Held back', fr`Retenu`],
  restWaits: {
    one: [
      'The medium is imported: {count} of its recipes is in the zone, {waiting:waits/wait} for [{parts:part …/parts …} of the delivery|content of other media]',
      fr`Le support est importé : {count} de ses recettes est dans la zone, {waiting:attend/attendent} [{parts:la partie …/les parties …} de la livraison|du contenu d’autres supports]`,
    ],
    other: [
      'The medium is imported: {count} of its recipes are in the zone, {waiting:waits/wait} for [{parts:part …/parts …} of the delivery|content of other media]',
      fr`Le support est importé : {count} de ses recettes sont dans la zone, {waiting:attend/attendent} [{parts:la partie …/les parties …} de la livraison|du contenu d’autres supports]`,
    ],
  },
  nothingMore: {
    one: [
      'Nothing more can be imported from this disk: mount the disk {disks}.',
      fr`Rien de plus ne peut être importé de ce disque : montez le disque {disks}.`,
    ],
    other: [
      'Nothing more can be imported from this disk: mount the disks {disks}, in any order.',
      fr`Rien de plus ne peut être importé de ce disque : montez les disques {disks}, dans n’importe quel ordre.`,
    ],
  },
  onMedium: ['On the medium', fr`Sur le support`],
} as const;

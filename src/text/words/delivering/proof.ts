import { fr } from '../../language.ts';

/** Names of the steps of a proof. */
const steps = {
  media: ['media', fr`supports`],
  trust: ['trust', fr`confiance`],
  import: ['import', fr`import`],
  platforms: ['platforms', fr`plateformes`],
  charts: ['charts', fr`charts`],
  packages: ['packages', fr`paquets`],
  clients: ['clients', fr`clients`],
  capacity: ['capacity', fr`capacité`],
} as const;

const verdicts = {
  proved: [
    'proved: the zone would come up from this delivery',
    fr`prouvée : la zone démarrerait à partir de cette livraison`,
  ],
  provedUnless: [
    'proved: the zone would come up from this delivery, unless its registry refuses content that a warning names',
    fr`prouvée : la zone démarrerait à partir de cette livraison, à moins que son registre ne refuse un contenu qu’un avertissement nomme`,
  ],
  incomplete: [
    'incomplete: everything would land, but the zone would still lack something that it needs',
    fr`incomplète : tout arriverait, mais quelque chose de nécessaire manquerait`,
  ],
  refused: [
    'refused: a part of the delivery would not land',
    fr`refusée : une partie de la livraison n’arriverait pas`,
  ],
} as const;

/** The verdicts as whole sentences, with the number of findings. */
const sentences = {
  proved: {
    one: ['The zone would come up from this delivery', fr`La zone démarrerait à partir de cette livraison`],
    other: ['The zone would come up from this delivery', fr`La zone démarrerait à partir de cette livraison`],
  },
  provedUnless: {
    one: [
      'The zone would come up from this delivery, unless its registry refuses content that a warning names',
      fr`La zone démarrerait à partir de cette livraison, à moins que son registre ne refuse un contenu qu’un avertissement nomme`,
    ],
    other: [
      'The zone would come up from this delivery, unless its registry refuses content that a warning names',
      fr`La zone démarrerait à partir de cette livraison, à moins que son registre ne refuse un contenu qu’un avertissement nomme`,
    ],
  },
  incomplete: {
    one: [
      'Everything would land, and the zone would still lack something: {count} finding',
      fr`Tout arriverait, et il manquerait encore quelque chose à la zone : {count} constat`,
    ],
    other: [
      'Everything would land, and the zone would still lack something: {count} findings',
      fr`Tout arriverait, et il manquerait encore quelque chose à la zone : {count} constats`,
    ],
  },
  refused: {
    one: [
      'A part of the delivery would not land: {count} finding',
      fr`Une partie de la livraison n’arriverait pas : {count} constat`,
    ],
    other: [
      'A part of the delivery would not land: {count} findings',
      fr`Une partie de la livraison n’arriverait pas : {count} constats`,
    ],
  },
} as const;

/** The proof of a delivery, as the command prints it and the page `/deliver/proof` shows it. */
export const proof = {
  steps,
  verdicts,
  sentences,
  toDeliver: ['Plan a delivery', fr`Préparer une livraison`],
  toFindings: ['Read the findings', fr`Lire les constats`],
  empty: ['an empty registry', fr`un registre vide`],
  receipt: ['receipt {sequence} of zone {zone}', fr`le reçu {sequence} de la zone {zone}`],
  title: ['Proof', fr`Preuve`],
  lead: [
    'Whether a zone would come up from a delivery. The recipes are imported into a registry in memory; no connection is opened.',
    fr`Vérifie qu’une zone démarrerait à partir d’une livraison. Les recettes sont importées dans un registre en mémoire ; aucune connexion n’est ouverte.`,
  ],
  none: [
    'Nothing was proved since this instance started',
    fr`Aucune preuve depuis le démarrage de cette instance`,
  ],
  running: ['The proof is under way', fr`La preuve est en cours`],
  runningLine: [
    '{done:file/files}, {bytes:size}[ of {total:size}] hashed',
    fr`{done:fichier haché/fichiers hachés}, {bytes:size}[ sur {total:size}]`,
  ],
  cancel: ['Cancel the proof', fr`Annuler la preuve`],
  cancelling: ['Cancelling…', fr`Annulation…`],
  stampNone: ['Not run', fr`Non lancée`],
  failed: ['The proof was broken off', fr`La preuve a été interrompue`],
  statusProved: ['The proof has ended: proved.', fr`La preuve est terminée : réussie.`],
  statusNot: ['The proof has ended: not proved.', fr`La preuve est terminée : non réussie.`],
  proved: ['proved', fr`prouvée`],
  incomplete: ['incomplete', fr`incomplète`],
  refused: ['refused', fr`refusée`],
  folders: ['Folders', fr`Dossiers`],
  store: ['the store of this instance', fr`le stockage de cette instance`],
  against: ['Against', fr`À partir de`],
  ended: ['Ended', fr`Terminée`],
  step: ['Step', fr`Étape`],
  stepOf: ['step {at} of {total}', fr`étape {at} sur {total}`],
  stepTable: ['Steps', fr`Étapes`],
  checked: ['Checked', fr`Contrôlés`],
  size: ['Size', fr`Taille`],
  time: ['Time', fr`Durée`],
  findings: ['Findings', fr`Constats`],
  noFindings: ['The proof found nothing at fault.', fr`La preuve n’a rien trouvé d’anormal.`],
  severity: ['Severity', fr`Gravité`],
  error: ['error', fr`erreur`],
  warning: ['warning', fr`avertissement`],
  subject: ['Content', fr`Contenu`],
  remedy: ['Finding and remedy', fr`Constat et remède`],
  more: ['The first {shown} of {total} are listed.', fr`Les {shown} premiers sur {total} sont listés.`],
  limits: ['Limits of this proof', fr`Limites de cette preuve`],
  prove: ['Prove a delivery', fr`Prouver une livraison`],
  foldersLabel: ['Folders of the delivery', fr`Dossiers de la livraison`],
  foldersHint: [
    'Absolute paths on the machine of the instance, one a line, in any order. Empty: the store of this instance.',
    fr`Chemins absolus sur la machine de l’instance, un par ligne, dans n’importe quel ordre. Vide : le stockage de cette instance.`,
  ],
  zone: ['Zone', fr`Zone`],
  zoneHint: [
    'Empty: the zone that the media are addressed to.',
    fr`Vide : la zone à laquelle les supports sont adressés.`,
  ],
  base: ['The zone has', fr`La zone a`],
  baseHint: [
    'A second delivery leaves out what the zone has: choose its receipt.',
    fr`Une deuxième livraison omet ce que la zone a : choisissez son reçu.`,
  ],
  baseEmpty: ['nothing: an empty registry', fr`rien : un registre vide`],
  baseReceipt: [
    'the content of receipt {sequence} of zone {zone}',
    fr`le contenu du reçu {sequence} de la zone {zone}`,
  ],
  platforms: ['Platforms of its nodes', fr`Plateformes de ses nœuds`],
  platformsHint: ['Such as linux/amd64, one a line.', fr`Par exemple linux/amd64, une par ligne.`],
  strict: ['A warning counts like an error', fr`Un avertissement compte comme une erreur`],
  start: ['Prove', fr`Prouver`],
  starting: ['Starting…', fr`Démarrage…`],
  roots: ['Trust roots of the zone', fr`Racines de confiance de la zone`],
  rootsHint: [
    'Public keys in PEM, one after the other. Empty: the trust roots of this instance.',
    fr`Clés publiques en PEM, l’une après l’autre. Vide : les racines de confiance de cette instance.`,
  ],
} as const;

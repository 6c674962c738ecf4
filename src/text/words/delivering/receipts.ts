import { fr } from '../../language.ts';

/** The page `/receipts`. */
export const receipts = {
  title: ['Receipts', fr`Reçus`],
  lead: [
    'A receipt states the content of the registry of a zone. A delivery leaves that content out.',
    fr`Un reçu déclare le contenu du registre d’une zone. Une livraison n’apporte pas ce contenu.`,
  ],
  zone: ['Zone', fr`Zone`],
  sequence: ['Sequence', fr`Numéro`],
  issued: ['Issued', fr`Émis`],
  evidence: ['Check made', fr`Contrôle effectué`],
  head: ['each blob was asked for', fr`chaque blob a été demandé`],
  deep: ['each blob was read and hashed', fr`chaque blob a été lu et haché`],
  recipes: ['Recipes', fr`Recettes`],
  counts: [
    '{present} present[, {incomplete} incomplete][, {blocked} blocked]',
    fr`{present:présente/présentes}[, {incomplete:incomplète/incomplètes}][, {blocked:bloquée/bloquées}]`,
  ],
  stateCounts: {
    blocked: ['{count} blocked', fr`{count:bloquée/bloquées}`],
    incomplete: ['{count} incomplete', fr`{count:incomplète/incomplètes}`],
    present: ['{count} present', fr`{count:présente/présentes}`],
  },
  states: {
    blocked: ['blocked', fr`bloquée`],
    incomplete: ['incomplete', fr`incomplète`],
    present: ['present', fr`présente`],
  },
  notCounted: {
    one: ['{count} recipe that does not count', fr`{count} recette qui ne compte pas`],
    other: ['{count} recipes that do not count', fr`{count} recettes qui ne comptent pas`],
  },
  withMark: {
    warning: ['with a warning', fr`avec un avertissement`],
    blocked: ['with blocked recipes', fr`avec des recettes bloquées`],
    incomplete: ['with incomplete recipes', fr`avec des recettes incomplètes`],
  },
  displaced: ['one of its tags has the content of {by}', fr`l’une de ses étiquettes a le contenu de {by}`],
  own: ['of this zone', fr`de cette zone`],
  unbelieved: ['no configured key verifies it', fr`aucune clé configurée ne le vérifie`],
  forked: ['contradicted by a receipt of the same number', fr`contredit par un reçu du même numéro`],
  lowered: [
    'a later receipt had the lower number {sequence} and was refused',
    fr`un reçu postérieur portait le numéro inférieur {sequence} et a été refusé`,
  ],
  refused: ['digest of the refused receipt', fr`empreinte du reçu refusé`],
  future: ['dated in the future: a clock is wrong', fr`daté dans le futur : une horloge est fausse`],
  none: [
    'No receipt is known. Add the file that “svc receipt write” made in the zone.',
    fr`Aucun reçu n’est connu. Ajoutez le fichier que « svc receipt write » a produit dans la zone.`,
  ],
  added: [
    'Receipt {sequence} of zone {zone} was added.',
    fr`Le reçu {sequence} de la zone {zone} a été ajouté.`,
  ],
  known: [
    'Receipt {sequence} of zone {zone} was known already.',
    fr`Le reçu {sequence} de la zone {zone} était déjà connu.`,
  ],
  receiptOf: ['Receipt', fr`Reçu`],
  oneTitle: ['Receipt {sequence} of {zone}', fr`Reçu {sequence} de {zone}`],
  stampOne: ['Believed', fr`Reconnu`],
  oneBelieved: ['The configured key of {zone} verifies it', fr`La clé configurée de {zone} le vérifie`],
  oneDoubtful: [
    'This receipt has {count:warning/warnings}',
    fr`Ce reçu a {count:avertissement/avertissements}`,
  ],
  oneForked: [
    'Another receipt of {zone} has the number {sequence} too',
    fr`Un autre reçu de {zone} a aussi le numéro {sequence}`,
  ],
  oneLowered: [
    'A later receipt of {zone} has the lower number {sequence}',
    fr`Un reçu postérieur de {zone} a le numéro inférieur {sequence}`,
  ],
  stampContradicted: ['Contradicted', fr`Contredit`],
  consequence: ['Consequence', fr`Conséquence`],
  noBase: [
    'No delivery rests on this receipt: none leaves out the content that it names.',
    fr`Aucune livraison ne se fonde sur ce reçu : aucune n’omet le contenu qu’il nomme.`,
  ],
  refusedOne: ['The refused receipt', fr`Le reçu refusé`],
  lowerCause: [
    'The state of the zone was restored from a backup, or it was lost and the zone counts anew.',
    fr`L’état de la zone a été restauré depuis une sauvegarde, ou il a été perdu et la zone recompte.`,
  ],
  unbelievedCause: [
    'The key of the zone was removed or replaced here, or the zone signs with another key.',
    fr`La clé de la zone a été retirée ou remplacée ici, ou la zone signe avec une autre clé.`,
  ],
  futureCause: [
    'The clock of the zone or of this instance is wrong.',
    fr`L’horloge de la zone ou de cette instance est fausse.`,
  ],
  notNamed: [
    '(the receipt withholds its name, and it is not here)',
    fr`(le reçu tait son nom, et elle n’est pas ici)`,
  ],
  moreRecipes: {
    one: ['and 1 more', fr`et 1 autre`],
    other: ['and {count} more', fr`et {count} autres`],
  },
  oneOwn: ['The last receipt of this zone', fr`Le dernier reçu de cette zone`],
  kept: ['Arrived', fr`Arrivé`],
  written: ['Written', fr`Écrit`],
  digest: ['Digest of the statement', fr`Empreinte de la déclaration`],
  fileDigest: ['SHA-256 of the file', fr`SHA-256 du fichier`],
  signer: ['Fingerprint of the key', fr`Empreinte de la clé`],
  verified: ['verified', fr`vérifiée`],
  unverified: ['not verified', fr`non vérifiée`],
  previous: ['Receipt before', fr`Reçu précédent`],
  lastDelivery: ['Delivery imported last', fr`Dernière livraison importée`],
  lastMedium: ['Medium imported last', fr`Dernier support importé`],
  mediumLine: ['{medium}, resolved on {time}', fr`{medium}, résolu le {time}`],
  free: ['Free in the registry', fr`Libre dans le registre`],
  ledger: ['Custody ledger', fr`Journal de garde`],
  ledgerLine: ['line {line} of {site}', fr`ligne {line} de {site}`],
  recipe: ['Recipe', fr`Recette`],
  state: ['State', fr`État`],
  missing: ['Missing', fr`Manquant`],
  missingLine: ['{files:file/files}, {bytes:size}', fr`{files:fichier/fichiers}, {bytes:size}`],
  noRecipes: ['The receipt names no recipe.', fr`Le reçu ne nomme aucune recette.`],
  unknownOne: ['No receipt of this zone is known.', fr`Aucun reçu de cette zone n’est connu.`],
  rawFile: ['The file as it arrived', fr`Le fichier tel qu’il est arrivé`],
  stampKnown: ['Believed', fr`Reconnus`],
  stampDoubtful: ['Warning', fr`Attention`],
  allBelieved: {
    one: [
      '{count} receipt is known and believed, of {time}',
      fr`{count} reçu est connu et reconnu, du {time}`,
    ],
    other: [
      '{count} receipts are known and believed, the oldest of {time}',
      fr`{count} reçus sont connus et reconnus, le plus ancien du {time}`,
    ],
  },
  doubtful: {
    one: [
      '{count} of {total:receipt/receipts} has a warning',
      fr`{count} reçu sur {total} a un avertissement`,
    ],
    other: [
      '{count} of {total:receipt/receipts} have a warning',
      fr`{count} reçus sur {total} ont un avertissement`,
    ],
  },
  add: ['Add a receipt', fr`Ajouter un reçu`],
  adding: ['Verifying the receipt…', fr`Vérification du reçu…`],
  requestFile: [
    'request.json holds {receipt}, with the content of the file as text.',
    fr`request.json contient {receipt}, avec le contenu du fichier comme texte.`,
  ],
  receipt: ['Content of the receipt', fr`Contenu du reçu`],
  file: ['or a file, at most 8 MiB', fr`ou un fichier, 8 Mio au plus`],
} as const;

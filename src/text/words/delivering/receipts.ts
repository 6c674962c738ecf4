import { fr } from '../../language.ts';

/** The page `/receipts`. */
export const receipts = {
  title: ['Receipts', fr`Reçus`],
  lead: [
    'A receipt states what the registry of a zone holds. A delivery leaves that content out.',
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
  warnings: ['Warnings', fr`Avertissements`],
  own: ['of this zone', fr`de cette zone`],
  unbelieved: ['no configured key verifies it', fr`aucune clé configurée ne le vérifie`],
  forked: ['contradicted by a receipt of the same number', fr`contredit par un reçu du même numéro`],
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

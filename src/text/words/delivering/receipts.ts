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
  evidence: ['Evidence', fr`Preuve`],
  head: ['each blob was asked for', fr`chaque blob a été demandé`],
  deep: ['each blob was read and hashed', fr`chaque blob a été lu et haché`],
  recipes: ['Recipes', fr`Recettes`],
  counts: [
    '{present} present[, {incomplete} incomplete][, {blocked} blocked]',
    fr`{present:présente/présentes}[, {incomplete:incomplète/incomplètes}][, {blocked:bloquée/bloquées}]`,
  ],
  own: ['of this zone', fr`de cette zone`],
  unbelieved: ['no configured key verifies it', fr`aucune clé configurée ne le vérifie`],
  forked: ['contradicted by a receipt of the same number', fr`contredit par un reçu du même numéro`],
  refused: ['digest of the refused receipt', fr`empreinte du reçu refusé`],
  future: ['dated in the future: a clock is wrong', fr`daté dans le futur : une horloge est fausse`],
  none: [
    'No receipt is known. Add the file that “svc receipt write” made in the zone.',
    fr`Aucun reçu n’est connu. Ajoutez le fichier que « svc receipt write » a produit dans la zone.`,
  ],
  more: [
    'The first {shown} of {total} zones are listed.',
    fr`Les {shown} premières zones sur {total} sont listées.`,
  ],
  added: [
    'Receipt {sequence} of zone {zone} was added.',
    fr`Le reçu {sequence} de la zone {zone} a été ajouté.`,
  ],
  known: [
    'Receipt {sequence} of zone {zone} was known already.',
    fr`Le reçu {sequence} de la zone {zone} était déjà connu.`,
  ],
  add: ['Add a receipt', fr`Ajouter un reçu`],
  adding: ['Verifying the receipt…', fr`Vérification du reçu…`],
  requestFile: [
    'request.json holds {receipt}, with the content of the file as text.',
    fr`request.json contient {receipt}, avec le contenu du fichier comme texte.`,
  ],
  receipt: ['Content of the receipt', fr`Contenu du reçu`],
  file: ['or a file, at most 8 MiB', fr`ou un fichier, 8 Mio au plus`],
} as const;

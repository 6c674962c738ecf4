import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of receipts. */
export const rcpErrors = {
  'SVC-RCP-001': {
    class: 'verification',
    status: 422,
    params: { 'path?': 'name', rule: 'rule', 'problem?': 'name' },
    what: ['The receipt[ {path}] is not believed: {rule}.', fr`Le reçu[ {path}] n’est pas reconnu : {rule}.`],
    cause: [
      '[{problem!}The file is not a receipt, or it was changed.][{problem=signer}The receipt was changed, the key of the zone is not configured here, or the zone has another key now.][{problem=kind}The peer is configured for statements of other kinds.][{problem=zone}A peer speaks only for the zone of its own name.]',
      fr`[{problem!}Le fichier n’est pas un reçu, ou il a été modifié.][{problem=signer}Le reçu a été modifié, la clé de la zone n’est pas configurée ici, ou la zone a maintenant une autre clé.][{problem=kind}Le pair est configuré pour des déclarations d’autres sortes.][{problem=zone}Un pair ne parle que pour la zone qui porte son nom.]`,
    ],
    action: [
      '[{problem!}Bring the file that svc receipt write made in the zone, unchanged.][{problem=signer}Compare the fingerprint of its public key with the zone (svc key show FILE). Configure it under peers, with the name of the zone, for receipt.][{problem=kind}Add receipt to the list for of the peer.][{problem=zone}If the key belongs to that zone, correct the name of the peer.]',
      fr`[{problem!}Apportez le fichier que svc receipt write a créé dans la zone, sans modification.][{problem=signer}Comparez avec la zone l’empreinte de sa clé publique (svc key show FICHIER). Configurez-la sous peers, avec le nom de la zone, pour receipt.][{problem=kind}Ajoutez receipt à la liste for du pair.][{problem=zone}Si la clé appartient à cette zone, corrigez le nom du pair.]`,
    ],
  },
  'SVC-RCP-002': {
    class: 'policy',
    status: 409,
    params: { 'path?': 'name', zone: 'name', sequence: 'name', known: 'name' },
    what: [
      'The receipt[ {path}] is number {sequence} of zone {zone}, and number {known} is known.',
      fr`Le reçu[ {path}] est le numéro {sequence} de la zone {zone}, et le numéro {known} est connu.`,
    ],
    cause: [
      'It is an earlier receipt, such as one of an old medium. Its zone may hold other content now.',
      fr`C’est un reçu antérieur, par exemple celui d’un ancien support. Sa zone peut détenir autre chose maintenant.`,
    ],
    action: [
      'Use the latest receipt of the zone. If the zone lost its state, and counts again from a lower number, an administrator can accept it with svc receipt add FILE --allow-older.',
      fr`Utilisez le dernier reçu de la zone. Si la zone a perdu son état et recompte depuis un numéro inférieur, un administrateur peut l’accepter avec svc receipt add FICHIER --allow-older.`,
    ],
  },
  'SVC-RCP-003': {
    class: 'verification',
    status: 409,
    params: {
      'path?': 'name',
      zone: 'name',
      sequence: 'name',
      known: 'name',
      digest: 'name',
      expected: 'name',
    },
    what: [
      'The receipt[ {path}] does not continue the receipts of zone {zone}: two different receipts have number {known} ({digest} and {expected}).',
      fr`Le reçu[ {path}] ne prolonge pas ceux de la zone {zone} : deux reçus différents ont le numéro {known} ({digest} et {expected}).`,
    ],
    cause: [
      'Two machines sign as this zone, or the state of the zone was restored from a backup.',
      fr`Deux machines signent au nom de cette zone, ou l’état de la zone a été restauré depuis une sauvegarde.`,
    ],
    action: [
      'Ask the zone. If only one machine has the key and its state was restored, write receipts there until the number is above {sequence}, and add that one. Otherwise replace the key.',
      fr`Demandez à la zone. Si une seule machine a la clé et que son état a été restauré, écrivez-y des reçus jusqu’à dépasser le numéro {sequence}, et ajoutez celui-là. Sinon remplacez la clé.`,
    ],
  },
} as const satisfies Family;

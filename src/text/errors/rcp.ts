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
      '[{problem!}The file is not a receipt, or it was changed.][{problem=signer}The receipt was changed, the key of the zone is not configured here, or the zone has another key now.][{problem=kind}The peer is configured for statements of other kinds.][{problem=zone}A peer speaks only for the zone of its own name.][{problem=base}The base of a delivery is a receipt of the zone that it goes to.]',
      fr`[{problem!}Le fichier n’est pas un reçu, ou il a été modifié.][{problem=signer}Le reçu a été modifié, la clé de la zone n’est pas configurée ici, ou la zone a maintenant une autre clé.][{problem=kind}Le pair est configuré pour des déclarations d’autres sortes.][{problem=zone}Un pair ne parle que pour la zone qui porte son nom.][{problem=base}La base d’une livraison est un reçu de la zone à laquelle elle est destinée.]`,
    ],
    action: [
      '[{problem!}Bring the file that svc receipt write made in the zone, unchanged.][{problem=signer}Compare the fingerprint of its public key with the zone (svc key show FILE). Configure it under peers, with the name of the zone, for receipt.][{problem=kind}Add receipt to the list for of the peer.][{problem=zone}If the key belongs to that zone, correct the name of the peer.][{problem=base}Correct the zone, or name a receipt of it. Without --base, its last known receipt is used: svc receipt list.]',
      fr`[{problem!}Apportez le fichier que svc receipt write a créé dans la zone, sans modification.][{problem=signer}Comparez avec la zone l’empreinte de sa clé publique (svc key show FICHIER). Configurez-la sous peers, avec le nom de la zone, pour receipt.][{problem=kind}Ajoutez receipt à la liste for du pair.][{problem=zone}Si la clé appartient à cette zone, corrigez le nom du pair.][{problem=base}Corrigez la zone, ou désignez un reçu de cette zone. Sans --base, son dernier reçu connu est utilisé : svc receipt list.]`,
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
      'Use the latest receipt of the zone. If the zone lost its state, and counts again from a lower number, an administrator can accept it with svc receipt add [{path:word}|FILE] --allow-older.',
      fr`Utilisez le dernier reçu de la zone. Si la zone a perdu son état et recompte depuis un numéro inférieur, un administrateur peut l’accepter avec svc receipt add [{path:word}|FICHIER] --allow-older.`,
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
  'SVC-RCP-004': {
    class: 'policy',
    status: 409,
    params: { zone: 'name', asked: 'name' },
    what: [
      'The configuration is of zone {zone}, and it signs no receipt of zone {asked}.',
      fr`La configuration est celle de la zone {zone}, et elle ne signe pas de reçu de la zone {asked}.`,
    ],
    cause: [
      '--zone names another zone. The registry and the key are those of zone {zone}: their receipt would list content that zone {asked} may not have, and its next delivery would leave that out.',
      fr`--zone désigne une autre zone. Le registre et la clé sont ceux de la zone {zone} : leur reçu dirait de la zone {asked} ce qu’elle n’a peut-être pas, et sa prochaine livraison ne l’apporterait pas.`,
    ],
    action: [
      'Leave out --zone for a receipt of zone {zone}. For one of zone {asked}, run the command in that zone, or give its configuration with --config. No number was used.',
      fr`Omettez --zone pour un reçu de la zone {zone}. Pour un reçu de la zone {asked}, lancez la commande dans cette zone, ou donnez sa configuration avec --config. Aucun numéro n’a été utilisé.`,
    ],
  },
  'SVC-RCP-005': {
    class: 'policy',
    status: 409,
    params: {
      'path?': 'name',
      zone: 'name',
      sequence: 'name',
      issuedAt: 'name',
      known: 'name',
      knownAt: 'name',
      'problem?': 'name',
    },
    what: [
      'The receipt[ {path}], number {sequence} of zone {zone} of {issuedAt}, does not follow the last accepted one, number {known} of {knownAt}.',
      fr`Le reçu[ {path}], numéro {sequence} de la zone {zone} du {issuedAt}, ne fait pas suite au dernier accepté, le numéro {known} du {knownAt}.`,
    ],
    cause: [
      '[{problem=closed}It is of a count that ended when an administrator accepted another one with --allow-older.][{problem!}It has a higher number and an earlier date: it is of an earlier count of a zone that lost its state, or the clock of the zone went back.]',
      fr`[{problem=closed}Il appartient à un compte qui a pris fin quand un administrateur en a accepté un autre avec --allow-older.][{problem!}Il a un numéro supérieur et une date antérieure : il appartient à un compte antérieur d’une zone qui a perdu son état, ou l’horloge de la zone a reculé.]`,
    ],
    action: [
      'Use the latest receipt of the zone, or the one that directly follows number {known}. If the zone confirms that this one is its latest, an administrator can accept it with svc receipt add [{path:word}|FILE] --allow-older.',
      fr`Utilisez le dernier reçu de la zone, ou celui qui suit directement le numéro {known}. Si la zone confirme que celui-ci est son dernier, un administrateur peut l’accepter avec svc receipt add [{path:word}|FICHIER] --allow-older.`,
    ],
  },
  'SVC-RCP-006': {
    class: 'failure',
    status: 409,
    params: {
      zone: 'name',
      sequence: 'name',
      delivery: 'name',
      part: 'name',
      found: 'name',
      'known?': 'name',
    },
    what: [
      'Receipt {sequence} of zone {zone} names another medium as part {part} of delivery {delivery}: its manifest is {found}[, and this source wrote {known}].',
      fr`Le reçu {sequence} de la zone {zone} nomme un autre support comme partie {part} de la livraison {delivery} : son manifeste est {found}[, et cette source a écrit {known}].`,
    ],
    cause: [
      'The disk was changed on its way, somebody made a medium under the name of this delivery, or this source wrote the part again since.',
      fr`Le disque a été modifié en chemin, quelqu’un a fait un support sous le nom de cette livraison, ou cette source a depuis écrit de nouveau la partie.`,
    ],
    action: [
      'The receipt is kept: it states the content of the registry of the zone. Compare the disk of the zone with the one that left. Media with passports, which the zone requires (media.requirePassport), exclude it.',
      fr`Le reçu est conservé : il déclare ce que le registre de la zone possède. Comparez le disque de la zone avec celui qui est parti. Des supports avec des passeports, que la zone exige (media.requirePassport), l’excluent.`,
    ],
  },
} as const satisfies Family;

import { fr } from '../../language.ts';

/** The way on from a delivery: the section of its page, and the column of the list. */
export const steps = {
  title: ['What to do', fr`Que faire`],
  next: ['Next step', fr`Étape suivante`],
  brief: {
    resume: ['write it again', fr`la réécrire`],
    restore: ['synchronize, then write it again', fr`synchroniser, puis la réécrire`],
    rewrite: ['write it again', fr`la réécrire`],
    prove: ['prove it again', fr`la prouver de nouveau`],
    hand: ['hand it over', fr`la remettre`],
    await: ['await the receipt', fr`attendre le reçu`],
    ask: ['ask for the receipt', fr`demander le reçu`],
    renew: ['ask for a newer receipt', fr`demander un reçu plus récent`],
    believe: ['name the key of its receipt', fr`déclarer la clé de son reçu`],
    disks: ['have the other disks imported', fr`faire importer les autres disques`],
    carry: ['deliver the missing recipes', fr`livrer les recettes manquantes`],
    cause: ['remove the cause of the refusal', fr`lever la cause du refus`],
    import: ['import its disks', fr`importer ses disques`],
    home: ['carry its receipt home', fr`rapporter son reçu à la source`],
    read: ['read the verdict', fr`lire le verdict`],
    open: ['import it', fr`l’importer`],
    sender: ['ask the sender', fr`demander à l’expéditeur`],
    forget: ['forget it', fr`l’oublier`],
  },
  runs: ['A task writes it now.', fr`Une tâche est en train de l’écrire.`],
  openTask: ['Open the task', fr`Ouvrir la tâche`],
  interrupted: [
    'The writing was stopped on {time}, after {done} of {parts:part/parts}.',
    fr`L’écriture a été arrêtée le {time}, après {done} sur {parts:partie/parties}.`,
  ],
  failed: [
    'The writing failed on {time}, after {done} of {parts:part/parts}',
    fr`L’écriture a échoué le {time}, après {done} sur {parts:partie/parties}`,
  ],
  open: [
    'The writing began on {time}, and no record has its end: it is running, or it was cut off.',
    fr`L’écriture a commencé le {time}, et aucun enregistrement n’a sa fin : elle est en cours, ou elle a été coupée.`,
  ],
  noEnd: [
    'The writing began on {time}, and ended after {done} of {parts:part/parts}.',
    fr`L’écriture a commencé le {time}, et s’est terminée après {done} sur {parts:partie/parties}.`,
  ],
  lost: [
    'The store lost content of it during the writing. Synchronize to bring that content back, then write the same plan again. Without it, the plan blocks the recipes that need it, and writes the others[{parts!} over the unfinished disks].[ The complete disks stay valid (part {parts}): the zone can import them. Use empty folders in their place.]',
    fr`Le stockage a perdu une partie de son contenu pendant l’écriture. Synchronisez pour récupérer ce contenu, puis réécrivez le même plan. Sans lui, le plan bloque les recettes qui en ont besoin et écrit les autres[{parts!} par-dessus les disques inachevés].[ Les disques complets restent valides (partie {parts}) : la zone peut les importer. Utilisez des dossiers vides à leur place.]`,
  ],
  resume: [
    'Write the same plan again: the writing continues, and complete parts stay.',
    fr`Écrivez de nouveau le même plan : l’écriture reprend, et les parties complètes restent.`,
  ],
  leftovers: {
    one: [
      'Unfinished content stays in {folders}: empty this folder before another use.',
      fr`Un contenu inachevé reste dans {folders} : videz ce dossier avant un autre usage.`,
    ],
    other: [
      'Unfinished content stays in {folders}: empty these folders before another use.',
      fr`Un contenu inachevé reste dans {folders} : videz ces dossiers avant un autre usage.`,
    ],
  },
  proofFailed: ['The proof of {time} failed', fr`La preuve du {time} a échoué`],
  proofUnknown: [
    'The proof at the end of the writing failed, and no record has its findings.',
    fr`La preuve à la fin de l’écriture a échoué, et aucun enregistrement n’a ses constats.`,
  ],
  provedSince: [
    'The proof of {time} succeeded, of other disks or by an earlier release: prove all disks of the delivery again.',
    fr`La preuve du {time} a réussi, pour d’autres disques ou avec une version antérieure : prouvez de nouveau tous les disques de la livraison.`,
  ],
  noPassport: [
    'The disks were proved on {time}, after their writing: they have no passport, and a zone that requires one refuses them.',
    fr`Les disques ont été prouvés le {time}, après leur écriture : ils n’ont pas de passeport, et une zone qui en exige un les refuse.`,
  ],
  rewrite: [
    'Write the same plan again: complete parts stay, and are proved again. A proof alone lists all findings with their remedies.',
    fr`Écrivez de nouveau le même plan : les parties complètes restent, et sont prouvées de nouveau. Une preuve seule donne tous les constats avec leurs remèdes.`,
  ],
  keepBack: [
    'Keep the disks here until a proof succeeds, or write them again.',
    fr`Gardez les disques ici jusqu’à ce qu’une preuve réussisse, ou réécrivez-les.`,
  ],
  hand: [
    'The custody ledger has no line that the disks left. Hand them over, and note it:',
    fr`Le journal de garde n’a aucune ligne sur le départ des disques. Remettez-les, et notez-le :`,
  ],
  handed: ['The disks were handed over on {time}.', fr`Les disques ont été remis le {time}.`],
  await: [
    'After its import, the zone confirms the delivery with a receipt: add it here.',
    fr`Après son import, la zone confirme la livraison par un reçu : ajoutez-le ici.`,
  ],
  ask: ['Ask {zone} for its receipt, and add it here.', fr`Demandez son reçu à {zone}, et ajoutez-le ici.`],
  lacks: ['By receipt {sequence}, the zone lacks:', fr`Selon le reçu {sequence}, il manque à la zone :`],
  recipeAwaited: [
    '{awaited:Its disk … has/Its disks … have} not arrived.',
    fr`{awaited:Son disque … n’est pas arrivé/Ses disques … ne sont pas arrivés}.`,
  ],
  notListed: ['not in its registry', fr`absente de son registre`],
  moreRecipes: {
    one: ['{count} more recipe', fr`{count} autre recette`],
    other: ['{count} more recipes', fr`{count} autres recettes`],
  },
  disks: [
    'The receipt names part {part} of {parts}: the zone may not have imported every disk. Have it do so, and add its next receipt.',
    fr`Le reçu nomme la partie {part} sur {parts} : la zone n’a peut-être pas importé tous les disques. Faites-le faire, et ajoutez son reçu suivant.`,
  ],
  awaited: [
    '{awaited:Disk … has/Disks … have} not arrived in {zone}, by the receipt. Ask {zone} to import {awaited:it/them}, or write the missing recipes again.',
    fr`D’après le reçu, il manque à {zone} {awaited:le disque …/les disques …}. Demandez à {zone} {awaited:de l’importer/de les importer}, ou réécrivez les recettes manquantes.`,
  ],
  renew: [
    'Ask {zone} which one is right, and add a receipt with a higher number.',
    fr`Demandez à {zone} lequel est bon, et ajoutez un reçu d’un numéro plus élevé.`,
  ],
  believe: [
    'Name the key of {zone} under peers, or ask {zone} for a receipt that a known key signs.',
    fr`Nommez la clé de {zone} sous peers, ou demandez à {zone} un reçu qu’une clé connue signe.`,
  ],
  carry: [
    'Deliver the missing recipes on another disk, and add the next receipt.',
    fr`Livrez les recettes manquantes sur un autre disque, et ajoutez le reçu suivant.`,
  ],
  cause: [
    'Another disk does not help: the zone would refuse these recipes again. The page of the zone has the remedy.',
    fr`Un autre disque n’y change rien : la zone refuserait de nouveau ces recettes. La page de la zone donne le remède.`,
  ],
  import: [
    'Insert the disk of {needed:part …/parts …}, and import it on the page of the medium.',
    fr`Insérez le disque de {needed:la partie …/des parties …}, et importez-le sur la page du support.`,
  ],
  importEarlier: [
    'Import the earlier deliveries first, or have this one written with --base none.',
    fr`Importez d’abord les livraisons antérieures, ou faites écrire celle-ci avec --base none.`,
  ],
  verified: ['The verification of {time} found', fr`La vérification du {time} a trouvé`],
  otherZone: [
    'The disk is addressed to {zone}: carry it there, and get the disk of this zone.',
    fr`Le disque est adressé à {zone} : portez-le là-bas, et procurez-vous le disque de cette zone.`,
  ],
  verifiedWhole: [
    'The verification of {time} passed. Import the disk on the page of the medium.',
    fr`La vérification du {time} a réussi. Importez le disque sur la page du support.`,
  ],
  orForget: [
    'If the disk will not come, an administrator can forget the delivery.',
    fr`Si le disque ne vient pas, un administrateur peut oublier la livraison.`,
  ],
  refused: ['The zone refused:', fr`La zone a refusé :`],
  sender: [
    'Ask the sender for another delivery of these recipes.',
    fr`Demandez à l’expéditeur une autre livraison de ces recettes.`,
  ],
  forget: [
    'The newer medium {medium} was imported since, and the import refuses older disks. An administrator can forget this delivery.',
    fr`Le support {medium}, plus récent, a été importé depuis, et l’import refuse les disques antérieurs. Un administrateur peut oublier cette livraison.`,
  ],
  importFailed: ['The import of {time} failed', fr`L’import du {time} a échoué`],
  importAgain: [
    'Read the verdict on the medium, and import it again.',
    fr`Lisez le verdict sur le support, et importez-le de nouveau.`,
  ],
  replaced: [
    'A later delivery was written and proved: this one needs nothing more.',
    fr`Une livraison plus récente a été écrite et prouvée : celle-ci n’a plus besoin de rien.`,
  ],
  writeAgain: ['Write the same plan again', fr`Écrire de nouveau le même plan`],
  proveNow: ['Prove it now', fr`Prouver maintenant`],
  addReceipt: ['Add a receipt', fr`Ajouter un reçu`],
  deliverMissing: ['Deliver the missing recipes', fr`Livrer les recettes manquantes`],
  openReceipt: ['Open the receipt', fr`Ouvrir le reçu`],
  openZone: ['Open the zone', fr`Ouvrir la zone`],
  openMedium: ['Open the medium', fr`Ouvrir le support`],
} as const;

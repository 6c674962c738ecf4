import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** How a damaged disk of a delivery is repaired, or replaced: the end of a remedy. */
const repair = {
  en: '[ With all disks of delivery {delivery} connected there, the command that wrote it repairs this one.][ If others have left, write the recipe to an empty disk: svc media write DIR --zone {zone} --recipe {recipe:word} --base none.][{program=yes} Do not install this program. Other disks of the delivery have copies of it.]',
  fr: '[ Avec tous les disques de la livraison {delivery} connectés là-bas, la commande qui l’a écrite, relancée, répare celui-ci.][ Si d’autres sont partis, écrivez la recette sur un disque vide : svc media write DIR --zone {zone} --recipe {recipe:word} --base none.][{program=yes} N’installez pas ce programme. Les autres disques de la livraison en ont des copies.]',
};

/** Errors of media. */
export const medErrors = {
  'SVC-MED-001': {
    class: 'verification',
    status: 422,
    params: {
      path: 'name',
      'mediaId?': 'name',
      'folder?': 'name',
      'found?': 'name',
      'nested?': 'name',
      'parts?': 'name',
    },
    what: [
      'The medium[ {mediaId}] has no manifest: {path} is missing[ in {folder}].',
      fr`Le support[ {mediaId}] n’a pas de manifeste : {path} manque[ dans {folder}].`,
    ],
    cause: [
      '[{found=empty}The folder is empty: the disk is not mounted there, or the path is wrong.][{found=blank}A disk is mounted there, and it is blank.][{found=nested}The folder is above the medium, which is {nested}.][{found=inside}The folder is a part of the medium, which is {nested}.][{found=parts}The folder is above the media {parts}.][{found=incomplete}The folder is not a medium, the copy is incomplete, or its writing or the synchronization at the source was interrupted.][{found=state}The folder is the state folder of an instance: it has accounts and keys, and no content.][{found=shortened}The disc was burned as ISO 9660 alone, which cuts the names of files: media.jsonl became MEDIA.JSO.]',
      fr`[{found=empty}Le dossier est vide : le disque n’y est pas monté, ou le chemin est faux.][{found=blank}Un disque y est monté, et il est vierge.][{found=nested}Le dossier est au-dessus du support, qui est {nested}.][{found=inside}Le dossier est une partie du support, qui est {nested}.][{found=parts}Le dossier est au-dessus des supports {parts}.][{found=incomplete}Le dossier n’est pas un support, la copie est incomplète, ou son écriture ou la synchronisation a été interrompue à la source.][{found=state}Le dossier est le dossier d’état d’une instance : il contient des comptes et des clés, et pas de contenu.][{found=shortened}Le disque a été gravé en ISO 9660 seul, qui tronque les noms de fichiers : media.jsonl est devenu MEDIA.JSO.]`,
    ],
    action: [
      '[{found=state}Give the folder of the medium, or set it as storage.root; this folder is for state.root.][{found=empty}Check that the disk is mounted (findmnt), and that the folder given, or storage.root, is its folder.][{found=blank}Connect the disk with the delivery; if this is the disk, have the delivery written again.][{found=nested}Give {nested} as the folder, or set it as storage.root.][{found=inside}Give {nested} as the folder, or set it as storage.root.][{found=parts}Give one of these folders, or set it as storage.root. svc media import and svc media prove take several at once.][{found=incomplete}Check the path. If it is right, copy the medium again, or have its writing completed at the source (svc media write, svc sync).][{found=shortened}Burn the disc again with UDF, or with Rock Ridge names.]',
      fr`[{found=state}Donnez le dossier du support, ou réglez-le comme storage.root ; ce dossier-ci est pour state.root.][{found=empty}Vérifiez que le disque est monté (findmnt), et que le dossier donné, ou storage.root, est le sien.][{found=blank}Branchez le disque de la livraison ; si c’est celui-ci, faites écrire de nouveau la livraison.][{found=nested}Donnez {nested} comme dossier, ou réglez-le comme storage.root.][{found=inside}Donnez {nested} comme dossier, ou réglez-le comme storage.root.][{found=parts}Donnez l’un de ces dossiers, ou réglez-le comme storage.root. svc media import et svc media prove en prennent plusieurs à la fois.][{found=incomplete}Vérifiez le chemin. S’il est juste, copiez à nouveau le support, ou faites terminer son écriture à la source (svc media write, svc sync).][{found=shortened}Gravez de nouveau le disque en UDF, ou avec les noms Rock Ridge.]`,
    ],
  },
  'SVC-MED-002': {
    class: 'verification',
    status: 422,
    params: {
      path: 'name',
      'detail?': 'text',
      'recipe?': 'name',
      'mediaId?': 'name',
      'part?': 'name',
      'delivery?': 'name',
    },
    what: [
      'The manifest of the medium[ {mediaId}][ (part {part} of delivery {delivery})] cannot be read: {path}[ ({detail})][; {recipe} needs it].',
      fr`Le manifeste du support[ {mediaId}][ (partie {part} de la livraison {delivery})] est illisible : {path}[ ({detail})][ ; {recipe} en a besoin].`,
    ],
    cause: [
      'The file is damaged, cut short, or was changed by hand.',
      fr`Le fichier est abîmé, tronqué, ou modifié à la main.`,
    ],
    action: [
      'Copy the medium again from the source. [Recipe {recipe} is not pushed from this medium.|Nothing from this medium is pushed.]',
      fr`Recopiez le support depuis la source. [La recette {recipe} n’est pas poussée depuis ce support.|Rien de ce support n’est poussé.]`,
    ],
  },
  'SVC-MED-003': {
    class: 'verification',
    status: 422,
    params: { found: 'name', supported: 'name', 'mediaId?': 'name' },
    what: [
      'The medium[ {mediaId}] has manifest format {found}; this version of svc supports {supported}.',
      fr`Le support[ {mediaId}] a un manifeste au format {found} ; cette version de svc prend en charge {supported}.`,
    ],
    cause: [
      'The source and this zone run different versions of svc.',
      fr`La source et cette zone utilisent des versions différentes de svc.`,
    ],
    action: [
      'Upgrade svc in this zone to a version that supports format {found}.',
      fr`Mettez svc à jour dans cette zone vers une version qui prend en charge le format {found}.`,
    ],
  },
  'SVC-MED-004': {
    class: 'verification',
    status: 422,
    params: { found: 'name', supported: 'name', 'mediaId?': 'name' },
    what: [
      'The store on the medium[ {mediaId}] has format {found}; this version of svc supports {supported}.',
      fr`Le stockage du support[ {mediaId}] est au format {found} ; cette version de svc prend en charge {supported}.`,
    ],
    cause: [
      'The source and this zone run different versions of svc.',
      fr`La source et cette zone utilisent des versions différentes de svc.`,
    ],
    action: [
      'Upgrade svc in this zone to a version that supports format {found}.',
      fr`Mettez svc à jour dans cette zone vers une version qui prend en charge le format {found}.`,
    ],
  },
  'SVC-MED-005': {
    class: 'verification',
    status: 422,
    params: { path: 'name', 'expected?': 'text', 'actual?': 'text', 'missing?': 'name', 'mediaId?': 'name' },
    what: [
      'The list of recipes on the medium[ {mediaId}] [{missing=yes}is missing|was altered]: {path}[, expected {expected}][, found {actual}].',
      fr`La liste des recettes du support[ {mediaId}] [{missing=yes}manque|a été altérée] : {path}[, attendu {expected}][, trouvé {actual}].`,
    ],
    cause: [
      '[{missing=yes}The copy of the medium is incomplete.|The records of the medium do not match the signed recipes on it: they were damaged, also while they were copied, or edited.]',
      fr`[{missing=yes}La copie du support est incomplète.|Les journaux du stockage sur le support ne correspondent pas aux recettes signées qu’il contient : ils ont été abîmés, par exemple pendant la copie, ou modifiés.]`,
    ],
    action: [
      '[{missing=yes}Copy the medium again from the source, completely, then verify again.|Do not use this medium; all of its recipes are blocked, and no option overrides this. Copy it again from the source; if the result is the same, make a new medium there.]',
      fr`[{missing=yes}Recopiez entièrement le support depuis la source, puis vérifiez de nouveau.|N’utilisez pas ce support ; toutes ses recettes sont bloquées et aucune option n’y déroge. Recopiez-le depuis la source ; si le résultat est le même, refaites-y un support.]`,
    ],
  },
  'SVC-MED-006': {
    class: 'policy',
    status: 409,
    params: { expected: 'text', found: 'name', 'folder?': 'name', 'mediaId?': 'name', 'proof?': 'name' },
    what: [
      'The medium[ {mediaId}] is addressed to zone {found}[{proof!}, and this is zone {expected}][{proof=yes}, and the proof is for zone {expected}].',
      fr`Le support[ {mediaId}] est destiné à la zone {found}[{proof!}, et celle-ci est la zone {expected}][{proof=yes}, et la preuve est faite pour la zone {expected}].`,
    ],
    cause: [
      '[{proof!}Media were swapped, or the setting zone differs from the name of the Retriever of this zone.][{proof=yes}Another folder was meant, another zone, or a receipt of another zone.]',
      fr`[{proof!}Des supports ont été échangés, ou le réglage zone diffère du nom du Retriever de cette zone.][{proof=yes}Il s’agissait d’un autre dossier, d’une autre zone, ou du reçu d’une autre zone.]`,
    ],
    action: [
      '[{proof!}Use the right medium.][{proof!} An administrator can import this one with svc media import {folder:word} --allow-zone-mismatch; signatures are still checked.][{proof=yes}Give the folders of one delivery to zone {expected}. For a proof of this medium, correct the zone (--zone) and the receipt (--against): both are those of {found}.]',
      fr`[{proof!}Utilisez le bon support.][{proof!} Un administrateur peut importer celui-ci avec svc media import {folder:word} --allow-zone-mismatch ; les signatures restent vérifiées.][{proof=yes}Donnez les dossiers d’une même livraison à la zone {expected}. Pour prouver ce support, corrigez la zone (--zone) et le reçu (--against) : ce sont ceux de {found}.]`,
    ],
  },
  'SVC-MED-007': {
    class: 'policy',
    status: 409,
    params: {
      'importedAt?': 'name',
      zone: 'name',
      resolvedAt: 'name',
      recordedAt: 'name',
      'folder?': 'name',
      'recordedMediaId?': 'name',
      'mediaId?': 'name',
      'delivery?': 'name',
    },
    what: [
      'The medium[ {mediaId}] is older than the freshest medium imported for zone {zone}: resolved at {resolvedAt}, that one at {recordedAt}[ (medium {recordedMediaId})].',
      fr`Le support[ {mediaId}] est plus ancien que le plus récent importé pour la zone {zone} : résolu le {resolvedAt}, celui-là le {recordedAt}[ (support {recordedMediaId})].`,
    ],
    cause: [
      '[The freshest medium was imported at {importedAt}, before its own date: a clock was wrong then, and a medium with the right date counts as older until {recordedAt}.|This is an earlier medium, or a clock at the source was wrong. Importing it could restore old versions.]',
      fr`[Le support le plus récent a été importé le {importedAt}, avant sa propre date : une horloge était fausse alors, et un support à la bonne date passe pour plus ancien jusqu’au {recordedAt}.|Ce support est antérieur, ou une horloge était fausse à la source. L’importer pourrait rétablir d’anciennes versions.]`,
    ],
    action: [
      'Use a current medium. An administrator who wants the older state[, or knows that this medium was made after the one of {importedAt},] can import it with svc media import [{folder:word}|DIR] --allow-stale.[ Where no disk of delivery {delivery} is wanted any more, forget it: svc media forget {delivery}.]',
      fr`Utilisez un support à jour. Un administrateur qui veut l’état ancien[, ou qui sait que ce support a été fait après celui du {importedAt},] peut l’importer avec svc media import [{folder:word}|DIR] --allow-stale.[ Si plus aucun disque de la livraison {delivery} n’est attendu, oubliez-la : svc media forget {delivery}.]`,
    ],
  },
  'SVC-MED-010': {
    class: 'verification',
    status: 422,
    params: {
      path: 'name',
      'recipe?': 'name',
      'mediaId?': 'name',
      'part?': 'name',
      'delivery?': 'name',
      'zone?': 'name',
      'program?': 'name',
    },
    what: [
      'A file is missing from the medium[ {mediaId}][ (part {part} of delivery {delivery})]: {path}[, which {recipe} needs].',
      fr`Un fichier manque sur le support[ {mediaId}][ (partie {part} de la livraison {delivery})] : {path}[, dont {recipe} a besoin].`,
    ],
    cause: [
      'The copy is incomplete, or the file was lost in transport.',
      fr`La copie est incomplète, ou le fichier a été perdu pendant le transport.`,
    ],
    action: [
      `Copy the file or the medium again from the source, then verify again.${repair.en}`,
      fr`Recopiez le fichier ou le support depuis la source, puis vérifiez de nouveau.${repair.fr}`,
    ],
  },
  'SVC-MED-011': {
    class: 'verification',
    status: 422,
    params: {
      path: 'name',
      'expected?': 'name',
      'actual?': 'name',
      'recipe?': 'name',
      'mediaId?': 'name',
      'part?': 'name',
      'delivery?': 'name',
      'zone?': 'name',
      'program?': 'name',
    },
    what: [
      'A file on the medium[ {mediaId}][ (part {part} of delivery {delivery})] has the wrong size: {path}[, expected {expected} bytes][, found {actual}][; {recipe} needs it].',
      fr`Un fichier du support[ {mediaId}][ (partie {part} de la livraison {delivery})] n’a pas la bonne taille : {path}[, {expected} octets attendus][, {actual} trouvés][ ; {recipe} en a besoin].`,
    ],
    cause: [
      'The copy was truncated, data was appended, or the disk is failing.',
      fr`La copie a été tronquée, des données ont été ajoutées, ou le disque est défaillant.`,
    ],
    action: [
      `Copy the file or the medium again from the source, then verify again.${repair.en}`,
      fr`Recopiez le fichier ou le support depuis la source, puis vérifiez de nouveau.${repair.fr}`,
    ],
  },
  'SVC-MED-012': {
    class: 'verification',
    status: 422,
    params: {
      path: 'name',
      'expected?': 'name',
      'actual?': 'name',
      'recipe?': 'name',
      'mediaId?': 'name',
      'part?': 'name',
      'delivery?': 'name',
      'zone?': 'name',
      'program?': 'name',
    },
    what: [
      'A file on the medium[ {mediaId}][ (part {part} of delivery {delivery})] does not match its digest: {path}[, expected {expected}][, found {actual}][; {recipe} needs it].',
      fr`Un fichier du support[ {mediaId}][ (partie {part} de la livraison {delivery})] ne correspond pas à son empreinte : {path}[, attendu {expected}][, trouvé {actual}][ ; {recipe} en a besoin].`,
    ],
    cause: [
      'The file was damaged on the disk or while it was copied, or was replaced.',
      fr`Le fichier a été abîmé sur le disque ou pendant la copie, ou a été remplacé.`,
    ],
    action: [
      `Copy the medium again from the source. If it happens again, replace the disk and check each step of its transport.${repair.en}`,
      fr`Recopiez le support depuis la source. Si cela se reproduit, changez de disque et vérifiez chaque étape de son transport.${repair.fr}`,
    ],
  },
  'SVC-MED-013': {
    class: 'verification',
    status: 422,
    params: { path: 'name', 'recipe?': 'name', 'mediaId?': 'name', 'part?': 'name', 'delivery?': 'name' },
    what: [
      '{path} is needed but not in the inventory of the medium[ {mediaId}][ (part {part} of delivery {delivery})][; {recipe} needs it].',
      fr`{path} est nécessaire, mais absent de l’inventaire du support[ {mediaId}][ (partie {part} de la livraison {delivery})][ ; {recipe} en a besoin].`,
    ],
    cause: [
      'The manifest was written before the file was added, or was edited.',
      fr`Le manifeste a été écrit avant l’ajout du fichier, ou a été modifié.`,
    ],
    action: [
      'Complete a synchronization at the source, then copy the medium again.',
      fr`Menez une synchronisation à son terme à la source, puis recopiez le support.`,
    ],
  },
  'SVC-MED-014': {
    class: 'verification',
    status: 422,
    params: {
      path: 'name',
      'detail?': 'text',
      'recipe?': 'name',
      'mediaId?': 'name',
      'part?': 'name',
      'delivery?': 'name',
    },
    what: [
      'A file on the medium[ {mediaId}][ (part {part} of delivery {delivery})] cannot be read: {path}[ ({detail})][; {recipe} needs it].',
      fr`Un fichier du support[ {mediaId}][ (partie {part} de la livraison {delivery})] est illisible : {path}[ ({detail})][ ; {recipe} en a besoin].`,
    ],
    cause: [
      'The disk has an error, or the path is not a regular file.',
      fr`Le disque a une erreur, ou le chemin n’est pas un fichier ordinaire.`,
    ],
    action: [
      'Check the kernel log, and copy the medium to another disk.',
      fr`Consultez le journal du noyau, et copiez le support sur un autre disque.`,
    ],
  },
  'SVC-MED-015': {
    class: 'verification',
    status: 422,
    params: { path: 'name', 'recipe?': 'name', 'mediaId?': 'name', 'part?': 'name', 'delivery?': 'name' },
    what: [
      '{path} on the medium[ {mediaId}][ (part {part} of delivery {delivery})] does not have the name of its digest[; {recipe} needs it].',
      fr`{path}, sur le support[ {mediaId}][ (partie {part} de la livraison {delivery})], ne porte pas le nom de son empreinte[ ; {recipe} en a besoin].`,
    ],
    cause: [
      'The file was added by hand or renamed by a tool.',
      fr`Le fichier a été ajouté à la main ou renommé par un outil.`,
    ],
    action: ['Make a new medium at the source.', fr`Refaites un support à la source.`],
  },
  'SVC-MED-020': {
    class: 'failure',
    status: 422,
    params: { path: 'name', 'form?': 'name', 'nested?': 'name', 'mediaId?': 'name' },
    what: [
      '{path} is on the medium[ {mediaId}] but not listed in its manifest. The file was ignored.',
      fr`{path} se trouve sur le support[ {mediaId}] mais pas dans son manifeste. Le fichier a été ignoré.`,
    ],
    cause: [
      '[{form!}{nested!}Operating systems create such files; the file could also have been added on purpose.][{form=blob}The file has the name of a blob. An earlier copy into this folder leaves such files: cp replaces files and removes none. The file could also have been added on purpose.][{nested} is a medium itself: a copy into a folder that existed already (cp -r) ends one level too deep.]',
      fr`[{form!}{nested!}Les systèmes d’exploitation créent de tels fichiers ; le fichier peut aussi avoir été ajouté volontairement.][{form=blob}Le fichier porte le nom d’un blob. Une copie antérieure dans ce dossier laisse de tels fichiers : cp remplace des fichiers et n’en supprime aucun. Le fichier peut aussi avoir été ajouté volontairement.][{nested} est lui-même un support : une copie dans un dossier qui existait déjà (cp -r) arrive un niveau trop bas.]`,
    ],
    action: [
      '[{form!}{nested!}No action is needed: the file is never read or pushed. If the file is unexpected, find out where it comes from.][{form=blob}No action is needed: the file is never served or imported, with any bytes. To remove such files, copy the medium again with rsync -a --delete --exclude=/_svc, or into an empty folder.][If that is the medium to verify or import, give its folder: --storage-root {nested}. Only the medium around it was verified.]',
      fr`[{form!}{nested!}Aucune action n’est nécessaire : le fichier n’est jamais lu ni poussé. S’il est inattendu, cherchez d’où il vient.][{form=blob}Aucune action n’est nécessaire : le fichier n’est jamais servi ni importé, quel que soit son contenu. Pour supprimer de tels fichiers, copiez à nouveau le support avec rsync -a --delete --exclude=/_svc, ou dans un dossier vide.][Si c’est le support à vérifier ou à importer, indiquez son dossier : --storage-root {nested}. Seul le support qui l’entoure a été vérifié.]`,
    ],
  },
  'SVC-MED-021': {
    class: 'failure',
    status: 422,
    params: { path: 'name', 'mediaId?': 'name' },
    what: [
      '{path} on the medium[ {mediaId}] is not part of a verified recipe. It is not pushed.',
      fr`{path}, sur le support[ {mediaId}], ne fait partie d’aucune recette vérifiée. Il n’est pas poussé.`,
    ],
    cause: [
      'The content was added by unit import or push at the source, or belongs to a blocked recipe.',
      fr`Le contenu a été ajouté par import unitaire ou poussé à la source, ou appartient à une recette bloquée.`,
    ],
    action: [
      'To carry it, list it in a signed recipe.',
      fr`Pour le transporter, listez-le dans une recette signée.`,
    ],
  },
  'SVC-MED-022': {
    class: 'failure',
    status: 422,
    params: { path: 'name', 'detail?': 'text', 'mediaId?': 'name' },
    what: [
      'The records of the medium[ {mediaId}] do not match: {path}[ ({detail})].',
      fr`Les enregistrements du support[ {mediaId}] ne concordent pas : {path}[ ({detail})].`,
    ],
    cause: [
      'A record was damaged, edited or not copied completely. These records are not signed, and no recipe is accepted because of them.',
      fr`Un enregistrement a été abîmé, modifié ou copié incomplètement. Ces enregistrements ne sont pas signés, et aucune recette n’est acceptée à cause d’eux.`,
    ],
    action: [
      'The verdict of each recipe is still correct. Copy the medium again, or create it again at the source.',
      fr`Le verdict de chaque recette reste juste. Recopiez le support, ou recréez-le à la source.`,
    ],
  },
  'SVC-MED-023': {
    class: 'failure',
    status: 422,
    params: { recipe: 'name', version: 'name', imported: 'name', 'mediaId?': 'name' },
    what: [
      'The medium[ {mediaId}] brings {recipe} in version {version}, lower than {imported}, which was imported before.',
      fr`Le support[ {mediaId}] apporte {recipe} en version {version}, inférieure à {imported}, importée auparavant.`,
    ],
    cause: [
      'The source returned to an older version, or an older, validly signed delivery is replayed.',
      fr`La source est revenue à une version antérieure, ou une ancienne livraison, dûment signée, est rejouée.`,
    ],
    action: [
      'Ask the source whether this is intended. The warning alone stops no import.',
      fr`Demandez à la source si c’est voulu. L’avertissement seul n’arrête aucun import.`,
    ],
  },
  'SVC-MED-024': {
    class: 'failure',
    status: 422,
    params: { resolvedAt: 'name', now: 'name', 'mediaId?': 'name' },
    what: [
      'The medium[ {mediaId}] is dated in the future: resolved at {resolvedAt}, and the clock of this machine says {now}.',
      fr`Le support[ {mediaId}] est daté du futur : résolu le {resolvedAt}, alors que l’horloge de cette machine indique {now}.`,
    ],
    cause: [
      'The clock of the source or of this machine is wrong by more than a day, or the date, which is not signed, was edited.',
      fr`L’horloge de la source ou de cette machine se trompe de plus d’un jour, ou la date, qui n’est pas signée, a été modifiée.`,
    ],
    action: [
      'Correct the clocks before the import. It counts the medium as resolved at the time of the import: older media are then refused (SVC-MED-007); an administrator can import them with svc media import DIR --allow-stale.',
      fr`Réglez les horloges avant l’import. Le support compte comme résolu à l’heure de l’import : les supports plus anciens sont alors refusés (SVC-MED-007) ; un administrateur peut les importer avec svc media import DIR --allow-stale.`,
    ],
  },
  'SVC-MED-025': {
    class: 'verification',
    status: 422,
    params: { 'mediaId?': 'name' },
    what: [
      'The medium[ {mediaId}] lists no recipe: nothing was verified, and there is nothing to push.',
      fr`Le support[ {mediaId}] ne liste aucune recette : rien n’a été vérifié et il n’y a rien à envoyer.`,
    ],
    cause: [
      'The Retriever of the source names no recipe, all of its recipes failed in the last synchronization, or the list was cut.',
      fr`Le Retriever de la source ne nomme aucune recette, toutes ses recettes ont échoué à la dernière synchronisation, ou la liste a été tronquée.`,
    ],
    action: [
      'Look into the operation log of the medium (_svc/logs/operations.log, unless logging.media names another file), and synchronize at the source until its recipes are complete.',
      fr`Consultez le journal des opérations du support (_svc/logs/operations.log, sauf si logging.media nomme un autre fichier) et synchronisez à la source jusqu’à ce que ses recettes soient complètes.`,
    ],
  },
  'SVC-MED-030': {
    class: 'policy',
    status: 403,
    params: { 'mediaId?': 'name', 'change?': 'name' },
    what: [
      'The medium[ {mediaId}] was made elsewhere: its content is not served before it has been verified, and not changed before it has been adopted.',
      fr`Le support[ {mediaId}] a été fait ailleurs : son contenu n’est pas servi avant sa vérification, ni modifié avant son adoption.`,
    ],
    cause: [
      'This store was not made here. In a zone its content is served once the verification has passed. The store is changed only after it has been made the store of this instance.',
      fr`Ce stockage n’a pas été fait ici. Dans une zone, son contenu est servi une fois la vérification réussie. Le stockage n’est modifié qu’après être devenu celui de cette instance.`,
    ],
    action: [
      '[{change!}To read content, verify it: a running instance does so at its start and with POST /api/v1/media/verify, and svc export, svc client config, svc recipe mapping and svc content show do so before they answer. To change content, adopt the store: run a synchronization (svc sync), or stop the instance and run svc store check --adopt.][{change=repair}svc store check --repair corrects the store of this instance only. To have the medium again, copy all files again from the store at the source. To make it a store of this instance, which no other zone can import, add --adopt.]',
      fr`[{change!}Pour lire le contenu, faites-le vérifier : une instance le fait à son démarrage et par POST /api/v1/media/verify, et svc export, svc client config, svc recipe mapping et svc content show le font avant de répondre. Pour le modifier, adoptez le stockage : lancez une synchronisation (svc sync), ou arrêtez l’instance et lancez svc store check --adopt.][{change=repair}svc store check --repair ne corrige que le stockage de cette instance. Pour retrouver le support, copiez à nouveau tous les fichiers depuis le stockage de la source. Pour en faire un stockage de cette instance, qu’aucune autre zone ne peut importer, ajoutez --adopt.]`,
    ],
  },
  'SVC-MED-031': {
    class: 'failure',
    status: 409,
    params: { stage: 'name', 'mediaId?': 'name' },
    what: [
      'A verification of the medium[ {mediaId}] is already running (stage: {stage}).',
      fr`Une vérification du support[ {mediaId}] est déjà en cours (étape : {stage}).`,
    ],
    cause: [
      'Only one verification of a medium runs at a time.',
      fr`Un support n’est vérifié qu’une fois à la fois.`,
    ],
    action: [
      'Wait for the report: GET /api/v1/media/verification shows its progress.',
      fr`Attendez son rapport : GET /api/v1/media/verification montre son avancement.`,
    ],
  },
  'SVC-MED-032': {
    class: 'policy',
    status: 403,
    params: { 'mediaId?': 'name', 'problem?': 'name', 'parts?': 'name' },
    what: [
      'Content of the medium[ {mediaId}] is not available: [{problem!}it did not pass verification][{problem=parts}the medium is verified, and the rest is on {parts:part …/parts …}][{problem=zone}the medium is verified, and the rest is in the registry of the zone].',
      fr`Le contenu du support[ {mediaId}] n’est pas disponible : [{problem!}il n’a pas passé la vérification][{problem=parts}le support est vérifié, et le reste est sur {parts:la partie …/les parties …}][{problem=zone}le support est vérifié, et le reste est dans le registre de la zone].`,
    ],
    cause: [
      '[{problem!}The last verification blocked the medium or the recipes that this content belongs to, or a file of these recipes changed afterwards.|An instance serves only recipes that are whole on the medium, and this content is of none of them. The disk is not damaged.]',
      fr`[{problem!}La dernière vérification a bloqué le support ou les recettes auxquelles ce contenu appartient, ou un fichier de ces recettes a changé depuis.|Une instance ne sert que les recettes entières du support, et ce contenu n’appartient à aucune d’elles. Le disque n’est pas endommagé.]`,
    ],
    action: [
      '[{problem!}Read the report, which lists each problem with its file: svc media verify prints it with the configuration of the zone, and a running instance has it at GET /api/v1/media/verification.|Import the medium, and the other disks of its delivery, into the registry of the zone, in any order: svc media import.]',
      fr`[{problem!}Lisez le rapport, qui liste chaque problème et son fichier : svc media verify l’affiche avec la configuration de la zone, et une instance en cours d’exécution l’a sous GET /api/v1/media/verification.|Importez le support, et les autres disques de sa livraison, dans le registre de la zone, dans n’importe quel ordre : svc media import.]`,
    ],
  },
  'SVC-MED-033': {
    class: 'failure',
    status: 503,
    params: { 'mediaId?': 'name', 'problem?': 'name' },
    what: [
      'The medium[ {mediaId}] [{problem=away}is away, since the folder of the store is absent or has no medium|was replaced or changed after it was opened]: no content is served until it was opened again and verified.',
      fr`Le support[ {mediaId}] [{problem=away}est absent, car le dossier du stockage manque ou ne contient aucun support|a été remplacé ou modifié après son ouverture] : aucun contenu n’est servi avant qu’il soit rouvert et vérifié.`,
    ],
    cause: [
      '[{problem=away}The disk was unmounted or pulled out, the folder was renamed, or a copy into it has only begun.][{problem!}Another disk was mounted, a delivery was copied into the folder, or the copy is still running.]',
      fr`[{problem=away}Le disque a été démonté ou débranché, le dossier a été renommé, ou une copie vers ce dossier vient de commencer.][{problem!}Un autre disque a été monté, une livraison a été copiée dans le dossier, ou la copie est encore en cours.]`,
    ],
    action: [
      '[{problem=away}Connect the disk and mount it in the same place. The instance then opens the medium again and verifies it, without a restart.][{problem!}Wait: when the files no longer change, the instance opens the medium again and verifies it, without a restart. GET /api/v1/media/verification, svc status and the page Medium show when it is done. If nothing was copied, find out which process writes to the medium.]',
      fr`[{problem=away}Branchez le disque et montez-le au même endroit. L’instance rouvre alors le support et le vérifie, sans redémarrage.][{problem!}Attendez : quand les fichiers ne changent plus, l’instance rouvre le support et le vérifie, sans redémarrage. GET /api/v1/media/verification, svc status et la page Support indiquent quand c’est fait. Si rien n’a été copié, cherchez quel processus écrit sur le support.]`,
    ],
  },
  'SVC-MED-040': {
    class: 'failure',
    status: 409,
    params: {
      recipe: 'name',
      files: 'name',
      bytes: 'bytes',
      'zone?': 'name',
      'sequence?': 'name',
      'delivery?': 'name',
      'proof?': 'name',
      'problem?': 'name',
      'last?': 'name',
    },
    what: [
      'Recipe {recipe} is held back: it needs {files:file/files} ({bytes:size}) that the registry of the zone does not have.[{problem=sent} The medium was written with --base sent: it leaves out content that the source had sent before.][ The last disk that was sent before it has a media.jsonl of the digest {last}.][ The registry had this content when receipt {sequence} of zone {zone} was written, and this medium does not bring it again.][ The last delivery with such content was {delivery}.]',
      fr`La recette {recipe} est retenue : elle nécessite {files:fichier/fichiers} ({bytes:size}) que le registre de la zone n’a pas.[{problem=sent} Le support a été écrit avec --base sent : il omet ce que la source avait déjà envoyé.][ Le dernier disque envoyé avant lui a un media.jsonl d’empreinte {last}.][ Le registre avait ce contenu quand le reçu {sequence} de la zone {zone} a été écrit, et ce support ne l’apporte pas de nouveau.][ La dernière livraison avec ce contenu était {delivery}.]`,
    ],
    cause: [
      '[{proof!}{problem=sent}An earlier delivery was not imported whole, or the registry removed content of it.][{proof!}{problem!}The registry removed content since the receipt, another registry is configured as destination.registry, or an earlier delivery was not imported.][{proof=empty}The delivery leaves out the content of its base, and this proof assumes an empty registry.]',
      fr`[{proof!}{problem=sent}Une livraison antérieure n’a pas été importée entière, ou le registre a supprimé de son contenu.][{proof!}{problem!}Le registre a supprimé du contenu depuis le reçu, un autre registre est configuré comme destination.registry, ou une livraison antérieure n’a pas été importée.][{proof=empty}La livraison omet le contenu de sa base, et cette preuve suppose un registre vide.]`,
    ],
    action: [
      '[{proof!}{problem=sent}Import the disks of earlier deliveries that did not arrive here, and then this one. At the source, svc zones lists the deliveries on their way.][{proof!}{problem!}Import delivery {delivery} once more, and then this one.][{proof!}{problem!}{delivery!}Import the earlier delivery once more, and then this one.][{proof!} A disk that is refused as older (SVC-MED-007) is imported by an administrator with svc media import DIR --allow-stale.][{proof=empty}Prove it with the receipt that is its base: svc media prove DIR --against RECEIPT, or the member against of POST /api/v1/media/prove.] Otherwise, have a complete delivery written[: svc media write DIR --zone {zone} --base none]. Or send a new receipt (svc receipt write); where the zone lost its state and counts from 1 again, an administrator of the source adds it with svc receipt add FILE --allow-older. Recipes that do not need this content are not held back.',
      fr`[{proof!}{problem=sent}Importez les disques des livraisons antérieures qui ne sont pas arrivés ici, puis celui-ci. À la source, svc zones liste les livraisons en route.][{proof!}{problem!}Importez une nouvelle fois la livraison {delivery}, puis celle-ci.][{proof!}{problem!}{delivery!}Importez une nouvelle fois la livraison antérieure, puis celle-ci.][{proof!} Un disque refusé parce que plus ancien (SVC-MED-007) est importé par un administrateur avec svc media import DIR --allow-stale.][{proof=empty}Prouvez-la avec le reçu qui est sa base : svc media prove DIR --against REÇU, ou le membre against de POST /api/v1/media/prove.] Sinon, faites écrire une livraison complète[ : svc media write DIR --zone {zone} --base none]. Ou envoyez un nouveau reçu (svc receipt write) ; si la zone a perdu son état et recompte depuis 1, un administrateur de la source l’ajoute avec svc receipt add FICHIER --allow-older. Les recettes qui n’ont pas besoin de ce contenu ne sont pas retenues.`,
    ],
  },
  'SVC-MED-041': {
    class: 'failure',
    status: 409,
    params: {
      recipe: 'name',
      files: 'name',
      bytes: 'bytes',
      parts: 'name',
      'delivery?': 'name',
      'proof?': 'name',
      'foreign?': 'name',
    },
    what: [
      'Recipe {recipe} waits for {parts:part …/parts …}[ of delivery {delivery}], for {files:file/files} ({bytes:size}).[ {foreign} is of another delivery.]',
      fr`La recette {recipe} attend {parts:la partie …/les parties …}[ de la livraison {delivery}], pour {files:fichier/fichiers} ({bytes:size}).[ {foreign} est d’une autre livraison.]`,
    ],
    cause: [
      'The delivery is on several disks, and the content of this recipe is not complete before all of its disks were imported.',
      fr`La livraison est répartie sur plusieurs disques, et le contenu de cette recette n’est complet qu’après l’import de tous ses disques.`,
    ],
    action: [
      '[{proof!}Import {parts:the disk with part …/the disks with parts …, in any order}. svc media status lists the parts that are missing.][{proof=parts}Name the {parts:folder of part …/folders of parts …} too.] A part that is lost can be written again at the source.',
      fr`[{proof!}Importez {parts:le disque de la partie …/les disques des parties …, dans n’importe quel ordre}. svc media status liste les parties manquantes.][{proof=parts}Indiquez aussi {parts:le dossier de la partie …/les dossiers des parties …}.] Une partie perdue peut être écrite de nouveau à la source.`,
    ],
  },
  'SVC-MED-042': {
    class: 'verification',
    status: 422,
    params: { path: 'name', detail: 'text', 'mediaId?': 'name' },
    what: [
      'The passport of the medium[ {mediaId}] is not valid: {detail} ({path}).',
      fr`Le passeport du support[ {mediaId}] n’est pas valable : {detail} ({path}).`,
    ],
    cause: [
      'The medium is not one of the sender, it was changed on the way, or the key of the sender is not configured (peers).',
      fr`Le support n’est pas de l’expéditeur, il a été modifié en chemin, ou la clé de l’expéditeur n’est pas configurée (peers).`,
    ],
    action: [
      'Ask the sender for the medium with its passport (svc media write), and compare the key with svc trust show. Nothing was pushed.',
      fr`Demandez à l’expéditeur le support avec son passeport (svc media write), et comparez la clé avec svc trust show. Rien n’a été envoyé.`,
    ],
  },
  'SVC-MED-043': {
    class: 'policy',
    status: 403,
    params: { expiresAt: 'name', now: 'name', 'folder?': 'name', 'mediaId?': 'name' },
    what: [
      'The passport of the medium[ {mediaId}] expired on {expiresAt} (it is {now}).',
      fr`Le passeport du support[ {mediaId}] a expiré le {expiresAt} (il est {now}).`,
    ],
    cause: [
      'The disk was on its way for longer than the sender allowed, or a clock is wrong.',
      fr`Le disque a été en chemin plus longtemps que l’expéditeur ne l’a permis, ou une horloge est fausse.`,
    ],
    action: [
      'Ask for a newer delivery. An administrator can import this one with svc media import [{folder:word}|DIR] --allow-stale, which is audited.',
      fr`Demandez une livraison plus récente. Un administrateur peut importer celle-ci avec svc media import [{folder:word}|DIR] --allow-stale, ce qui est audité.`,
    ],
  },
  'SVC-MED-044': {
    class: 'failure',
    status: 422,
    params: { delivery: 'name', part: 'name', 'known?': 'name', 'found?': 'name', 'mediaId?': 'name' },
    what: [
      'This medium[ {mediaId}] differs from the one that was imported before as part {part} of delivery {delivery}.[ The manifest of that one was {known}, and that of this one is {found}.]',
      fr`Ce support[ {mediaId}] diffère de celui qui a déjà été importé comme partie {part} de la livraison {delivery}.[ Le manifeste de l’autre était {known}, et celui de ce support est {found}.]`,
    ],
    cause: [
      'The part was written again, or somebody made a medium under the name of this delivery.',
      fr`La partie a été écrite de nouveau, ou quelqu’un a fait un support sous le nom de cette livraison.`,
    ],
    action: [
      'It is a finding: the import continues and keeps its exit code. Compare both with the sender if this is unexpected. Recipes are judged by their signatures: nothing else is imported.',
      fr`C’est un constat : l’import continue et garde son code de sortie. Si c’est inattendu, comparez les deux avec l’expéditeur. Les recettes sont jugées par leurs signatures : rien d’autre n’est importé.`,
    ],
  },
  'SVC-MED-045': {
    class: 'failure',
    status: 409,
    params: {
      path: 'name',
      delivery: 'name',
      part: 'name',
      detail: 'rule',
      'stranger?': 'name',
      'beside?': 'name',
    },
    what: [
      'Part {part} of delivery {delivery} cannot be written to {path}: {detail}.',
      fr`La partie {part} de la livraison {delivery} ne peut pas être écrite dans {path} : {detail}.`,
    ],
    cause: [
      '[{stranger!}A part is written to an absent or empty folder, or continues the same unfinished part. The recipes or their content have changed since, the folders were given in another order, or the disk is another one.][{stranger}: somebody put it there after the disk was written.]',
      fr`[{stranger!}Une partie s’écrit dans un dossier absent ou vide, ou poursuit la même partie inachevée. Ce qu’il faut écrire a changé depuis, les dossiers ont été donnés dans un autre ordre, ou le disque en est un autre.][{stranger} : quelqu’un l’y a mis après l’écriture du disque.]`,
    ],
    action: [
      '[Name a new folder on this disk, such as {beside}: its other files stay.][{stranger!}{beside!}Give the folders in the order of the first time. Otherwise name an empty folder, or empty this one yourself after you looked at it: nothing is ever removed from it.][Look at {stranger}, and remove it from {path}. Then run the same command again.]',
      fr`[Nommez un nouveau dossier sur ce disque, par exemple {beside} : ses autres fichiers restent.][{stranger!}{beside!}Donnez les dossiers dans l’ordre de la première fois. Sinon, nommez un dossier vide, ou videz celui-ci vous-même après l’avoir regardé : rien n’y est jamais supprimé.][Regardez {stranger}, et retirez-le de {path}. Relancez ensuite la même commande.]`,
    ],
  },
  'SVC-MED-046': {
    class: 'failure',
    status: 507,
    params: { zone: 'name', detail: 'rule' },
    what: [
      'The delivery for the zone {zone} does not fit on these disks: {detail}.',
      fr`La livraison pour la zone {zone} ne tient pas sur ces disques : {detail}.`,
    ],
    cause: [
      'Each disk has all documents, signatures and manifests of the delivery, and blobs as far as they fit. A share of each disk stays free (preflight.safetyMarginPercent).',
      fr`Chaque disque contient tous les documents, signatures et manifestes de la livraison, et des blobs dans la limite de la place. Une part de chaque disque reste libre (preflight.safetyMarginPercent).`,
    ],
    action: [
      'Name more or larger disks, choose fewer recipes, or leave out the content that a receipt of the zone lists.',
      fr`Nommez davantage de disques ou de plus grands, choisissez moins de recettes, ou laissez de côté le contenu que liste un reçu de la zone.`,
    ],
  },
  'SVC-MED-047': {
    class: 'verification',
    status: 422,
    params: { digest: 'name', 'parts?': 'name', 'delivery?': 'name' },
    what: [
      'The segments of {digest}, a large file[ of delivery {delivery}], have another digest together[: they came with {parts:part …/parts …}].',
      fr`Les segments de {digest}, un grand fichier[ de la livraison {delivery}], ont ensemble une autre empreinte[ : ils sont venus avec {parts:la partie …/les parties …}].`,
    ],
    cause: [
      'A segment was damaged or replaced, on a disk or in the state of the zone, or segments of different deliveries were mixed.',
      fr`Un segment a été abîmé ou remplacé, sur un disque ou dans l’état de la zone, ou des segments de livraisons différentes ont été mêlés.`,
    ],
    action: [
      '[Import {parts:the disk with part …/the disks with parts …} again, in any order: the zone has kept none of these segments. After a second failure, have these parts written again at the source.][{parts!}Copy the medium again from the source.] The file was not pushed. Recipes that do not need it are not held back.',
      fr`[Importez de nouveau {parts:le disque de la partie …/les disques des parties …}, dans n’importe quel ordre : la zone n’a gardé aucun de ces segments. Après un second échec, faites réécrire ces parties à la source.][{parts!}Recopiez le support depuis la source.] Le fichier n’a pas été envoyé. Les recettes qui n’en ont pas besoin ne sont pas retenues.`,
    ],
  },
  'SVC-MED-048': {
    class: 'verification',
    status: 422,
    params: { path: 'name', detail: 'rule' },
    what: [
      'The release of svc in {path} cannot be carried: {detail}.',
      fr`La version de svc dans {path} ne peut pas être transportée : {detail}.`,
    ],
    cause: [
      'A release is carried as it was signed, with all of its files and no others. The folder is another one or was changed, or the key is not that of the release.',
      fr`Une version est transportée telle qu’elle a été signée, avec tous ses fichiers et aucun autre. Le dossier en est un autre ou a été modifié, ou la clé n’est pas celle de la version.`,
    ],
    action: [
      'Get the release again, and its public key over another channel (--program-key), or leave --with-program out. The disk got no file from this folder that does not verify.',
      fr`Obtenez de nouveau la version, et sa clé publique par un autre canal (--program-key), ou omettez --with-program. Le disque n’a reçu de ce dossier aucun fichier qui n’est pas vérifié.`,
    ],
  },
  'SVC-MED-049': {
    class: 'failure',
    status: 422,
    params: {
      delivery: 'name',
      part: 'name',
      other: 'name',
      otherPart: 'name',
      detail: 'rule',
      'odd?': 'name',
      'mediaId?': 'name',
    },
    what: [
      'Part {part} of delivery {delivery}[ (medium {mediaId})] contradicts part {otherPart} (medium {other}), which arrived earlier: {detail}.',
      fr`La partie {part} de la livraison {delivery}[ (support {mediaId})] contredit la partie {otherPart} (support {other}), arrivée plus tôt : {detail}.`,
    ],
    cause: [
      '[{odd=peer}The passports of all disks of a delivery are signed by one peer. Without a passport, anybody can write the identifier of a delivery onto a disk. Disks of another peer are recorded apart, as a delivery of its own.|All disks of one delivery name the same number of parts and the same recipes. On one of the two disks, the first line of media.jsonl was damaged or changed. Only a passport signs that line.]',
      fr`[{odd=peer}Les passeports de tous les disques d’une livraison sont signés par un seul pair. Sans passeport, n’importe qui peut écrire l’identifiant d’une livraison sur un disque. Les disques d’un autre pair sont enregistrés à part, comme sa propre livraison.|Tous les disques d’une livraison annoncent le même nombre de parties et les mêmes recettes. Sur l’un des deux disques, la première ligne de media.jsonl a été abîmée ou modifiée. Seul un passeport signe cette ligne.]`,
    ],
    action: [
      '[{odd!}Ask the sender for the number of parts and the recipes of the delivery. Compare them with svc media show DIR for both disks, and put the wrong disk aside.][{odd=this}Put this disk (part {part}) aside: most disks of the delivery contradict it.][{odd=other}Put the earlier disk (part {otherPart}) aside: most disks of the delivery contradict it.][{odd=peer}Put this disk aside, and ask the sender whether it belongs to the delivery. If the earlier disk is the wrong one, run svc media forget {delivery}, then import this disk again.] Bring the parts that svc media status lists as still needed. The finding stops no import: recipes whose signature verifies are taken.',
      fr`[{odd!}Demandez à l’expéditeur le nombre de parties et les recettes de la livraison. Comparez-les avec svc media show DOSSIER pour les deux disques, et mettez le mauvais de côté.][{odd=this}Mettez ce disque (partie {part}) de côté : la plupart des disques de la livraison le contredisent.][{odd=other}Mettez le disque arrivé plus tôt (partie {otherPart}) de côté : la plupart des disques de la livraison le contredisent.][{odd=peer}Mettez ce disque de côté, et demandez à l’expéditeur s’il fait partie de la livraison. Si c’est le disque arrivé plus tôt qui est mauvais, lancez svc media forget {delivery}, puis importez de nouveau ce disque.] Apportez les parties que svc media status indique encore comme nécessaires. Ce constat n’arrête aucun import : les recettes dont la signature est valide sont prises.`,
    ],
  },
  'SVC-MED-050': {
    class: 'verification',
    status: 422,
    params: { delivery: 'name', path: 'name', recipes: 'name', 'parts?': 'name', 'left?': 'name' },
    what: [
      'A file of the store was found damaged or lost while delivery {delivery} was written: {path}. Recipes that need it: {recipes}.',
      fr`Un fichier du stockage a été trouvé abîmé ou perdu pendant l’écriture de la livraison {delivery} : {path}. Recettes qui en ont besoin : {recipes}.`,
    ],
    cause: [
      'The disk of the store has a fault, or another program changed or removed the file.',
      fr`Le disque du stockage a un défaut, ou un autre programme a modifié ou supprimé le fichier.`,
    ],
    action: [
      '[{left=yes}Run svc store check --quarantine. ]Synchronize, import or push these recipes again, then run the same command again. Without that, it blocks them, and writes the others[{parts!} over the unfinished disks].[ The complete disks stay valid (part {parts}): the zone can import them, and takes the recipes that are whole on them. Name empty folders in place of these disks, or another folder for --volume-size.]',
      fr`[{left=yes}Lancez svc store check --quarantine. ]Synchronisez, importez ou poussez de nouveau ces recettes, puis relancez la même commande. Sans cela, elle les bloque et écrit les autres[{parts!} par-dessus les disques inachevés].[ Les disques complets restent valides (partie {parts}) : la zone peut les importer, et prend les recettes qui y sont entières. Nommez des dossiers vides à la place de ces disques, ou un autre dossier pour --volume-size.]`,
    ],
  },
} as const satisfies Family;

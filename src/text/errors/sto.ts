import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of the store and its volume. */
export const stoErrors = {
  'SVC-STO-001': {
    class: 'failure',
    status: 500,
    params: { path: 'name', 'detail?': 'text', 'problem?': 'name', 'user?': 'name', 'root?': 'name' },
    what: ['Reading {path} failed[: {detail}].', fr`La lecture de {path} a échoué[ : {detail}].`],
    cause: [
      '[{problem=unmade}Nothing has been written to it yet, storage.root names another folder, or the disk is not mounted.][{problem=later}A later version of svc wrote this file: this program is an older one.][{problem=denied}The user that runs svc has no permission to read {path}, or to enter a folder above it.][{problem!}The file is missing, the volume was unmounted, the disk has an error, or another program changed the file.]',
      fr`[{problem=unmade}Rien n’y a encore été écrit, storage.root désigne un autre dossier, ou le disque n’est pas monté.][{problem=later}Une version ultérieure de svc a écrit ce fichier : ce programme est plus ancien.][{problem=denied}L’utilisateur qui exécute svc n’a pas le droit de lire {path}, ou d’entrer dans un dossier au-dessus.][{problem!}Le fichier manque, le volume a été démonté, le disque a une erreur, ou un autre programme a modifié le fichier.]`,
    ],
    action: [
      '[{problem=unmade}Start the instance with svc serve, which makes the store, and fill it with svc sync --wait; svc import and svc fileset pack make one too. If it should be there, check storage.root (--storage-root) and the mount.][{problem=later}Install the version that wrote it, or restore the backup of state and store that was made before the upgrade. The file was not changed.][{problem=denied}Run the command as the user that owns the store and the state (sudo -u <owner> svc …): ls -ld {path} shows the owner. If the user is the right one, give it the files: sudo chown -R {user} {root}. A disk with FAT or exFAT has no owners: mount it with the option uid={user}.][{problem!}Check the mount and the kernel log. Then run svc store check before anything is written to the store.]',
      fr`[{problem=unmade}Démarrez l’instance avec svc serve, qui crée le stockage, et remplissez-le avec svc sync --wait ; svc import et svc fileset pack en créent un aussi. S’il devrait être là, vérifiez storage.root (--storage-root) et le montage.][{problem=later}Installez la version qui l’a écrit, ou restaurez la sauvegarde de l’état et du stockage faite avant la mise à jour. Le fichier n’a pas été modifié.][{problem=denied}Lancez la commande sous l’utilisateur à qui appartiennent le stockage et l’état (sudo -u <propriétaire> svc …) : ls -ld {path} montre le propriétaire. Si c’est le bon utilisateur, donnez-lui les fichiers : sudo chown -R {user} {root}. Un disque en FAT ou exFAT n’a pas de propriétaires : montez-le avec l’option uid={user}.][{problem!}Vérifiez le montage et le journal du noyau. Lancez ensuite svc store check avant toute écriture dans le stockage.]`,
    ],
  },
  'SVC-STO-002': {
    class: 'failure',
    status: 500,
    params: {
      path: 'name',
      'detail?': 'text',
      'problem?': 'name',
      'planned?': 'name',
      'user?': 'name',
      'folder?': 'name',
      'root?': 'name',
    },
    what: [
      '[{planned!}Writing {path} failed][{planned=yes}{path} cannot be written][: {detail}]. [{planned!}Content written earlier is unchanged.][{planned=yes}Nothing was written.]',
      fr`[{planned!}L’écriture de {path} a échoué][{planned=yes}{path} ne peut pas être écrit][ : {detail}]. [{planned!}Le contenu écrit auparavant est inchangé.][{planned=yes}Rien n’a été écrit.]`,
    ],
    cause: [
      '[{problem=denied}The user that runs svc has no permission to write {path}, or to enter a folder above it.][{problem=denied-new}{user} may not write into the folder {folder}.][{problem=no-folder}The folder {folder} does not exist.][{problem=is-folder}A folder is in the place of the file.][{problem=read-only}The volume is mounted read-only.][{problem!}The volume is full, failing or unmounted, or a parent folder is missing.]',
      fr`[{problem=denied}L’utilisateur qui exécute svc n’a pas le droit d’écrire {path}, ou d’entrer dans un dossier au-dessus.][{problem=denied-new}{user} n’a pas le droit d’écrire dans le dossier {folder}.][{problem=no-folder}Le dossier {folder} n’existe pas.][{problem=is-folder}Un dossier occupe la place du fichier.][{problem=read-only}Le volume est monté en lecture seule.][{problem!}Le volume est plein, défaillant ou démonté, ou un dossier parent manque.]`,
    ],
    action: [
      '[{problem=denied}Run the command as the user that owns the folder (sudo -u <owner> svc …): ls -ld {path} shows the owner, also for the folders above. If the user is the right one, give it the folder: sudo chown -R {user} {root}. A disk with FAT or exFAT has no owners: mount it with the option uid={user}.][{problem=denied-new}Name a path in a folder of your own, or run the command as the user that owns the folder (sudo -u <owner> svc …): ls -ld {folder} shows the owner.][{problem=no-folder}Make the folder, or correct the path: mkdir -p {folder}.][{problem=is-folder}Look at the folder, move or remove it, then run the command again.][{problem=read-only}Mount it writable, or name a folder of another volume, then run the command again. After a disk error the system makes a volume read-only: the kernel log says so.][{problem!}Check the mount, its free space and the folders of the path, then run the command again.]',
      fr`[{problem=denied}Lancez la commande sous l’utilisateur à qui appartient le dossier (sudo -u <propriétaire> svc …) : ls -ld {path} montre le propriétaire, aussi pour les dossiers au-dessus. Si c’est le bon utilisateur, donnez-lui le dossier : sudo chown -R {user} {root}. Un disque en FAT ou exFAT n’a pas de propriétaires : montez-le avec l’option uid={user}.][{problem=denied-new}Indiquez un chemin dans un dossier qui vous appartient, ou lancez la commande sous l’utilisateur à qui appartient le dossier (sudo -u <propriétaire> svc …) : ls -ld {folder} montre le propriétaire.][{problem=no-folder}Créez le dossier, ou corrigez le chemin : mkdir -p {folder}.][{problem=is-folder}Regardez ce dossier, déplacez-le ou supprimez-le, puis relancez la commande.][{problem=read-only}Montez-le en écriture, ou indiquez un dossier d’un autre volume, puis relancez la commande. Après une erreur de disque, le système met un volume en lecture seule : le journal du noyau le dit.][{problem!}Vérifiez le montage, l’espace libre et les dossiers du chemin, puis relancez la commande.]`,
    ],
  },
  'SVC-STO-003': {
    class: 'failure',
    status: 500,
    params: { path: 'name', 'detail?': 'text', 'problem?': 'name', 'user?': 'name' },
    what: [
      'A partial download could not be kept at {path}[: {detail}].',
      fr`Un téléchargement partiel n’a pas pu être conservé dans {path}[ : {detail}].`,
    ],
    cause: [
      '[{problem=denied}The user that runs svc has no permission to write {path}, or to enter a folder above it.][{problem=read-only}The volume of state.root is mounted read-only.][{problem!}The volume of state.root is full, failing or unmounted.]',
      fr`[{problem=denied}L’utilisateur qui exécute svc n’a pas le droit d’écrire {path}, ou d’entrer dans un dossier au-dessus.][{problem=read-only}Le volume de state.root est monté en lecture seule.][{problem!}Le volume de state.root est plein, défaillant ou démonté.]`,
    ],
    action: [
      '[{problem=denied}Run svc as the user that owns state.root (sudo -u <owner> svc …): ls -ld {path} shows the owner, also for the folders above. If the user is the right one, give it the folder: sudo chown -R {user} with the path of state.root.][{problem=read-only}Mount it writable, or set state.root to a folder of another volume. After a disk error the system makes a volume read-only: the kernel log says so.][{problem!}Free space on the volume of state.root, or set transfer.resumeThreshold to 0 to download without resumption.]',
      fr`[{problem=denied}Lancez svc sous l’utilisateur à qui appartient state.root (sudo -u <propriétaire> svc …) : ls -ld {path} montre le propriétaire, aussi pour les dossiers au-dessus. Si c’est le bon utilisateur, donnez-lui le dossier : sudo chown -R {user} suivi du chemin de state.root.][{problem=read-only}Montez-le en écriture, ou donnez à state.root un dossier d’un autre volume. Après une erreur de disque, le système met un volume en lecture seule : le journal du noyau le dit.][{problem!}Libérez de la place sur le volume de state.root, ou mettez transfer.resumeThreshold à 0 pour télécharger sans reprise.]`,
    ],
  },
  'SVC-STO-004': {
    class: 'failure',
    status: 507,
    params: {
      path: 'name',
      'needed?': 'bytes',
      usable: 'bytes',
      free: 'bytes',
      'margin?': 'name',
      'shortfall?': 'bytes',
      'reserve?': 'bytes',
      'place?': 'name',
    },
    what: [
      'There is not enough space at {path}: [{needed:size} needed, {usable:size} usable, {shortfall:size} missing|the volume or a quota refused a write ({usable:size} usable)].',
      fr`Il n’y a pas assez de place dans {path} : [{needed:size} nécessaires, {usable:size} utilisables, il manque {shortfall:size}|le volume ou un quota a refusé une écriture ({usable:size} utilisables)].`,
    ],
    cause: [
      '{free:size} are free[, of which {margin} % are the safety margin (preflight.safetyMarginPercent)][; {reserve:size} are reserved for ledgers, accounts and deletion].',
      fr`{free:size} sont libres[, dont {margin} % de marge de sécurité (preflight.safetyMarginPercent)][ ; {reserve:size} sont réservés aux journaux du stockage, aux comptes et aux suppressions].`,
    ],
    action: [
      '[Free {shortfall:size}|Free space] at {path}, or use a larger volume.[{place!} In a store, a prune and fewer recipes in the Retriever free space too.][{place=disk} Then run the same command again: it goes on with the whole files on the disk.][{place=state} It is the volume of the state, on which a prune frees nothing: remove its other files, such as logs, or stop the instance, move the folder to a larger volume, and set state.root.]',
      fr`Libérez [{shortfall:size}|de la place] dans {path}, ou prenez un volume plus grand.[{place!} Dans un stockage, un élagage et moins de recettes dans le Retriever libèrent aussi de la place.][{place=disk} Relancez ensuite la même commande : elle continue avec les fichiers entiers du disque.][{place=state} C’est le volume de l’état, sur lequel un élagage ne libère rien : supprimez ce qu’il contient d’autre, comme des journaux, ou arrêtez l’instance, déplacez le dossier vers un volume plus grand, et réglez state.root.]`,
    ],
  },
  'SVC-STO-005': {
    class: 'failure',
    status: 507,
    params: { path: 'name', filesystem: 'name', limit: 'text', size: 'bytes' },
    what: [
      'A file of {size:size} is too large for the filesystem of {path} ({filesystem}); its limit is {limit:size}.',
      fr`Un fichier de {size:size} est trop grand pour le système de fichiers de {path} ({filesystem}) ; sa limite est de {limit:size}.`,
    ],
    cause: [
      'FAT filesystems hold no file of 4 GiB or more and limit the number of files in a folder. A folder of ext4 without the feature large_dir is full with some five and a half million blobs, of any size.',
      fr`Les systèmes FAT n’acceptent aucun fichier de 4 Gio ou plus, et limitent le nombre de fichiers par dossier. Un dossier ext4 sans l’option large_dir est plein avec quelque cinq millions et demi de blobs, quelle que soit leur taille.`,
    ],
    action: [
      'Format the medium with exFAT, NTFS or ext4, or remove the ingredient that is too large from this delivery. A store of millions of blobs needs XFS, or ext4 with large_dir.',
      fr`Formatez le support en exFAT, NTFS ou ext4, ou retirez de cette livraison l’ingrédient trop grand. Un stockage de millions de blobs demande XFS, ou ext4 avec large_dir.`,
    ],
  },
  'SVC-STO-006': {
    class: 'failure',
    status: 422,
    params: {},
    what: [
      'The confirmation is wrong; nothing was deleted.',
      fr`La confirmation est fausse ; rien n’a été supprimé.`,
    ],
    cause: [
      'Emptying a store cannot be undone and requires the exact word RESET, in capitals, in every language.',
      fr`Vider un stockage est irréversible et exige le mot exact RESET, en capitales, dans toutes les langues.`,
    ],
    action: [
      'To empty this store, send confirmation: RESET.',
      fr`Pour vider ce stockage, envoyez confirmation: RESET.`,
    ],
  },
  'SVC-STO-007': {
    class: 'failure',
    status: 409,
    params: { path: 'name', 'holder?': 'text', 'problem?': 'name' },
    what: [
      '{path} [{problem!}is in use by another process][{problem=changed}was changed while it was read][: {holder}].',
      fr`{path} [{problem!}est utilisé par un autre processus][{problem=changed}a été modifié pendant la lecture][ : {holder}].`,
    ],
    cause: [
      '[{problem!}An instance or a command uses the same store or state, exports to the same place, or indexes the same folder.][{problem=changed}A process or a person wrote to the file or replaced it meanwhile. The bytes that were read belong to no single state of it.]',
      fr`[{problem!}Une instance ou une commande utilise le même stockage ou le même état, exporte vers le même endroit, ou indexe le même dossier.][{problem=changed}Un processus ou une personne y a écrit ou l’a remplacé entre-temps. Les octets lus ne sont pas d’un même moment.]`,
    ],
    action: [
      '[{problem!}Wait for that process or stop it, then try again. There is no lock file to delete: a lock ends with its process.][{problem=changed}Find out who writes there, and let nobody write. Then try again: the result is that of the bytes that are there.]',
      fr`[{problem!}Attendez la fin de ce processus ou arrêtez-le, puis recommencez. Il n’y a pas de fichier verrou à supprimer : un verrou finit avec son processus.][{problem=changed}Cherchez qui y écrit, et empêchez toute écriture. Recommencez ensuite : le résultat porte sur les octets présents.]`,
    ],
  },
  'SVC-STO-008': {
    class: 'failure',
    status: 409,
    params: { found: 'name', supported: 'name' },
    what: [
      'The store has format {found}; this version of svc supports {supported}.',
      fr`Le stockage est au format {found} ; cette version de svc prend en charge {supported}.`,
    ],
    cause: [
      'The store was created by another version of svc, usually a newer one.',
      fr`Le stockage a été créé par une autre version de svc, en général plus récente.`,
    ],
    action: [
      'Use a version of svc that supports format {found}. The store was not changed.',
      fr`Utilisez une version de svc qui prend en charge le format {found}. Le stockage n’a pas été modifié.`,
    ],
  },
  'SVC-STO-009': {
    class: 'verification',
    status: 422,
    params: { path: 'name', 'detail?': 'text' },
    what: ['{path} is damaged[: {detail}].', fr`{path} est abîmé[ : {detail}].`],
    cause: [
      'Faulty disk, cable or memory, an incomplete copy, or another program that changed files of the store.',
      fr`Disque, câble ou mémoire défaillants, copie incomplète, ou autre programme qui a modifié des fichiers du stockage.`,
    ],
    action: [
      'Run svc store check --quarantine, then synchronize or push again: damaged content counts as absent and is fetched again. Then check the disk. Caches in front of the instance may have kept the damaged bytes: raise $svc_epoch in their nginx-cache.conf and reload nginx.',
      fr`Lancez svc store check --quarantine, puis synchronisez ou poussez à nouveau : le contenu abîmé compte comme absent et sera retransféré. Vérifiez ensuite le disque. Les caches devant l’instance ont pu garder les octets abîmés : augmentez $svc_epoch dans leur nginx-cache.conf et rechargez nginx.`,
    ],
  },
  'SVC-STO-010': {
    class: 'verification',
    status: 422,
    params: { path: 'name', 'detail?': 'text', 'recipe?': 'name', 'damaged?': 'name' },
    what: [
      '{path} is [{damaged=yes}damaged|missing][: {detail}][, and {recipe} needs it][{recipe!}, and content of the store refers to it].',
      fr`{path} [{damaged=yes}est abîmé|manque][ : {detail}][, et {recipe} en a besoin][{recipe!}, et du contenu du stockage y fait référence].`,
    ],
    cause: [
      'The file was removed by another program, never copied, lost by the filesystem, or quarantined because it was damaged.',
      fr`Le fichier a été supprimé par un autre programme, jamais copié, perdu par le système de fichiers, ou mis en quarantaine parce qu’il était abîmé.`,
    ],
    action: [
      '[{damaged=yes}Run svc store check --quarantine: damaged content then counts as absent. ]Synchronize, import or push the content again: only missing content is transferred.[ A synchronization brings {recipe} again where the Retriever asks for this version. Otherwise import it, or leave it out.]',
      fr`[{damaged=yes}Lancez svc store check --quarantine : le contenu abîmé compte alors comme absent. ]Synchronisez, importez ou poussez à nouveau ce contenu : seul le contenu manquant est transféré.[ Une synchronisation rapporte {recipe} si le Retriever demande cette version. Sinon, importez-la, ou laissez-la de côté.]`,
    ],
  },
  'SVC-STO-011': {
    class: 'verification',
    status: 422,
    params: { path: 'name', detail: 'text', 'mended?': 'name' },
    what: [
      'The records of the store in {path} are not valid: {detail}.',
      fr`Les enregistrements du stockage dans {path} ne sont pas valides : {detail}.`,
    ],
    cause: [
      'The file was damaged or lost, or another program changed it.',
      fr`Le fichier a été abîmé ou perdu, ou un autre programme l’a modifié.`,
    ],
    action: [
      '[{mended!}Stop the instance and run svc store check --repair: it keeps every record that verifies and every manifest on the disk, and lists the records that are lost.][{mended=copy}Copy all files again from the store at the source: svc store check --repair corrects the store of this instance only. If the store is your own, name its configuration or its state folder (--config, --state-root).][{mended=sync}svc store check --repair does not rebuild this file. On a carried medium, copy all files again from the store at the source. In the store of this instance, stop the instance, remove index.json and media.jsonl, start it and run svc sync --wait: it writes both again.]',
      fr`[{mended!}Arrêtez l’instance et lancez svc store check --repair : chaque enregistrement vérifié et chaque manifeste du disque sont conservés, et les enregistrements perdus sont listés.][{mended=copy}Copiez à nouveau tous les fichiers depuis le stockage de la source : svc store check --repair ne corrige que le stockage de cette instance. Si le stockage est le vôtre, indiquez sa configuration ou son dossier d’état (--config, --state-root).][{mended=sync}svc store check --repair ne reconstruit pas ce fichier. Sur un support transporté, copiez à nouveau tous les fichiers depuis le stockage de la source. Dans le stockage de cette instance, arrêtez l’instance, supprimez index.json et media.jsonl, démarrez-la et lancez svc sync --wait : elle écrit les deux à nouveau.]`,
    ],
  },
  'SVC-STO-012': {
    class: 'failure',
    status: 422,
    params: { path: 'name', detail: 'text', 'leftovers?': 'name', 'bytes?': 'bytes' },
    what: [
      '[{leftovers!}{path} does not belong to this store: {detail}.][Blobs in {path} that neither the ledgers nor media.jsonl name: {leftovers} ({bytes:size}).]',
      fr`[{leftovers!}{path} n’appartient pas à ce stockage : {detail}.][Blobs dans {path} que ni les journaux du stockage ni media.jsonl ne nomment : {leftovers} ({bytes:size}).]`,
    ],
    cause: [
      '[{leftovers!}The file was put there by another program or by an interrupted write. It is never served and never exported.|An earlier copy into this folder left them: cp replaces files and removes none. They are no damage, and are never served or imported.]',
      fr`[{leftovers!}Le fichier vient d’un autre programme ou d’une écriture interrompue. Il n’est jamais servi ni exporté.|Une copie antérieure dans ce dossier les a laissés : cp remplace des fichiers et n’en supprime aucun. Ils ne sont pas un dommage, et ne sont jamais servis ni importés.]`,
    ],
    action: [
      '[{leftovers!}No action is needed. Files of your own can be moved elsewhere.|No action is needed. To remove such blobs, copy the store again with rsync -a --delete --exclude=/_svc, or into an empty folder.]',
      fr`[{leftovers!}Aucune action n’est nécessaire. Vous pouvez déplacer vos propres fichiers.|Aucune action n’est nécessaire. Pour supprimer de tels blobs, copiez à nouveau le stockage avec rsync -a --delete --exclude=/_svc, ou dans un dossier vide.]`,
    ],
  },
  'SVC-STO-013': {
    class: 'failure',
    status: 409,
    params: { path: 'name', found: 'name', 'state?': 'name' },
    what: [
      '{path} is not a store and contains other files: {found}.',
      fr`{path} n’est pas un stockage et contient d’autres fichiers : {found}.`,
    ],
    cause: [
      '[{state!}The folder is used for something else, is an image layout, or is a store whose ledgers are lost.][{state=yes}The folder is the state folder of an instance: it has accounts and keys, and no content.]',
      fr`[{state!}Le dossier sert à autre chose, est une disposition d’image OCI, ou est un stockage dont les journaux sont perdus.][{state=yes}Le dossier est le dossier d’état d’une instance : il contient des comptes et des clés, et pas de contenu.]`,
    ],
    action: [
      '[{state=yes}Name the folder of the store as storage.root (--storage-root), and this one as state.root (--state-root). Nothing was changed.][{state!}Name a folder that is empty or does not exist. Import an image layout with svc import LAYOUT. Rebuild the ledgers of a store with svc store check --repair. Nothing was changed.]',
      fr`[{state=yes}Donnez le dossier du stockage à storage.root (--storage-root), et celui-ci à state.root (--state-root). Rien n’a été modifié.][{state!}Indiquez un dossier vide ou qui n’existe pas encore. Importez une disposition avec svc import DISPOSITION. Reconstruisez les journaux d’un stockage avec svc store check --repair. Rien n’a été modifié.]`,
    ],
  },
  'SVC-STO-014': {
    class: 'failure',
    status: 503,
    params: { path: 'name', 'detail?': 'text' },
    what: [
      '{path} cannot be read or written at the moment[ ({detail})].',
      fr`{path} ne peut être lu ni écrit pour le moment[ ({detail})].`,
    ],
    cause: [
      'The process or the system is out of file descriptors or memory, or the device does not answer. No damage was found and no content was withdrawn.',
      fr`Le processus ou le système n’a plus de descripteurs de fichiers ou de mémoire, ou le périphérique ne répond pas. Aucun dommage n’a été constaté et aucun contenu n’a été retiré.`,
    ],
    action: [
      'Try again. If the error persists, raise the limit of open files (LimitNOFILE, ulimit -n), free memory, or check the disk, its cable and the kernel log.',
      fr`Réessayez. Si l’erreur persiste, relevez la limite de fichiers ouverts (LimitNOFILE, ulimit -n), libérez de la mémoire, ou vérifiez le disque, son câble et le journal du noyau.`,
    ],
  },
  'SVC-STO-015': {
    class: 'failure',
    status: 409,
    params: { repository: 'name' },
    what: [
      'The content of {repository} has changed since the preview.',
      fr`Le contenu de {repository} a changé depuis l’aperçu.`,
    ],
    cause: [
      'A synchronization, an import or a push changed it meanwhile. Nothing was deleted.',
      fr`Une synchronisation, un import ou un envoi l’a modifié entre-temps. Rien n’a été supprimé.`,
    ],
    action: [
      'Ask for the preview again, check its list, and confirm that one.',
      fr`Demandez de nouveau l’aperçu, vérifiez ce qu’il énumère, puis confirmez celui-là.`,
    ],
  },
  'SVC-STO-016': {
    class: 'failure',
    status: 409,
    params: { recipe: 'name', reference: 'name', digest: 'name' },
    what: [
      'The recipe {recipe} is not complete in the store: {reference} does not hold {digest}.',
      fr`La recette {recipe} n’est pas complète dans le stockage : {reference} ne contient pas {digest}.`,
    ],
    cause: [
      'A registry client or an administrator deleted or replaced content of the recipe while it was being synchronized.',
      fr`Un client de registre ou un administrateur a supprimé ou remplacé du contenu de la recette pendant sa synchronisation.`,
    ],
    action: [
      'Synchronize again: content that is missing is transferred again.',
      fr`Synchronisez de nouveau : le contenu manquant est transféré à nouveau.`,
    ],
  },
  'SVC-STO-017': {
    class: 'failure',
    status: 409,
    params: { path: 'name', mount: 'name' },
    what: [
      'No store is created in {path}: nothing is mounted at {mount}.',
      fr`Aucun stockage n’est créé dans {path} : rien n’est monté sur {mount}.`,
    ],
    cause: [
      'The file /etc/fstab names {mount} as a mount point. Its disk is not connected or was not mounted, so that a new and empty store would be created on the volume below.',
      fr`Le fichier /etc/fstab désigne {mount} comme point de montage. Son disque n’est pas branché ou n’a pas été monté ; un stockage neuf et vide serait créé sur le volume sous-jacent.`,
    ],
    action: [
      'Mount the disk (mount {mount}) and try again. If no disk belongs there, remove the line from /etc/fstab or set storage.root to another folder. Nothing was changed.',
      fr`Montez le disque (mount {mount}) et réessayez. Si aucun disque n’y est prévu, retirez la ligne de /etc/fstab ou donnez un autre dossier à storage.root. Rien n’a été modifié.`,
    ],
  },
  'SVC-STO-018': {
    class: 'failure',
    status: 500,
    params: { path: 'name', 'detail?': 'text' },
    what: [
      'The reset emptied the store in {path}, but one of its ledgers could not be written[ ({detail})].',
      fr`La réinitialisation a vidé le stockage dans {path}, mais l’un de ses journaux n’a pas pu être écrit[ ({detail})].`,
    ],
    cause: [
      'The disk failed, is full, or refused the change between the two ledgers. The content written before the reset is gone, as confirmed.',
      fr`Le disque est défaillant, plein, ou a refusé la modification entre les deux journaux. Le contenu écrit avant la réinitialisation a disparu, comme confirmé.`,
    ],
    action: [
      'Check the disk and the kernel log, then restart the instance: opening the store completes the reset. Until then the store is read-only.',
      fr`Vérifiez le disque et le journal du noyau, puis redémarrez l’instance : l’ouverture du stockage achève la réinitialisation. Jusque-là, le stockage est en lecture seule.`,
    ],
  },
  'SVC-STO-019': {
    class: 'failure',
    status: 503,
    params: { path: 'name', 'detail?': 'text' },
    what: ['The disk with {path} is gone[: {detail}].', fr`Le disque de {path} n’est plus là[ : {detail}].`],
    cause: [
      'The disk was pulled out or unmounted while it was in use, or the folder was renamed or replaced. No content was found to be damaged.',
      fr`Le disque a été débranché ou démonté en cours d’utilisation, ou le dossier a été renommé ou remplacé. Aucun contenu endommagé n’a été constaté.`,
    ],
    action: [
      'Connect the disk, mount it in the same place (findmnt -T {path}), and run the same command again: transferred content is kept. Where a write was interrupted on FAT32 or exFAT, run fsck first. A running instance goes on by itself, or after a restart when /readyz does not become ready.',
      fr`Rebranchez le disque, montez-le au même endroit (findmnt -T {path}), puis relancez la même commande : ce qui a été transféré est conservé. Si une écriture a été interrompue sur FAT32 ou exFAT, lancez d’abord fsck. Une instance en marche reprend d’elle-même, ou après un redémarrage si /readyz ne redevient pas prêt.`,
    ],
  },
  'SVC-STO-020': {
    class: 'failure',
    status: 503,
    params: { path: 'name', 'state?': 'name' },
    what: [
      'There is no store in {path}, and this configuration creates none: [{state!}the disk is not there][{state=yes}it is a state folder].',
      fr`Il n’y a pas de stockage dans {path}, et cette configuration n’en crée pas : [{state!}le disque n’est pas là][{state=yes}c’est un dossier d’état].`,
    ],
    cause: [
      '[{state!}The configuration is for a carried disk (storage.create: false). The disk is not connected or not mounted there, or storage.root names another folder.][{state=yes}storage.root names the state folder of an instance, which has accounts and keys, and no content.]',
      fr`[{state!}La configuration est faite pour un disque transporté (storage.create: false). Le disque n’est pas branché ou n’est pas monté à cet endroit, ou storage.root désigne un autre dossier.][{state=yes}storage.root désigne le dossier d’état d’une instance, qui contient des comptes et des clés, et pas de contenu.]`,
    ],
    action: [
      '[{state=yes}Name the folder of the medium as storage.root (--storage-root), and this one as state.root (--state-root). Nothing was written.][{state!}Connect the disk, mount it (findmnt -T {path}), and try again; or correct storage.root. To make a new store there, set storage.create to true. Nothing was written.]',
      fr`[{state=yes}Donnez le dossier du support à storage.root (--storage-root), et celui-ci à state.root (--state-root). Rien n’a été écrit.][{state!}Branchez le disque, montez-le (findmnt -T {path}), puis réessayez ; ou corrigez storage.root. Pour créer un stockage neuf à cet endroit, donnez à storage.create la valeur true. Rien n’a été écrit.]`,
    ],
  },
} as const satisfies Family;

import { fr } from '../language.ts';
import type { Family } from './entry.ts';

export const filErrors = {
  'SVC-FIL-001': {
    class: 'failure',
    status: 422,
    params: { path: 'name', rule: 'rule' },
    what: ['{path} cannot be packed: {rule}.', fr`{path} ne peut pas être empaqueté : {rule}.`],
    cause: [
      'The path is not a readable folder, the folder changed while it was read, or the name or version is not valid.',
      fr`Le chemin n’est pas un dossier lisible, le dossier a changé pendant la lecture, ou le nom ou la version n’est pas valide.`,
    ],
    action: [
      'Correct the input and pack again. Nothing was stored.',
      fr`Corrigez l’entrée et recommencez. Rien n’a été enregistré.`,
    ],
  },
  'SVC-FIL-002': {
    class: 'policy',
    status: 422,
    params: { path: 'name', rule: 'rule' },
    what: [
      'The folder is not safe to pack: {path} - {rule}.',
      fr`Le dossier n’est pas sûr à empaqueter : {path} - {rule}.`,
    ],
    cause: [
      'Special files, setuid files, links to targets outside the folder and reserved names are unsafe where the FileSet is unpacked.',
      fr`Fichiers spéciaux, fichiers setuid, liens vers l’extérieur du dossier et noms réservés sont dangereux là où le FileSet est déballé.`,
    ],
    action: [
      'Pack another folder if {path} contains the store or the state. Otherwise remove or replace {path}, then pack again.',
      fr`Empaquetez un autre dossier si {path} contient le stockage ou l’état. Sinon, supprimez ou remplacez {path}, puis recommencez.`,
    ],
  },
  'SVC-FIL-003': {
    class: 'policy',
    status: 403,
    params: { path: 'name', 'layout?': 'name' },
    what: ['The path {path} is not allowed.', fr`Le chemin {path} n’est pas autorisé.`],
    cause: [
      '[{layout=yes}A layout is never written to or read from the store, the state, a folder above them, a configuration file, a secret or a system folder, and a running instance never writes one into a hidden folder (a name that begins with a dot). Evidence is not written there either, nor onto a medium. Symbolic links are resolved first.][{layout=disk}A medium is never written into the store, the state, a folder above them, a folder with a configuration file or a secret, or a system folder. Symbolic links are resolved first.][{layout!}The API accepts only paths below the folders of files.packRoots, and never the store, the state, secrets or system folders; symbolic links are resolved first.]',
      fr`[{layout=yes}Une disposition n’est jamais écrite ni lue dans le stockage, l’état, un dossier au-dessus d’eux, un fichier de configuration, un secret ou un dossier du système, et une instance en service n’en écrit jamais dans un dossier caché (dont le nom commence par un point). Un dossier de preuves n’y est pas écrit non plus, ni sur un support. Les liens symboliques sont d’abord résolus.][{layout=disk}Un support n’est jamais écrit dans le stockage, l’état, un dossier au-dessus d’eux, un dossier avec un fichier de configuration ou un secret, ni un dossier du système. Les liens symboliques sont d’abord résolus.][{layout!}L’API n’accepte que les chemins situés sous files.packRoots, jamais le stockage, l’état, les secrets ou les dossiers du système ; les liens symboliques sont d’abord résolus.]`,
    ],
    action: [
      '[{layout=yes}Choose a path outside of these folders.][{layout=disk}Name a folder of the disk, such as /mnt/usb/delivery.][{layout!}Use a folder below one of files.packRoots, or run svc fileset pack DIRECTORY NAME:VERSION on this machine.]',
      fr`[{layout=yes}Choisissez un chemin hors de ces dossiers.][{layout=disk}Nommez un dossier du disque, par exemple /mnt/usb/delivery.][{layout!}Utilisez un dossier situé sous files.packRoots, ou lancez svc fileset pack DOSSIER NOM:VERSION sur cette machine.]`,
    ],
  },
  'SVC-FIL-004': {
    class: 'policy',
    status: 422,
    params: { reference: 'name', path: 'name', rule: 'rule' },
    what: [
      'The FileSet {reference} is not served: {path} - {rule}.',
      fr`Le FileSet {reference} n’est pas servi : {path} - {rule}.`,
    ],
    cause: [
      'A layer of the image is damaged, is not a tar archive, exceeds a limit, or has paths that leave its root.',
      fr`Une couche de l’image est abîmée, n’est pas une archive tar, dépasse une limite, ou contient des chemins qui sortent de sa racine.`,
    ],
    action: [
      'Check how the image was built, or pack the folder again with svc fileset pack DIRECTORY NAME:VERSION. No file of this FileSet is served.',
      fr`Vérifiez comment l’image a été construite, ou empaquetez de nouveau le dossier avec svc fileset pack DOSSIER NOM:VERSION. Aucun fichier de ce FileSet n’est servi.`,
    ],
  },
  'SVC-FIL-005': {
    class: 'failure',
    status: 422,
    params: {
      path: 'name',
      'absent?': 'name',
      'disk?': 'name',
      'folder?': 'name',
      'file?': 'name',
      'special?': 'name',
      'denied?': 'name',
      'long?': 'name',
      'parent?': 'name',
      'unmounted?': 'name',
    },
    what: [
      '{path} cannot be read[ or written: there is no folder {parent}][ or written: no disk is mounted at {unmounted}].',
      fr`{path} est illisible[ ou ne peut être écrit : il n’y a pas de dossier {parent}][ ou ne peut être écrit : aucun disque n’est monté sur {unmounted}].`,
    ],
    cause: [
      '[The path was mistyped, or {parent} was not created or not mounted.][{unmounted} is the mount point of a disk (/etc/fstab, or a systemd unit), and the disk is not mounted: the volume below would be filled in its place.][{absent} does not exist.][{disk} does not exist: the disk is not mounted there, or the path is wrong.][{folder} is a folder, not a file.][{file} is a file, not a folder.][{special} is a pipe, a device or a socket, not a regular file.][This user has no permission to read {denied}, or to enter a folder above it.][A path is longer than this system reads: {long}, or one below it.]',
      fr`[Le chemin comporte une faute, ou {parent} n’a pas été créé ou n’est pas monté.][{unmounted} est le point de montage d’un disque (/etc/fstab, ou une unité systemd), et le disque n’est pas monté : le volume situé dessous serait rempli à sa place.][{absent} n’existe pas.][{disk} n’existe pas : le disque n’y est pas monté, ou le chemin est faux.][{folder} est un dossier, pas un fichier.][{file} est un fichier, pas un dossier.][{special} est un tube, un périphérique ou un socket, pas un fichier ordinaire.][Cet utilisateur n’a pas le droit de lire {denied}, ou d’entrer dans un dossier au-dessus.][Un chemin est plus long que ce que ce système lit : {long}, ou un autre en dessous.]`,
    ],
    action: [
      '[Create the folder {parent}, or correct the path.][Connect the disk and mount it: mount {unmounted}. To write elsewhere, name a folder that is not below it.][Correct the path, or put the file at {absent}.][Check that the disk is mounted (findmnt), and that the folder given, or storage.root, is its folder: {disk}.][Name a file, not the folder {folder}.][Name a folder, not the file {file}.][Name a regular file, or write the content to one first: {special}.][Grant this user the permission to read {denied}, or use another user.][Correct the path, or remove the folders that are nested too deep: {long}.]',
      fr`[Créez le dossier {parent}, ou corrigez le chemin.][Branchez le disque et montez-le : mount {unmounted}. Pour écrire ailleurs, indiquez un dossier qui n’est pas dessous.][Corrigez le chemin, ou placez le fichier à {absent}.][Vérifiez que le disque est monté (findmnt), et que le dossier donné, ou storage.root, est le sien : {disk}.][Indiquez un fichier, pas le dossier {folder}.][Indiquez un dossier, pas le fichier {file}.][Indiquez un fichier ordinaire, ou écrivez d’abord le contenu dans un fichier : {special}.][Donnez à cet utilisateur le droit de lire {denied}, ou changez d’utilisateur.][Corrigez le chemin, ou supprimez les dossiers imbriqués trop profondément : {long}.]`,
    ],
  },
  'SVC-FIL-006': {
    class: 'failure',
    status: 409,
    params: { path: 'name', 'kept?': 'name' },
    what: [
      '{path} is there already[{kept!}, and was not made by svc]. Nothing was written.',
      fr`{path} existe déjà[{kept!}, et n’a pas été créé par svc]. Rien n’a été écrit.`,
    ],
    cause: [
      '[{kept=yes}This command never replaces a file.][{kept=folder}It is a file, and a folder is wanted here.][{kept!}Another program or a person wrote the file.]',
      fr`[{kept=yes}Cette commande ne remplace jamais un fichier.][{kept=folder}C’est un fichier, et un dossier est attendu ici.][{kept!}Un autre programme ou une personne a écrit ce fichier.]`,
    ],
    action: [
      '[{kept=yes}Choose another name, or move the file away.][{kept=folder}Name a folder, or move the file away.][{kept!}Look at the file. To replace it, run the command again with --overwrite; or write into another folder.]',
      fr`[{kept=yes}Choisissez un autre nom, ou déplacez le fichier.][{kept=folder}Indiquez un dossier, ou déplacez le fichier.][{kept!}Examinez le fichier. Pour le remplacer, relancez la commande avec --overwrite ; ou écrivez dans un autre dossier.]`,
    ],
  },
  'SVC-FIL-007': {
    class: 'policy',
    status: 422,
    params: { path: 'name', rule: 'rule' },
    what: [
      '{path} is not written: {rule}. Nothing was written.',
      fr`{path} n’est pas écrit : {rule}. Rien n’a été écrit.`,
    ],
    cause: [
      'There is a symbolic link on the way to this path, or the path leads out of the folder.',
      fr`Il y a un lien symbolique sur ce chemin, ou le chemin sort du dossier.`,
    ],
    action: [
      'Look at {path} and the folders above it. Remove the link, or write into another folder.',
      fr`Examinez {path} et les dossiers parents. Supprimez le lien, ou écrivez dans un autre dossier.`,
    ],
  },
  'SVC-FIL-008': {
    class: 'verification',
    status: 422,
    params: { path: 'name', count: 'name', faults: 'name' },
    what: [
      'The package repository {path} does not hold together (faults: {count}). Nothing was stored.',
      fr`Le dépôt de paquets {path} ne tient pas (défauts : {count}). Rien n’a été enregistré.`,
    ],
    cause: [
      'A file that an index names is absent or has another size or hash, an index cannot be read, a package is cut off or no index names it, or a signature is not of the wanted key: {faults}.',
      fr`Un fichier que nomme un index est absent, ou a une autre taille ou une autre empreinte, un index est illisible, un paquet est tronqué ou aucun index ne le nomme, ou une signature n’est pas de la clé voulue : {faults}.`,
    ],
    action: [
      'Copy the damaged packages or the whole repository again, or make its index anew where its packages are, and sign it there; then pack again.',
      fr`Copiez de nouveau les paquets endommagés ou tout le dépôt, ou refaites son index là où sont ses paquets et signez-le là ; puis empaquetez de nouveau.`,
    ],
  },
  'SVC-FIL-009': {
    class: 'failure',
    status: 422,
    params: { program: 'name', path: 'name', 'detail?': 'text', 'absent?': 'name', 'problem?': 'name' },
    what: [
      '{program} made no index or signature for {path}[: {detail}]. Nothing was stored.',
      fr`{program} n’a produit ni index ni signature pour {path}[ : {detail}]. Rien n’a été enregistré.`,
    ],
    cause: [
      '[{absent=yes}The program {program} is not installed, or not on PATH.][{problem=locked}The key has a passphrase, and svc lets gpg ask for none.][{problem=no-key}The keyring of this user has no secret key with this fingerprint.][{absent!}{problem!}The program failed: a package or the key is not usable; a revoked or expired key signs nothing.]',
      fr`[{absent=yes}Le programme {program} n’est pas installé, ou n’est pas dans PATH.][{problem=locked}La clé a une phrase secrète, et svc ne laisse pas gpg la demander.][{problem=no-key}Le trousseau de cet utilisateur n’a pas de clé secrète de cette empreinte.][{absent!}{problem!}Le programme a échoué : un paquet ou la clé est inutilisable ; une clé révoquée ou expirée ne signe rien.]`,
    ],
    action: [
      '[{absent=yes}Install {program} (Debian: apt-utils, createrepo-c, gnupg), or make the index on another machine.][{problem=locked}Unlock the key in gpg-agent and run the command again: on a terminal, gpg --local-user FINGERPRINT --clearsign FILE asks for the passphrase, and gpg-agent keeps it for some minutes. Or run svc fileset pack DIRECTORY NAME:VERSION --index KIND without --gpg-key: it makes the index and prints the line that signs it.][{problem=no-key}Look for the fingerprint in gpg --list-secret-keys, or import the key. Or run svc fileset pack DIRECTORY NAME:VERSION --index KIND without --gpg-key: it makes the index and prints the line that signs it where the key is.][{absent!}{problem!}Correct what the program names, and run the command again.]',
      fr`[{absent=yes}Installez {program} (Debian : apt-utils, createrepo-c, gnupg), ou produisez l’index sur une autre machine.][{problem=locked}Déverrouillez la clé dans gpg-agent et relancez la commande : dans un terminal, gpg --local-user EMPREINTE --clearsign FICHIER demande la phrase secrète, et gpg-agent la garde quelques minutes. Ou lancez svc fileset pack DOSSIER NOM:VERSION --index SORTE sans --gpg-key : il produit l’index et affiche la ligne qui le signe.][{problem=no-key}Cherchez l’empreinte dans gpg --list-secret-keys, ou importez la clé. Ou lancez svc fileset pack DOSSIER NOM:VERSION --index SORTE sans --gpg-key : il produit l’index et affiche la ligne qui le signe là où se trouve la clé.][{absent!}{problem!}Corrigez ce que nomme le programme, et relancez la commande.]`,
    ],
  },
} as const satisfies Family;

import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of the proof of a delivery. */
export const cloErrors = {
  'SVC-CLO-001': {
    class: 'verification',
    status: 422,
    params: { chart: 'name', image: 'name', where: 'name', entry: 'name', 'zone?': 'name' },
    what: [
      'The chart {chart} uses the image {image}, which is not in the delivery[{zone=unknown}, and whether the zone has it cannot be known here] ({where}).',
      fr`Le chart {chart} utilise l’image {image}, qui n’est pas dans la livraison[{zone=unknown}, et impossible de savoir ici si la zone l’a] ({where}).`,
    ],
    cause: [
      'No recipe of the delivery has the image under this name[{zone!}, and no receipt says that the zone has it: a pod that uses it may not start].[{zone=unknown} storage.root does not have all recipes of the receipt, and only their documents name their content.]',
      fr`Aucune recette de la livraison n’a l’image sous ce nom[{zone!}, et aucun reçu ne dit que la zone l’a : un pod qui l’utilise pourrait ne pas démarrer].[{zone=unknown} storage.root n’a pas toutes les recettes du reçu, et seuls leurs documents nomment leur contenu.]`,
    ],
    action: [
      '[{zone=unknown}If the zone has the image, nothing is to be done. Else add to the recipe: {entry}.][{zone!}Add to the recipe: {entry}.] Then pin it (svc recipe pin), sign it, synchronize and write the medium again. If the zone never uses the image, nothing is to be done.',
      fr`[{zone=unknown}Si la zone a l’image, il n’y a rien à faire. Sinon, ajoutez à la recette : {entry}.][{zone!}Ajoutez à la recette : {entry}.] Puis épinglez-la (svc recipe pin), signez-la, synchronisez et écrivez de nouveau le support. Si la zone n’utilise jamais l’image, il n’y a rien à faire.`,
    ],
  },
  'SVC-CLO-002': {
    class: 'verification',
    status: 422,
    params: { reference: 'name', platform: 'name', available: 'name' },
    what: [
      'The image {reference} has no content for {platform}.',
      fr`L’image {reference} n’a pas de contenu pour {platform}.`,
    ],
    cause: [
      'The delivery brings it for [{available}|no platform]: its recipe lists these platforms only, or the image was not built for others.',
      fr`La livraison l’apporte pour [{available}|aucune plateforme] : sa recette ne liste que ces plateformes, ou l’image n’a pas été construite pour d’autres.`,
    ],
    action: [
      'Add to platforms of the ingredient: {platform}. If the image does not offer it, choose another image.',
      fr`Ajoutez à platforms de l’ingrédient : {platform}. Si l’image ne la propose pas, choisissez une autre image.`,
    ],
  },
  'SVC-CLO-003': {
    class: 'verification',
    status: 422,
    params: { fileset: 'name', path: 'name', fault: 'name', 'signature?': 'name' },
    what: [
      '[{signature!}A repository of packages in the FileSet {fileset} is not complete: {path} ({fault}).][{signature=absent}A repository of packages in the FileSet {fileset} is not signed: {path}.][{signature=wrong}A repository of packages in the FileSet {fileset} has no valid signature of a named key: {path}.]',
      fr`[{signature!}Un dépôt de paquets du FileSet {fileset} n’est pas complet : {path} ({fault}).][{signature=absent}Un dépôt de paquets du FileSet {fileset} n’est pas signé : {path}.][{signature=wrong}Un dépôt de paquets du FileSet {fileset} n’a pas de signature valide d’une clé nommée : {path}.]`,
    ],
    cause: [
      '[{signature!}Its index names a file that is absent or different, or the index cannot be read; apt and dnf would refuse the repository.][{signature=absent}apt refuses a repository without a signature; dnf takes one where each package has its own.][{signature=wrong}Another key signed it, it was changed since, or the key has expired or was revoked; apt and dnf would refuse the repository.]',
      fr`[{signature!}Son index nomme un fichier absent ou différent, ou l’index est illisible ; apt et dnf refuseraient le dépôt.][{signature=absent}apt refuse un dépôt sans signature ; dnf en accepte un dont chaque paquet a la sienne.][{signature=wrong}Une autre clé l’a signé, il a été modifié depuis, ou la clé a expiré ou a été révoquée ; apt et dnf refuseraient le dépôt.]`,
    ],
    action: [
      '[{signature!}Pack the folder again with its index: svc fileset pack DIRECTORY NAME:VERSION --index apt (or rpm). Check it: svc fileset pack DIRECTORY NAME:VERSION --check.][{signature=absent}Pack the folder again and sign its index: svc fileset pack DIRECTORY NAME:VERSION --index apt (or rpm) --gpg-key FINGERPRINT.][{signature=wrong}Name the public key of its signer with --keyring. Else pack the folder again and sign its index: svc fileset pack DIRECTORY NAME:VERSION --index apt (or rpm) --gpg-key FINGERPRINT.]',
      fr`[{signature!}Empaquetez de nouveau le dossier avec son index : svc fileset pack DOSSIER NOM:VERSION --index apt (ou rpm). Contrôlez-le : svc fileset pack DOSSIER NOM:VERSION --check.][{signature=absent}Empaquetez de nouveau le dossier et signez son index : svc fileset pack DOSSIER NOM:VERSION --index apt (ou rpm) --gpg-key EMPREINTE.][{signature=wrong}Nommez par --keyring la clé publique de son signataire. Sinon, empaquetez de nouveau le dossier et signez son index : svc fileset pack DOSSIER NOM:VERSION --index apt (ou rpm) --gpg-key EMPREINTE.]`,
    ],
  },
  'SVC-CLO-004': {
    class: 'verification',
    status: 422,
    params: {
      reference: 'name',
      'problem?': 'name',
      'digest?': 'name',
      'actual?': 'text',
      'needed?': 'bytes',
      'free?': 'bytes',
    },
    what: [
      '[{problem!}The destination may refuse {reference}.][{problem=tag}The tag {reference} of the destination would lead to {actual}, not to {digest}.][{problem=moves}A second import would move {reference} again.][{problem=space}The destination {reference} has {free:size} free, and the delivery needs {needed:size}.][{problem=sparse}The destination may refuse {reference}: platforms of the index are absent.][{problem=foreign-layers}The destination may refuse {reference}: layers that need not be distributed are absent.][{problem=long-digest}The destination may refuse {reference}: it is pinned by sha512.]',
      fr`[{problem!}La destination peut refuser {reference}.][{problem=tag}L’étiquette {reference} de la destination mènerait à {actual}, pas à {digest}.][{problem=moves}Un second import déplacerait de nouveau {reference}.][{problem=space}La destination {reference} a {free:size} libres, et la livraison demande {needed:size}.][{problem=sparse}La destination peut refuser {reference} : des plateformes de l’index sont absentes.][{problem=foreign-layers}La destination peut refuser {reference} : des couches qui n’ont pas à être distribuées sont absentes.][{problem=long-digest}La destination peut refuser {reference} : elle est épinglée par sha512.]`,
    ],
    cause: [
      '[{problem!}Registries differ in the content that they accept.][{problem=tag}Recipes of two folders pin different content under one tag.][{problem=moves}Recipes of two folders pin different content under one tag.][{problem=space}The receipt of the zone names the free space.][{problem=sparse}Registries differ: CNCF distribution and zot refuse such an index with their default settings, svc accepts it.][{problem=foreign-layers}Registries differ: CNCF distribution requires every layer with its default settings.][{problem=long-digest}Registries differ: CNCF distribution cannot serve manifests by sha512, svc and zot can.]',
      fr`[{problem!}Les registres diffèrent par le contenu qu’ils acceptent.][{problem=tag}Des recettes de deux dossiers épinglent des contenus différents sous une étiquette.][{problem=moves}Des recettes de deux dossiers épinglent des contenus différents sous une étiquette.][{problem=space}Le reçu de la zone donne l’espace libre.][{problem=sparse}Les registres diffèrent : CNCF distribution et zot refusent un tel index avec leurs réglages par défaut, svc l’accepte.][{problem=foreign-layers}Les registres diffèrent : CNCF distribution exige toutes les couches avec ses réglages par défaut.][{problem=long-digest}Les registres diffèrent : CNCF distribution ne peut pas servir de manifestes par sha512, svc et zot le peuvent.]`,
    ],
    action: [
      '[{problem!}Ask the zone which registry it has.][{problem=tag}Give the content another tag in one of the recipes, or deliver the folders one after another on purpose.][{problem=moves}Give the content another tag in one of the recipes.][{problem=space}Free space in the zone, or deliver fewer recipes.][{problem=sparse}Ask the zone which registry it has. A receipt of the zone says whether its registry has accepted or refused such an index; until then it says unknown. To be safe, remove platforms from the ingredient.][{problem=foreign-layers}Synchronize the layers too, or ask the zone which registry it has.][{problem=long-digest}Pin the ingredient by its sha256 digest, or ask the zone which registry it has.]',
      fr`[{problem!}Demandez à la zone quel est son registre.][{problem=tag}Donnez au contenu une autre étiquette dans l’une des recettes, ou livrez les dossiers l’un après l’autre en connaissance de cause.][{problem=moves}Donnez au contenu une autre étiquette dans l’une des recettes.][{problem=space}Libérez de l’espace dans la zone, ou livrez moins de recettes.][{problem=sparse}Demandez à la zone quel est son registre. Un reçu de la zone dit si son registre a accepté ou refusé un tel index ; jusque-là, il dit unknown. Pour être sûr, retirez platforms de l’ingrédient.][{problem=foreign-layers}Synchronisez aussi les couches, ou demandez à la zone quel est son registre.][{problem=long-digest}Épinglez l’ingrédient par son empreinte sha256, ou demandez à la zone quel est son registre.]`,
    ],
  },
  'SVC-CLO-005': {
    class: 'failure',
    status: 422,
    params: {},
    what: [
      'Signatures of packages cannot be verified: there is no program gpgv on PATH.',
      fr`Les signatures des paquets ne peuvent pas être vérifiées : aucun programme gpgv n’est dans PATH.`,
    ],
    cause: [
      'A keyring was named, and gpgv verifies with it, as it does for apt.',
      fr`Un trousseau a été nommé, et gpgv vérifie avec lui, comme pour apt.`,
    ],
    action: [
      'Install it (Debian: gpgv, Fedora: gnupg2). Or leave --keyring out: the report then says that these signatures were not verified.',
      fr`Installez-le (Debian : gpgv, Fedora : gnupg2). Ou retirez --keyring : le rapport dit alors que ces signatures n’ont pas été vérifiées.`,
    ],
  },
} as const satisfies Family;

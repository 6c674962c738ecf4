import { documentRulesFr } from './document-rules-fr.ts';
import { draftRulesFr } from './draft-rules-fr.ts';
import { networkRulesFr } from './network-rules-fr.ts';
import { storeRulesFr } from './store-rules-fr.ts';

/**
 * French for the rules and details that are inserted into messages, by their English text. `{a}`, `{b}` are values; a
 * text that is not listed is inserted unchanged.
 */
export const rulesFr: Readonly<Record<string, string>> = {
  // reasons of a refused signature
  none: 'aucune signature',
  untrusted: 'clé non reconnue',
  malformed: 'signature illisible',
  'no-roots': 'aucune racine de confiance',
  // settings
  'is not set': 'n’est pas défini',
  'the store is on the volume below the mount point {a}, where nothing is mounted':
    'le magasin est sur le volume sous le point de montage {a}, où rien n’est monté',
  'the store in {a} is new and empty, although this instance wrote the store {b} before: check that its disk is mounted':
    'le magasin dans {a} est neuf et vide, alors que cette instance écrivait auparavant le magasin {b} : vérifiez que son disque est monté',
  'svc.yaml is here: add --config svc.yaml, or run export SVC_CONFIG={a}':
    'svc.yaml est ici : ajoutez --config svc.yaml, ou lancez export SVC_CONFIG={a}',
  'svc.yaml is here and was not read: add --config svc.yaml, or run export SVC_CONFIG={a}':
    'svc.yaml est ici et n’a pas été lu : ajoutez --config svc.yaml, ou lancez export SVC_CONFIG={a}',
  'svc quickstart --config {a} writes one where there is none yet; a container needs it mounted there':
    'svc quickstart --config {a} en écrit une s’il n’y en a pas encore ; un conteneur doit l’avoir montée à cet endroit',
  'retriever.source is set: this configuration is that of a source, which fills media; the zone has its own, which svc quickstart --for medium writes':
    'retriever.source est défini : cette configuration est celle d’une source, qui remplit des supports ; la zone a la sienne, que svc quickstart --for medium écrit',
  '{rule}; did you mean {a}?': '{rule} ; vouliez-vous dire {a} ?',
  'is not a setting': 'n’est pas un réglage',
  'is required': 'est requis',
  'is given twice': 'est donné deux fois',
  'does not exist': 'n’existe pas',
  'it does not exist': 'il n’existe pas',
  'it is a folder, not a file': 'c’est un dossier, pas un fichier',
  'it is not readable for this user': 'il n’est pas lisible par cet utilisateur',
  'it cannot be read: {a}': 'il est illisible : {a}',
  'is not a regular file': 'n’est pas un fichier ordinaire',
  'is larger than {a} bytes': 'fait plus de {a} octets',
  'it is larger than {a} bytes': 'il fait plus de {a} octets',
  'is a folder, not a file': 'est un dossier, pas un fichier',
  'is not readable for this user': 'n’est pas lisible par cet utilisateur',
  'cannot be read': 'est illisible',
  'cannot be read: {a}': 'est illisible : {a}',
  'is not valid YAML: {rule}': 'n’est pas du YAML valide : {rule}',
  'is not valid YAML in column {column}: {rule}': 'n’est pas du YAML valide à la colonne {column} : {rule}',
  'the character {a} is not accepted': 'le caractère {a} n’est pas accepté',
  'the character {a} is accepted in a quoted text only':
    'le caractère {a} n’est accepté que dans un texte entre guillemets',
  'contains no token: one line of printable characters is expected':
    'ne contient pas de jeton : une ligne de caractères imprimables est attendue',
  'must be UTF-8': 'doit être en UTF-8',
  'is UTF-16, and must be UTF-8': 'est en UTF-16, et doit être en UTF-8',
  'must be UTF-8 text': 'doit être un texte en UTF-8',
  'must not be empty': 'ne doit pas être vide',
  'must be one line': 'doit tenir sur une ligne',
  'must be one of {a}': 'doit être l’un de : {a}',
  'must be a list': 'doit être une liste',
  'must be one line of printable characters': 'doit être une seule ligne de caractères imprimables',
  'must be one line without a slash or a leading hyphen':
    'doit être une seule ligne sans barre oblique ni trait d’union en tête',
  'merge keys are not read': 'les clés de fusion ne sont pas lues',
  'must have printable characters only': 'ne doit avoir que des caractères imprimables',
  'must be a path of plain names below the folder': 'doit être un chemin de noms simples sous le dossier',
  'must begin with the heading of a generated file': 'doit commencer par l’en-tête d’un fichier généré',
  'must be what this version of svc makes': 'doit être ce que fait cette version de svc',
  'must be a file of {a}': 'doit être un fichier de {a}',
  'must be 12 hexadecimal digits': 'doit être 12 chiffres hexadécimaux',
  'must be the instance that was asked, or the address of --registry; server.publicURL of the instance says how clients reach it':
    'doit être l’instance interrogée, ou l’adresse de --registry ; server.publicURL de l’instance dit comment les clients l’atteignent',
  'must not name a file as a folder too': 'ne doit pas nommer un fichier aussi comme dossier',
  'must be a list: write [] for an empty one, or remove the key':
    'doit être une liste : écrivez [] pour une liste vide, ou retirez la clé',
  'must be a map': 'doit être un objet',
  'must be a map of settings': 'doit être un objet de réglages',
  'must be a map with {a}': 'doit être un objet avec {a}',
  'must be a string': 'doit être un texte',
  'must be a whole number': 'doit être un nombre entier',
  'must be true or false': 'doit être true ou false',
  'must be true, 1, false or 0': 'doit être true, 1, false ou 0',
  'must be at least {a}': 'doit valoir au moins {a}',
  'must be at most 1 MiB': 'doit faire au plus 1 Mio',
  'must be at most {a} characters': 'doit avoir au plus {a} caractères',
  'must be at most {a}': 'doit valoir au plus {a}',
  'must have at most {a} items': 'doit avoir au plus {a} éléments',
  'must have at most {a} entries': 'doit avoir au plus {a} entrées',
  'must have at most {a} entries together': 'doit avoir au plus {a} entrées en tout',
  'must not contain control characters': 'ne doit pas contenir de caractères de contrôle',
  'must be a duration with its unit, such as 30s, 15m or 1h30m':
    'doit être une durée avec son unité, par exemple 30s, 15m ou 1h30m',
  'must be 0, or a duration of at least {a}': 'doit être 0, ou une durée d’au moins {a}',
  'must be a size such as 64MiB or 512kB, or a number of bytes':
    'doit être une taille, par exemple 64MiB ou 512kB, ou un nombre d’octets',
  'must be an absolute path': 'doit être un chemin absolu',
  'must be an absolute path, https://<host>/<path> or oci://<registry>/<repository>:<tag>':
    'doit être un chemin absolu, https://<hôte>/<chemin> ou oci://<registre>/<dépôt>:<étiquette>',
  'must be host:port or :port, such as :8080, 127.0.0.1:8080 or [::1]:8080':
    'doit être hôte:port ou :port, par exemple :8080, 127.0.0.1:8080 ou [::1]:8080',
  '{a} is used by another program': '{a} est utilisé par un autre programme',
  '{a} is not an address of this machine': '{a} n’est pas une adresse de cette machine',
  '{a} may not be opened by this user': '{a} ne peut pas être ouvert par cet utilisateur',
  '{a} has a host name that does not resolve': '{a} a un nom d’hôte sans adresse',
  'is not <host>:<port>: {a}': 'n’est pas <hôte>:<port> : {a}',
  'the port must be between 0 and 65535': 'le port doit être compris entre 0 et 65535',
  'must be http:// or https:// with a host and no path, such as https://instance.example':
    'doit être http:// ou https:// avec un hôte et sans chemin, par exemple https://instance.example',
  'must be a host name or an IP address': 'doit être un nom d’hôte ou une adresse IP',
  'must be an IP address or a CIDR block, such as 192.0.2.1 or 10.0.0.0/8':
    'doit être une adresse IP ou un bloc CIDR, par exemple 192.0.2.1 ou 10.0.0.0/8',
  'must be a host, .suffix, CIDR block or *': 'doit être un hôte, un .suffixe, un bloc CIDR ou *',
  'must be a host pattern without scheme or path': 'doit être un motif d’hôte sans schéma ni chemin',
  'must be a host pattern: a host[:port] in which * matches part of a label and ** several labels':
    'doit être un motif d’hôte : un hôte[:port] où * remplace une partie d’un label et ** plusieurs labels',
  'must be a bare host[:port], without scheme, user or path':
    'doit être un simple hôte[:port], sans schéma, utilisateur ni chemin',
  'must be host[:port] or host[:port]/path, without scheme':
    'doit être hôte[:port] ou hôte[:port]/chemin, sans schéma',
  'must be scheme, host and port only': 'ne doit comporter que schéma, hôte et port',
  'must name a host': 'doit nommer un hôte',
  'must have a host[:port] as its key': 'doit avoir un hôte[:port] pour clé',
  'names the same host as {a}': 'nomme le même hôte que {a}',
  'must be an http or https URL': 'doit être une URL http ou https',
  'must be an http:// or https:// URL': 'doit être une URL http:// ou https://',
  'must be an http:// or https:// URL with a host': 'doit être une URL http:// ou https:// avec un hôte',
  'must be an https:// URL with a host': 'doit être une URL https:// avec un hôte',
  'must be an https URL without user information': 'doit être une URL https sans identifiants',
  'must be the http:// or https:// URL of an instance': 'doit être l’URL http:// ou https:// d’une instance',
  'must not contain credentials in the URL': 'ne doit pas contenir d’identifiants dans l’URL',
  'must not contain credentials: use {a} and {b}':
    'ne doit pas contenir d’identifiants : utilisez {a} et {b}',
  'must not contain credentials: use {a} or {b}': 'ne doit pas contenir d’identifiants : utilisez {a} ou {b}',
  'must have neither query nor fragment': 'ne doit avoir ni requête ni fragment',
  'must be a PEM public key (-----BEGIN PUBLIC KEY-----)':
    'doit être une clé publique PEM (-----BEGIN PUBLIC KEY-----)',
  'must be a public key; this is a private one: treat it as exposed':
    'doit être une clé publique ; celle-ci est privée : considérez-la comme exposée',
  'must contain at least one PEM certificate (-----BEGIN CERTIFICATE-----)':
    'doit contenir au moins un certificat PEM (-----BEGIN CERTIFICATE-----)',
  'is missing: {a} is set, and a pair needs both': 'manque : {a} est défini, et il faut les deux',
  'must be empty when a certificate is configured: it names hosts of the generated certificate':
    'doit être vide si un certificat est configuré : il nomme les hôtes du certificat généré',
  'is set without a proxy: set network.proxy.url as well, or remove it':
    'est défini sans mandataire : définissez aussi network.proxy.url, ou retirez-le',
  'leaves no certificate authority: set network.tls.caFiles or network.tls.ca':
    'ne laisse aucune autorité de certification : définissez network.tls.caFiles ou network.tls.ca',
  'is set without a destination: set destination.registry as well, or remove it':
    'est défini sans destination : définissez aussi destination.registry, ou retirez-le',
  'is not used in mirror mode: pass --prune when you trigger the synchronization':
    'n’est pas utilisé en mode mirror : passez --prune au lancement de la synchronisation',
  'is mirror, which has no interval': 'vaut mirror, qui n’a pas d’intervalle',
  'must have exactly one of key, keyFile and keyURL': 'doit avoir exactement l’un de key, keyFile et keyURL',
  'is also the name of another root': 'est aussi le nom d’une autre racine',
  'is also the name of another scope': 'est aussi le nom d’un autre périmètre',
  'is also the name of another FileSet': 'est aussi le nom d’un autre FileSet',
  'is also the name of another view': 'est aussi le nom d’une autre vue',
  'is also the name of a FileSet': 'est aussi le nom d’un FileSet',
  'must contain at least one glob': 'doit contenir au moins un motif',
  'must name at least one root, or be removed': 'doit nommer au moins une racine, ou être retiré',
  'has no effect: set allowUnsigned: true, or restrict it with roots':
    'est sans effet : définissez allowUnsigned: true, ou restreignez-le avec roots',
  'names no root of trust.roots': 'ne nomme aucune racine de trust.roots',
  'names an unknown trust root: {a}': 'nomme une racine de confiance inconnue : {a}',
  'names {a}, which {rule}': 'nomme {a}, qui {rule}',
  'has an invalid key of root {a}: {rule}': 'contient une clé non valide pour la racine {a} : {rule}',
  'is required by {a}': 'est requis par {a}',
  'is required while authentication is on, and not set{a}':
    'est requis tant que l’authentification est active, et n’est pas défini{a}',
  'must be one URL segment: letters, digits, . _ and -, starting with a letter or digit':
    'doit être un segment d’URL : lettres, chiffres, . _ et -, commençant par une lettre ou un chiffre',
  'must be <host>[:<port>]/<path> without tag or digest':
    'doit être <hôte>[:<port>]/<chemin> sans étiquette ni empreinte',
  'must be <host>[:<port>]/<path>': 'doit être <hôte>[:<port>]/<chemin>',
  'must be an exact tag': 'doit être une étiquette exacte',
  'must be os/arch or os/arch/variant, such as linux/amd64':
    'doit être os/arch ou os/arch/variante, par exemple linux/amd64',
  'must not be the path of a file of the store': 'ne doit pas être le chemin d’un fichier du magasin',
  'must be below _svc/, which the medium manifest does not cover':
    'doit être sous _svc/, que le manifeste du support ne couvre pas',
  'must be a folder: it is a file, or is below a file':
    'doit être un dossier : c’est un fichier, ou il est sous un fichier',
  'must not be inside storage.root: its files would be carried with the store':
    'ne doit pas être dans storage.root : ses fichiers seraient transportés avec le magasin',
  'must not be inside state.root': 'ne doit pas être dans state.root',
  'must be outside storage.root': 'doit être hors de storage.root',
  'must be a repository path: lower-case segments joined by /, at most 255 characters':
    'doit être un chemin de dépôt : segments en minuscules séparés par /, au plus 255 caractères',
  'is not set, and it holds the key of this store':
    'n’est pas défini, alors qu’il contient la clé de ce magasin',
  'is not set, and trust roots by URL are cached there':
    'n’est pas défini, alors que les racines de confiance par URL y sont conservées',
  'is not set, and the indexes of FileSets are stored there':
    'n’est pas défini, alors que les index des FileSets y sont conservés',
  'is not set, and {a} has several platforms: {b}': 'n’est pas défini, et {a} a plusieurs plateformes : {b}',
  'does not hold the key of {a}': 'ne contient pas la clé de {a}',
  'has port 0: name the registry with --registry': 'a le port 0 : indiquez le registre par --registry',
  'has port 0: name the instance with --instance or SVC_INSTANCE_URL':
    'a le port 0 : indiquez l’instance par --instance ou SVC_INSTANCE_URL',
  'is false: the listener uses plain HTTP': 'vaut false : l’écoute est en HTTP simple',
  'names the certificate: replace that file and the key file instead':
    'nomme le certificat : remplacez plutôt ce fichier et celui de la clé',
  // documents and requests
  'is missing': 'manque',
  'is not JSON': 'n’est pas du JSON',
  'is not a known member': 'n’est pas un membre connu',
  'is not a known member: did you mean {a}?': 'n’est pas un membre connu : vouliez-vous dire {a} ?',
  'must be a digest': 'doit être une empreinte',
  'must be sha256:<64 hex> or sha512:<128 hex>': 'doit être sha256:<64 hex> ou sha512:<128 hex>',
  'the digest must be sha256:<64 hex> or sha512:<128 hex>':
    'l’empreinte doit être sha256:<64 hex> ou sha512:<128 hex>',
  'must name a tag or a digest': 'doit nommer une étiquette ou une empreinte',
  'must name a tag (:1.0.0) or a digest (@sha256:…)':
    'doit nommer une étiquette (:1.0.0) ou une empreinte (@sha256:…)',
  'an oci:// reference must name a tag': 'une référence oci:// doit nommer une étiquette',
  'must name at least one item of the inspection': 'doit nommer au moins un élément de l’inspection',
  'the path is not a valid repository name': 'le chemin n’est pas un nom de dépôt valide',
  'a repository has no tag and no digest': 'un dépôt n’a ni étiquette ni empreinte',
  'a source is a repository: name the tag with --tags, or the image in a list of images':
    'une source est un dépôt : indiquez l’étiquette avec --tags, ou l’image dans une liste d’images',
  'the path is not a valid repository name (no tag, digest or upper case)':
    'le chemin n’est pas un nom de dépôt valide (ni étiquette, ni empreinte, ni majuscule)',
  'the substituted name is not a valid repository name': 'le nom substitué n’est pas un nom de dépôt valide',
  'the host is not a valid name or has an invalid port':
    'l’hôte n’est pas un nom valide ou son port n’est pas valide',
  'the tag is not valid': 'l’étiquette n’est pas valide',
  'the version is missing': 'la version manque',
  'is {a}, but the reference ends in {b}': 'vaut {a}, mais la référence finit par {b}',
  'is {a}, but the reference has the tag {b}': 'vaut {a}, mais la référence a l’étiquette {b}',
  'is required in a pinned recipe': 'est requis dans une recette figée',
  'must be an exact tag in a pinned recipe': 'doit être une étiquette exacte dans une recette figée',
  'must be Recipe or Retriever': 'doit être Recipe ou Retriever',
  'must be {a} here: this document is a {b}': 'doit être {a} ici : ce document est un {b}',
  'a Retriever has no version': 'un Retriever n’a pas de version',
  'must be one document: this file contains none':
    'doit être un seul document : ce fichier n’en contient aucun',
  'must be one document: this file contains several':
    'doit être un seul document : ce fichier en contient plusieurs',
  'must be a SemVer 2.0.0 version, such as 1.2.3': 'doit être une version SemVer 2.0.0, par exemple 1.2.3',
  'must be an RFC 3339 time': 'doit être une date RFC 3339',
  'the key is written twice': 'la clé est en double',
  'at most {a} characters': 'au plus {a} caractères',
  // accounts
  'the name {a} differs from {b} only in upper and lower case':
    'le nom {a} ne diffère de {b} que par les majuscules et minuscules',
  'a name is 1 to 64 letters, digits and . _ @ -, and starts with a letter or digit':
    'un nom compte de 1 à 64 lettres, chiffres et . _ @ -, et commence par une lettre ou un chiffre',
  'this name is reserved': 'ce nom est réservé',
  'a role is one of {a}': 'un rôle est l’un de : {a}',
  'a password must be text': 'un mot de passe doit être un texte',
  'a password must be Unicode text': 'un mot de passe doit être un texte Unicode',
  'a password must not be empty': 'un mot de passe ne doit pas être vide',
  'a password must have at least {a} characters': 'un mot de passe doit avoir au moins {a} caractères',
  'a password must have at most {a} bytes': 'un mot de passe doit avoir au plus {a} octets',
  'a password must not contain control characters':
    'un mot de passe ne doit pas contenir de caractères de contrôle',
  'a password must not start with {a}': 'un mot de passe ne doit pas commencer par {a}',
  'no account in {a}': 'aucun compte dans {a}',
  // folders, layouts and FileSets
  'not understood: it has no address that begins with http:// or https://':
    'pas compris : il n’y a pas d’adresse qui commence par http:// ou https://',
  '{program} has no source that is enabled in {folder}': '{program} n’a pas de source activée dans {folder}',
  'not tested: apt fetches {method}: beside the gate of this command':
    'pas essayé : apt utilise {method}: à côté du passage de cette commande',
  'the instance leads nodes to {host} (destination.registry, else server.publicURL, else its listener); without --registry, that host is not asked and gets no token':
    'l’instance mène les nœuds à {host} (destination.registry, sinon server.publicURL, sinon l’adresse où elle écoute) ; sans --registry, cet hôte n’est pas interrogé et ne reçoit pas le jeton',
  'the public key {path} is not there: install it, or name the folder that has it with --keys':
    'la clé publique {path} n’est pas là : installez-la, ou nommez par --keys le dossier qui l’a',
  'the address of --registry does not answer': 'l’adresse de --registry ne répond pas',
  'the address of --registry is no registry': 'l’adresse de --registry n’est pas celle d’un registre',
  'leads to {host}, which is neither the instance nor the address of --registry':
    'mène à {host}, qui n’est ni l’instance ni l’adresse de --registry',
  'names {host}, which is neither the instance nor the address of --registry':
    'nomme {host}, qui n’est ni l’instance ni l’adresse de --registry',
  'asked {hosts}': 'a interrogé {hosts}',
  'containerd reads no hosts.toml: config_path is not set in its configuration':
    'containerd ne lit aucun hosts.toml : config_path n’est pas défini dans sa configuration',
  'got {actual} in place of {expected}': 'a reçu {actual} au lieu de {expected}',
  'it is not {digest}': 'ce n’est pas {digest}',
  'the package has no signature of its own, and gpgcheck=1 of {id} refuses it':
    'le paquet n’a pas de signature propre, et gpgcheck=1 de {id} le refuse',
  'no package came': 'aucun paquet n’est venu',
  'exit code {code}': 'code de sortie {code}',
  'it contains packages for apt and for rpm: an index of each kind needs a folder of its own':
    'il contient des paquets pour apt et pour rpm : un index de chaque type exige son propre dossier',
  'it contains no package of this kind': 'il ne contient aucun paquet de ce type',
  'it leads out of the folder': 'il mène hors du dossier',
  'the signature is not of the named key': 'la signature n’est pas de la clé nommée',
  'must be <host>[:<port>]': 'doit être <hôte>[:<port>]',
  'must be a repository name': 'doit être un nom de dépôt',
  'only letters, digits, . _ + ~ and -, starting with a letter or digit':
    'seulement lettres, chiffres, . _ + ~ et -, en commençant par une lettre ou un chiffre',
  'it contains the {a} folder or is inside it': 'il contient le dossier {a} ou se trouve dedans',
  'it is a symbolic link': 'c’est un lien symbolique',
  'it is not a folder': 'ce n’est pas un dossier',
  'it is not a regular file': 'ce n’est pas un fichier ordinaire',
  'it cannot be read': 'il est illisible',
  'it changed while it was packed': 'il a changé pendant l’empaquetage',
  'it is setuid': 'il est setuid',
  'it is setgid': 'il est setgid',
  'it is a block device': 'c’est un périphérique bloc',
  'it is a character device': 'c’est un périphérique caractère',
  'it is a named pipe': 'c’est un tube nommé',
  'it is below a file': 'il est sous un fichier',
  'it leads outside the tree': 'il mène hors de l’arborescence',
  'a link above it has no target': 'un lien au-dessus n’a pas de cible',
  'the target of the link is outside the folder: {a}': 'la cible du lien est hors du dossier : {a}',
  'the target of the link has .. after a name: {a}': 'la cible du lien contient .. après un nom : {a}',
  'begins with a drive letter': 'commence par une lettre de lecteur',
  'has a backslash, which separates folders on some systems':
    'contient une barre oblique inverse, qui sépare les dossiers sur certains systèmes',
  'is not UTF-8': 'n’est pas en UTF-8',
  'a name that begins with .wh. marks a deletion in a layer':
    'un nom qui commence par .wh. marque une suppression dans une couche',
  'more than {a} entries': 'plus de {a} entrées',
  'more than {a} names in a path': 'plus de {a} noms dans un chemin',
  'a path of more than {a} bytes': 'un chemin de plus de {a} octets',
  'it is not an OCI image layout': 'ce n’est pas une disposition d’images OCI',
  'neither a folder nor a regular file': 'ni un dossier ni un fichier ordinaire',
  'the file is missing: nothing is listed': 'le fichier manque : rien n’est listé',
  'the file is missing: this is not an image layout':
    'le fichier manque : ce n’est pas une disposition d’images',
  'a link is not part of a layout': 'un lien ne fait pas partie d’une disposition',
  'a device or pipe is not part of a layout':
    'un périphérique ou un tube ne fait pas partie d’une disposition',
  'the file is not part of a layout': 'le fichier ne fait pas partie d’une disposition',
  'the folder is not part of a layout': 'le dossier ne fait pas partie d’une disposition',
  'the archive contains the file twice': 'l’archive contient le fichier deux fois',
  'it is compressed with {a}: unpack it with {b} first':
    'elle est compressée avec {a} : décompressez-la d’abord avec {b}',
  // store, disk and network
  'there is no store': 'il n’y a pas de magasin',
  'not in the store': 'absent du magasin',
  'not a folder': 'pas un dossier',
  'not a regular file': 'pas un fichier ordinaire',
  'reached through a symbolic link': 'atteint par un lien symbolique',
  'the file changed while it was read': 'le fichier a changé pendant la lecture',
  'larger than {a} bytes': 'plus de {a} octets',
  'larger than its volume': 'plus grand que son volume',
  'damaged at byte {a}': 'abîmé à l’octet {a}',
  'damaged at offset {a}': 'abîmé à l’octet {a}',
  'belongs to another medium': 'appartient à un autre support',
  'the volume is not mounted': 'le volume n’est pas monté',
  'opened read-only': 'ouvert en lecture seule',
  'its bytes could not be synced to disk': 'ses octets n’ont pas pu être synchronisés sur le disque',
  '{a} bytes instead of {b}': '{a} octets au lieu de {b}',
  'its bytes have the digest {a}': 'ses octets ont l’empreinte {a}',
  '{a} files a folder': '{a} fichiers par dossier',
  'the registry refuses the name': 'le registre refuse le nom',
  '{a} characters in a repository name, this one has {b}':
    '{a} caractères pour un nom de dépôt, celui-ci en a {b}',
  'a name with an IPv6 address is not accepted': 'un nom avec une adresse IPv6 n’est pas accepté',
  '{a} is not a valid repository name': '{a} n’est pas un nom de dépôt valide',
  'answered {a}': 'a répondu {a}',
  'answered {a}, asking to wait {b} s': 'a répondu {a}, en demandant d’attendre {b} s',
  '{a} was answered {b}': 'réponse {b} à {a}',
  'ended after {a} of {b} bytes': 'terminé après {a} octets sur {b}',
  'more than {a} bytes were sent': 'plus de {a} octets ont été envoyés',
  'only {a} bytes arrived in {b} s': 'seulement {a} octets reçus en {b} s',
  'the source sent another range': 'la source a envoyé une autre plage',
  'the tag list is not valid': 'la liste des étiquettes n’est pas valide',
  'the token realm sent no valid token': 'le service de jetons n’a pas envoyé de jeton valide',
  'the token realm at {a} answered {b}': 'le service de jetons {a} a répondu {b}',
  'the proxy answered {a} for {b}': 'le mandataire a répondu {a} pour {b}',
  'the proxy answered {a}': 'le mandataire a répondu {a}',
  'nothing is left that could end this command': 'il ne reste rien qui puisse terminer cette commande',
  'contains no PEM certificate': 'ne contient aucun certificat PEM',
  ...documentRulesFr,
  ...draftRulesFr,
  ...networkRulesFr,
  ...storeRulesFr,
  // last, since others begin the same
  'must be {rule}': 'doit être {rule}',
};

/** French of the rules about documents, requests, recipes, charts and manifests. */
export const documentRulesFr: Readonly<Record<string, string>> = {
  // requests
  'request body': 'corps de la requête',
  task: 'tâche',
  'configuration file': 'fichier de configuration',
  'the form carries no token of this session': 'le formulaire ne porte aucun jeton de cette session',
  'must be 0, or a duration of at least {a}': 'doit être 0, ou une durée d’au moins {a}',
  'must have a version or a digest': 'doit avoir une version ou une empreinte',
  'its sizes add up to more than any volume has': 'la somme de ses tailles dépasse tout volume existant',
  'is not a regular file: give --out': 'n’est pas un fichier ordinaire : indiquez --out',
  'must be an object': 'doit être un objet',
  'must have at most {a} characters': 'doit avoir au plus {a} caractères',
  'must be given once': 'doit être donné une seule fois',
  'is not a known parameter': 'n’est pas un paramètre connu',
  'only an account that signed in with a password can change it':
    'seul un compte connecté avec un mot de passe peut le changer',
  'the Host header names another host': 'l’en-tête Host nomme un autre hôte',
  'the request was made by another site': 'la requête vient d’un autre site',
  'other large requests are being received': 'd’autres grandes requêtes sont en cours de réception',
  'the inspection took more than {a} ms': 'l’examen a duré plus de {a} ms',
  'the plan took more than {a} ms': 'le plan a duré plus de {a} ms',
  'other artifacts are being inspected': 'd’autres artefacts sont en cours d’examen',
  'other plans are being made': 'd’autres plans sont en cours d’établissement',
  'the pin or comparison took more than {a} ms': 'figer ou comparer a duré plus de {a} ms',
  'other recipes are being pinned or compared': 'd’autres recettes sont en train d’être figées ou comparées',
  'cannot run {a}': 'ne peut pas exécuter {a}',
  'must be <host>[:<port>], optionally with http:// or https://':
    'doit être <hôte>[:<port>], avec ou sans http:// ou https://',
  interrupted: 'interrompu',
  stopped: 'arrêté',
  // configuration
  'the environment variable {a} is not a setting and is ignored':
    'la variable d’environnement {a} n’est pas un réglage et n’a pas d’effet',
  '{rule}; {a} can be set in the configuration file only':
    '{rule} ; {a} ne peut être défini que dans le fichier de configuration',
  'more than one document': 'plus d’un document',
  'a tab is used for indentation: indent with spaces':
    'l’indentation contient une tabulation : indentez avec des espaces',
  'a quote is opened and not closed': 'un guillemet est ouvert et n’est pas fermé',
  'the line has no colon: a key is followed by a colon and a space, as in name: value':
    'la ligne n’a pas de deux-points : une clé est suivie d’un deux-points et d’une espace, comme dans name: value',
  'a key is followed by a colon and a space, as in name: value; one of them is missing here':
    'une clé est suivie d’un deux-points et d’une espace, comme dans name: value ; l’un des deux manque ici',
  'a second key begins in the value of this line: quote a value with a colon, or indent the next line less':
    'une deuxième clé commence dans la valeur de cette ligne : mettez entre guillemets une valeur qui contient un deux-points, ou réduisez l’indentation de la ligne suivante',
  'a list or a map begins where a key is expected: correct the indentation':
    'une liste ou une table commence là où une clé est attendue : corrigez l’indentation',
  'a bracket or a brace is opened and not closed': 'un crochet ou une accolade est ouvert et n’est pas fermé',
  'the indentation differs from that of the lines of the same map or list':
    'l’indentation diffère de celle des lignes de la même table ou liste',
  'a value that begins with this character must be quoted':
    'une valeur qui commence par ce caractère doit être entre guillemets',
  'an alias without its anchor: a value that begins with * must be quoted':
    'un alias sans son ancre : une valeur qui commence par * doit être entre guillemets',
  'an escape sequence is not known: put a text with backslashes into single quotes':
    'une séquence d’échappement est inconnue : mettez un texte avec des barres obliques inverses entre guillemets simples',
  'the line does not continue what precedes it: check its indentation and its quotes':
    'la ligne ne continue pas ce qui précède : vérifiez son indentation et ses guillemets',
  'an unknown tag': 'un tag inconnu',
  'a character is missing, such as a closing quote or bracket':
    'un caractère manque, par exemple un guillemet fermant ou un crochet',
  'a key that is not a text': 'une clé qui n’est pas un texte',
  'must be a relative path in the store with / as separator; it {rule}':
    'doit être un chemin relatif dans le magasin, avec / comme séparateur ; il {rule}',
  'an oci:// reference must name a tag, not a digest':
    'une référence oci:// doit nommer une étiquette, pas une empreinte',
  'must be a glob over a path: the : of a port is written _':
    'doit être un motif de chemin où le : d’un port s’écrit _',
  'must be a glob over <host>/<path>: an empty segment matches nothing':
    'doit être un motif sur <hôte>/<chemin> : un segment vide ne correspond à rien',
  'must be in lower case: hosts and paths are compared in lower case':
    'doit être en minuscules : les hôtes et les chemins sont comparés en minuscules',
  'must be a glob over <host>/<path>: no name contains ..':
    'doit être un motif sur <hôte>/<chemin> : aucun nom ne contient ..',
  'must be a glob over <host>/<path>: a host alone matches nothing, write <host>/**':
    'doit être un motif sur <hôte>/<chemin> : un hôte seul ne correspond à rien, écrivez <hôte>/**',
  'must name docker.io instead of {a}': 'doit nommer docker.io au lieu de {a}',
  'must be a glob over <host>/<path>: segments of letters, digits, . _ - and *':
    'doit être un motif de <hôte>/<chemin>, en segments de lettres, chiffres, . _ - et *',
  'is set without a key: set signing.keyFile as well, or remove it':
    'est défini sans clé ; définissez aussi signing.keyFile, ou retirez-le',
  'is also the name of another peer': 'est aussi le nom d’un autre pair',
  'is also the name of a trust root: a peer never approves recipes':
    'est aussi le nom d’une racine de confiance, alors qu’un pair n’approuve jamais de recette',
  'must name at least one kind of statement': 'doit nommer au moins une sorte de déclaration',
  'names a kind of statement twice': 'nomme deux fois une sorte de déclaration',
  'has an invalid key of peer {a}: {rule}': 'contient une clé invalide du pair {a} : {rule}',
  'has the key of trust root {a}: a peer never approves recipes':
    'a la clé de la racine de confiance {a}, alors qu’un pair n’approuve jamais de recette',
  'has the key of peer {a}: each peer has its own': 'a la clé du pair {a}, alors que chaque pair a la sienne',
  'must not contain {a}: statements of svc never approve a recipe':
    'ne doit pas contenir {a} : les déclarations de svc n’approuvent jamais une recette',
  'its payload is not what --payload-out writes for this recipe':
    'ce qu’elle signe n’est pas ce que --payload-out écrit pour cette recette',
  'its payload is of the layout {a}': 'ce qu’elle signe est de la forme {a}',
  'it does not verify with this key over this payload':
    'elle ne se vérifie pas avec cette clé sur ces octets',
  'a sha512 digest has no classic signature': 'une empreinte sha512 n’a pas de signature classique',
  'the registry does not keep the signature, or another client overwrites it':
    'le registre ne garde pas la signature, ou un autre client l’écrase',
  'must be more than 0': 'doit être supérieur à 0',
  'must be between 0 and 99': 'doit être compris entre 0 et 99',
  'must be the name of a Retriever: lower-case letters and digits joined by ., _, __ or -, at most 63 characters':
    'doit être le nom d’un Retriever, en lettres minuscules et chiffres reliés par ., _, __ ou -, au plus 63 caractères',
  'must be {rule}; quote it': 'doit être {rule} ; mettez la valeur entre guillemets',
  'a string': 'un texte',
  'a path': 'un chemin',
  'a repository path': 'un chemin de dépôt',
  'a path in the store': 'un chemin dans le magasin',
  'a duration': 'une durée',
  'a size': 'une taille',
  'a URL': 'une URL',
  'a bool': 'un booléen',
  'an int': 'un nombre entier',
  'a secret': 'un secret',
  'a PEM text': 'un texte PEM',
  // recipes and Retrievers
  'must be a map of members': 'doit être un objet de membres',
  'must be a map of strings': 'doit être un objet de textes',
  'must be a string, not {rule}: quote it, as in {a}':
    'doit être un texte, pas {rule} ; mettez-le entre guillemets, comme dans {a}',
  'must be a string, not {rule}: quote it': 'doit être un texte, pas {rule} ; mettez-le entre guillemets',
  'a boolean': 'un booléen',
  'a number': 'un nombre',
  null: 'null',
  'must be unique in the recipe: {a} has the same name':
    'doit être unique dans la recette ; {a} porte le même nom',
  'must be lower-case letters, digits and "-", with a letter or digit at both ends':
    'doit être en lettres minuscules, chiffres et « - », avec une lettre ou un chiffre aux deux bouts',
  'must be lower-case letters and digits, joined by ".", "_", "__" or "-"':
    'doit être en lettres minuscules et chiffres, reliés par « . », « _ », « __ » ou « - »',
  'must not be a tag of signatures or referrers: these are carried with what they sign':
    'ne doit pas être une étiquette de signatures ou de référents ; ils sont transportés avec ce qu’ils signent',
  'must be a media type': 'doit être un type de média',
  'must be relative to the root of the image': 'doit être relatif à la racine de l’image',
  'must not contain ".."': 'ne doit pas contenir « .. »',
  'must not hold a zero character': 'ne doit pas contenir de caractère nul',
  'is a member of {a} only': 'est un membre de {a} seulement',
  'must be os/arch[/variant], such as linux/amd64': 'doit être os/arch[/variante], par exemple linux/amd64',
  'must be a SemVer version without build metadata, because it becomes a tag':
    'doit être une version SemVer sans métadonnées de construction, car elle devient une étiquette',
  'the key is longer than a label allows': 'la clé est plus longue qu’un label ne le permet',
  'the prefix of a label key must be a DNS name': 'le préfixe d’une clé de label doit être un nom DNS',
  'a label key must be letters, digits, "-", "_" and ".", at most 63, with a letter or digit at both ends':
    'une clé de label doit être en lettres, chiffres, « - », « _ » et « . », au plus 63, avec une lettre ou un chiffre aux deux bouts',
  'a label value must be letters, digits, "-", "_" and ".", with a letter or digit at both ends':
    'une valeur de label doit être en lettres, chiffres, « - », « _ » et « . », avec une lettre ou un chiffre aux deux bouts',
  'an annotation key must have 1 to 317 characters': 'une clé d’annotation doit avoir de 1 à 317 caractères',
  'must not contain a scheme': 'ne doit pas contenir de schéma',
  'must not contain a digest or a user name': 'ne doit contenir ni empreinte ni nom d’utilisateur',
  'must not contain a query or fragment': 'ne doit contenir ni requête ni fragment',
  'must be a tag (letters, digits, ".", "_", "-", at most 128) or a version constraint':
    'doit être une étiquette (lettres, chiffres, « . », « _ », « - », au plus 128) ou une contrainte de version',
  'must be an exact version or a range: 2.3.0 or ^2.3':
    'doit être une version exacte ou un intervalle : 2.3.0 ou ^2.3',
  'is not a version constraint': 'n’est pas une contrainte de version',
  'alternatives (||) are not accepted': 'les alternatives (||) ne sont pas acceptées',
  'a term is missing': 'un terme manque',
  '== is not an operator: write =': '== n’est pas un opérateur, écrivez =',
  '{a} must be followed by a version without a space': '{a} doit être suivi d’une version, sans espace',
  '{a} needs an operator or a placeholder at its end': '{a} exige un opérateur, ou un joker à la fin',
  'placeholders stand only at the end': 'les jokers ne sont admis qu’à la fin',
  'build metadata is not accepted': 'les métadonnées de construction ne sont pas acceptées',
  'a placeholder stands without an operator': 'un joker n’admet pas d’opérateur',
  'a pre-release needs all three components': 'une préversion exige les trois composants',
  'at most three components': 'au plus trois composants',
  'leading zeros are not accepted': 'les zéros en tête ne sont pas acceptés',
  'a component is too large': 'un composant est trop grand',
  'must have a version, not a digest': 'doit avoir une version, pas une empreinte',
  'must have the version of the FileSet, {a}': 'doit avoir la version du FileSet, {a}',
  'must name a cookbook before the recipe': 'doit nommer un livre de recettes devant la recette',
  'must be a path of lower-case names joined by /; the : of a port is written _':
    'doit être un chemin de noms en minuscules séparés par / ; le : d’un port s’écrit _',
  'the version after @ is missing': 'la version manque après @',
  'must be a repository of the store, <path>[:<tag>]; the : of a port is written _':
    'doit être un dépôt du magasin, <chemin>[:<étiquette>], où le : d’un port s’écrit _',
  'needs a repository for the chart with its dependencies: give svc recipe pin the flag --vendor-to <registry>/<path>':
    'exige un dépôt pour le chart avec ses dépendances : donnez à svc recipe pin l’option --vendor-to <registre>/<chemin>',
  'must have either a document or a reference': 'doit avoir soit un document, soit une référence',
  'has no ingredient named {a}': 'n’a pas d’ingrédient nommé {a}',
  'is not the digest of {a}, which the constraint selects: remove it, or update the ingredient':
    'n’est pas l’empreinte de {a}, que la contrainte sélectionne ; retirez-la, ou mettez l’ingrédient à jour',
  'cannot be written without changing other members: write each value out, without anchors':
    'ne peut pas être écrit sans changer d’autres membres ; écrivez chaque valeur, sans ancres',
  'changed while it was being pinned: run the command again':
    'a changé pendant qu’il était figé ; relancez la commande',
  // YAML and JSON
  'must be YAML 1.2': 'doit être du YAML 1.2',
  'must be expressible as JSON': 'doit pouvoir s’exprimer en JSON',
  'must be JSON': 'doit être du JSON',
  'must be a JSON object': 'doit être un objet JSON',
  'has a password that ends with a line break: encode it with printf, not echo':
    'a un mot de passe qui finit par un saut de ligne ; encodez-le avec printf, pas avec echo',
  'must be base64 of user:password': 'doit être le base64 de utilisateur:mot-de-passe',
  'at most {a} aliases': 'au plus {a} alias',
  'at most {a} bytes': 'au plus {a} octets',
  'an anchor cannot contain itself': 'une ancre ne peut pas se contenir elle-même',
  'the alias names no anchor before it': 'l’alias ne nomme aucune ancre qui le précède',
  'nested deeper than {a}': 'imbriqué à plus de {a} niveaux',
  'the tag {a} is not accepted': 'le tag {a} n’est pas accepté',
  'takes more than {a} to read: make it smaller or simpler':
    'prend plus de {a} à lire ; rendez-le plus petit ou plus simple',
  'more than {a} YAML tokens': 'plus de {a} éléments YAML',
  'more than {a} anchors, tags and directives': 'plus de {a} ancres, tags et directives',
  'more than {a} members and elements': 'plus de {a} membres et éléments',
  'two commas with nothing between them': 'deux virgules sans rien entre elles',
  'line {a}, column {b}': 'ligne {a}, colonne {b}',
  // manifests
  'not JSON': 'pas du JSON',
  'a web page: a proxy or a sign-in page answers in place of the registry':
    'une page web ; un mandataire ou une page de connexion répond à la place du registre',
  'not UTF-8': 'pas en UTF-8',
  'not a JSON object': 'pas un objet JSON',
  'names {a} twice in one object': 'nomme {a} deux fois dans un objet',
  '{a} must be a map of strings': '{a} doit être un objet de textes',
  '{a} must be a string': '{a} doit être un texte',
  '{a} must be a descriptor': '{a} doit être un descripteur',
  '{a} must be sha256:<64 hex> or sha512:<128 hex>': '{a} doit être sha256:<64 hex> ou sha512:<128 hex>',
  '{a} must be a whole number of bytes': '{a} doit être un nombre entier d’octets',
  '{a} must be an array': '{a} doit être un tableau',
  '{a} has more than {b} entries': '{a} a plus de {b} entrées',
  'schemaVersion must be 2': 'schemaVersion doit être 2',
  'mediaType is {a}, but it was announced as {b}': 'mediaType vaut {a}, mais {b} était annoncé',
  'an index has neither config nor layers': 'un index n’a ni config ni layers',
  'an image manifest has no manifests': 'un manifeste d’image n’a pas de manifests',
  'media type {a} is not an image manifest or an index':
    'le type de média {a} n’est ni un manifeste d’image ni un index',
  '{a} is not a valid manifest': '{a} n’est pas un manifeste valide',
  'reaches more than {a} manifests': 'atteint plus de {a} manifestes',
  'a manifest of {a} bytes is too large': 'un manifeste de {a} octets est trop grand',
  '{a} bytes exceed the limit for documents read into memory':
    '{a} octets dépassent la limite des documents lus en mémoire',
  'a media type is longer than {a} characters': 'un type de média a plus de {a} caractères',
  'indexes are nested deeper than {a}': 'les index sont imbriqués à plus de {a} niveaux',
  '{a} has {b} bytes, not {c}': '{a} a {b} octets, pas {c}',
  'an index': 'un index',
  'an image manifest': 'un manifeste d’image',
  'an image manifest with one layer of at most {a} bytes':
    'un manifeste d’image à une couche d’au plus {a} octets',
  'exactly one layer': 'exactement une couche',
  '{a} layers': '{a} couches',
  'a layer of {a} bytes': 'une couche de {a} octets',
  'a layer of type {a}': 'une couche de type {a}',
  '{a} of {b} bytes': '{a} de {b} octets',
  'content, as signatures are carried with what they sign':
    'du contenu, car les signatures sont transportées avec ce qu’elles signent',
  'a signature, {a}': 'une signature, {a}',
  // references
  'IPv6 literals are not accepted': 'les adresses IPv6 ne sont pas acceptées',
  'the host must be fully qualified: a dotted name, localhost, or an explicit port':
    'l’hôte doit être complet, soit un nom avec un point, soit localhost, soit un port explicite',
  'a version follows the name after @: write {a}': 'une version suit le nom après @ : écrivez {a}',
  'a recipe': 'une recette',
  'a container image': 'une image de conteneur',
  'an artifact of another type': 'un artefact d’un autre type',
  'a FileSet': 'un FileSet',
  // charts
  'must be https://<host>/<path of the repository>': 'doit être https://<hôte>/<chemin du dépôt>',
  'must be https://<host>/<path of the repository>/<chart>[:<version>]':
    'doit être https://<hôte>/<chemin du dépôt>/<chart>[:<version>]',
  'a chart repository is reached over https only': 'un dépôt de charts n’est joint qu’en https',
  'no user information: credentials belong into registries.credentialsFile':
    'pas d’identifiants ici ; ils vont dans registries.credentialsFile',
  'no query and no fragment': 'ni requête ni fragment',
  'must end in the name of a chart, with or without a version':
    'doit finir par le nom d’un chart, avec ou sans version',
  'the version has 1 to {a} characters': 'la version a de 1 à {a} caractères',
  'the version range of the dependency is not valid':
    'la plage de versions de la dépendance n’est pas valide',
  'its address in the index of the repository is not a URL':
    'son adresse dans l’index du dépôt n’est pas une URL',
  'its digest in the index of the repository is not a SHA-256 digest':
    'son empreinte dans l’index du dépôt n’est pas une empreinte SHA-256',
  'its version is not a valid tag': 'sa version n’est pas une étiquette valide',
  'the chart names no repository of it': 'le chart n’en nomme pas le dépôt',
  'its repository ({a}) has an http URL, and a chart repository is reached over https only, also where registries.insecure has the host':
    'son dépôt ({a}) a une URL http, et un dépôt de charts n’est joint qu’en https, même si registries.insecure contient l’hôte',
  'its repository ({a}) is not an https or oci URL': 'son dépôt ({a}) n’est pas une URL https ou oci',
  'its {a} cannot be read': 'son {a} est illisible',
  'its {a} is not a map': 'son {a} n’est pas un objet',
  'no Chart.yaml': 'pas de Chart.yaml',
  'no such layer': 'cette couche n’existe pas',
  'a Helm chart archive': 'une archive de chart Helm',
  'a damaged archive': 'une archive abîmée',
  'a link': 'un lien',
  'a device or a pipe': 'un périphérique ou un tube',
  'an entry with a name that is too long': 'une entrée au nom trop long',
  'an entry with a backslash or a drive letter in its name':
    'une entrée dont le nom contient une barre oblique inverse ou une lettre de lecteur',
  'an entry that leads out of the chart': 'une entrée qui mène hors du chart',
  'two entries whose names differ only in case, form or dots at an end':
    'deux entrées dont les noms ne diffèrent que par la casse, la forme ou des points finaux',
  'two entries with one name': 'deux entrées du même nom',
  'a file outside of the folder of the chart': 'un fichier hors du dossier du chart',
  'a file in a second top-level folder': 'un fichier dans un second dossier de premier niveau',
  'an entry with the segment "." in its path': 'une entrée dont le chemin contient le segment « . »',
  'a file with the mode of a folder': 'un fichier avec le mode d’un dossier',
  'more than {a} entries': 'plus de {a} entrées',
  '{a} dependencies': '{a} dépendances',
  '{a} embedded charts': '{a} charts embarqués',
  '{a} fields': '{a} champs',
  'a chart that can be named in a reference': 'un chart qui peut être nommé dans une référence',
  'a dependency without a name': 'une dépendance sans nom',
  'an entry of unreadable size': 'une entrée de taille illisible',
  'no name': 'pas de nom',
  'the name of a chart': 'le nom d’un chart',
};

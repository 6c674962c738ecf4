/** French of the details about registries, connections, certificates, keys and signatures. */
export const networkRulesFr: Readonly<Record<string, string>> = {
  // connections
  'its certificate was issued by an authority that is not trusted here':
    'son certificat vient d’une autorité qui n’est pas reconnue ici',
  'its certificate is not valid yet': 'son certificat n’est pas encore valable',
  'its certificate has expired': 'son certificat a expiré',
  'its certificate is for another name': 'son certificat est établi pour un autre nom',
  'it does not answer in TLS: it may serve plain HTTP':
    'il ne répond pas en TLS ; il sert peut-être HTTP simple',
  'it answers in TLS, and was asked in plain HTTP': 'il répond en TLS, et a été interrogé en HTTP simple',
  'it answers in TLS only; use {a}': 'elle ne répond qu’en TLS ; utilisez {a}',
  'it does not answer in TLS; use {a}': 'elle ne répond pas en TLS ; utilisez {a}',
  'it offers no version of TLS from 1.2 on': 'il n’offre aucune version de TLS à partir de 1.2',
  'TLS failed': 'échec de TLS',
  'its name does not resolve': 'son nom n’est pas résolu',
  'no resolver answered for its name': 'aucun résolveur n’a répondu pour son nom',
  'nothing listens at its address and port': 'rien n’écoute à son adresse et à son port',
  'the connection was cut off': 'la connexion a été coupée',
  'connecting took too long': 'la connexion a pris trop de temps',
  'there is no route to it': 'il n’y a pas de route vers lui',
  'no byte arrived in time': 'aucun octet n’est arrivé à temps',
  'connection failed': 'échec de la connexion',
  'no answer within {a} s': 'pas de réponse en {a} s',
  'it answered {a}, and not as an instance does': 'réponse {a}, qui n’est pas celle d’une instance',
  'in its answer, {rule}': 'dans sa réponse, {rule}',
  'the answer is too long': 'la réponse est trop longue',
  'unknown reason': 'raison inconnue',
  'not the certificate of the configured instance': 'pas le certificat de l’instance configurée',
  'redirect of {a}': 'redirection de {a}',
  'token realm of {a}': 'service de jetons de {a}',
  'scheme {a}': 'schéma {a}',
  'upload location of {a}': 'adresse d’envoi de {a}',
  'next page of {a}': 'page suivante de {a}',
  'chart URL of {a}': 'adresse de chart de {a}',
  'user information in a URL': 'identifiants dans une URL',
  'only https is allowed here': 'seul https est admis ici',
  'leads from https down to http': 'mène de https à http',
  'plain http to a host not listed': 'http simple vers un hôte non déclaré',
  'a public host leads to an address that is not public':
    'un hôte public mène à une adresse qui n’est pas publique',
  'sent with Content-Encoding {a}, which was not requested':
    'envoyé avec Content-Encoding {a}, qui n’était pas demandé',
  'sent with an unknown Content-Encoding, which was not requested':
    'envoyé avec un Content-Encoding inconnu, qui n’était pas demandé',
  'more than {a} redirects': 'plus de {a} redirections',
  'redirected to something that is no URL': 'redirigé vers autre chose qu’une URL',
  '{a} was redirected with {b}': '{a} a été redirigé avec {b}',
  'an upload under way was redirected with {a}': 'un envoi en cours a été redirigé avec {a}',
  'a secret is not sent to another host': 'un secret n’est pas envoyé à un autre hôte',
  'credentials are sent to a token realm on another host over https only':
    'les identifiants ne sont envoyés à un service de jetons d’un autre hôte qu’en https',
  'the next page of the list is on another host': 'la page suivante de la liste est sur un autre hôte',
  'it requires a name and password': 'il exige un nom et un mot de passe',
  'it requires a name and password, not a token': 'il exige un nom et un mot de passe, pas un jeton',
  'sent as gzip, but is not gzip': 'envoyé comme gzip, mais n’est pas du gzip',
  'trust key': 'clé de confiance',
  'trust key: answered {a}': 'clé de confiance : réponse {a}',
  // rate limit and windows
  'must not be negative': 'ne doit pas être négatif',
  'counts bytes, not bits: 8 Mbit/s are 1MB': 'compte des octets, pas des bits : 8 Mbit/s font 1MB',
  'must be a number of bytes a second, such as 2MiB or 512kB, or unlimited':
    'doit être un nombre d’octets par seconde, comme 2MiB ou 512kB, ou unlimited',
  'must not be 0, which would stop every transfer; no limit is unlimited':
    'ne doit pas être 0, qui arrêterait tous les transferts ; sans limite s’écrit unlimited',
  'must be at least 1KiB a second': 'doit être d’au moins 1KiB par seconde',
  'must be at most 1TiB a second; no limit is unlimited':
    'doit être d’au plus 1TiB par seconde ; sans limite s’écrit unlimited',
  'must be HH:MM-HH:MM on a clock of 24 hours, such as 22:00-06:00':
    'doit être HH:MM-HH:MM sur 24 heures, comme 22:00-06:00',
  'is empty: it ends when it begins; the whole day is 00:00-24:00':
    'est vide : elle finit quand elle commence ; la journée entière s’écrit 00:00-24:00',
  'must name a window; the whole day is 00:00-24:00':
    'doit citer une fenêtre ; la journée entière s’écrit 00:00-24:00',
  'must have at most {a} windows': 'doit avoir au plus {a} fenêtres',
  'windows {a} and {b} overlap': 'les fenêtres {a} et {b} se chevauchent',
  'must be a time zone of the IANA database, such as UTC or Europe/Paris':
    'doit être un fuseau horaire de la base IANA, comme UTC ou Europe/Paris',
  // transfers
  'does not match its digest after {a} resumed downloads':
    'ne correspond pas à son empreinte après {a} téléchargements repris',
  'a partial answer to a request for the complete blob':
    'une réponse partielle à une demande du blob complet',
  'the server answered with a page instead of {a}': 'le serveur a répondu par une page au lieu de {a}',
  'the answer is not the requested range {a}': 'la réponse n’est pas la plage demandée {a}',
  'the registry accepted it and does not have it': 'le registre l’a accepté et ne l’a pas',
  '{a} bytes are announced instead of {b}': '{a} octets annoncés au lieu de {b}',
  'a page of the tag list has no new entries':
    'une page de la liste des étiquettes n’a pas de nouvelle entrée',
  '{a} pages of the tag list contain only {b} tags':
    '{a} pages de la liste des étiquettes ne contiennent que {b} étiquettes',
  'the link to the next page cannot be used, and the list is not complete':
    'le lien vers la page suivante est inutilisable, et la liste n’est pas complète',
  'manifests is null': 'manifests vaut null',
  'the tag list was not complete after {a} s': 'la liste des étiquettes n’était pas complète après {a} s',
  '{a} pages': '{a} pages',
  '{a} files': '{a} fichiers',
  '{a} names': '{a} noms',
  '{a} referrers': '{a} référents',
  '{a} referrers of other types': '{a} référents d’autres types',
  '{a} signatures': '{a} signatures',
  '{a} bytes of signatures': '{a} octets de signatures',
  'the registry accepted an upload without a Location':
    'le registre a accepté un envoi sans en-tête Location',
  'the registry answered before the upload ended': 'le registre a répondu avant la fin de l’envoi',
  'the registry took it as {a}': 'le registre l’a pris comme {a}',
  'the referrers are not an image index': 'les référents ne sont pas un index d’images',
  'a page of referrers has no new entries': 'une page de référents n’a pas de nouvelle entrée',
  'another client keeps overwriting the referrers index':
    'un autre client remplace sans cesse l’index des référents',
  'lacks {a}': 'il manque {a}',
  // certificates and keys
  'begins with a byte order mark: save it as plain ASCII':
    'commence par une marque d’ordre des octets ; enregistrez-le en ASCII',
  'is written in UTF-16: save it as plain ASCII': 'est en UTF-16 ; enregistrez-le en ASCII',
  'its lines are indented: PEM begins in the first column':
    'ses lignes sont indentées ; PEM commence à la première colonne',
  '{a} certificates begin in it and only {b} can be read':
    '{a} certificats y commencent et seuls {b} sont lisibles',
  'certificate {a} of {b} cannot be read': 'le certificat {a} sur {b} est illisible',
  'not a PEM public key': 'pas une clé publique PEM',
  'it is a private key, and a public key is wanted': 'c’est une clé privée, et une clé publique est attendue',
  'it is a public key, and a private key is wanted': 'c’est une clé publique, et une clé privée est attendue',
  'it is a certificate, and a private key is wanted': 'c’est un certificat, et une clé privée est attendue',
  'more than one PEM block: each root is one key':
    'plus d’un bloc PEM, alors qu’une racine est une seule clé',
  'a {a}, not a PUBLIC KEY': 'un bloc {a}, pas PUBLIC KEY',
  'not a readable PEM public key': 'pas une clé publique PEM lisible',
  'a key whose point is at infinity or not on its curve':
    'une clé dont le point est à l’infini ou hors de sa courbe',
  'an Ed25519 key that is no point of its curve': 'une clé Ed25519 qui n’est pas un point de sa courbe',
  'an Ed25519 key of low order: everybody can sign with it':
    'une clé Ed25519 d’ordre faible, avec laquelle tout le monde peut signer',
  'a private key that does not fit the public key in it':
    'une clé privée qui ne correspond pas à la clé publique qu’elle contient',
  'a key that spells out the parameters of its curve': 'une clé qui détaille les paramètres de sa courbe',
  'its payload has the member {a} twice': 'son contenu a deux fois le membre {a}',
  'the curve {a} is not accepted: use P-256, P-384 or P-521':
    'la courbe {a} n’est pas acceptée ; utilisez P-256, P-384 ou P-521',
  'its lines end in a carriage return alone: end them in a line feed':
    'ses lignes se terminent par un retour chariot seul ; terminez-les par un saut de ligne',
  'an RSA key with the public exponent {a}: odd ones from 3 to {b} are accepted':
    'une clé RSA d’exposant public {a} ; sont acceptés les exposants impairs de 3 à {b}',
  'an RSA key whose modulus is divisible by {a}: it is no product of two large primes':
    'une clé RSA dont le module est divisible par {a} : ce n’est pas le produit de deux grands nombres premiers',
  'an RSA key of {a} bits: from 2048 to 16384 are accepted':
    'une clé RSA de {a} bits, alors que 2048 à 16384 sont acceptés',
  'keys of type {a} are not accepted': 'les clés de type {a} ne sont pas acceptées',
  unreadable: 'illisible',
  // signing keys
  'a PEM block of type {a}': 'un bloc PEM de type {a}',
  'no PEM block': 'aucun bloc PEM',
  'more than one PEM block': 'plus d’un bloc PEM',
  'its mode is {a}': 'son mode est {a}',
  'it is encrypted': 'elle est chiffrée',
  'the password does not open it': 'le mot de passe ne l’ouvre pas',
  'a private key that cannot be read': 'une clé privée illisible',
  'an encrypted key that cannot be read': 'une clé chiffrée illisible',
  'a cosign key that cannot be read': 'une clé cosign illisible',
  'a cosign key without a PKCS #8 key in it': 'une clé cosign qui ne contient pas de clé PKCS #8',
  'an encryption that cosign does not write': 'un chiffrement que cosign n’écrit pas',
  'an encryption other than PBES2': 'un chiffrement autre que PBES2',
  'a key derivation other than PBKDF2 and scrypt': 'une dérivation de clé autre que PBKDF2 et scrypt',
  'scrypt with N {a}, r {b}, p {c}': 'scrypt avec N {a}, r {b}, p {c}',
  'PBKDF2 with {a} iterations': 'PBKDF2 avec {a} itérations',
  // signatures
  'a keyless signature (with a certificate) cannot be verified offline against a key':
    'une signature sans clé (avec un certificat) ne peut pas être vérifiée hors ligne avec une clé',
  'it was left out by the search': 'la recherche l’a laissée de côté',
  '{a} of {b} signatures looked at': '{a} signatures examinées sur {b}',
  'no copy of the key of trust root {a} is available':
    'aucune copie de la clé de la racine de confiance {a} n’est disponible',
  'signed with {a}, which scope {b} does not accept': 'signé avec {a}, que le périmètre {b} n’accepte pas',
  'an attestation of type {a}, which approves nothing': 'une attestation de type {a}, qui n’approuve rien',
  'its artifact type is not a Sigstore bundle': 'son type d’artefact n’est pas un bundle Sigstore',
  'its manifest refers to another subject': 'son manifeste désigne un autre sujet',
  'a bundle artifact has exactly one layer': 'un artefact de bundle a exactement une couche',
  'its bundle could not be read': 'son bundle n’a pas pu être lu',
  'its bundle does not have the digest of its layer': 'son bundle n’a pas l’empreinte de sa couche',
  'not a Sigstore bundle': 'pas un bundle Sigstore',
  'not a valid Sigstore bundle': 'pas un bundle Sigstore valide',
  'its bundle holds a message signature, not a DSSE envelope':
    'son bundle contient une signature de message, pas une enveloppe DSSE',
  'a DSSE envelope must hold exactly one signature':
    'une enveloppe DSSE doit contenir exactement une signature',
  'its payload is not base64': 'sa charge utile n’est pas en base64',
  'the text between its PEM lines is not base64': 'le texte entre ses lignes PEM n’est pas en base64',
  'bytes after the key: a PEM block holds one key, and nothing else':
    'des octets après la clé : un bloc PEM contient une clé, et rien d’autre',
  'an encoding other than the DER of a public key': 'un autre codage que le DER d’une clé publique',
  'its signature is not base64': 'sa signature n’est pas en base64',
  'its payload is not an in-toto statement': 'son contenu n’est pas une déclaration in-toto',
  'its payload is not an in-toto statement of a known type':
    'son contenu n’est pas une déclaration in-toto d’un type connu',
  'it signs another subject': 'elle signe un autre sujet',
  'its statement has no predicate type': 'sa déclaration n’a pas de type de prédicat',
  'a signature artifact without layers': 'un artefact de signature sans couche',
  'no base64 signature in the annotation {a}': 'pas de signature en base64 dans l’annotation {a}',
  'its payload could not be read': 'son contenu n’a pas pu être lu',
  'its payload does not have the digest of its layer': 'son contenu n’a pas l’empreinte de sa couche',
  'its payload begins as that of a bundle (DSSEv1), and its type or a length does not fit: it was changed':
    'son contenu commence comme celui d’un bundle (DSSEv1), et son type ou une longueur ne concorde pas : il a été modifié',
  'its payload is neither that of a bundle nor SimpleSigning':
    'son contenu n’est ni celui d’un bundle ni du SimpleSigning',
  'its payload is not SimpleSigning': 'son contenu n’est pas du SimpleSigning',
  'its payload is not of the type of an image signature':
    'son contenu n’est pas du type d’une signature d’image',
  'its manifest does not have its digest': 'son manifeste n’a pas son empreinte',
  'other passwords are being checked': 'd’autres mots de passe sont en cours de contrôle',
  'its answer took longer than {a}': 'sa réponse a duré plus de {a}',
  'its manifest is an index': 'son manifeste est un index',
  'its manifest cannot be used': 'son manifeste est inutilisable',
  '{count} referrers cannot be used: {rule}': '{count} référents sont inutilisables : {rule}',
  'not an image index, but {type}': 'ce n’est pas un index d’images, mais {type}',
};

import { fr } from '../language.ts';

/** The page `/content/{repo}/-/tags/{tag}`. */
export const versionWords = {
  title: ['Version', fr`Version`],
  damaged: {
    one: [
      '{count} file of {tag} is damaged: it cannot be pulled whole',
      fr`{count} fichier de {tag} est endommagé : la version ne peut pas être récupérée en entier`,
    ],
    other: [
      '{count} files of {tag} are damaged: it cannot be pulled whole',
      fr`{count} fichiers de {tag} sont endommagés : la version ne peut pas être récupérée en entier`,
    ],
  },
  signedBy: ['Signed by {signer}', fr`Signé par {signer}`],
  withdrawn: [
    'Its signature was verified when it landed; the key was withdrawn since',
    fr`Sa signature a été vérifiée à son arrivée ; la clé a été retirée depuis`,
  ],
  signedItself: ['It carries a signature of its own', fr`La version porte sa propre signature`],
  partHint: [
    'Not all platforms of this image are carried: crane, skopeo and oras are given each carried platform by its own digest.',
    fr`Toutes les plateformes de cette image ne sont pas embarquées : crane, skopeo et oras reçoivent chaque plateforme présente par sa propre empreinte.`,
  ],
  moreCarried: [
    'Commands are listed for the first carried platforms only. Pull another platform by its own digest in the same way.',
    fr`Seules les premières plateformes embarquées ont leurs commandes ici. Une autre plateforme se récupère de la même façon, par sa propre empreinte.`,
  ],
  pull: ['Pull', fr`Récupérer`],
  pullBy: ['Name the version', fr`Désigner la version`],
  byDigest: ['by digest', fr`par empreinte`],
  byTag: ['by tag', fr`par étiquette`],
  digestHint: ['A digest always names the same bytes.', fr`Une empreinte désigne toujours les mêmes octets.`],
  tagHint: [
    'A tag can name other content later.',
    fr`Une étiquette peut désigner un autre contenu plus tard.`,
  ],
  login: ['Sign in once', fr`Se connecter une fois`],
  loginHint: [
    'The file token contains an API token with the role viewer: umask 077; cat > token, paste it, then Enter and Ctrl+D. Any user name does with a token. Without a token, leave out the end of the line from --password-stdin on, and give your account and its password.',
    fr`Le fichier token contient un jeton d’API de rôle viewer : umask 077; cat > token, collez-le, puis Entrée et Ctrl+D. Avec un jeton, tout nom d’utilisateur convient. Sans jeton, retirez la fin de la ligne à partir de --password-stdin, et donnez votre compte et son mot de passe.`,
  ],
  trust: ['Trust the certificate', fr`Accepter le certificat`],
  trustHint: [
    'Only where the certificate of this instance is not signed by an authority that the machine trusts.',
    fr`Seulement si le certificat de cette instance n’est pas signé par une autorité reconnue par la machine.`,
  ],
  trustLink: ['Download the certificate', fr`Télécharger le certificat`],
  plainHttp: [
    'This instance answers over HTTP without TLS. Docker accepts it only when the host is listed in insecure-registries of /etc/docker/daemon.json.',
    fr`Cette instance répond en HTTP sans TLS. Docker ne l’accepte que si l’hôte figure dans insecure-registries de /etc/docker/daemon.json.`,
  ],
  helmDigest: [
    'Helm takes a digest from version 3.18 on.',
    fr`Helm accepte une empreinte à partir de la version 3.18.`,
  ],
  served: ['Files', fr`Fichiers`],
  servedAs: ['Served as {name}, version {version}.', fr`Servi sous le nom {name}, version {version}.`],
  servedHint: [
    'Files are served in the version that is configured, or in the highest one.',
    fr`Les fichiers sont servis dans la version configurée, ou dans la plus élevée.`,
  ],
  notServed: [
    'No file set of the configuration (files.filesets) serves this repository. Its content can be pulled as an image.',
    fr`Aucun jeu de fichiers de la configuration (files.filesets) ne sert ce dépôt. Son contenu peut être récupéré comme une image.`,
  ],
  aptHint: [
    'For a folder with a Debian archive, in /etc/apt/sources.list.d/zone.list; adapt suite and component.',
    fr`Pour un dossier qui contient une archive Debian, dans /etc/apt/sources.list.d/zone.list ; adaptez la suite et le composant.`,
  ],
  aptLoginHint: [
    'The credentials of apt, in /etc/apt/auth.conf.d/zone.conf, readable by root only.',
    fr`Les identifiants d’apt, dans /etc/apt/auth.conf.d/zone.conf, lisible par root seulement.`,
  ],
  dnfHint: [
    'For a folder with an RPM repository, in /etc/yum.repos.d/zone.repo.',
    fr`Pour un dossier qui contient un dépôt RPM, dans /etc/yum.repos.d/zone.repo.`,
  ],
  platforms: ['Platforms', fr`Plateformes`],
  platform: ['Platform', fr`Plateforme`],
  platformCount: {
    one: ['{count} platform', fr`{count} plateforme`],
    other: ['{present} of {count} platforms carried', fr`{present} plateformes embarquées sur {count}`],
  },
  state: ['In the store', fr`Dans le stockage`],
  present: ['carried', fr`embarquée`],
  absent: ['not carried', fr`non embarquée`],
  absentLayers: {
    one: [
      '{count} layer that may not be distributed is absent; clients fetch it from its origin.',
      fr`{count} couche non distribuable est absente ; les clients la prennent à son origine.`,
    ],
    other: [
      '{count} layers that may not be distributed are absent; clients fetch them from their origin.',
      fr`{count} couches non distribuables sont absentes ; les clients les prennent à leur origine.`,
    ],
  },
  signatures: ['Signatures', fr`Signatures`],
  layout: ['Layout', fr`Forme`],
  classic: ['signature tag', fr`étiquette de signature`],
  bundle: ['bundle', fr`bundle`],
  digestNamedBy: ['Its digest is named by recipe', fr`Son empreinte est nommée par la recette`],
  noSignature: ['This version carries no signature.', fr`Cette version ne porte aucune signature.`],
  facts: ['Facts', fr`Détails`],
  mediaType: ['Media type', fr`Type de média`],
  artifactType: ['Artifact type', fr`Type d’artefact`],
  annotations: ['Annotations', fr`Annotations`],
  annotation: ['Name', fr`Nom`],
  value: ['Value', fr`Valeur`],
  annotationCount: {
    one: ['{count} annotation', fr`{count} annotation`],
    other: ['{count} annotations', fr`{count} annotations`],
  },
  annotationsMore: [
    'The first {shown} of {total:annotation/annotations} are listed.',
    fr`Les {shown} premières sont listées, sur {total:annotation/annotations}.`,
  ],
  annotationsCut: [
    'Texts of more than {limit} characters are cut.',
    fr`Les textes de plus de {limit} caractères sont coupés.`,
  ],
  annotationsWhole: ['All annotations, as JSON', fr`Toutes les annotations, en JSON`],
} as const;

import { fr } from '../../text/language.ts';

/** Sentences of the findings on recipes, by rule: the finding, and the remedy, if there is one. */
export const lintRules = {
  format: {
    message: [
      'The document breaks the format: {broken}.',
      fr`Le document ne respecte pas le format : {broken}.`,
    ],
  },
  'moving-tag': {
    message: [
      '{name} has the tag {version}, which usually moves: the tag does not tell which release the digest pins.',
      fr`{name} a l’étiquette {version}, qui se déplace d’ordinaire : elle ne dit pas quelle version l’empreinte fige.`,
    ],
    fix: [
      'Name the tag of one release, or a constraint.',
      fr`Indiquez l’étiquette d’une seule version, ou une contrainte.`,
    ],
  },
  'single-platform': {
    message: [
      '{name} is an image for {available} alone, and its platforms are {asked}.',
      fr`{name} est une image pour {available} seulement, et ses plateformes sont {asked}.`,
    ],
    fix: [
      'Name the multi-platform image, or one ingredient for each platform.',
      fr`Indiquez l’image multiplateforme, ou un ingrédient par plateforme.`,
    ],
  },
  'same-digest': {
    message: ['{name} has the same digest as {other}.', fr`{name} a la même empreinte que {other}.`],
    fix: ['Remove one of them, or correct the digest.', fr`Retirez l’un des deux, ou corrigez l’empreinte.`],
  },
  'same-reference': {
    message: [
      '{name} has the same reference as {other}, {reference}: the tag is given to {other}, and {name} is reached by its digest alone.',
      fr`{name} a la même référence que {other}, {reference} : l’étiquette va à {other}, et {name} n’est joignable que par son empreinte.`,
    ],
    fix: [
      'Name another version, or remove one of them.',
      fr`Indiquez une autre version, ou retirez l’un des deux.`,
    ],
  },
  'loopback-host': {
    message: [
      '{name} comes from {host}, which is another machine in every zone.',
      fr`{name} vient de {host}, qui est une autre machine dans chaque zone.`,
    ],
    fix: [
      'Name the registry by the host under which every zone knows it.',
      fr`Nommez le registre par l’hôte sous lequel chaque zone le connaît.`,
    ],
  },
  'insecure-host': {
    message: [
      '{name} comes from {host}, which is reached over plain HTTP here: a zone needs the same exception.',
      fr`{name} vient de {host}, joint ici en HTTP simple : une zone a besoin de la même exception.`,
    ],
    fix: [
      'Name a registry with TLS, or list the host in registries.insecure of each zone.',
      fr`Nommez un registre avec TLS, ou ajoutez l’hôte à registries.insecure de chaque zone.`,
    ],
  },
  'sha512-signature': {
    message: [
      '{name} has a sha512 digest: a classic signature cannot name it.',
      fr`{name} a une empreinte sha512 : une signature classique ne peut pas la nommer.`,
    ],
    fix: [
      'Sign it with a bundle, or pin its sha256 digest.',
      fr`Signez-la avec un bundle, ou figez son empreinte sha256.`,
    ],
  },
  'large-layer': {
    message: [
      '{name} has a file of {size:size}, more than FAT32 can hold: a FAT32 medium cannot carry it.',
      fr`{name} a un fichier de {size:size}, plus que FAT32 n’admet : un support FAT32 ne peut pas le transporter.`,
    ],
    fix: [
      'Use exFAT or another filesystem on media, or build the image with smaller layers.',
      fr`Utilisez exFAT ou un autre système de fichiers sur les supports, ou construisez l’image avec des couches plus petites.`,
    ],
  },
  'digest-gone': {
    message: [
      'The registry does not have {digest} of {name} any more.',
      fr`Le registre n’a plus {digest} de {name}.`,
    ],
    fix: ['Pin it again[: {command}].', fr`Figez-le de nouveau[ : {command}].`],
  },
  'tag-gone': {
    message: [
      'The registry does not have {reference} of {name}.',
      fr`Le registre n’a pas {reference} de {name}.`,
    ],
    fix: ['Name a tag that is there.', fr`Indiquez une étiquette qui existe.`],
  },
  'tag-moved': {
    message: [
      '{reference} of {name} is {actual} now, and the recipe pins {pinned}.',
      fr`{reference} de {name} est maintenant {actual}, et la recette fige {pinned}.`,
    ],
    fix: [
      'Keep the digest, or pin it again[: {command}].',
      fr`Gardez l’empreinte, ou figez-la de nouveau[ : {command}].`,
    ],
  },
  'newer-tag': {
    message: [
      '{name} has {newest} in its registry, and its version {version} does not take it.',
      fr`{name} existe en {newest} dans son registre, et sa version {version} ne la prend pas.`,
    ],
    fix: [
      'To take it, write version: "{constraint}" in the draft and pin again.',
      fr`Pour la prendre, écrivez version: "{constraint}" dans le brouillon et figez de nouveau.`,
    ],
  },
  'platform-absent': {
    message: [
      '{name} has no image for {missing}; it has {available}.',
      fr`{name} n’a pas d’image pour {missing} ; il a {available}.`,
    ],
    fix: [
      'Remove the platform, or name a version that has it.',
      fr`Retirez la plateforme, ou indiquez une version qui l’a.`,
    ],
  },
  'chart-dependency': {
    message: [
      'The chart {name} depends on {dependency}, which is neither embedded in it nor in the recipe: a sync refuses it (SVC-CHT-001).',
      fr`Le chart {name} dépend de {dependency}, qui n’est ni inclus dans le chart ni dans la recette : une synchronisation le refuse (SVC-CHT-001).`,
    ],
    fix: [
      'Package the chart with it (helm dependency update), or set vendorDependencies: true and pin the recipe with --vendor-to.',
      fr`Empaquetez le chart avec elle (helm dependency update), ou mettez vendorDependencies: true et figez la recette avec --vendor-to.`,
    ],
  },
  'chart-image': {
    message: [
      '{where} of the chart {name} names {image}, which is not in the recipe.',
      fr`{where} du chart {name} nomme {image}, qui n’est pas dans la recette.`,
    ],
    fix: [
      'Add a ContainerImage with the ref {ref}[ and the version {version}], unless the values of the zones name another image.',
      fr`Ajoutez une ContainerImage avec le ref {ref}[ et la version {version}], sauf si les valeurs des zones nomment une autre image.`,
    ],
  },
  'unseen-character': {
    message: [
      '{member} has {characters}, which nobody sees or which changes how other text is shown.',
      fr`{member} contient {characters}, que personne ne voit ou qui change l’affichage d’un autre texte.`,
    ],
    fix: ['Remove it, unless the text needs it.', fr`Retirez-le, sauf si le texte en a besoin.`],
  },
  'unseen-comment': {
    message: [
      'A comment, an anchor or a tag has {characters}, which nobody sees or which changes how other text is shown.',
      fr`Un commentaire, une ancre ou un tag contient {characters}, que personne ne voit ou qui change l’affichage d’un autre texte.`,
    ],
    fix: ['Remove it, unless the text needs it.', fr`Retirez-le, sauf si le texte en a besoin.`],
  },
  'not-checked': {
    message: [
      '{name} could not be checked: {code} {what}',
      fr`{name} n’a pas pu être contrôlé : {code} {what}`,
    ],
  },
} as const;

export type LintRule = keyof typeof lintRules;

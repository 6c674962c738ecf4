import type { PackageFault, PackageFinding } from '../../src/fileset/package-check/model.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Sentence } from '../../src/text/language.ts';

/** The fault of a file, for people. */
export const faultSentences: Readonly<Record<PackageFault, Sentence>> = {
  absent: ['it is not there', fr`il est absent`],
  size: ['it has another size than its index says', fr`sa taille n’est pas celle que dit l’index`],
  hash: ['it has another hash than its index says', fr`son empreinte n’est pas celle que dit l’index`],
  weak: ['its index has no SHA-256 or SHA-512 of it', fr`l’index n’en donne ni SHA-256 ni SHA-512`],
  outside: ['its name leads out of the repository', fr`son nom mène hors du dépôt`],
  form: ['it cannot be read as an index', fr`il n’est pas lisible comme index`],
  compression: [
    'its compression cannot be read here: install xz, or add the index uncompressed or as .gz or .zst',
    fr`sa compression n’est pas lisible ici : installez xz, ou ajoutez l’index non compressé ou en .gz ou .zst`,
  ],
  empty: ['no index names a package', fr`aucun index ne nomme de paquet`],
  broken: [
    'it is no whole package: it was cut off, or is no package at all',
    fr`ce n’est pas un paquet entier : il est tronqué, ou n’est pas un paquet`,
  ],
  unlisted: [
    'no index names it: the index is of other packages, or this one is damaged',
    fr`aucun index ne le nomme : l’index est celui d’autres paquets, ou celui-ci est endommagé`,
  ],
  unsigned: ['it has no signature', fr`il n’a pas de signature`],
  signer: [
    'its signature is not valid, or not of the wanted key',
    fr`sa signature n’est pas valide, ou pas de la clé voulue`,
  ],
};

/** The line about a file of a folder that is wrong. */
export function toFaultLine(directory: string, { path, fault }: PackageFinding): Sentence {
  const [english, french] = faultSentences[fault];
  const at = escapeText(path === '' ? directory : path);
  return [`svc: ${at}: ${english}`, fr`svc: ${at} : ${french}`];
}

import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of layouts. */
export const layErrors = {
  'SVC-LAY-001': {
    class: 'failure',
    status: 422,
    params: { path: 'name', 'detail?': 'text' },
    what: [
      '{path} is not a readable image layout[: {detail}].',
      fr`{path} n’est pas une disposition d’images lisible[ : {detail}].`,
    ],
    cause: [
      'The path does not exist, cannot be read, or is not an OCI image layout.',
      fr`Le chemin n’existe pas, n’est pas lisible, ou n’est pas une disposition d’images OCI.`,
    ],
    action: [
      'Name the folder or the uncompressed tar archive of an OCI image layout.',
      fr`Indiquez le dossier ou l’archive tar non compressée d’une disposition d’images OCI.`,
    ],
  },
  'SVC-LAY-002': {
    class: 'verification',
    status: 422,
    params: { path: 'name', rule: 'rule' },
    what: [
      'The whole layout is refused: {path} - {rule}.',
      fr`La disposition entière est refusée : {path} - {rule}.`,
    ],
    cause: [
      'A layout consists of oci-layout, index.json and blobs/, uncompressed; a layout with other files is not imported.',
      fr`Une disposition se compose de oci-layout, index.json et blobs/, sans compression ; une disposition qui contient d’autres fichiers n’est pas importée.`,
    ],
    action: [
      'Create the layout again without the other files; decompress an archive first.',
      fr`Recréez la disposition sans les autres fichiers ; décompressez d’abord une archive.`,
    ],
  },
  'SVC-LAY-003': {
    class: 'failure',
    status: 409,
    params: { path: 'name', 'detail?': 'text', 'kept?': 'name' },
    what: [
      '{path} already exists and was not overwritten[: {detail}].',
      fr`{path} existe déjà et n’a pas été remplacé[ : {detail}].`,
    ],
    cause: [
      '[{kept!}An earlier export or another file has this name.][{kept=yes}Only a layout is ever replaced, and this is none, or has something else in it.]',
      fr`[{kept!}Un export précédent ou un autre fichier porte ce nom.][{kept=yes}Seule une disposition est remplacée ; ceci n’en est pas une, ou contient autre chose.]`,
    ],
    action: [
      '[{kept!}Choose another path, or pass --overwrite to replace an earlier layout; nothing else is replaced.][{kept=yes}Choose another path, or look at the file or folder and move it away.]',
      fr`[{kept!}Choisissez un autre chemin, ou passez --overwrite pour remplacer une disposition précédente ; rien d’autre n’est remplacé.][{kept=yes}Choisissez un autre chemin, ou examinez le fichier ou le dossier et déplacez-le.]`,
    ],
  },
} as const satisfies Family;

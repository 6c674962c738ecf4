import { stat } from 'node:fs/promises';
import { fr, type Sentence } from '../../../src/base/language.ts';
import { isMediumFolder } from '../../../src/engine/medium/find-medium.ts';
import { findUnmounted } from '../../../src/store/opening/find-unmounted.ts';

/**
 * Says what has to happen before a zone can verify its medium. It is no error: the zone may be set up before the disk
 * arrives.
 *
 * @param root the folder of the medium in the configuration
 * @returns undefined when a medium is there
 */
export async function findMissingMedium(root: string): Promise<Sentence | undefined> {
  if (await isMediumFolder(root)) return undefined;
  const mount = await findUnmounted(root);
  if (mount !== undefined)
    return [
      `nothing is mounted at ${mount}: mount the disk before the medium is verified`,
      fr`rien n’est monté sur ${mount} : montez le disque avant de vérifier le support`,
    ];
  const isThere = await stat(root).then(
    () => true,
    () => false,
  );
  return isThere
    ? [
        `${root} has no medium: mount the disk there before the medium is verified, or correct storage.root`,
        fr`${root} ne contient pas de support : montez-y le disque avant de vérifier le support, ou corrigez storage.root`,
      ]
    : [
        `${root} does not exist: make the folder and mount the disk there before the medium is verified, or correct storage.root`,
        fr`${root} n’existe pas : créez le dossier et montez-y le disque avant de vérifier le support, ou corrigez storage.root`,
      ];
}

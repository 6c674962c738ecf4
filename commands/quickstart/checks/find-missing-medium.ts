import { stat } from 'node:fs/promises';
import { getUserName } from '../../../src/disk/system-code.ts';
import { isMediumFolder } from '../../../src/engine/medium/find-medium.ts';
import { findUnmounted } from '../../../src/store/opening/find-unmounted.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { fr, type Sentence } from '../../../src/text/language.ts';

/**
 * Describes the missing step before a zone can verify its medium. It is no error: the zone may be set up before the disk
 * arrives.
 *
 * @param root the folder of the medium in the configuration
 * @returns undefined when a medium is there
 */
export async function findMissingMedium(root: string): Promise<Sentence | undefined> {
  try {
    if (await isMediumFolder(root)) return undefined;
  } catch (error) {
    if (!isSvcError(error, 'SVC-STO-001')) throw error;
    const user = getUserName();
    return [
      `${user} may not look into ${root}: verify the medium as the user that owns it (ls -ld ${root}), or give ${user} the permission to read it`,
      fr`${user} n’a pas le droit de lire ${root} : vérifiez le support sous le compte à qui il appartient (ls -ld ${root}), ou donnez ce droit à ${user}`,
    ];
  }
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

import { realpath, stat } from 'node:fs/promises';
import type { MediumClaims } from '../contract/medium.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';
import { inspectVolume } from '../disk/volume.ts';
import { readHeaderOf } from '../engine/medium/find-medium.ts';
import { toMediumClaims } from '../engine/medium/medium-claims.ts';
import type { MediumHeader } from '../store/rest/media-manifest.ts';
import { isSvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

export interface MediumView {
  /** Real path of the folder. */
  readonly folder: string;
  /** Always false: only `svc media verify` reads the content and the signatures. */
  readonly verified: false;
  /** Unsigned and unverified. */
  readonly medium: MediumClaims;
  readonly recipes: MediumHeader['recipes'];
  /** Recipe artifacts on the medium that are not part of the delivery. */
  readonly otherRecipes: number;
  /** The volume of the folder; absent when it cannot be asked. */
  readonly volume?: { readonly filesystem: string; readonly freeBytes: number; readonly totalBytes: number };
}

/**
 * Shows the content of a disk, without any configuration. Reads only the first line of its manifest, with a limit, and
 * follows no link below the folder.
 *
 * @throws SVC-FIL-005 when the folder is absent or cannot be read, SVC-STO-001 when it is no folder; SVC-MED-001 without a
 *   manifest, SVC-MED-002 to SVC-MED-004 for one that cannot be read
 */
export async function showMedium(path: string): Promise<MediumView> {
  const folder = await openFolder(path);
  const header = await readHeaderOf(folder);
  const { recipes, otherRecipes = [] } = header;
  return {
    folder,
    verified: false,
    medium: toMediumClaims(header),
    recipes: recipes.map(({ name, version, repository, digest }) => ({ name, version, repository, digest })),
    otherRecipes: otherRecipes.length,
    ...(await showVolume(folder)),
  };
}

async function openFolder(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if (!(await stat(folder)).isDirectory())
      throw svcError('SVC-STO-001', { path, detail: rule(['not a folder', fr`pas un dossier`]) });
    return folder;
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}

async function showVolume(folder: string): Promise<Pick<MediumView, 'volume'>> {
  try {
    const { type, freeBytes, totalBytes } = await inspectVolume(folder);
    return { volume: { filesystem: type, freeBytes, totalBytes } };
  } catch (error) {
    if (isSvcError(error)) return {};
    throw error;
  }
}

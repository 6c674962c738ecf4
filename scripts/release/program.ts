import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleProgram, type Platform, packProgram } from '../single-file.ts';
import type { Architecture } from './arch.ts';
import { listAddonParts, listRuntimeParts, type NativeParts } from './bill/native-parts.ts';
import type { Source } from './source.ts';
import { addonOf, runtimeOf } from './tree.ts';

interface ProgramInput {
  readonly source: Source;
  /** Processors, each once. */
  readonly platforms: readonly Architecture[];
  /** Folder for the programs. */
  readonly out: string;
  /** An empty folder. */
  readonly work: string;
}

/** The programs that a release packs. */
export interface Programs {
  /** Path of the single file of each processor. */
  readonly files: Readonly<Partial<Record<Architecture, string>>>;
  /** The files that the bundler put into them. */
  readonly metafiles: readonly Metafile[];
  /** The parts of their native files. */
  readonly parts: Readonly<Partial<Record<Architecture, NativeParts>>>;
}

/** Makes the programs of a release. A rehearsal of everything around them makes small ones. */
export type MakePrograms = (input: ProgramInput) => Promise<Programs>;

/** Packages that are in the program without having been bundled as code: the web interface sends them to browsers. */
export const embedded: readonly string[] = ['htmx.org'];

/** Name of the single file of a processor. */
export const programName = (platform: Architecture): string => `svc-linux-${platform}`;

/** Bundles the sources, and packs them with the runtime and the password hash of each processor, as they are in the tree. */
export const makeSingleFiles: MakePrograms = async ({ source, platforms, out, work }) => {
  const bundled = join(work, 'bundle');
  mkdirSync(bundled);
  const metafiles = await bundleProgram(bundled);
  const files: Partial<Record<Architecture, string>> = {};
  const parts: Partial<Record<Architecture, NativeParts>> = {};
  for (const platform of platforms) {
    const file = join(out, programName(platform));
    const natives: Platform = {
      runtime: runtimeOf(source.root, platform),
      addon: addonOf(source.root, platform),
      isOwn: platform === process.arch,
    };
    await packProgram(bundled, natives, file);
    files[platform] = file;
    parts[platform] = {
      runtime: listRuntimeParts(readFileSync(natives.runtime)),
      addon: listAddonParts(readFileSync(natives.addon)),
    };
  }
  return { files, metafiles, parts };
};

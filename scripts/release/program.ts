import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { native } from '../bundle-options.ts';
import { bundleProgram, type Platform, packProgram } from '../single-file.ts';
import type { Architecture } from './arch.ts';
import { listNpmPackages, readInput } from './inputs.ts';
import type { Source } from './source.ts';
import { unpack } from './unpack.ts';

interface ProgramInput {
  readonly source: Source;
  /** Processors, each once. */
  readonly platforms: readonly Architecture[];
  /** Folder of pinned files that are neither in the sources nor installed. */
  readonly inputs: string;
  /** Folder for the programs. */
  readonly out: string;
  /** An empty folder. */
  readonly work: string;
}

/** What a release is made around. */
export interface Programs {
  /** Path of the single file of each processor. */
  readonly files: Readonly<Partial<Record<Architecture, string>>>;
  /** What the bundler put into them. */
  readonly metafiles: readonly Metafile[];
}

/** Makes the programs of a release. A rehearsal of everything around them makes small ones. */
export type MakePrograms = (input: ProgramInput) => Promise<Programs>;

/** Packages that are in the program without having been bundled as code: the web interface sends them to browsers. */
export const embedded: readonly string[] = ['htmx.org'];

/** Name of the single file of a processor. */
export const programName = (platform: Architecture): string => `svc-linux-${platform}`;

/** Bundles the sources, and packs them with the runtime of each processor. */
export const makeSingleFiles: MakePrograms = async ({ source, platforms, inputs, out, work }) => {
  const bundled = join(work, 'bundle');
  mkdirSync(bundled);
  const metafiles = await bundleProgram(bundled);
  const files: Partial<Record<Architecture, string>> = {};
  for (const platform of platforms) {
    const file = join(out, programName(platform));
    await packProgram(bundled, openPlatform(source.root, platform, inputs, join(work, platform)), file);
    files[platform] = file;
  }
  return { files, metafiles };
};

/** The runtime and the password hash of a processor: those that are installed, or from the packages of the inputs. */
function openPlatform(root: string, platform: Architecture, inputs: string, work: string): Platform {
  if (platform === process.arch) {
    const require = createRequire(join(root, 'package.json'));
    const addon = createRequire(require.resolve(native)).resolve(`${native}-linux-${platform}-gnu`);
    return { runtime: process.execPath, addon, isOwn: true };
  }
  const { runtime, addon } = listNpmPackages(root, platform);
  const paths = { runtime: join(work, 'runtime'), addon: join(work, 'addon') };
  unpack(readInput(inputs, runtime), paths.runtime, '--gzip');
  unpack(readInput(inputs, addon), paths.addon, '--gzip');
  const file = `argon2.linux-${platform}-gnu.node`;
  return {
    runtime: join(paths.runtime, 'package', 'bin', 'node'),
    addon: join(paths.addon, 'package', file),
    isOwn: false,
  };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Instance } from '../instance/instance.ts';
import { type Packing, toFilesetImage, toLayer } from './fileset-image.ts';
import { pushArtifactOverHttp } from './push-artifact.ts';

/** Packs a folder with GNU tar and pushes it as an image, like images built elsewhere. */
export async function pushFolder(
  { url, authorization }: Pick<Instance, 'url' | 'authorization'>,
  folder: string,
  target: { readonly repository: string; readonly tag: string; readonly packing?: Packing },
): Promise<void> {
  const { stdout } = await promisify(execFile)('tar', ['-C', folder, '-cf', '-', '.'], {
    encoding: 'buffer',
    maxBuffer: 1 << 28,
  });
  const image = toFilesetImage([toLayer(stdout, target.packing)]);
  const at = { registry: url, repository: target.repository, authorization };
  await pushArtifactOverHttp(at, image, target.tag);
}

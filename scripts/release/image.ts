import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { type Architecture, architectures } from './arch.ts';
import { toDatedTar } from './dated-tar.ts';
import {
  type Artifact,
  type Content,
  compressLayer,
  type Layer,
  packLayer,
  toContent,
  toJsonContent,
} from './oci-content.ts';
import { containerUser, makeRootfs, temporaryFolders } from './rootfs.ts';
import type { Source } from './source.ts';

interface ImageInput {
  readonly source: Source;
  /** Name of the image. */
  readonly name: string;
  /** The single file of each processor. */
  readonly programs: Readonly<Partial<Record<Architecture, string>>>;
  /** Folder of the pinned Debian packages. */
  readonly inputs: string;
  /** Folder for the layers, which the artifact names. */
  readonly work: string;
}

/**
 * Makes the image with three layers for each processor. The layer of libraries changes with the pinned packages only. A
 * small one has the modes of the temporary folders, the last one the program.
 */
export async function makeImage({ source, name, programs, inputs, work }: ImageInput): Promise<Artifact> {
  const contents: Content[] = [];
  const manifests: Descriptor[] = [];
  for (const [architecture, program] of Object.entries(programs) as [Architecture, string][]) {
    const folder = join(work, `image-${architecture}`);
    makeRootfs(join(folder, 'rootfs'), architecture, inputs);
    mkdirSync(join(folder, 'program', 'usr', 'bin'), { recursive: true });
    for (const path of ['usr', 'usr/bin']) chmodSync(join(folder, 'program', path), 0o755);
    cpSync(program, join(folder, 'program', 'usr', 'bin', 'svc'));
    chmodSync(join(folder, 'program', 'usr', 'bin', 'svc'), 0o755);
    const archives = [
      await packLayer(join(folder, 'rootfs'), join(folder, 'rootfs.tar')),
      packTemporaryFolders(),
      await packLayer(join(folder, 'program'), join(folder, 'program.tar')),
    ];
    const layers: Layer[] = [];
    for (const [index, archive] of archives.entries())
      layers.push(await compressLayer(archive, join(folder, `layer-${index}.tar.gz`)));
    const { oci } = architectures[architecture];
    const config = toJsonContent(mediaTypes.ociConfig, toConfig(source, oci, layers));
    const manifest = toJsonContent(mediaTypes.ociManifest, {
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: config.descriptor,
      layers: layers.map(({ descriptor }) => descriptor),
      annotations: toLabels(source),
    });
    contents.push(...layers, config, manifest);
    manifests.push({ ...manifest.descriptor, platform: { architecture: oci, os: 'linux' } });
  }
  const index = toJsonContent(mediaTypes.ociIndex, {
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests,
    annotations: toLabels(source),
  });
  return { name, root: index.descriptor, contents: [...contents, index] };
}

/** A layer of folders is packed as a FileSet, which has no sticky bits: this one gives them to the temporary folders. */
function packTemporaryFolders(): Content {
  const entries = temporaryFolders.map(
    (path) => ({ path: `${path}/`, type: 'folder', mode: 0o1777, bytes: Buffer.alloc(0) }) as const,
  );
  return toContent(mediaTypes.ociLayer, toDatedTar(entries, 0));
}

/** Annotations of the OCI image specification. */
function toLabels({ version, commit, date }: Source): Readonly<Record<string, string>> {
  const prefix = 'org.opencontainers.image';
  return {
    [`${prefix}.title`]: 'svc',
    [`${prefix}.version`]: version,
    [`${prefix}.revision`]: commit,
    [`${prefix}.created`]: date.toISOString(),
    [`${prefix}.licenses`]: 'MIT',
  };
}

function toConfig(source: Source, architecture: string, layers: readonly Layer[]): object {
  const created = source.date.toISOString();
  return {
    created,
    architecture,
    os: 'linux',
    config: {
      User: `${containerUser}:${containerUser}`,
      Env: ['PATH=/usr/bin', 'MALLOC_ARENA_MAX=2'],
      Entrypoint: ['/usr/bin/svc'],
      Cmd: ['serve', '--config', '/etc/svc/config.yaml'],
      ExposedPorts: { '8080/tcp': {} },
      StopSignal: 'SIGTERM',
      Labels: toLabels(source),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: ['pinned Debian packages', 'temporary folders', `svc ${source.version}`].map((created_by) => ({
      created,
      created_by,
    })),
  };
}

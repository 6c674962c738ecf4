import { gzipSync } from 'node:zlib';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type Artifact, toBlob, toManifest } from './content.ts';
import { toArchive } from './tar-archive.ts';

/** A packed chart of these files, by their paths below the folder of the chart. */
export function packChart(name: string, files: Readonly<Record<string, string | Buffer>>): Buffer {
  const below = Object.entries(files).map(([path, content]) => [`${name}/${path}`, content] as const);
  return gzipSync(toArchive(Object.fromEntries(below)));
}

export interface ChartSpec {
  /** Further lines of `Chart.yaml`. */
  readonly more?: string;
  readonly dependencies?: readonly {
    readonly name: string;
    readonly version: string;
    readonly repository: string;
  }[];
  /** Further files, such as embedded dependencies. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** A packed chart with a template. */
export function packSimpleChart(name: string, version: string, spec: ChartSpec = {}): Buffer {
  const { more = '', dependencies = [], files = {} } = spec;
  const declared = dependencies.length === 0 ? '' : `dependencies: ${JSON.stringify(dependencies)}\n`;
  return packChart(name, {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n${declared}${more}`,
    'templates/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n',
    ...files,
  });
}

/** A chart as `helm package` and `helm push` make it, without dependencies unless told. */
export function buildHelmChart(name: string, version: string, spec: ChartSpec = {}): Artifact {
  const config = toBlob(JSON.stringify({ apiVersion: 'v2', name, version }), mediaTypes.helmConfig);
  const layer = toBlob(packSimpleChart(name, version, spec), mediaTypes.helmChart);
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [layer.descriptor],
  });
  return { manifest, children: [], blobs: [config, layer] };
}

import { gzipSync } from 'node:zlib';
import { tarEnd, tarPadding, toTarHeader } from '../../src/disk/tar-header.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { type Artifact, toBlob, toManifest } from './content.ts';

/** A packed chart of these files, by their paths below the folder of the chart. */
export function packChart(name: string, files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const body = Buffer.from(content as string);
    const header = toTarHeader({ path: `${name}/${path}`, type: 'file', size: body.length });
    return [header, body, Buffer.alloc(tarPadding(body.length))];
  });
  return gzipSync(Buffer.concat([...parts, tarEnd]));
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

import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { type Artifact, toBlob, toManifest } from './content.ts';

/** A chart as `helm package` and `helm push` make it, without dependencies. */
export function buildHelmChart(name: string, version: string): Artifact {
  const files: Readonly<Record<string, string>> = {
    [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n`,
    [`${name}/templates/map.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n',
  };
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const body = Buffer.from(text);
    const block = Buffer.alloc(512);
    new Header({ path, mode: 0o644, size: body.length, type: 'File', mtime: new Date(0) }).encode(block, 0);
    return [block, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  const config = toBlob(JSON.stringify({ apiVersion: 'v2', name, version }), mediaTypes.helmConfig);
  const layer = toBlob(
    gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)])),
    'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  );
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [layer.descriptor],
  });
  return { manifest, children: [], blobs: [config, layer] };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { type DatedEntry, toDatedTar } from './dated-tar.ts';
import { type Artifact, toContent, toJsonContent } from './oci-content.ts';
import type { Source } from './source.ts';

/** The image that the chart starts. */
interface PinnedImage {
  /** Without tag. */
  readonly repository: string;
  readonly digest: string;
}

/** Replaces one line of a file, which must be there once. */
function setLine(text: string, key: string, value: string): string {
  const line = new RegExp(`^( *)${key}: .*$`, 'gm');
  const found = text.match(line) ?? [];
  if (found.length !== 1) throw new Error(`the chart has ${found.length} lines ${key}:, not one`);
  return text.replace(line, (_, indent: string) => `${indent}${key}: ${JSON.stringify(value)}`);
}

/** Writes the version of the release and its image, pinned by digest, into `Chart.yaml`. */
function toReleased(text: string, version: string, { repository, digest }: PinnedImage): string {
  const lines = { version, appVersion: version, image: `${repository}:${version}@${digest}` };
  return Object.entries(lines).reduce((changed, [key, value]) => setLine(changed, key, value), text);
}

/** Packs `deploy/chart` with the version of the release and the digest of its image. */
export function packChart(
  { root, version, seconds }: Pick<Source, 'root' | 'version' | 'seconds'>,
  image: PinnedImage,
): Buffer {
  const folder = join(root, 'deploy', 'chart');
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const entries = paths.map((path): DatedEntry => {
    let text = readFileSync(join(folder, path), 'utf8');
    if (path === 'Chart.yaml') text = toReleased(text, version, image);
    return { path: `svc/${path}`, type: 'file', mode: 0o644, bytes: Buffer.from(text) };
  });
  return gzipSync(toDatedTar(entries, seconds), { level: 9 });
}

/** Wraps a packed chart as an artifact, as `helm push` does. */
export function toChartArtifact(
  name: string,
  chart: Buffer,
  { root, version, date }: Source,
  image: PinnedImage,
): Artifact {
  const text = readFileSync(join(root, 'deploy', 'chart', 'Chart.yaml'), 'utf8');
  const config = toJsonContent(mediaTypes.helmConfig, parse(toReleased(text, version, image)) as object);
  const layer = toContent(mediaTypes.helmChart, chart);
  const manifest = toJsonContent(mediaTypes.ociManifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [layer.descriptor],
    annotations: {
      'org.opencontainers.image.title': 'svc',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.created': date.toISOString(),
    },
  });
  return { name, root: manifest.descriptor, contents: [config, layer, manifest] };
}

// Content of the demo: two images for three platforms with shared layers, a chart and a FileSet. It is
// generated from a seed, so that every run has the same digests.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { hashBytes } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';

export interface Blob {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** An artifact ready to push: blobs first, then manifests in order; the last one gets the tag. */
export interface Artifact {
  readonly repository: string;
  readonly tag: string;
  readonly blobs: readonly Blob[];
  readonly manifests: readonly ManifestContent[];
}

/** Generates incompressible bytes from a seed. */
function noise(seed: string, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let offset = 0, block = 0; offset < size; offset += 64, block += 1) {
    createHash('sha512').update(`${seed}:${block}`).digest().copy(bytes, offset);
  }
  return bytes;
}

function toBlob(mediaType: string, bytes: Buffer): Blob {
  return { bytes, descriptor: { mediaType, digest: hashBytes(bytes), size: bytes.length } };
}

function toManifest(
  document: Readonly<Record<string, unknown>> & { readonly mediaType: string },
): ManifestContent {
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    bytes,
    descriptor: { mediaType: document.mediaType, digest: hashBytes(bytes), size: bytes.length },
  };
}

function toTar(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  for (const [path, content] of Object.entries(files)) {
    const body = Buffer.from(content);
    const header = new Header({
      path,
      mode: 0o644,
      size: body.length,
      type: 'File',
      mtime: new Date(0),
      uid: 0,
      gid: 0,
    });
    const block = Buffer.alloc(512);
    header.encode(block, 0);
    parts.push(block, body, Buffer.alloc((512 - (body.length % 512)) % 512));
  }
  parts.push(Buffer.alloc(1024));
  return Buffer.concat(parts);
}

const platforms = ['amd64', 'arm64', 's390x'] as const;

/** Makes an image for three platforms. Images with the same `base` share layers. */
function image(repository: string, tag: string, base: string): Artifact {
  const blobs: Blob[] = [];
  const manifests: ManifestContent[] = [];
  const entries: unknown[] = [];
  for (const architecture of platforms) {
    const layers = [
      toBlob(mediaTypes.ociLayer, noise(`${base}/${architecture}`, 3 << 20)),
      toBlob(mediaTypes.ociLayer, noise(`${repository}:${tag}/${architecture}`, 1 << 20)),
    ];
    const config = toBlob(
      mediaTypes.ociConfig,
      Buffer.from(
        JSON.stringify({
          architecture,
          os: 'linux',
          rootfs: { type: 'layers', diff_ids: layers.map((layer) => layer.descriptor.digest) },
        }),
      ),
    );
    const manifest = toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: config.descriptor,
      layers: layers.map((layer) => layer.descriptor),
    });
    blobs.push(config, ...layers);
    manifests.push(manifest);
    entries.push({ ...manifest.descriptor, platform: { os: 'linux', architecture } });
  }
  manifests.push(toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: entries }));
  return { repository, tag, blobs, manifests };
}

function single(repository: string, tag: string, config: Blob, layer: Blob): Artifact {
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [layer.descriptor],
  });
  return { repository, tag, blobs: [config, layer], manifests: [manifest] };
}

function chart(repository: string, tag: string): Artifact {
  const name = repository.split('/').at(-1)!;
  const metadata = { apiVersion: 'v2', name, version: tag, description: 'The shop, as a chart' };
  const files = {
    [`${name}/Chart.yaml`]: Object.entries(metadata)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
    [`${name}/values.yaml`]: 'replicas: 2\n',
    [`${name}/templates/shop.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\n',
  };
  return single(
    repository,
    tag,
    toBlob(mediaTypes.helmConfig, Buffer.from(JSON.stringify(metadata))),
    toBlob('application/vnd.cncf.helm.chart.content.v1.tar+gzip', gzipSync(toTar(files), { level: 9 })),
  );
}

function fileSet(repository: string, tag: string): Artifact {
  const layer = toBlob(
    mediaTypes.ociLayer,
    toTar({ 'README.txt': 'packages for the zone\n', 'pool/shop_1.0_all.deb': noise('deb', 256 << 10) }),
  );
  const config = toBlob(
    mediaTypes.ociConfig,
    Buffer.from(
      JSON.stringify({
        architecture: 'amd64',
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: [layer.descriptor.digest] },
      }),
    ),
  );
  return single(repository, tag, config, layer);
}

/** Makes the content of the origin registry, before the first recipe. */
export function originContent(): Record<'web' | 'worker' | 'chart' | 'packages', Artifact> {
  return {
    web: image('shop/web', '1.4.0', 'base'),
    worker: image('shop/worker', '1.4.0', 'base'),
    chart: chart('charts/shop', '1.4.0'),
    packages: fileSet('files/packages', '2026.11.1'),
  };
}

/** Makes the content of the second release; its image shares layers with the first one. */
export function nextContent(): Record<'web' | 'chart', Artifact> {
  return { web: image('shop/web', '1.5.0', 'base'), chart: chart('charts/shop', '1.5.0') };
}

/**
 * Pushes an artifact through `/v2/`.
 *
 * @param registry URL of the listener
 * @param authorization value of the `Authorization` header of each request
 * @returns bytes sent
 */
export async function push(artifact: Artifact, registry: string, authorization: string): Promise<number> {
  const base = `${registry}/v2/${artifact.repository}`;
  let sent = 0;
  const send = async (method: string, url: string, bytes?: Buffer, type = 'application/octet-stream') => {
    const response = await fetch(url, {
      method,
      headers: { authorization, ...(bytes ? { 'content-type': type } : {}) },
      ...(bytes ? { body: new Uint8Array(bytes) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    sent += bytes?.length ?? 0;
    return response;
  };
  for (const { descriptor, bytes } of artifact.blobs) {
    const session = await send('POST', `${base}/blobs/uploads/`);
    const location = new URL(session.headers.get('location')!, registry);
    location.searchParams.set('digest', descriptor.digest);
    await send('PUT', location.href, bytes);
  }
  for (const [i, { descriptor, bytes }] of artifact.manifests.entries()) {
    const last = i === artifact.manifests.length - 1;
    await send(
      'PUT',
      `${base}/manifests/${last ? artifact.tag : descriptor.digest}`,
      bytes,
      descriptor.mediaType,
    );
  }
  return sent;
}

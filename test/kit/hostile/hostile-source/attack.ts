import { createHash } from 'node:crypto';
import type { Descriptor } from '../../../../src/oci/descriptor.ts';
import type { Interceptor, RegistryDouble } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';

export const imageType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';
export const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
export const repository = 'library/x';
export const octets = { 'content-type': 'application/octet-stream' };

export interface Image {
  readonly root: Descriptor;
  readonly layer: Descriptor;
  readonly bytes: Buffer;
}

/** Where attacks take place besides a host of their own. */
export interface Place {
  /** The registry with the cookbook. */
  readonly origin: RegistryDouble;
  /** Off the list: nobody may speak to it. */
  readonly trap: { readonly host: string };
}

export interface Attack {
  readonly name: string;
  /** The code of the item; undefined where the attack must do no harm. */
  readonly code: string | undefined;
  /** Of the ingredient's own host. Returns the digest to pin, where it is not the image's. */
  readonly host?: (host: RegistryDouble, image: Image) => unknown;
  readonly tls?: boolean;
  /** Of the repository of the recipe at the cookbook. */
  readonly cookbook?: (path: string, subject: Descriptor, origin: RegistryDouble) => void;
  readonly version?: string;
  /** The recipe's document, where it is not the ordinary one. */
  readonly document?: (host: string, digest: string) => string;
}

export function sha256(bytes: Buffer | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function putImage(host: RegistryDouble, salt: string): Image {
  const config = host.putBlob(
    repository,
    JSON.stringify({ os: 'linux', architecture: 'amd64', salt }),
    'application/vnd.oci.image.config.v1+json',
  );
  const bytes = Buffer.alloc(100_000, salt);
  const layer = host.putBlob(repository, bytes, layerType);
  const manifest = { schemaVersion: 2, mediaType: imageType, config, layers: [layer] };
  return { root: host.putManifest(repository, manifest, { tag: '1.0' }), layer, bytes };
}

/** Answers each request that matches `METHOD path` itself. */
export function on(
  host: RegistryDouble,
  pattern: RegExp,
  answer: (...args: Parameters<Interceptor>) => void,
): void {
  host.intercept((request, response, raw) => {
    if (!pattern.test(`${request.method} ${request.path}`)) return false;
    raw.resume();
    answer(request, response, raw);
    return true;
  });
}

export const blob = (layer: Descriptor): RegExp => new RegExp(`^GET .*/blobs/${layer.digest}`);
export const manifests = /^(?:GET|HEAD) .*\/library\/x\/manifests\//;
export const anything = /^[A-Z]+ \/v2\//;

/** A manifest of any bytes, under its true digest. */
export function plant(host: RegistryDouble, bytes: Buffer | string, mediaType = imageType): string {
  const digest = sha256(bytes);
  on(host, new RegExp(`/manifests/${digest}`), (request, response) => {
    const head = { 'content-type': mediaType, 'docker-content-digest': digest };
    misbehave.reply(
      response,
      200,
      { ...head, 'content-length': String(Buffer.byteLength(bytes)) },
      request.method === 'HEAD' ? '' : bytes,
    );
  });
  return digest;
}

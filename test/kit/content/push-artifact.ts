import { Readable } from 'node:stream';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { ManifestContent, Target } from '../../../src/oci/ports.ts';

/** Blobs and the manifest that needs them. */
export interface Artifact {
  readonly manifest: ManifestContent;
  readonly blobs: readonly { readonly descriptor: Descriptor; readonly bytes: Buffer }[];
}

/** Pushes an artifact through the ports of a repository, under `reference` or by its digest. */
export async function pushArtifact(target: Target, artifact: Artifact, reference?: string): Promise<void> {
  for (const { descriptor, bytes } of artifact.blobs)
    await target.pushBlob(descriptor, Readable.from([bytes]));
  await target.pushManifest(reference ?? artifact.manifest.descriptor.digest, artifact.manifest);
}

export interface HttpRepository {
  /** Base URL of the registry, without a slash at its end. */
  readonly registry: string;
  readonly repository: string;
  readonly authorization?: string;
}

/** Pushes an artifact to a registry over plain HTTP, as any client would. */
export async function pushArtifactOverHttp(
  at: HttpRepository,
  artifact: Artifact,
  reference?: string,
): Promise<void> {
  for (const { descriptor, bytes } of artifact.blobs) {
    const opened = await request(at, 'POST', `${toBase(at)}/blobs/uploads/`);
    const upload = new URL(opened.headers.get('location')!, at.registry);
    upload.searchParams.set('digest', descriptor.digest);
    await request(at, 'PUT', upload.href, bytes, 'application/octet-stream');
  }
  await putManifestOverHttp(at, artifact.manifest, reference);
}

/** Puts one manifest whose children are there. */
export async function putManifestOverHttp(
  at: HttpRepository,
  { descriptor, bytes }: ManifestContent,
  reference: string = descriptor.digest,
): Promise<void> {
  await request(at, 'PUT', `${toBase(at)}/manifests/${reference}`, bytes, descriptor.mediaType);
}

const toBase = ({ registry, repository }: HttpRepository): string => `${registry}/v2/${repository}`;

async function request(
  { authorization }: HttpRepository,
  method: string,
  url: string,
  body?: Buffer,
  contentType?: string,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return response;
}

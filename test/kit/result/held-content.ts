import assert from 'node:assert/strict';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { manifestAccept } from '../../../src/oci/media-types.ts';
import type { SampleImage } from '../content/sample-image.ts';

/** Where to look: a registry's base URL, and the credential of the caller. */
export interface RegistrySide {
  readonly url: string;
  readonly authorization?: string;
}

export interface HeldManifest {
  readonly status: number;
  readonly mediaType: string;
  /** Of the bytes as they arrived. */
  readonly digest: Digest;
  readonly document: any;
}

const headersOf = ({ authorization }: RegistrySide): Record<string, string> => ({
  accept: manifestAccept,
  ...(authorization === undefined ? {} : { authorization }),
});

/** Reads a manifest, with any answer. */
export async function readHeldManifest(
  side: RegistrySide,
  repository: string,
  reference: string,
): Promise<HeldManifest> {
  const answer = await fetch(`${side.url}/v2/${repository}/manifests/${reference}`, {
    headers: headersOf(side),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return {
    status: answer.status,
    mediaType: answer.headers.get('content-type') ?? '',
    digest: hashBytes(bytes),
    document: answer.ok ? JSON.parse(bytes.toString()) : undefined,
  };
}

/** Asserts that a registry serves an image whole and unchanged: the tag, every manifest and every blob, hashed. */
export async function assertHeld(
  side: RegistrySide,
  repository: string,
  tag: string,
  image: SampleImage,
): Promise<void> {
  const { digest, status } = await readHeldManifest(side, repository, tag);
  assert.equal(status, 200, `${repository}:${tag} is not there`);
  assert.equal(digest, image.root.descriptor.digest);
  for (const { descriptor } of image.manifests)
    assert.equal((await readHeldManifest(side, repository, descriptor.digest)).digest, descriptor.digest);
  for (const { descriptor } of image.blobs) {
    const answer = await fetch(`${side.url}/v2/${repository}/blobs/${descriptor.digest}`, {
      headers: headersOf(side),
    });
    assert.equal(hashBytes(new Uint8Array(await answer.arrayBuffer())), descriptor.digest);
  }
}

import { createHash } from 'node:crypto';
import type { Descriptor } from '../../../../src/oci/descriptor.ts';
import { createSigner, type SignatureArtifact } from '../../content/signer.ts';
import type { Interceptor, RegistryDouble } from '../../result/registry-double.ts';

export const imageType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
export const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
export const payloadType = 'application/vnd.dev.cosign.simplesigning.v1+json';

/** Where the valid signature is; `same`: in the list or artifact that deviates. */
export type Beside = 'classic' | 'bundle';

/** A subject at a registry, beside whose signature something unusable is put. */
export interface Victim {
  readonly registry: RegistryDouble;
  readonly repository: string;
  readonly subject: Descriptor;
  /** The valid signature; absent: there is none. */
  readonly valid: SignatureArtifact | undefined;
}

/** One unusable object in a list that a registry sends. */
export interface Deviation {
  readonly name: string;
  /** Whether the registry has the referrers API. */
  readonly api: boolean;
  /** The layouts of the signature that stays valid beside it. */
  readonly beside: readonly Beside[];
  /** The code of the refusal where there is no valid signature. Default: that of an unsigned subject. */
  readonly unsigned?: string;
  readonly plant: (victim: Victim) => void;
}

export const sha256 = (bytes: Buffer | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export const tagOf = ({ subject }: Victim): string => subject.digest.replace(':', '-');

/** The entries of a list of referrers with the valid bundle, if there is one. */
export function entriesOf({ valid }: Victim): object[] {
  if (valid?.layout !== 'bundle') return [];
  return [{ ...valid.manifest.descriptor, artifactType: bundleType }];
}

export const asIndex = (manifests: unknown): string =>
  JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests });

/** Answers requests below the repository whose path ends with this, or has a query behind it. */
export function answer(
  { registry, repository }: Victim,
  end: string,
  reply: (...args: Parameters<Interceptor>) => void,
): void {
  const path = `/v2/${repository}/${end}`;
  registry.intercept((request, response, raw) => {
    const isMeant = request.path === path || request.path.startsWith(`${path}?`);
    if (request.method !== 'GET' || !isMeant) return false;
    raw.resume();
    reply(request, response, raw);
    return true;
  });
}

/** Answers the request of a manifest by its tag with any bytes. */
export function serve(
  victim: Victim,
  tag: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  answer(victim, `manifests/${tag}`, (_request, response) => {
    response.writeHead(200, {
      'content-type': indexType,
      'content-length': String(Buffer.byteLength(body)),
      'docker-content-digest': sha256(body),
      ...headers,
    });
    response.end(body);
  });
}

const foreign = createSigner();

/** A signature that nobody accepts. @returns its descriptor, as a list of referrers has it */
export function putForeign({ registry, repository, subject }: Victim): Descriptor {
  const { blobs, manifest } = foreign.sign(subject, 'bundle');
  for (const { descriptor, bytes } of blobs) registry.putBlob(repository, bytes, descriptor.mediaType);
  registry.putManifest(repository, manifest.bytes, { mediaType: manifest.descriptor.mediaType });
  return { ...manifest.descriptor, artifactType: bundleType };
}

/** An image of the repository, with a tag. */
export function putImage({ registry, repository }: Victim, tag?: string, salt = 'image'): Descriptor {
  const config = registry.putBlob(repository, `{"os":"linux","architecture":"amd64","salt":"${salt}"}`);
  const layer = registry.putBlob(repository, `layer of ${salt}`);
  return registry.putManifest(
    repository,
    { schemaVersion: 2, mediaType: imageType, config, layers: [layer] },
    tag === undefined ? {} : { tag },
  );
}

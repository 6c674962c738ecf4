import type { Digest } from '../../base/digest.ts';
import type { ClientFacts, PulledReference } from '../../client/model.ts';
import { clientKinds, fileClients } from '../../client/model.ts';
import { readFacts } from '../../client/read-facts.ts';
import { renderClientConfig } from '../../client/render-client-config.ts';
import type { Destination } from '../../engine/promotion/model.ts';
import type { CarriedFolder } from '../../engine/prove/carried-folder.ts';
import type { MemoryRegistry } from '../../engine/prove/memory-registry.ts';
import type { CarriedFileset } from '../../engine/prove/packages-step.ts';
import type { ProofBook, StepCount } from '../../engine/prove/proof-book.ts';
import { canonicalHost, parseReference, parseRepositoryReference } from '../../oci/reference.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { toClientPlaces } from '../map-recipe.ts';

interface ClientOptions {
  readonly registry: MemoryRegistry;
  readonly destination: Destination;
  readonly filesets: readonly CarriedFileset[];
}

/** The revision of a configuration, which is not compared here. */
const revision = '000000000000';

/**
 * Makes the configuration of every client, reads it again, and requires that each name to which it leads a nominal
 * reference of the delivery is in the registry of the zone.
 */
export async function checkClients(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  { registry, destination, filesets }: ClientOptions,
): Promise<StepCount> {
  const records = folders.flatMap(({ verification }) => verification.cleared.map(({ record }) => record));
  const base = { scheme: 'https', host: destination.registry } as const;
  const places = toClientPlaces({ storage: {}, destination, registries: { insecure: [] } }, records, {
    reached: base,
  });
  const facts: ClientFacts = {
    ...places,
    revision,
    instance: base,
    filesets: filesets.map(({ name, indexes }) => ({ name, anonymous: false, indexes, unsigned: [] })),
    views: [],
  };
  const lost = new Set<string>();
  for (const client of clientKinds) {
    try {
      const { files } = renderClientConfig(client, facts);
      const led = readFacts(client, files);
      const wanted =
        fileClients.has(client) || client === 'docker'
          ? (led.references ?? [])
          : redirect(places.references, led);
      for (const { relocated, digest, nominal } of wanted)
        if (relocated === undefined || !isHeld(registry, relocated, digest)) lost.add(relocated ?? nominal);
    } catch (error) {
      if (!isSvcError(error)) throw error;
      book.find('clients', 'error', client, error);
    }
  }
  for (const reference of lost)
    book.find('clients', 'error', reference, svcError('SVC-REG-005', { reference }));
  return { checked: clientKinds.length, bytes: 0 };
}

/** The names in the registry to which the redirections of a file lead images. */
function redirect(
  references: readonly PulledReference[],
  { registry, redirections = [] }: ReturnType<typeof readFacts>,
): readonly PulledReference[] {
  const prefixes = new Map(redirections.map(({ host, prefix }) => [host, prefix]));
  return references
    .filter(({ kind }) => kind === 'ContainerImage')
    .map((image) => {
      const { host, repository, tag = '' } = parseReference(image.nominal);
      const prefix = prefixes.get(canonicalHost(host));
      if (prefix === undefined || registry === undefined) return { ...image, relocated: image.nominal };
      return { ...image, relocated: `${registry.host}/${prefix}/${repository}:${tag}` };
    });
}

/** Whether a repository has content by its digest; without a digest, under its tag. */
function isHeld(registry: MemoryRegistry, reference: string, digest: string): boolean {
  const colon = reference.lastIndexOf(':');
  const held = registry.held(parseRepositoryReference(reference.slice(0, colon)));
  if (held === undefined) return false;
  return digest === '' ? held.tags.has(reference.slice(colon + 1)) : held.manifests.has(digest as Digest);
}

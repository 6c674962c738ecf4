import type { Digest } from '../../base/digest.ts';
import type { ManifestContent } from '../../oci/ports.ts';
import { canonicalHost, type RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import { type Contents, sumContents } from '../copy/sum-contents.ts';
import type { HashedFiles } from './carried-folder.ts';
import { createMemoryRepository } from './memory-repository.ts';

/** The content of one repository. Blobs have no bytes here: only that they arrived, and their size. */
export interface HeldRepository {
  readonly blobs: Map<Digest, number>;
  readonly manifests: Map<Digest, ManifestContent>;
  readonly tags: Map<string, Digest>;
}

/**
 * Content that some registries accept and others refuse: an index of which children are absent, a manifest of which layers
 * that need not be distributed are absent, and a manifest that is pinned by sha512.
 */
export const registryTraits = ['sparse', 'foreign-layers', 'long-digest'] as const;
export type RegistryTrait = (typeof registryTraits)[number];

export interface MemoryRegistryOptions {
  /** The answer to each trait. `unknown`: the content is accepted, and listed in `unsure`. */
  readonly traits: Readonly<Record<RegistryTrait, 'accepted' | 'refused' | 'unknown'>>;
  /**
   * The files behind the content that is pushed. Bytes that were hashed already and have not changed since are not read
   * again, and pulls read the files. Default: every pushed byte is read and hashed, and no blob can be pulled.
   */
  readonly files?: Pick<HashedFiles, 'isUnchanged' | 'open'> | undefined;
}

/** A registry in memory: it accepts and refuses content as the registry of a zone does. */
export interface MemoryRegistry extends RemoteRegistry {
  /** Bytes of all different blobs and manifests that were pushed; seeded content does not count. */
  readonly pushedBytes: number;
  /** Bytes of contents that no repository has. @param contents sizes in bytes */
  missingBytes(contents: Contents): number;
  /** Content that was accepted, and that the registry of a zone may refuse. */
  readonly unsure: Readonly<Record<RegistryTrait, ReadonlySet<string>>>;
  /** The content of a repository; undefined when nothing was pushed there. */
  held(place: RepositoryReference): HeldRepository | undefined;
  /** Makes content present, as an earlier delivery left it. */
  seed(place: RepositoryReference, content: Partial<HeldRepository>): void;
}

/** State that the repositories of one registry share. */
export interface SharedContent extends Pick<MemoryRegistryOptions, 'files'> {
  /** Counts content, once for each digest. */
  count(digest: Digest, bytes: number): void;
  /** Whether content with a trait is accepted; notes its reference where a zone may refuse the content. */
  takes(trait: RegistryTrait, reference: string): boolean;
}

const keyOf = ({ host, repository }: RepositoryReference): string => `${canonicalHost(host)}/${repository}`;

/**
 * Opens an empty registry in memory. It has no referrers API and names tagged content by sha256, as CNCF distribution
 * does: a delivery that lands here lands in registries with more features too. It opens no connection, and keeps the
 * bytes of manifests only.
 */
export function openMemoryRegistry(options: MemoryRegistryOptions): MemoryRegistry {
  const repositories = new Map<string, HeldRepository>();
  /** Repositories that have had a manifest. */
  const listed = new Set<string>();
  const counted = new Set<Digest>();
  const unsure = {
    sparse: new Set<string>(),
    'foreign-layers': new Set<string>(),
    'long-digest': new Set<string>(),
  };
  let pushedBytes = 0;
  const shared: SharedContent = {
    files: options.files,
    count: (digest, bytes) => {
      if (counted.has(digest)) return;
      counted.add(digest);
      pushedBytes += bytes;
    },
    takes: (trait, reference) => {
      const answer = options.traits[trait];
      if (answer === 'unknown') unsure[trait].add(reference);
      return answer !== 'refused';
    },
  };
  const hold = (place: RepositoryReference): HeldRepository => {
    const key = keyOf(place);
    const known = repositories.get(key) ?? { blobs: new Map(), manifests: new Map(), tags: new Map() };
    repositories.set(key, known);
    return known;
  };
  return {
    get pushedBytes() {
      return pushedBytes;
    },
    missingBytes: (contents) => sumContents([contents], counted),
    unsure,
    held: (place) => repositories.get(keyOf(place)),
    seed: (place, { blobs = new Map(), manifests = new Map(), tags = new Map() }) => {
      const held = hold(place);
      for (const [tag, digest] of tags) held.tags.set(tag, digest);
      for (const [digest, size] of blobs) {
        held.blobs.set(digest, size);
        counted.add(digest);
      }
      for (const [digest, content] of manifests) {
        held.manifests.set(digest, content);
        counted.add(digest);
      }
    },
    listRepositories: async (host) => {
      const start = keyOf({ host, repository: '' });
      return [...listed]
        .filter((key) => key.startsWith(start))
        .map((key) => key.slice(start.length))
        .sort();
    },
    requireRegistry: async () => {},
    effective: (nominal) => ({ ...nominal, host: canonicalHost(nominal.host) }),
    repository: (nominal) => {
      const own = { host: canonicalHost(nominal.host), repository: nominal.repository };
      return createMemoryRepository(own, {
        shared,
        held: () => repositories.get(keyOf(own)),
        hold: () => hold(own),
        list: () => void listed.add(keyOf(own)),
        other: (repository) => repositories.get(keyOf({ ...own, repository })),
      });
    },
  };
}

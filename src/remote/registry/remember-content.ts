import type { RemoteRegistry, RemoteRepository } from '../model.ts';

/** Blobs and manifests that repositories have: by host and repository, then digests, of blobs with the size. */
export type ContentAnswers = Map<string, Set<string>>;

/**
 * A registry that is asked for a blob or a manifest until it has it, and once more after each push. For a command with several
 * rounds, such as the import of several disks. Absence is not remembered: another import may push the same content at this
 * moment. After a refused manifest, its repository is asked again for everything: the registry may have removed content. Tags
 * are always asked for.
 *
 * @param answers those of earlier rounds; receives new ones
 */
export function rememberContent(registry: RemoteRegistry, answers: ContentAnswers): RemoteRegistry {
  return {
    ...registry,
    repository: (nominal, options) => {
      const repository = registry.repository(nominal, options);
      const { host, repository: path } = repository.effective;
      const name = `${host}/${path}`;
      const known = answers.get(name) ?? new Set<string>();
      answers.set(name, known);
      return remember(repository, known);
    },
  };
}

function remember(repository: RemoteRepository, answers: Set<string>): RemoteRepository {
  const toKey = ({ digest, size }: { readonly digest: string; readonly size: number }) => `${digest} ${size}`;
  return {
    ...repository,
    async hasBlob(blob, options) {
      if (answers.has(toKey(blob))) return true;
      const isThere = await repository.hasBlob(blob, options);
      if (isThere) answers.add(toKey(blob));
      return isThere;
    },
    async lacksBlob(blob, options) {
      if (answers.has(toKey(blob))) return false;
      // an answer of absence may come from a registry without HEAD
      const isLacking = await repository.lacksBlob(blob, options);
      if (!isLacking) answers.add(toKey(blob));
      return isLacking;
    },
    async hasManifest(digest, options) {
      if (answers.has(digest)) return true;
      const isThere = await repository.hasManifest(digest, options);
      if (isThere) answers.add(digest);
      return isThere;
    },
    async pushBlob(blob, from, options) {
      answers.delete(toKey(blob));
      await repository.pushBlob(blob, from, options);
    },
    mountBlob(blob, from, options) {
      answers.delete(toKey(blob));
      return repository.mountBlob(blob, from, options);
    },
    async pushManifest(reference, manifest, options) {
      answers.delete(manifest.descriptor.digest);
      try {
        await repository.pushManifest(reference, manifest, options);
      } catch (error) {
        answers.clear();
        throw error;
      }
    },
    async deleteManifest(digest, options) {
      answers.delete(digest);
      return repository.deleteManifest(digest, options);
    },
  };
}

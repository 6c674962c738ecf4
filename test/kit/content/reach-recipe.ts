import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecipeRecord } from '../../../src/catalog/model.ts';

/** The content that a recipe may bring into a zone. */
export interface RecipeReach {
  /** Everything that its artifact, its ingredients and their signatures consist of. */
  readonly digests: ReadonlySet<string>;
  /** Tags under which something of it may stand. */
  readonly tags: ReadonlySet<string>;
}

/** Follows a recipe through the bytes of a medium as it was made, without anything of the program under test. */
export async function reachRecipe(root: string, record: RecipeRecord): Promise<RecipeReach> {
  const folder = join(root, 'blobs', 'sha256');
  const manifests = new Map<string, any>();
  const texts = new Map<string, string>();
  for (const name of await readdir(folder)) {
    const text = (await readFile(join(folder, name))).toString('latin1');
    texts.set(`sha256:${name}`, text);
    if (text.startsWith('{"schemaVersion"')) manifests.set(`sha256:${name}`, JSON.parse(text));
  }
  const digests = new Set<string>();
  const reach = (digest: string): void => {
    digests.add(digest);
    const manifest = manifests.get(digest);
    if (!manifest) return;
    for (const { digest: child } of manifest.manifests ?? []) if (texts.has(child)) reach(child);
    const blobs = manifest.config ? [manifest.config, ...manifest.layers] : [];
    for (const blob of blobs) digests.add(blob.digest);
  };
  const subjects = [record.digest, ...record.ingredients.map(({ digest }) => digest)];
  for (const subject of subjects) {
    reach(subject);
    for (const [digest, { subject: of, layers = [] }] of manifests) {
      const isClassic = layers.some(
        ({ mediaType, digest: layer }: { mediaType: string; digest: string }) =>
          mediaType.includes('simplesigning') && texts.get(layer)?.includes(subject),
      );
      if (of?.digest === subject || isClassic) reach(digest);
    }
  }
  const tags = new Set([
    record.version,
    ...record.ingredients.map(({ tag }) => tag),
    ...subjects.flatMap((subject) => [subject.replace(':', '-'), `${subject.replace(':', '-')}.sig`]),
  ]);
  return { digests, tags };
}

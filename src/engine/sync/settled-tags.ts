import { createHash } from 'node:crypto';

/** Milliseconds after which a tag is requested again although the list of tags is unchanged. */
const hour = 3_600_000;
/** Maximum number of recipe tags that are remembered. */
const limit = 10_000;

/**
 * Remembers the list of tags that a repository had when a recipe tag was last requested. Another document under the
 * same version needs its own signature, and a classic signature is a new tag. While the list is the same, the tag of a
 * recipe with a classic signature need not be requested in every run. A signature that no list shows is found within an
 * hour.
 */
export class SettledTags {
  readonly #seen = new Map<string, { readonly list: string; readonly at: number }>();

  /**
   * @param reference of the recipe, with its tag
   * @param now milliseconds since the epoch
   */
  isSettled(reference: string, listed: ReadonlySet<string>, now: number): boolean {
    const seen = this.#seen.get(reference);
    return seen !== undefined && now >= seen.at && now - seen.at < hour && seen.list === hashList(listed);
  }

  /** Records that a tag has been requested while the repository had these tags. */
  record(reference: string, listed: ReadonlySet<string>, now: number): void {
    if (this.#seen.size >= limit) this.#seen.clear();
    this.#seen.set(reference, { list: hashList(listed), at: now });
  }
}

function hashList(listed: ReadonlySet<string>): string {
  const hash = createHash('sha256');
  for (const tag of [...listed].sort()) hash.update(`${tag}\n`);
  return hash.digest('base64');
}

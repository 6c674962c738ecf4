import { forEachBounded } from '../../base/concurrency.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isAttachmentTag, type Reference } from '../../oci/reference.ts';
import { compareParsed, parseVersionTag } from '../../recipe/version.ts';
import type { DraftAccess } from './model.ts';

/** Tags of which the digest is asked. */
const mostAsked = 200;
const parallel = 4;

/**
 * Finds a tag of an image that is named by its digest alone: of the versions that have the digest the highest, else any
 * other tag. Asks for at most 200 tags, versions first.
 *
 * @returns undefined when none of them has the digest
 * @throws errors of the registry
 */
export async function findTag(
  reference: Reference,
  { registry, signal }: DraftAccess,
): Promise<string | undefined> {
  const call: CallOptions = signal ? { signal } : {};
  const remote = registry.repository(reference);
  const tags = orderTags(await remote.listTags(call)).slice(0, mostAsked);
  let best = tags.length;
  await forEachBounded(tags, parallel, async (tag, i) => {
    if (i >= best) return;
    const found = await remote.resolve(tag, call);
    if (found?.digest === reference.digest) best = Math.min(best, i);
  });
  return tags[best];
}

/** Versions from the highest to the lowest, then other tags. */
function orderTags(tags: readonly string[]): readonly string[] {
  const own = tags.filter((tag) => !isAttachmentTag(tag));
  const versions = own.flatMap((tag) => {
    const version = parseVersionTag(tag);
    return version ? [{ tag, version }] : [];
  });
  versions.sort((a, b) => compareParsed(b.version, a.version));
  return [...versions.map(({ tag }) => tag), ...own.filter((tag) => !parseVersionTag(tag))];
}

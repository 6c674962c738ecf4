import { runInTurns } from '../../base/pacer.ts';
import { within } from '../../base/within.ts';
import { formatReference } from '../../oci/reference.ts';
import { isConstraint } from '../../recipe/constraint.ts';
import type { Ingredient } from '../../recipe/model.ts';
import { compareParsed, findHighest, type ParsedVersion, parseVersionTag } from '../../recipe/version.ts';
import { lateAnswer } from '../../remote/transport/failure.ts';
import { isSvcError, type SvcError } from '../../text/error.ts';
import { type Finding, ingredientPath } from '../lint/model.ts';
import type { PinSources } from './pin-ingredient.ts';

/** Milliseconds for a list of tags that is only read to give advice. */
const listTime = 10_000;

interface Chosen {
  readonly ingredient: Ingredient;
  readonly position: number;
  /** Whether the user asked for newer content. */
  readonly isAsked: boolean;
}

const isRelease = ({ prerelease }: ParsedVersion): boolean => prerelease.length === 0;

/**
 * Finds a release in the repository of an ingredient that its version does not select. The author tested the exact tag
 * of an image: a newer one is sought only on request.
 *
 * @param version exact tag that was selected, where it is not the one that the document has
 * @returns undefined as well when the tags cannot be listed: this is advice
 * @throws the reason of the signal
 */
export async function findNewerTag(
  { ingredient, position, isAsked }: Chosen,
  version: string | undefined,
  { registry, tagLists, signal }: PinSources,
): Promise<Finding | undefined> {
  const { name, kind, ref, version: written } = ingredient;
  const isListed = isConstraint(written);
  if (kind === 'ContainerImage' && !isAsked && !isListed) return undefined;
  const own = parseVersionTag(version ?? written);
  if (own === undefined || !isRelease(own)) return undefined;
  const remote = registry.repository(ref);
  const toLate = (): SvcError => lateAnswer(remote.effective.host, listTime);
  try {
    // an ingredient with a constraint may wait for the same list: it is not cut off with the advice
    const list = () => remote.listTags({ signal });
    const tags = await within(listTime, signal, toLate, () => tagLists.run(formatReference(ref), list));
    const newest = await runInTurns(findHighest(tags, isRelease));
    const found = newest === undefined ? undefined : parseVersionTag(newest);
    if (newest === undefined || found === undefined || compareParsed(found, own) <= 0) return undefined;
    const constraint = `^${found.major}.${found.minor}.${found.patch}`;
    return {
      rule: 'newer-tag',
      severity: 'warning',
      path: ingredientPath(position, 'version'),
      params: { name, newest, version: written, constraint },
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (!isSvcError(error)) throw error;
    return undefined;
  }
}

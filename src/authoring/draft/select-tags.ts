import { matchGlob } from '../../base/glob.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import { ConstraintError, isConstraint, selectVersion, selectVersions } from '../../recipe/constraint.ts';
import { parseVersionTag } from '../../recipe/version.ts';
import { svcError } from '../../text/error.ts';

const listed = 20;

/**
 * Selects one tag by a constraint.
 *
 * @param reference name of the repository in errors
 * @throws SVC-REG-006 when there is none, SVC-REG-001 for an invalid constraint
 */
export function selectOneTag(tags: readonly string[], constraint: string, reference: string): string {
  const tag = guard(constraint, reference, () => selectVersion(constraint, tags));
  if (tag !== undefined) return tag;
  throw toNone(tags, constraint, reference);
}

/**
 * Selects the tags of a repository that a pattern allows: a version constraint (`^1`, `>=1.2 <2`), or a glob over the whole
 * tag (`*-alpine`). Without a pattern, the highest release. Tags of signatures are never selected.
 *
 * @param reference name of the repository in errors
 * @throws SVC-REG-006 when there is none, SVC-REG-001 for an invalid constraint
 */
export function selectTags(
  tags: readonly string[],
  pattern: string | undefined,
  reference: string,
): readonly string[] {
  const own = tags.filter((tag) => !isAttachmentTag(tag));
  if (pattern === undefined) return [selectOneTag(own, '*', reference)];
  const selected = isConstraint(pattern)
    ? guard(pattern, reference, () => selectVersions(pattern, own))
    : own.filter((tag) => matchGlob(pattern, tag, '/'));
  if (selected.length > 0) return selected;
  throw toNone(own, pattern, reference);
}

function guard<T>(constraint: string, reference: string, select: () => T): T {
  try {
    return select();
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw svcError('SVC-REG-001', {
      reference: `${reference}:${constraint}`.slice(0, 512),
      rule: error.rule,
    });
  }
}

function toNone(tags: readonly string[], constraint: string, reference: string): Error {
  const versions = tags.filter((tag) => parseVersionTag(tag));
  const candidates = (versions.length > 0 ? versions : tags).slice(0, listed);
  return svcError('SVC-REG-006', {
    reference,
    constraint,
    candidates,
    ...(tags.length === 0 ? { empty: 'yes' } : {}),
  });
}

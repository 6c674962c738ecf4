import type { Details } from '../../base/details.ts';
import type { Report } from '../../base/report.ts';
import type { RePointedTag } from '../../store/model.ts';

/**
 * Creates a function that writes an audit record for each tag of the store that an operation points at other
 * content.
 *
 * @param actor identity that runs the operation
 * @param cause details of the record: the recipe, or the origin of the content
 */
export function createRetagAudit(
  report: Pick<Report, 'audit'>,
  actor: string,
  cause: Details,
): (tag: RePointedTag) => void {
  return ({ repository, tag, previous, digest }) =>
    report.audit({
      actor,
      action: 'content.retag',
      target: `${repository}:${tag}`,
      outcome: 'success',
      details: { previous, digest, ...cause },
    });
}

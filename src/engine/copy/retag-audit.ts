import type { Report } from '../../base/report.ts';
import type { RePointedTag } from '../../store/model.ts';

/**
 * Makes what writes an audit record for each tag of the store that an operation points at other content.
 *
 * @param actor of the operation
 * @param cause what made the operation do it: the recipe, or where the content came from
 */
export function createRetagAudit(
  report: Pick<Report, 'audit'>,
  actor: string,
  cause: Readonly<Record<string, unknown>>,
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

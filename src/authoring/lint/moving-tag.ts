import { isConstraint } from '../../recipe/constraint.ts';
import { type Finding, ingredientPath, type PureRule } from './model.ts';

const movingName =
  /^(?:latest|stable|edge|main|master|trunk|head|nightly|snapshot|canary|rolling|current|lts|dev|devel|develop|testing|unstable)(?:[-_.].*)?$/i;
/** A major version alone, such as `16` or `v1-alpine`; longer numbers are dates or builds. */
const seriesName = /^v?[0-9]{1,3}(?:-[a-z][a-z0-9.]*)*$/i;

/** Returns whether a tag usually names other content after the next release. */
export function isMovingTag(tag: string): boolean {
  return !isConstraint(tag) && (movingName.test(tag) || seriesName.test(tag));
}

/** A tag that moves says nothing about the content that its digest pins. */
export const movingTag: PureRule = function* ({ ingredients }): Generator<Finding> {
  for (const [position, { name, version }] of ingredients.entries())
    if (isMovingTag(version))
      yield {
        rule: 'moving-tag',
        severity: 'warning',
        path: ingredientPath(position, 'version'),
        params: { name, version },
      };
};

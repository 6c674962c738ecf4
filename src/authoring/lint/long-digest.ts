import { type Finding, ingredientPath, type PureRule } from './model.ts';

/** The tag of a classic signature is made of a sha256 digest: a sha512 subject has none. */
export const longDigest: PureRule = function* ({ ingredients }): Generator<Finding> {
  for (const [position, { name, digest }] of ingredients.entries())
    if (digest?.startsWith('sha512:'))
      yield {
        rule: 'sha512-signature',
        severity: 'warning',
        path: ingredientPath(position, 'digest'),
        params: { name },
      };
};

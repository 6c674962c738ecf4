import { isAbsolute } from 'node:path';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** The body of a request, in errors about its members. */
export const requestBody: Rule = rule(['request body', fr`corps de la requête`]);

/** @throws SVC-VAL-001 for a relative path: the working directory of the instance is unknown to the client */
export function requireAbsolute(path: string, member: string, file: string | Rule = requestBody): void {
  if (!isAbsolute(path))
    throw svcError('SVC-VAL-001', {
      file,
      path: `/${member}`,
      rule: rule(['must be an absolute path', fr`doit être un chemin absolu`]),
    });
}

/** As `requireAbsolute`, of every path of a list. @throws SVC-VAL-001 naming the first relative one */
export function requireAbsolutes(paths: readonly string[], member: string): void {
  for (const [i, path] of paths.entries()) requireAbsolute(path, `${member}/${i}`);
}

import { type SvcError, svcError } from '../../text/error.ts';
import type { Rule } from '../../text/rule.ts';
import type { Credentials } from '../model.ts';
import { type Environment, findDockerLogin } from '../transport/environment.ts';

/**
 * Creates the SVC-REG-003 of a host that refused a request. Without configured credentials it names a docker
 * login for the host, if there is one.
 */
export async function toRefused(
  host: string,
  detail: Rule,
  credentials: Credentials | undefined,
  environment: Environment | undefined,
): Promise<SvcError> {
  const login =
    credentials?.lookup(host) === undefined ? await findDockerLogin(host, environment) : undefined;
  return svcError('SVC-REG-003', { host, detail, login });
}

import { type SvcError, svcError } from '../../base/error.ts';
import type { Credentials } from '../model.ts';
import { type Environment, findDockerLogin } from '../transport/environment.ts';

/** A host that refused what was sent, or that asks for credentials where none are known for it. */
export async function toRefused(
  host: string,
  detail: string,
  credentials: Credentials | undefined,
  environment: Environment | undefined,
): Promise<SvcError> {
  const login =
    credentials?.lookup(host) === undefined ? await findDockerLogin(host, environment) : undefined;
  return svcError('SVC-REG-003', { host, detail, login });
}

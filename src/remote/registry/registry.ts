import { Serial } from '../../base/concurrency.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { canonicalHost } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { RegistryOptions, RemoteRegistry } from '../model.ts';
import { readBody } from '../transport/read-body.ts';
import { createAuthorizer } from './authorize.ts';
import { type Client, type ClientRequest, createClient } from './client.ts';
import { listRepositories } from './list-repositories.ts';
import { createRepository, type SharedState } from './repository.ts';
import { toEffective } from './substitution.ts';

/** Creates the access to all registries. Substitutions apply to reads, never to writes. */
export function createRegistry(options: RegistryOptions): RemoteRegistry {
  const { substitutions = {}, transport, report } = options;
  const authorizer = createAuthorizer(transport, options.credentials);
  const hosts = new Map<string, { readonly client: Client; readonly shared: SharedState }>();

  const contact = (host: string) => {
    let known = hosts.get(host);
    if (known === undefined) {
      const { retries, retryDelay } = options;
      const client = createClient(host, { transport, authorizer, retries, retryDelay, report });
      known = { client, shared: { merging: new Serial(), withoutReferrers: new Map(), told: new Set() } };
      hosts.set(host, known);
    }
    return known;
  };

  return {
    listRepositories: (host, call) => listRepositories(contact(canonicalHost(host)).client, report, call),
    requireRegistry: (host, call) => requireRegistry(contact(canonicalHost(host)).client, call),
    effective: (nominal) => toEffective(nominal, substitutions),
    repository(nominal, { access = 'pull', substitute = access === 'pull' } = {}) {
      const own = { host: canonicalHost(nominal.host), repository: nominal.repository };
      const effective = substitute && access === 'pull' ? toEffective(own, substitutions) : own;
      const { client, shared } = contact(effective.host);
      const scope = {
        client,
        nominal: own,
        effective,
        substituted: effective.host !== own.host || effective.repository !== own.repository,
        access,
        report,
        pull: `repository:${effective.repository}:pull`,
        push: `repository:${effective.repository}:pull,push`,
      };
      return createRepository(scope, shared, options);
    },
  };
}

/** Maximum size of the answer to `GET /v2/` in bytes; registries answer with `{}` or nothing. */
const answerLimit = 65_536;

/**
 * Requires that a host answers as a registry does (`GET /v2/`), with the credentials of a client.
 *
 * @throws SVC-REG-002, SVC-POL-001 and other errors of the client; SVC-REG-007 for another status, or an answer that is
 *   neither empty nor JSON
 */
async function requireRegistry(client: Client, { signal }: CallOptions = {}): Promise<void> {
  const reference = `${client.host}/v2/`;
  const request: ClientRequest = { method: 'GET', to: '/v2/', scope: '', reference, signal };
  await client.repeat(async () => {
    const response = await client.sendOnce(request);
    if (response.status !== 200) throw await client.toUnexpected(request, response);
    const text = (await readBody(response, answerLimit, reference, signal)).toString('utf8');
    if (text.trim() !== '' && !isJson(text))
      throw svcError('SVC-REG-007', {
        reference,
        detail: rule(['the answer is not that of a registry', fr`la réponse n’est pas celle d’un registre`]),
      });
  }, signal);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

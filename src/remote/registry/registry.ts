import { Serial } from '../../base/concurrency.ts';
import { canonicalHost } from '../../oci/reference.ts';
import type { RegistryOptions, RemoteRegistry } from '../model.ts';
import { createAuthorizer } from './authorize.ts';
import { type Client, createClient } from './client.ts';
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

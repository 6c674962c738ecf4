import type { RemoteRegistry } from '../remote/model.ts';
import { createRegistry } from '../remote/registry/registry.ts';
import { promptTransport } from '../remote/transport/prompt-transport.ts';
import type { Context } from './context.ts';

/**
 * Access to the registries for work with a waiting user. A failed request is repeated once at most, and a silent host
 * is reported after half a minute.
 */
export function openPromptRegistry({ transport, credentials, config, report }: Context): RemoteRegistry {
  return createRegistry({
    transport: promptTransport(transport),
    credentials,
    substitutions: config.registries.substitutions,
    retries: Math.min(1, config.sync.retries),
    report,
  });
}

/** A context whose requests end as those of work with a waiting user: the first silence of a host ends them all. */
export function toPromptContext(context: Context): Context {
  const prompt = { ...context, transport: promptTransport(context.transport) };
  return { ...prompt, registry: openPromptRegistry(prompt) };
}

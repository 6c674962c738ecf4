import { Pacer } from '../../src/base/pacer.ts';
import type { Certificate, Egress } from '../../src/contract/access.ts';
import { sourceHost } from '../../src/engine/sync/read-retriever.ts';
import type { LinkRecord } from '../../src/link/link.ts';
import { canonicalHost } from '../../src/oci/reference.ts';
import type { Context } from '../../src/operation/context.ts';
import {
  type HostReview,
  type HostRole,
  type HostUse,
  reviewHosts,
} from '../../src/remote/transport/review-hosts.ts';
import { listRecipes } from '../../src/view/recipes.ts';
import { hostOf } from './origins.ts';
import type { ViewParts } from './parts.ts';
import { lastPlanOf } from './plan.ts';

export interface NetworkView extends HostReview {
  readonly tls: boolean;
  readonly certificate?: Certificate;
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** Whether a pair may be uploaded. */
  readonly replaceable: boolean;
  readonly egress: Egress;
  /** The cap on transfers with other hosts, and their windows. */
  readonly link: LinkRecord;
}

function describeEgress({ config: { network }, extraRoots }: Context): Egress {
  const { proxy, tls } = network;
  return {
    ...(proxy.url === undefined ? {} : { proxy: new URL(proxy.url).host }),
    proxyAuthenticated: proxy.username !== undefined,
    extraRoots,
    exclusiveTrust: tls.exclusiveTrust,
  };
}

/** The hosts that the configuration itself needs, and those requested since the start. */
function* listConfigured({ config, registry, transport }: Context): Generator<HostUse> {
  const { retriever, destination, registries, trust } = config;
  const source = retriever.source === undefined ? undefined : sourceHost(retriever.source, registry);
  if (source !== undefined) yield { ...source, role: 'retriever' };
  if (destination.registry !== undefined) yield { host: destination.registry, role: 'destination' };
  for (const [nominal, base] of Object.entries(registries.substitutions))
    yield { host: canonicalHost(base.split('/', 1)[0]!), role: 'substitution', nominal };
  for (const { keyURL } of trust.roots)
    if (keyURL !== undefined && URL.canParse(keyURL)) yield { host: new URL(keyURL).host, role: 'trust-key' };
  for (const host of transport.requested) yield { host: canonicalHost(host), role: 'requested' };
}

/** The hosts that the recipes of the store name. */
async function listNamed(
  parts: Pick<ViewParts, 'store' | 'instance' | 'gate'>,
): Promise<readonly { readonly host: string; readonly role: 'cookbook' | 'ingredient' }[]> {
  const pacer = new Pacer();
  const cookbooks = new Set<string>();
  const ingredients = new Set<string>();
  for (const recipe of await listRecipes(parts)) {
    // a recipe that was published here comes from nowhere; while the gate is closed there are names only
    if (!('resolvedAt' in recipe)) continue;
    if (pacer.isDue()) await pacer.rest();
    cookbooks.add(hostOf(recipe.cookbook));
    for (const { ref } of recipe.ingredients) ingredients.add(hostOf(ref));
  }
  return [
    ...[...cookbooks].map((host) => ({ host, role: 'cookbook' as const })),
    ...[...ingredients].map((host) => ({ host, role: 'ingredient' as const })),
  ];
}

/**
 * Compares the allowlist with the hosts that the configuration, the recipes of the store and the last plan need, and those
 * requested since the start.
 */
export async function showHosts(parts: Pick<ViewParts, 'store' | 'instance' | 'gate'>): Promise<HostReview> {
  const hosts = lastPlanOf(parts)?.policy.hosts ?? [];
  const planned = hosts.map(({ host, role }) => ({ host, role: role as HostRole }));
  const { context } = parts.instance;
  const named = (await listNamed(parts)).map(({ host, role }): HostUse => {
    const { host: contacted } = context.registry.effective({ host, repository: 'x' });
    return { host: contacted, role, nominal: host };
  });
  return reviewHosts([...listConfigured(context), ...named, ...planned], context.config.registries.allowlist);
}

/** Shows the listener with its certificate, outbound connections, and the hosts that they need. */
export async function showNetwork(
  parts: Pick<ViewParts, 'certificate' | 'certificateFiles' | 'instance' | 'store' | 'gate' | 'link'>,
): Promise<NetworkView> {
  const { certificate, certificateFiles, instance, link } = parts;
  return {
    tls: certificate !== undefined,
    certificate: certificate?.description,
    ...(certificateFiles === undefined
      ? {}
      : { certificateFile: certificateFiles.certFile, keyFile: certificateFiles.keyFile }),
    replaceable: certificate?.replaceable ?? false,
    egress: describeEgress(instance.context),
    link: link.record,
    ...(await showHosts(parts)),
  };
}

import { Pacer } from '../../src/base/pacer.ts';
import type { Certificate, Egress } from '../../src/contract/access.ts';
import type { LinkRecord } from '../../src/link/link.ts';
import type { HostReview, HostRole } from '../../src/remote/transport/review-hosts.ts';
import { listRecipes } from '../../src/view/recipes.ts';
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

const hostOf = (reference: string): string => reference.split('/', 1)[0]!;

/** The hosts that the recipes of the store name. */
async function listNamed(
  parts: Pick<ViewParts, 'store' | 'operations' | 'gate'>,
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
export async function showHosts(
  parts: Pick<ViewParts, 'store' | 'operations' | 'gate'>,
): Promise<HostReview> {
  const hosts = lastPlanOf(parts)?.policy.hosts ?? [];
  const planned = hosts.map(({ host, role }) => ({ host, role: role as HostRole }));
  return parts.operations.reviewHosts({ named: await listNamed(parts), planned });
}

/** Shows the listener with its certificate, outbound connections, and the hosts that they need. */
export async function showNetwork(
  parts: Pick<ViewParts, 'certificate' | 'certificateFiles' | 'operations' | 'store' | 'gate' | 'link'>,
): Promise<NetworkView> {
  const { certificate, certificateFiles, operations, link } = parts;
  return {
    tls: certificate !== undefined,
    ...(certificate === undefined ? {} : { certificate: certificate.description }),
    ...(certificateFiles === undefined
      ? {}
      : { certificateFile: certificateFiles.certFile, keyFile: certificateFiles.keyFile }),
    replaceable: certificate?.replaceable ?? false,
    egress: operations.egress(),
    link: link.record,
    ...(await showHosts(parts)),
  };
}

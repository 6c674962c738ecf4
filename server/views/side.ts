import type { Accent, Pattern } from '../../src/config/ui-band.ts';
import type { ViewParts } from './parts.ts';
import { toReached } from './reached.ts';
import { retrieverName } from './retriever.ts';

/** The place of an instance between origins and zones, from its configuration and store. */
export interface SideFacts {
  readonly mode: 'passthrough' | 'mirror';
  /** Whether the instance has a `zone`, so that it takes media. */
  readonly hasZone: boolean;
  /** Whether its store is a medium that another instance wrote. */
  readonly isCarried: boolean;
  /** Whether a Retriever has it synchronize. */
  readonly hasSource: boolean;
  /** Hosts that it contacts in place of origins. */
  readonly upstreams: readonly string[];
  /** Zones that it delivers to. */
  readonly zones: readonly string[];
  /** Name of the Retriever, which is that of the zone that it serves. */
  readonly retriever?: string | undefined;
}

/** The direction in which content moves through an instance. */
export interface Side {
  readonly role: 'source' | 'disk' | 'network' | 'alone';
  /** Zones that it is the source for. */
  readonly zones: readonly string[];
  /** Hosts of other instances that feed it. */
  readonly upstreams: readonly string[];
}

/**
 * Says on which side of a gap an instance is. A mirror that fetches by itself fills media; one whose store was carried here
 * does not.
 */
export function toSide(facts: SideFacts): Side {
  const { mode, hasZone, isCarried, hasSource, upstreams, zones, retriever } = facts;
  if (isCarried) return { role: 'disk', zones, upstreams: [] };
  if (mode === 'mirror' && (hasSource || !hasZone))
    return {
      role: 'source',
      zones: zones.length > 0 || retriever === undefined ? zones : [retriever],
      upstreams: [],
    };
  if (hasSource) return { role: 'network', zones, upstreams };
  return { role: hasZone ? 'disk' : 'alone', zones, upstreams: [] };
}

/** Colour and pattern of each side, where the configuration names none. */
export const bands: Readonly<Record<Side['role'], { readonly accent: Accent; readonly pattern: Pattern }>> = {
  source: { accent: 'blue', pattern: 'solid' },
  disk: { accent: 'violet', pattern: 'stripes' },
  network: { accent: 'teal', pattern: 'dots' },
  alone: { accent: 'grey', pattern: 'solid' },
};

/** The side of an instance. @param mayName whether configured hosts may be shown to the reader */
export function describeSide(
  { instance, gate }: Pick<ViewParts, 'instance' | 'gate'>,
  mayName: boolean,
): Side {
  const { mode, zone, retriever, registries, zones } = instance.context.config;
  const bases = Object.values(registries.substitutions).map((base) => base.split('/', 1)[0]!);
  return toSide({
    mode,
    hasZone: zone !== undefined,
    isCarried: gate.guarded,
    hasSource: retriever.source !== undefined,
    upstreams: mayName ? [...new Set(bases)].sort() : [],
    zones: zones.map(({ name }) => name),
    retriever: retrieverName({ instance }),
  });
}

/** The name of the site, else that of the zone or of the Retriever, else the host: two instances never look alike. */
export function siteName(call: Pick<ViewParts, 'instance'> & Parameters<typeof toReached>[0]): string {
  const { custody, zone } = call.instance.context.config;
  return custody?.site ?? zone ?? retrieverName(call) ?? toReached(call).host;
}

import { fr, type Sentence } from '../../src/base/language.ts';
import { toRegistryBase } from '../../src/client/node-mirrors.ts';
import { isLoopbackHost } from '../../src/oci/reference.ts';
import { parseRegistry } from '../../src/view/recipes.ts';

/** Addresses that are written for nodes, as hosts with their ports. */
export interface WrittenPlaces {
  readonly registry: readonly string[];
  /** Of an instance that serves FileSets and views, which `--registry` does not change. */
  readonly instance?: readonly string[];
  /** URL of the instance that was asked; absent: a store was read. */
  readonly asked?: string | undefined;
  /** Value of `--registry`: what the operator named is right. */
  readonly named?: string | undefined;
}

const byFlag: Sentence = [
  'name the address by which they reach the registry with --registry, or set server.publicURL of the instance',
  fr`nommez par --registry l’adresse par laquelle ils atteignent le registre, ou définissez server.publicURL de l’instance`,
];
const bySetting: Sentence = [
  'set server.publicURL of the instance to the address by which they reach it',
  fr`donnez à server.publicURL de l’instance l’adresse par laquelle ils l’atteignent`,
];

/**
 * Judges whether nodes reach what is written for them. An instance writes the address of its connection, which behind a
 * proxy is not the one that was asked, and may be that of its own machine.
 *
 * @returns warnings of addresses that are this machine, notes of others that were not asked
 */
export function judgePlaces({ registry, instance = [], asked, named }: WrittenPlaces): {
  readonly warnings: readonly Sentence[];
  readonly notes: readonly Sentence[];
} {
  const own = asked === undefined ? undefined : toRegistryBase(asked).host;
  const right = named === undefined ? undefined : parseRegistry(named, 'https').host;
  const written = [
    ...registry.filter((host) => host !== right).map((host) => ({ host, remedy: byFlag })),
    ...instance.map((host) => ({ host, remedy: bySetting })),
  ];
  const warnings: Sentence[] = [];
  const notes: Sentence[] = [];
  for (const {
    host,
    remedy: [english, french],
  } of written)
    if (isLoopbackHost(new URL(`http://${host}`).hostname))
      warnings.push([
        `nodes are led to ${host}, which on each of them is the node itself: ${english}`,
        fr`les nœuds sont menés vers ${host}, qui sur chacun est le nœud lui-même : ${french}`,
      ]);
    else if (own !== undefined && host !== own)
      notes.push([
        `nodes are led to ${host}, while ${own} was asked; if they do not reach it so, ${english}`,
        fr`les nœuds sont menés vers ${host}, alors que ${own} a été interrogée ; s’ils ne l’atteignent pas ainsi, ${french}`,
      ]);
  return { warnings, notes };
}

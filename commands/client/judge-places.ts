import { listOwnHosts } from '../../src/client/led-places.ts';
import { toRegistryBase } from '../../src/client/node-mirrors.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import { parseRegistry } from '../../src/view/recipes.ts';

/** Addresses that are written for nodes, as hosts with their ports. */
export interface WrittenPlaces {
  readonly registry: readonly string[];
  /** Of an instance that serves FileSets and views, which `--registry` does not change. */
  readonly instance?: readonly string[];
  /** URL of the instance that was asked; absent: a store was read. */
  readonly asked?: string | undefined;
  /** Value of `--registry`: an address named by the operator is right. */
  readonly named?: string | undefined;
}

const byFlag: Sentence = [
  'name the address by which they reach the registry with --registry, or set server.publicURL of the instance',
  fr`nommez par --registry l’adresse par laquelle ils atteignent le registre, ou définissez server.publicURL de l’instance`,
];
const bySetting: Sentence = [
  'set server.publicURL of the instance to the address by which they reach it; an instance that quickstart set up listens on 127.0.0.1 only: set server.addr too, such as :8080, and restart it',
  fr`donnez à server.publicURL de l’instance l’adresse par laquelle ils l’atteignent ; une instance créée par quickstart n’écoute que sur 127.0.0.1 : définissez aussi server.addr, par exemple :8080, et redémarrez-la`,
];

/**
 * Judges whether nodes reach the addresses written for them. An instance writes the address of its connection, which
 * behind a proxy is not the requested one, and may be that of its own machine.
 *
 * @returns warnings of addresses that are this machine, notes of others that were not asked
 */
export function judgePlaces({ registry, instance = [], asked, named }: WrittenPlaces): {
  readonly warnings: readonly Sentence[];
  readonly notes: readonly Sentence[];
} {
  const own = asked === undefined ? undefined : toRegistryBase(asked).host;
  const right = named === undefined ? undefined : parseRegistry(named, 'https').host;
  const unreached = listOwnHosts({ registry, instance }, right);
  const warnings = unreached.map(({ host, of }): Sentence => {
    const [english, french] = of === 'registry' ? byFlag : bySetting;
    return [
      `nodes are led to ${host}, which on each of them is the node itself: ${english}`,
      fr`les nœuds sont menés vers ${host}, qui sur chacun est le nœud lui-même : ${french}`,
    ];
  });
  const written = [
    ...registry.filter((host) => host !== right).map((host) => ({ host, remedy: byFlag })),
    ...instance.map((host) => ({ host, remedy: bySetting })),
  ];
  const notes: Sentence[] = [];
  for (const {
    host,
    remedy: [english, french],
  } of written)
    if (own !== undefined && host !== own && !unreached.some((one) => one.host === host))
      notes.push([
        `nodes are led to ${host}, while ${own} was asked; if they do not reach it so, ${english}`,
        fr`les nœuds sont menés vers ${host}, alors que ${own} a été interrogée ; s’ils ne l’atteignent pas ainsi, ${french}`,
      ]);
  return { warnings, notes };
}

import { systemClock } from '../../src/base/clock.ts';
import { type PageOf, selectPage } from '../../src/base/page.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import { hasWords } from '../../src/base/words.ts';
import type { NoMember, QueryOf } from '../../src/contract/operation.ts';
import { sortRows } from '../../src/contract/operations/sorting.ts';
import type { listZones as operation } from '../../src/contract/operations/zones.ts';
import type { ZoneBoard } from '../../src/contract/zone-board.ts';
import { requireConfiguredZone } from '../../src/operation/zone/read-zone-boards.ts';
import { type ConfiguredZone, type Waits, WantedRecipes } from '../../src/operation/zone/wanted-recipes.ts';
import { isSvcError } from '../../src/text/error.ts';
import { selectZones } from '../../src/view/select-zones.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'instance' | 'operations'>;
type Call = Parts & { readonly holder: Holder; readonly signal: AbortSignal };

/** Milliseconds that a request waits for the Retrievers; later requests use their results. A page follows them. */
export const patience = { api: 8_000, page: 1_000 } as const;
type Reader = keyof typeof patience;

const opened = new WeakMap<ViewParts['instance'], WantedRecipes>();

/** The wanted recipes of the zones of an instance, shared by all requests. */
export function wantedOf(instance: ViewParts['instance']): WantedRecipes {
  const known = opened.get(instance) ?? new WantedRecipes(instance.context, { signal: instance.signal });
  opened.set(instance, known);
  return known;
}

/** Whether the configuration names zones whose records the state has. */
export const hasZones = ({ instance: { context } }: Pick<Parts, 'instance'>): boolean =>
  context.config.zones.length > 0 && context.config.state.root !== undefined;

function readBoards(
  { instance, operations }: Parts,
  zones: readonly ConfiguredZone[],
  waits: Waits,
): Promise<readonly ZoneBoard[]> {
  return operations.readZoneBoards(instance.context, {
    wanted: wantedOf(instance),
    zones,
    store: instance.store,
    running: instance.tasks.listHeads({ type: 'media-write', status: 'running' }).tasks,
    ...waits,
    now: systemClock.wall(),
  });
}

/** Reads boards for one caller, in one of its places for plans. */
function planBoards(
  call: Call,
  zones: readonly ConfiguredZone[],
  reader: Reader,
): Promise<readonly ZoneBoard[]> {
  const { instance, holder, signal } = call;
  return instance.places.plans.run(holder, signal, () =>
    // a page shows the age of an earlier answer and follows the later one; a program asks once
    readBoards(call, zones, { patience: patience[reader], takesEarlier: reader === 'page' }),
  );
}

/**
 * Lists the configured zones. A state and an order by a column of the boards read all boards; any other order reads those of the page.
 *
 * @throws SVC-CFG-001 without a state folder, SVC-SRV-006 when other plans take too long, SVC-STO-014
 */
export async function listZones(
  call: Call,
  query: QueryOf<typeof operation.query>,
  reader: Reader = 'api',
): Promise<{ readonly zones: readonly ZoneBoard[] } & PageOf> {
  const { q = '', state, sort = 'configured', order, page, pageSize, ...others } = query;
  others satisfies NoMember;
  const { zones } = call.instance.context.config;
  const isNamed = hasWords(q);
  const found = zones.filter(({ name }) => isNamed(name));
  if (state !== undefined || (sort !== 'configured' && sort !== 'name')) {
    const boards = selectZones(await planBoards(call, found, reader), { state, sort, order });
    const { selected, pageOf } = selectPage(boards, { page, pageSize });
    return { zones: selected, ...pageOf };
  }
  const places = new Map(found.map((zone, place) => [zone, place]));
  const values = { configured: (zone: ConfiguredZone) => places.get(zone), name: nameOf };
  const { selected, pageOf } = selectPage(sortRows(found, values, { sort, order }), { page, pageSize });
  return { zones: await planBoards(call, selected, reader), ...pageOf };
}

/** Zones whose boards pages show without waiting. */
export const mostShown = 100;
/** Milliseconds for which the boards that every overview shows serve. */
const shownFor = 15_000;

type Shown = ReadonlyMap<string, ZoneBoard>;
const lastShown = new WeakMap<
  ViewParts['instance'],
  { readonly at: number; readonly boards: Promise<Shown> }
>();

async function readShown(parts: Parts, zones: readonly ConfiguredZone[]): Promise<Shown> {
  try {
    const boards = await readBoards(parts, zones, { patience: 500, takesEarlier: true, freshFor: 3_600_000 });
    return new Map(boards.map((board) => [board.name, board]));
  } catch (error) {
    if (isSvcError(error)) return new Map();
    lastShown.delete(parts.instance);
    throw error;
  }
}

/**
 * The boards of the first zones of the configuration, by name, as far as they are known without waiting: an overview asks no
 * Retriever that was asked within an hour. Empty when they cannot be read. One reading serves all visitors, so that it takes
 * none of their places and ends with none of their requests.
 */
export async function peekZones(parts: Parts, most: number): Promise<Shown> {
  const { instance } = parts;
  const now = performance.now();
  const before = lastShown.get(instance);
  if (before !== undefined && now - before.at < shownFor) return before.boards;
  const boards = readShown(parts, instance.context.config.zones.slice(0, most));
  lastShown.set(instance, { at: now, boards });
  const isReading = [...(await boards).values()].some(({ wanted }) => wanted.reading === true);
  // the next visitor has what was read meanwhile
  if (isReading && lastShown.get(instance)?.boards === boards) lastShown.delete(instance);
  return boards;
}

const nameOf = ({ name }: ConfiguredZone): string => name;

/** Shows one zone. @throws as {@link listZones}, SVC-REG-005 for an unknown name */
export async function showZone(call: Call, name: string, reader: Reader = 'api'): Promise<ZoneBoard> {
  const zone = requireConfiguredZone(call.instance.context.config.zones, name);
  const [board] = await planBoards(call, [zone], reader);
  return board!;
}

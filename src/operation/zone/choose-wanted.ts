import { selectCarried, toCarry } from '../../engine/zone/to-carry.ts';
import type { Store } from '../../store/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import type { ReceiptContext } from './known-receipts.ts';
import { readZoneBoards, requireConfiguredZone } from './read-zone-boards.ts';
import type { WantedRecipes } from './wanted-recipes.ts';

/** The recipes of a delivery to a zone, by its Retriever. */
export interface ChosenRecipes {
  /** `<name>@<version>` of recipes of the store that the zone wants, and lacks or may lack. */
  readonly recipes: readonly string[];
  /** Recipes that it wants and lacks, and that no delivery can bring. */
  readonly lacking: readonly {
    readonly name: string;
    /** Version or constraint of the Retriever. */
    readonly requested: string;
    readonly version?: string | undefined;
    readonly error: SvcError;
  }[];
  /** Recipes that it wants and would refuse again: another disk does not bring them into the zone. */
  readonly refused: readonly { readonly name: string; readonly version: string; readonly code?: string }[];
}

/**
 * Chooses the recipes that a zone wants and lacks, as its board says it. Recipes on their way and those that the zone would
 * refuse again are not among them.
 *
 * @param input.now milliseconds since the epoch
 * @param input.patience milliseconds to wait for the Retriever; default: until it is resolved
 * @throws SVC-REG-005 for a zone that is not configured, the error of a Retriever that cannot be read, SVC-SRV-006 while it
 *   is read, SVC-CFG-001, SVC-STO-014
 */
export async function chooseWanted(
  context: Pick<ReceiptContext, 'config' | 'policy' | 'report'>,
  {
    zone: name,
    wanted,
    store,
    now,
    ...waits
  }: {
    readonly zone: string;
    readonly wanted: Pick<WantedRecipes, 'get'>;
    readonly store: Pick<Store, 'index'>;
    readonly now: number;
    readonly patience?: number;
  },
): Promise<ChosenRecipes> {
  const zone = requireConfiguredZone(context.config.zones, name);
  const known = await wanted.get(zone, waits);
  if (known.error !== undefined) throw known.error;
  const resolved = { get: async () => known };
  const [board] = await readZoneBoards(context, { wanted: resolved, zones: [zone], store, now });
  const carry = toCarry(board!);
  const { recipes, absent } = selectCarried(carry, store);
  return {
    recipes,
    lacking: [
      ...known.recipes.flatMap(({ name, requested, error }) =>
        error === undefined ? [] : [{ name, requested, error }],
      ),
      ...absent.map(({ name, requested = '', wanted: version = '' }) => {
        const error = svcError('SVC-REG-005', { reference: `${name}@${version}`, local: 'store' });
        return { name, requested, version, error };
      }),
    ],
    refused: carry.refused.map(({ name, wanted: version = '', code }) => ({
      ...{ name, version },
      ...(code === undefined ? {} : { code }),
    })),
  };
}

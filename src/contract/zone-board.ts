import { ErrorRecord } from './error.ts';
import { receiptFork, zoneText } from './receipt.ts';
import {
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  object,
  string,
  type TypeOf,
  text,
  timestamp,
} from './schema.ts';

/** States of a recipe of a zone, the ones that ask for action first. */
export const zoneRecipeStates = ['blocked', 'missing', 'behind', 'in-transit', 'unknown', 'current'] as const;
export type ZoneRecipeState = (typeof zoneRecipeStates)[number];

const state = choice('State of the recipe in the zone', {
  blocked: 'a check of the zone refused it',
  missing: 'the zone has no version of it whole',
  behind: 'the zone has another version',
  'in-transit': 'a delivery with it is on its way',
  unknown:
    'the state is not known: there is no receipt, or two of one number, or no wanted version, or the receipt has recipes without names that this source does not recognize',
  current: 'the zone has the wanted version whole',
} satisfies Record<ZoneRecipeState, string>);

const code = text({ pattern: '^SVC-[A-Z]{2,8}-[0-9]{3}$' });
const ageSeconds = described(
  'Age by the clock of this instance, in seconds; 0 for a time of the future',
  integer,
);

const overdueSince = described('Since when it is overdue; absent where it is not', timestamp);

const receipt = object({
  sequence: integer,
  issuedAt: timestamp,
  ageSeconds,
  overdue: described('Whether it is older than `zones[].maxAge`', boolean),
  'overdueSince?': overdueSince,
  'via?': described(
    'The zone that brought it with its own receipt; absent for one that came alone',
    zoneText,
  ),
  'fork?': described(
    'Another receipt with the same number, which was refused (`SVC-RCP-003`): no state of the zone is known',
    receiptFork,
  ),
  'otherMedium?': described(
    'The medium that the zone imported last as a part of a delivery, and that this source did not write (`SVC-RCP-006`)',
    object({
      delivery: described('Identifier of the delivery', string),
      part: integer,
      found: described('Digest of its `media.jsonl`', digest),
      'known?': described('Digest of the one that this source wrote', digest),
    }),
  ),
});

/** Members of a delivery that was written here. */
const sentDelivery = {
  id: described('Identifier of the delivery', string),
  startedAt: described('When its writing began', timestamp),
  ageSeconds,
  parts: integer,
};

/** A zone with its recipes, its last receipt, and the deliveries on their way. */
export const ZoneBoard = component(
  'ZoneBoard',
  object({
    name: zoneText,
    'code?': described('Why the last receipt of the zone could not be read', code),
    wanted: described(
      'The recipes that the zone should have, by its Retriever',
      object({
        state: choice('Whether their versions are known', {
          resolved: 'of all',
          partial: 'of some',
          unresolved: 'of none',
        }),
        resolvedAt: timestamp,
        'code?': described('Why the Retriever could not be read', code),
        'error?': described('The same with its values', ErrorRecord),
        'reading?': described(
          'Whether the Retriever is being read at this time: all else is of the reading before, and with `SVC-SRV-006` there was none yet',
          boolean,
        ),
      }),
    ),
    'receipt?': described('The last believed receipt; absent without one', receipt),
    'unbelieved?': described(
      'The last receipt, where no configured key verifies it (`SVC-RCP-001`): it says nothing of the zone',
      object({ sequence: integer, issuedAt: timestamp, ageSeconds }),
    ),
    deliveries: described(
      'Deliveries that were written, and that no receipt confirms, the latest first',
      list(
        object({
          ...sentDelivery,
          overdue: described('Whether no receipt confirms it after `zones[].maxAge`', boolean),
          'overdueSince?': overdueSince,
          'inPart?': described(
            'Present where the last receipt names one of its disks, and not all of its recipes are in the zone',
            object({
              part: described('The disk that the receipt names', integer),
              'awaited?': described(
                'Disks that the receipt does not show to be in the zone; absent where no record has the recipes of each disk',
                list(integer),
              ),
            }),
          ),
        }),
      ),
    ),
    'unproved?': described(
      'Deliveries that were written, and whose proof failed or was not made, the latest first: no recipe counts as on its way by them. Absent without any, and after a later delivery that is proved',
      list(object(sentDelivery)),
    ),
    'unfinished?': described(
      'Deliveries whose writing broke off or was cancelled, the latest first. Absent without any, and after a later delivery that is proved',
      list(
        object({
          ...sentDelivery,
          'lost?': described(
            'Content that the store lost while it was written; absent without any',
            list(digest),
          ),
        }),
      ),
    ),
    totals: described(
      'Number of recipes in each state',
      object({
        blocked: described('Recipes refused', integer),
        missing: described('Recipes absent', integer),
        behind: described('Recipes in another version', integer),
        'in-transit': described('Recipes on their way', integer),
        unknown: described('Recipes in an unknown state', integer),
        current: described('Recipes as wanted', integer),
      }),
    ),
    recipes: described(
      'The recipes in the order of the Retriever; where it cannot be read, those of the receipt',
      list(
        object({
          name: string,
          'requested?': described('Version or constraint of the Retriever', string),
          'wanted?': described('Version that the zone should have; absent where it is not known', string),
          'digest?': described('Digest of that version', digest),
          'present?': described('Version that the zone has whole, by its receipt', string),
          state,
          'since?': described('Date of the receipt or of the delivery that says so', timestamp),
          'delivery?': described('The delivery that is on its way with it', string),
          'lacks?': described(
            'Content of the wanted version that the zone lacks',
            object({ files: integer, bytes: integer }),
          ),
          'unproved?': described('The delivery that was written with it, and not proved', string),
          'code?': described('Why it is blocked, or why its wanted version is not known', code),
          'error?': described('Why its wanted version is not known, with the values', ErrorRecord),
          'unsigned?': described(
            'Whether this source took the wanted version without a signature: a zone that demands one refuses it',
            boolean,
          ),
          'signer?': described(
            'Fingerprint of the key that signed a recipe that the zone blocked for its signature',
            string,
          ),
        }),
      ),
    ),
    'unwanted?': described(
      'Recipes that the zone has whole, by its receipt, and that its Retriever does not name; absent without any',
      list(
        object({
          name: string,
          present: described('Version that the zone has, the newest of several', string),
        }),
      ),
    ),
  }),
);
export type ZoneBoard = TypeOf<typeof ZoneBoard>;
export type ZoneBoardRecipe = ZoneBoard['recipes'][number];

import { recipeState, zoneText } from './receipt.ts';
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

/** A delivery, as the zone has received it so far. */
export const Delivery = component(
  'Delivery',
  object({
    id: string,
    zone: string,
    resolvedAt: timestamp,
    parts: integer,
    complete: described(
      'Whether every recipe of the delivery that passed is in the zone, and every part arrived. A passport vouches for the list of recipes, and parts that bring nothing more need not arrive then',
      boolean,
    ),
    'completedAt?': timestamp,
    'overtakenBy?': described(
      'Identifier of a newer medium that was imported since: the import refuses the disks of this incomplete delivery',
      string,
    ),
    'peer?': described(
      'The peer whose passports vouch for its disks. Several peers may use one identifier: each has a delivery of its own. Disks without a passport are then of none',
      string,
    ),
    'base?': object({ zone: string, receipt: digest, sequence: integer }),
    'baseDelivery?': described(
      'The delivery that brought the content of the base; absent where it is not known',
      string,
    ),
    landed: described(
      'Parts that were imported with everything that they could bring, in their order',
      list(
        object({
          part: integer,
          mediaId: string,
          manifest: digest,
          importedAt: timestamp,
          'said?': described(
            'Statements of the disk about the whole delivery; absent in records of earlier versions',
            object({
              parts: integer,
              'base?': described('Digest of the receipt of its base', digest),
              recipes: described('Digest of the sorted list of the digests of its recipes', digest),
            }),
          ),
        }),
      ),
    ),
    needed: described('Parts with content that is not in the zone, in ascending order', list(integer)),
    'refused?': described(
      'The needed parts that were imported, and of which the checks refused a recipe: they are needed once more. Absent without any',
      list(integer),
    ),
    'leftHolding?': described(
      'Tags that kept content of it in the registry of the zone while it was incomplete, and that the registry does not remove; nothing needs them. Absent without any',
      list(string),
    ),
    recipes: described(
      'The recipes, with their state in the zone',
      list(
        object({
          name: string,
          version: string,
          digest,
          state: choice('State in the zone', {
            landed: 'it was pushed, with all its content',
            waiting: 'it needs other parts',
            held: 'it needs content that the registry of the zone lacks',
            failed: 'it was blocked, or the push failed',
          }),
          'parts?': described('Parts with content of it that is not in the zone', list(integer)),
          'baseDelivery?': described(
            'For one that is held: the delivery that brings the missing content again; absent where it is not known',
            string,
          ),
          'blocked?': described('Whether it failed the checks in every import', boolean),
        }),
      ),
    ),
  }),
);
export type Delivery = TypeOf<typeof Delivery>;

export const DeliveryList = component('DeliveryList', object({ deliveries: list(Delivery) }));
export type DeliveryList = TypeOf<typeof DeliveryList>;

const deliveryStateWords = {
  unfinished: 'its writing broke off or was cancelled',
  unproved: 'it was written, and no proof of its disks succeeded',
  overdue: 'it was written, and no receipt confirmed it in time',
  incomplete: 'it waits for disks, or for content that the registry of the zone lacks',
  refused: 'its disks arrived, and the zone refused recipes',
  blocked: 'a disk of it was verified here, and a check refused recipes',
  overtaken: 'a newer medium was imported before its last disks',
  partial: 'by the last receipt, the zone has a part of its recipes',
  forked: 'the receipt that confirms it is contradicted by another one of its number',
  unbelieved: 'no configured key verifies the receipt that names it',
  writing: 'a task writes it now',
  way: 'it was written, and no receipt confirms it yet',
  replaced: 'it was not written whole or not proved, and a later one was',
  failed: 'its import failed, and none of its disks arrived',
  verified: 'a disk of it was verified here, and not imported',
  named: 'the custody ledger names it, and no other record is kept',
  inside:
    'its recipes are in the zone, brought by other disks or confirmed by a receipt that does not name it',
  confirmed: 'a receipt confirms it',
  complete: 'it arrived here, with all its recipes',
} as const;

/** How far a delivery is; the states that ask for a look come first. */
export type DeliveryState = keyof typeof deliveryStateWords;
export const deliveryStates = Object.keys(deliveryStateWords) as readonly DeliveryState[] as readonly [
  DeliveryState,
  ...DeliveryState[],
];

const steps = {
  resume: 'write it again: complete parts stay',
  restore: 'bring the content back that the store lost, then write it again',
  rewrite: 'write it again: its disks are proved again',
  prove: 'prove it again',
  hand: 'hand it over, and note it',
  await: 'await the receipt',
  ask: 'ask the zone for its receipt',
  renew: 'ask the zone for a receipt with a higher number',
  believe: 'name the key of the zone under `peers`',
  disks: 'have the zone import the other disks',
  carry: 'deliver the missing recipes',
  cause: 'remove the cause for which the zone refuses the missing recipes: another disk does not end it',
  import: 'import its disks',
  home: 'carry its receipt to the source',
  read: 'read the verdict on its disk',
  open: 'import its disk',
  sender: 'ask the sender for another delivery',
  forget: 'forget it',
} as const;

/** The way on from a delivery. */
export type WayOn = keyof typeof steps;

const codes = list(text({ pattern: '^SVC-[A-Z]{2,8}-[0-9]{3}$' }));
const done = {
  at: described('Time of it', timestamp),
  by: described('Account, or `local:` and the number of the user', string),
};
const judged = object({
  ...done,
  ok: described('Whether it succeeded', boolean),
  'codes?': described('Codes of its findings; absent without any', codes),
});

/** A delivery that an instance wrote or received, by all its records. */
export const KnownDelivery = component(
  'KnownDelivery',
  object({
    id: described('Identifier of the delivery', string),
    'zone?': zoneText,
    state: choice('How far it is', deliveryStateWords),
    reason: described('The state in one English sentence', string),
    'codes?': described('Codes of the errors behind the state; absent without any', codes),
    'step?': choice('The next step; absent where nothing is to be done', steps),
    'task?': described('Identifier of the task that writes it now', string),
    'replacedBy?': described(
      'The later delivery to the same zone, of one that was not written whole or not proved',
      string,
    ),
    'parts?': described('Number of its disks', integer),
    'partsWritten?': described(
      'Number of disks that are written; absent where it was not written here',
      integer,
    ),
    'partsArrived?': described(
      'Disks that were imported whole here; absent where it was written here',
      list(integer),
    ),
    'partsAwaited?': described(
      'Disks that are not known to be in the zone; absent without any',
      list(integer),
    ),
    'bytes?': described('Content that it brings, in bytes', integer),
    'begunAt?': described('When its writing began', timestamp),
    'written?': described('The end of its writing', object(done)),
    'proved?': described(
      'Whether its disks were proved, when they were written or since; absent where no record says so',
      boolean,
    ),
    'proof?': described('Its last proof', judged),
    'handedOver?': described(
      'The note that its disks left',
      object({ ...done, text: described('Text of the note', string) }),
    ),
    'received?': described('When its first disk was verified here', object(done)),
    'imported?': described('Its last import here', judged),
    'overdueSince?': described('When a receipt should have confirmed it; absent before that', timestamp),
    'receipt?': described(
      'The receipt that confirms it, or that names it and does not count (`forked`, `unbelieved`)',
      object({ zone: zoneText, sequence: integer, at: described('Date of the receipt', timestamp) }),
    ),
    'folders?': described('Folders of its disks, as they were written', list(string)),
    recipes: described(
      'Its recipes, as far as the records have them',
      list(
        object({
          'name?': string,
          'version?': string,
          digest,
          'state?': recipeState,
          'arrived?': described('Whether an import here brought it', boolean),
          'code?': described('Why the zone blocked it', string),
          'disks?': described('Disks with content of it; absent where no record has them', list(integer)),
        }),
      ),
    ),
  }),
);
export type KnownDelivery = TypeOf<typeof KnownDelivery>;

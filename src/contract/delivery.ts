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

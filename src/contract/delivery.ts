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
    complete: described('Whether every recipe of the delivery that passed is in the zone', boolean),
    'completedAt?': timestamp,
    'base?': object({ zone: string, receipt: digest, sequence: integer }),
    landed: described(
      'Parts that were imported with everything that they could bring, in their order',
      list(object({ part: integer, mediaId: string, manifest: digest, importedAt: timestamp })),
    ),
    needed: described('Parts with content that is not in the zone, in ascending order', list(integer)),
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
            held: 'it needs content that the registry of the zone no longer has',
            failed: 'it was blocked, or the push failed',
          }),
          'parts?': described('Parts with content of it that is not in the zone', list(integer)),
          'blocked?': described('Whether it failed the checks in every import', boolean),
        }),
      ),
    ),
  }),
);
export type Delivery = TypeOf<typeof Delivery>;

export const DeliveryList = component('DeliveryList', object({ deliveries: list(Delivery) }));
export type DeliveryList = TypeOf<typeof DeliveryList>;

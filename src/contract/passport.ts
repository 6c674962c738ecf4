import { zoneText } from './receipt.ts';
import { described, digest, integer, list, object, string, type TypeOf, timestamp, whole } from './schema.ts';

/** Largest passport in bytes, checked before it is decoded. */
export const passportLimit: number = 8 << 20;

/** What the sender states about a medium: the predicate of `urn:svc:passport:v1`, about its `media.jsonl`. */
export const passportPredicate = object({
  zone: described('The zone that the medium is for', zoneText),
  'from?': described('The site of the sender, if its configuration names one', zoneText),
  mediaId: string,
  delivery: object({ id: string, part: whole({ minimum: 1 }), parts: whole({ minimum: 1 }) }),
  'base?': described(
    'The receipt whose content the delivery does not bring again',
    object({ zone: zoneText, receipt: digest, sequence: integer }),
  ),
  recipes: list(object({ name: string, version: string, digest })),
  sequence: described('Number of deliveries of the sender for this zone, from 1', whole({ minimum: 1 })),
  issuedAt: timestamp,
  'expiresAt?': described('After this time, the zone imports the medium by a waiver only', timestamp),
});
export type Passport = TypeOf<typeof passportPredicate>;

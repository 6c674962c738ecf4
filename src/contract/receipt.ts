import {
  choice,
  described,
  digest,
  integer,
  list,
  object,
  string,
  type TypeOf,
  text,
  timestamp,
  whole,
} from './schema.ts';

/** Limits of a receipt, checked before it is decoded. */
export const receiptLimits = { bytes: 8 << 20, recipes: 10_000 } as const;

/** Name of a zone in a statement. */
export const zoneText = text({ minLength: 1, maxLength: 1024 });

export const recipeState = choice('What the registry of the zone holds of the recipe', {
  present: 'all of it',
  incomplete: 'the recipe, and not all of its content',
  blocked: 'a recipe that a check of the zone refused',
});

const receivedRecipe = object({
  'name?': described('Name of the recipe; absent when names are withheld', string),
  'version?': string,
  digest,
  'documentDigest?': digest,
  state: recipeState,
  'missing?': object({ files: integer, bytes: integer }),
  'code?': described('Why it is blocked', text({ pattern: '^SVC-[A-Z]{2,8}-[0-9]{3}$' })),
});

/** What a zone states about its registry: the predicate of `urn:svc:receipt:v1`. */
export const receiptPredicate = object({
  zone: zoneText,
  sequence: whole({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  'previous?': described('Digest of the statement of the receipt before', digest),
  issuedAt: timestamp,
  evidence: choice('How the zone asked its registry', {
    head: 'by a request for each blob, without its bytes',
    deep: 'every blob was read and hashed',
  }),
  'freshness?': described(
    'The medium that was imported last',
    object({ mediaId: string, resolvedAt: timestamp }),
  ),
  'lastDelivery?': described(
    'The delivery that was imported last',
    object({ id: string, part: integer, manifest: digest }),
  ),
  destination: described(
    'The registry of the zone',
    object({
      sparse: choice('Whether it takes an index without the images of all platforms', {
        accepted: 'it has such an index',
        refused: 'it also has the images that no recipe needs',
        unknown: 'every index that it has is needed with all of its images',
      }),
      'freeBytes?': integer,
    }),
  ),
  recipes: { ...list(receivedRecipe), maxItems: receiptLimits.recipes },
});

export type Receipt = TypeOf<typeof receiptPredicate>;
export type ReceivedRecipe = Receipt['recipes'][number];

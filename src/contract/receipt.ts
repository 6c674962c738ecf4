import { custodyPoint } from './custody.ts';
import { ErrorRecord } from './error.ts';
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
  whole,
} from './schema.ts';

/**
 * Limits of a receipt, checked before it is decoded; `inventory`: bytes of its inventory, for 900 000 blobs; `file`: bytes of
 * a file with the receipts of several zones.
 */
export const receiptLimits = {
  bytes: 8 << 20,
  recipes: 10_000,
  inventory: 64 << 20,
  file: 64 << 20,
} as const;

/** End of the name of the file beside a receipt that lists the blobs of the zone. */
export const inventorySuffix = '.inventory';

/** Name of a zone in a statement. */
export const zoneText = text({ minLength: 1, maxLength: 1024 });

export const recipeState = choice('What the registry of the zone holds of the recipe', {
  present: 'all of it',
  incomplete: 'the recipe, and not all of its content',
  blocked: 'a recipe that a check of the zone refused',
});

export const receivedRecipe = object({
  'name?': described('Name of the recipe; absent when names are withheld', string),
  'version?': string,
  digest,
  'documentDigest?': digest,
  state: recipeState,
  'missing?': object({ files: integer, bytes: integer }),
  'displacedBy?': described(
    'Manifest of another version or another recipe, whose content has a tag that both name: the zone serves that one by the tag',
    digest,
  ),
  'code?': described('Why it is blocked', text({ pattern: '^SVC-[A-Z]{2,8}-[0-9]{3}$' })),
});

const evidence = choice('How the zone asked its registry', {
  head: 'by a request for each blob, without its bytes',
  deep: 'every blob was read and hashed',
});

const lastDelivery = described(
  'The newest delivery of which a disk arrived: of those with a passport, where there are any',
  object({
    id: described('Identifier of the delivery', string),
    part: integer,
    manifest: described('Digest of its `media.jsonl`', digest),
    'peer?': described('The peer of the zone whose passport vouches for the disk', string),
  }),
);

const stated = {
  zone: zoneText,
  sequence: whole({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  'previous?': described('Digest of the statement of the receipt before', digest),
  issuedAt: timestamp,
  evidence,
  'freshness?': described(
    'The imported medium with the latest date: of those with a passport, where there are any',
    object({
      mediaId: string,
      resolvedAt: timestamp,
      'vouched?': described('Whether a passport vouched for it', boolean),
    }),
  ),
  'lastDelivery?': lastDelivery,
  destination: described(
    'The registry of the zone',
    object({
      sparse: choice('Whether it takes an index without the images of all platforms', {
        accepted: 'it has such an index',
        refused: 'it refused such an index, or also has the images that no recipe needs',
        unknown: 'it has neither taken nor refused such an index yet',
      }),
      'freeBytes?': integer,
    }),
  ),
};

/** What a zone states about its registry: the predicate of `urn:svc:receipt:v1`. */
export const receiptPredicate = object({
  ...stated,
  recipes: { ...list(receivedRecipe), maxItems: receiptLimits.recipes },
  'custody?': described(
    'The end of the custody ledger of the zone, which the receipt follows',
    object({
      ...custodyPoint,
      'peers?': described('The ends of the ledgers of senders, as their deliveries name them', {
        ...list(object(custodyPoint)),
        maxItems: 16,
      }),
    }),
  ),
});

const counts = object({
  present: described('Number of recipes that are whole', integer),
  incomplete: described('Number of recipes that lack content', integer),
  blocked: described('Number of recipes that a check refused', integer),
});

/** What an evidence pack shows of a receipt: all that it states, and of whole recipes those of the pack only. */
export const receiptFacts = object({
  ...stated,
  states: described('Number of recipes by state', counts),
  recipes: described('The recipes of the pack, and those that are not whole', list(receivedRecipe)),
  'inventory?': described('Digest of the list of all blobs of the zone, which it signs', digest),
});

/** Two receipts of a zone with one number. */
export const receiptFork = object({
  sequence: described('Number that both receipts have', integer),
  known: described('Digest of the receipt that is kept', digest),
  refused: described('Digest of the receipt that was refused', digest),
  foundAt: described('When it was refused', timestamp),
});

/** A receipt of a zone that was refused for its lower number, although it is later: the zone was restored, or lost its state. */
export const receiptLower = object({
  sequence: described('Number of the refused receipt', integer),
  known: described('Digest of the receipt that is kept', digest),
  refused: described('Digest of the receipt that was refused', digest),
  foundAt: described('When it was refused', timestamp),
});
/** The member about it, of documents about a receipt. */
export const lowerMember = described(
  'A receipt with a lower number and a later date, which was refused (`SVC-RCP-002`): the kept one is no base of a delivery',
  receiptLower,
);

/** What lists show of a receipt. */
export const receiptSummary = {
  zone: zoneText,
  sequence: integer,
  issuedAt: timestamp,
  digest: described('Digest of the statement', digest),
  own: described('Whether this instance wrote it', boolean),
  verified: described('Whether the configured key of its zone verifies it; true of own ones', boolean),
  believed: described(
    'Whether it counts: it is verified, and no other receipt of its zone has its number (`fork`)',
    boolean,
  ),
  'fromTheFuture?': described('True when it is dated more than a day ahead: a clock is wrong', boolean),
  'fork?': described('Another receipt with the same number, which was refused (`SVC-RCP-003`)', receiptFork),
  'lower?': lowerMember,
  evidence,
  recipes: described('Number of recipes by state, as the receipt states them', counts),
  'lastDelivery?': lastDelivery,
};

/** Receipts of zones. */
export const ReceiptSummary = component('ReceiptSummary', object(receiptSummary));
export type ReceiptSummary = TypeOf<typeof ReceiptSummary>;

export const ReceiptList = component(
  'ReceiptList',
  object({ receipts: described('The last receipt of each zone', list(ReceiptSummary)) }),
);
export type ReceiptList = TypeOf<typeof ReceiptList>;

export const addedReceipt = {
  receipt: described('The receipt', ReceiptSummary),
  isNew: described('False when it was the last known receipt of its zone already', boolean),
  'unseen?': described(
    'Numbers of receipts between the known one and this one, which this source does not have: nothing shows that it continues the known one',
    object({ from: described('The first', integer), to: described('The last', integer) }),
  ),
  'contradictions?': described(
    'Statements about custody ledgers or the imported medium that contradict an earlier statement or the record of this source: the receipt is kept nevertheless',
    list(ErrorRecord),
  ),
};

export const AddedReceipt = component(
  'AddedReceipt',
  object({
    ...addedReceipt,
    'others?': described('The other receipts of the file, one a line in it', list(object(addedReceipt))),
  }),
);
export type AddedReceipt = TypeOf<typeof AddedReceipt>;

export type Receipt = TypeOf<typeof receiptPredicate>;
export type ReceiptFacts = TypeOf<typeof receiptFacts>;
export type ReceivedRecipe = Receipt['recipes'][number];

import type { Digest } from '../base/digest.ts';
import { ErrorRecord } from './error.ts';
import { auditOutcome } from './history.ts';
import { Rule } from './rule.ts';
import {
  anyOf,
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  mapOf,
  object,
  type Schema,
  string,
  type TypeOf,
  text,
  whole,
} from './schema.ts';

/** Limits of a line of a custody ledger: `line` in bytes with its line feed, texts in characters. `carried` and
 * `checkpoint`: bytes of the two files on a medium. `known`: listed statements about a ledger. */
export const custodyLimits = {
  carried: 1 << 20,
  checkpoint: 64 << 10,
  line: 64 << 10,
  site: 63,
  actor: 512,
  name: 1024,
  text: 4096,
  note: 1000,
  reason: 500,
  subjects: 1000,
  known: 100,
} as const;

export const custodyType = choice('Kind of the event', {
  fetched: 'content was brought in from a registry',
  written: 'the media of a delivery were written',
  proved: 'a medium was proved by the import of an empty zone',
  'handed-over': 'somebody took the medium, as a note says',
  received: 'a medium arrived',
  verified: 'a medium was verified',
  imported: 'a medium was imported into the registry of the zone',
  waived: 'a guard of a medium was waived',
  approved: 'somebody approved a recipe',
  'receipt-issued': 'a receipt of this zone was signed',
  'receipt-accepted': 'a receipt of another zone was added',
  pruned: 'content that no recipe needs any more was removed',
  'roots-changed': 'the trust roots are others',
  'store-repaired': 'records of the store were repaired',
  reset: 'the store was emptied',
  resumed: 'the ledger goes on after work without it',
});
export type CustodyType = TypeOf<typeof custodyType>;

/** The kinds of the events as actions of the history. */
export const custodyActions = custodyType.enum.map((type) => `custody.${type}` as const);

const step = choice('Place of the line in its operation', {
  intent: 'an operation is about to begin',
  outcome: 'the operation of the line `of` ended with `result`',
  event: 'a single event',
});

const sha256 = text({ pattern: '^sha256:[0-9a-f]{64}$' }) as Schema<Digest>;
const sequence = whole({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Milliseconds, UTC: the form in which a line has its time. */
const stamp = text({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` });

const value = anyOf(
  text({ maxLength: custodyLimits.text }),
  whole({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  boolean,
  { ...list(text({ maxLength: custodyLimits.text })), maxItems: custodyLimits.subjects },
);

/** The end of a ledger at some time. */
export const custodyPoint = {
  site: described('The site that keeps the ledger', text({ minLength: 1, maxLength: custodyLimits.site })),
  seq: described('Number of the line', sequence),
  head: described('SHA-256 of that line, with its line feed', sha256),
};

/** The end of a ledger, as its site signs it: the predicate of `urn:svc:checkpoint:v1`, whose subject is the last line. */
export const checkpointPredicate = object({ site: custodyPoint.site, seq: custodyPoint.seq });

/** Whether somebody approves a recipe: the predicate of `urn:svc:approval:v1`, about the document of the recipe. */
export const approvalPredicate = object({
  site: described(
    'The site whose ledger has the approval',
    text({ minLength: 1, maxLength: custodyLimits.site }),
  ),
  actor: text({ maxLength: custodyLimits.actor }),
  approvedAt: stamp,
  recipe: described('The recipe', object({ name: string, version: string, digest })),
});
export type Approval = TypeOf<typeof approvalPredicate>;

/** One line of a custody ledger. */
export const CustodyLine = component(
  'CustodyLine',
  object({
    seq: described('Number of the line, from 1', sequence),
    prev: described(
      'SHA-256 of the line before, with its line feed; of the first line, that of no bytes',
      sha256,
    ),
    ts: described('When it was written', stamp),
    site: described('The site that keeps the ledger', text({ minLength: 1, maxLength: custodyLimits.site })),
    type: custodyType,
    step,
    'of?': described('Number of the line with the intent', sequence),
    'result?': auditOutcome,
    actor: text({ maxLength: custodyLimits.actor }),
    subjects: described('Files and recipes that the line is about', {
      ...list(object({ name: text({ maxLength: custodyLimits.name }), digest })),
      maxItems: custodyLimits.subjects,
    }),
    details: described('Further facts by name', {
      ...mapOf(value),
      // numbers as names would change their order
      propertyNames: text({ pattern: '^[a-zA-Z]{1,40}$' }),
    }),
    'torn?': described(
      'A line before this one was not finished: its bytes were removed',
      object({ bytes: described('Number of its bytes', whole({ minimum: 1 })), digest: sha256 }),
    ),
    sum: described('SHA-256 of the bytes of the line before this member', sha256),
  }),
);
export type CustodyLine = TypeOf<typeof CustodyLine>;

export const CustodyPage = component(
  'CustodyPage',
  object({
    lines: described('The lines, newest first', list(CustodyLine)),
    'next?': described('Cursor of the older lines; absent when there are none', string),
    'broken?': described(
      'Number of lines of this part that are none; absent without any. `svc custody verify` names the first',
      integer,
    ),
  }),
);
export type CustodyPage = TypeOf<typeof CustodyPage>;

export const custodyHead = object(custodyPoint);
export type CustodyPoint = TypeOf<typeof custodyHead>;

const checked = {
  files: described('Its files, oldest first', list(string)),
  lines: described('Number of lines that follow each other', integer),
  'last?': described('The last of them', custodyHead),
  'unfinished?': described('Bytes of a last line that its writer did not finish, as after a kill', integer),
  known: described(
    'Earlier ends of this ledger, as other statements name them. At most 100, the latest',
    list(
      object({
        ...custodyPoint,
        from: described('The statement', string),
        'fromRule?': described('The same in both languages', Rule),
      }),
    ),
  ),
  'error?': described('The first line that is broken, or the end that was cut', ErrorRecord),
};

/** Outcome of `svc custody verify`. */
export const custodyCheck = object({
  ...checked,
  open: described(
    'Operations without an outcome: they run, or were killed. At most 1000, the latest',
    list(CustodyLine),
  ),
  'contradictions?': described(
    'Statements that contradict each other: the first two about each ledger',
    list(ErrorRecord),
  ),
  'peer?': described('The ledger of another site', object(checked)),
});
export type CustodyCheck = TypeOf<typeof custodyCheck>;

/** Outcome of `svc custody note`: the line. */
export const custodyNote = object({ seq: custodyPoint.seq, head: custodyPoint.head });

/** Outcome of `svc custody approve`. */
export const custodyApproval = object({
  recipe: described('`<name>@<version>`', string),
  digest,
  statement: described('Path of the signed statement', string),
  keyFingerprint: described('SHA-256 of the public key, in hexadecimal digits', string),
});

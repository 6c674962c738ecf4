import { strings } from './common.ts';
import { custodyHead, custodyType } from './custody.ts';
import { auditOutcome } from './history.ts';
import { receiptFacts } from './receipt.ts';
import {
  boolean,
  choice,
  constant,
  described,
  digest,
  integer,
  list,
  mapOf,
  object,
  oneOf,
  string,
  type TypeOf,
  text,
} from './schema.ts';

/**
 * Limits of an evidence pack: `lines` on its page, their bytes as `lineBytes`, bytes of `evidence.json` or of the
 * page as `document`, its `files`, and the `bytes` of all of them.
 */
export const evidenceLimits = {
  lines: 20_000,
  lineBytes: 16 << 20,
  document: 64 << 20,
  files: 50_000,
  bytes: 2 ** 31,
} as const;

/** The language of the page of a pack. */
export const evidenceLanguages = choice('Language of the page', { en: 'English', fr: 'French' });

/** The subject of an evidence pack. */
export const evidenceScope = object({
  kind: choice('What the lines of the pack are selected by', {
    delivery: 'a delivery: its media, recipes and receipts',
    recipe: 'a recipe, of one version or of all',
    since: 'the time from which on they were written',
  }),
  value: string,
});
export type EvidenceScope = TypeOf<typeof evidenceScope>;

/** A line of a custody ledger, as the page of a pack shows it. */
const evidenceLine = object({
  site: string,
  seq: integer,
  ts: string,
  type: custodyType,
  step: string,
  'of?': integer,
  'result?': auditOutcome,
  actor: string,
  subjects: list(object({ name: string, digest })),
  details: described('Further facts by name', mapOf({})),
  'open?': described('Whether it is an intent whose outcome the ledger does not have', boolean),
});
export type EvidenceLine = TypeOf<typeof evidenceLine>;

/** Signed statements that lines name, and that a pack does not have. */
export const absentStatements = list(
  object({
    site: string,
    seq: described('Number of the line', integer),
    kind: oneOf('receipt', 'checkpoint', 'passport', 'approval'),
    digest: described(
      'As the line has it: of the statement, of the bundle of an approval, of the line of a checkpoint',
      digest,
    ),
  }),
);

/** A disk that names a delivery, as it says, and the codes about it. */
export const claimedMedium = {
  part: integer,
  parts: integer,
  manifest: described('Digest of its `media.jsonl`', digest),
  'refused?': described('Code for which the whole disk was refused', string),
  'reported?': described('Codes of the findings about it beside the delivery', strings),
};

/** The version of a release, also of one before it. */
const versionText = text({ pattern: '^[0-9]+[.][0-9]+[.][0-9]+(?:[-+][0-9A-Za-z.+-]{1,64})?$' });

/** The document of an evidence pack: everything that its page shows. */
export const Evidence = object({
  formatVersion: constant('1.0'),
  version: described('The version of svc that made the pack', versionText),
  scope: evidenceScope,
  site: described('The site that made the pack', string),
  actors: choice('Who acted', { named: 'as in the ledgers', withheld: 'numbers in place of names' }),
  ledgers: described('Ledgers, that of the site first', {
    ...list(
      object({
        site: string,
        count: described('Number of its lines', integer),
        first: described('The digest that its first line names', digest),
        head: described('SHA-256 of its last line', digest),
        files: described('Its files in the pack, in order; none where actors are withheld', strings),
        lines: described('Its lines about the scope, in their order', list(evidenceLine)),
        'checkpoint?': described(
          'Path of the signature of the checkpoint that names the bytes of the file: a part of the ledger of another site, without its other lines',
          string,
        ),
      }),
    ),
    minItems: 1,
  }),
  deliveries: list(
    object({
      id: string,
      'peer?': described(
        'The peer whose passports vouch for its media: of several peers with one identifier, each has a delivery of its own',
        string,
      ),
      zone: string,
      parts: integer,
      media: described(
        'The parts that were written or imported, with the digest of `media.jsonl`, and the marked disks beside them',
        list(
          object({
            part: integer,
            manifest: digest,
            'refused?': described('Code for which the whole disk was refused; it was never imported', string),
            'verified?': described('It was only verified', constant(true)),
          }),
        ),
      ),
      'claimed?': described(
        'Disks that name the delivery, and for which no passport vouches, where one vouches for another medium of it',
        list(object(claimedMedium)),
      ),
    }),
  ),
  recipes: list(
    object({
      name: string,
      version: string,
      digest: described('Digest of its manifest', digest),
      'sites?': described(
        'Other sites whose lines name it; absent for a recipe that the ledger of this site names',
        strings,
      ),
      'refused?': described(
        'Code for which the last line about its verification says that it was refused; absent where an import brought it',
        string,
      ),
      'claimed?': described('Only disks among `claimed` of a delivery name it', constant(true)),
      'folder?': described('Its folder in the pack', string),
      'documentDigest?': digest,
      'missing?': described('Code of the error for which the pack does not have it', string),
    }),
  ),
  signatures: described(
    'Signed bytes in the pack: `<path>.signed`, with the signature in base64 in `<path>.sig`',
    list(
      object({
        path: string,
        kind: choice('What was signed', {
          recipe: 'a recipe',
          receipt: 'a receipt of a zone',
          checkpoint: 'the head of a custody ledger',
          passport: 'the medium of a delivery',
          approval: 'an approval of a recipe',
        }),
        about: described('What it is about, such as names of recipes', strings),
        subjects: described('Digests in the signed bytes', list(digest)),
        'statedAt?': described('When a receipt, an approval or a passport was signed, as it says', string),
        'receipt?': described('What a receipt states', receiptFacts),
        'points?': described('Lines of ledgers that the signed bytes name', list(custodyHead)),
        'bundle?': described('The Sigstore bundle in the pack, for cosign', string),
        'predicateType?': described('Predicate type of the statement in that bundle', string),
        'key?': described('The key of the pack that verifies it; absent: none does', string),
        'algorithm?': described('How that key signed', oneOf('sha256', 'sha384', 'sha512', 'ed25519')),
      }),
    ),
  ),
  keys: list(object({ path: string, name: string, fingerprint: string })),
  absent: described(
    'Signed statements that lines of this site name, and that the pack does not have',
    absentStatements,
  ),
});
export type Evidence = TypeOf<typeof Evidence>;

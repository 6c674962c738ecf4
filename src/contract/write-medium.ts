import { strings } from './common.ts';
import { ErrorRecord } from './error.ts';
import { volumeCheck } from './plan.ts';
import { findings } from './proof.ts';
import { lowerMember, receiptFork, recipeState } from './receipt.ts';
import {
  boolean,
  choice,
  described,
  digest,
  integer,
  list,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

const writeBytes = described('Bytes that the delivery brings', integer);
const absentBytes = described('Bytes that the zone has', integer);
const base = { zone: string, receipt: digest, sequence: integer };

/** A delivery as it is planned, and as it was written. */
export const MediumWriting = object({
  delivery: described(
    'The delivery',
    object({
      id: described('The same for the same content on the same disks', string),
      zone: string,
      parts: integer,
      'base?': object({
        ...base,
        from: choice('The content that the zone is assumed to have', {
          receipt: 'the content that its receipt states',
          sent: 'the content of earlier deliveries',
        }),
        'issuedAt?': described('Date of the receipt', timestamp),
        'freeBytes?': described('Free bytes of the registry of the zone at that date', integer),
        'fork?': described(
          'Another receipt with the same number, which was refused (`SVC-RCP-003`)',
          receiptFork,
        ),
        'lower?': lowerMember,
      }),
    }),
  ),
  recipes: described(
    'The recipes with their bytes; content of several counts for each',
    list(
      object({
        name: string,
        version: string,
        digest,
        totalBytes: integer,
        writeBytes,
        absentBytes,
        'inZone?': recipeState,
        'code?': described('Why the zone has blocked it', string),
        'refusal?': described(
          'Why the registry of the zone would refuse it: by its receipt it refused such content before',
          ErrorRecord,
        ),
      }),
    ),
  ),
  'blocked?': described(
    'Recipes that are not written, because the store has lost content of them; absent without any',
    list(
      object({
        name: string,
        version: string,
        digest,
        missing: described('The lost files; content behind a lost manifest is not known', list(digest)),
        error: ErrorRecord,
      }),
    ),
  ),
  'lacking?': described(
    'Recipes that the Retriever of the zone wants and the zone lacks, and that no disk has: this store does not have them, or their version is not known. Absent without any',
    list(
      object({
        name: string,
        requested: described('Version or constraint of the Retriever', string),
        'version?': string,
        error: ErrorRecord,
      }),
    ),
  ),
  'refused?': described(
    'Recipes that the Retriever of the zone wants, and that are left out: the zone refused them, and would refuse them again. Absent without any',
    list(
      object({
        name: string,
        version: string,
        'code?': described('Why the zone refused it', string),
      }),
    ),
  ),
  totals: described(
    'Bytes of content, each file counted once, although every disk has all documents',
    object({ totalBytes: integer, writeBytes, absentBytes }),
  ),
  volumes: described(
    'The disks, in the order of their parts',
    list(
      object({
        part: integer,
        path: string,
        state: choice('State of the disk', {
          planned: 'nothing was written yet',
          written: 'it was written',
          unchanged: 'it was complete before',
        }),
        bytes: described('Bytes of its files; an upper limit while it is planned', integer),
        'volumeBytes?': described('Bytes of the disk that it is made for, where sizes were given', integer),
        'files?': integer,
        recipes: described('Recipes whose blobs it has all', strings),
        'shares?': described('Recipes of whose blobs it has some; absent without any', strings),
        segments: described('Files that are ranges of larger blobs', integer),
        'mediaId?': string,
        'manifest?': described('Digest of `media.jsonl`', digest),
        'passport?': described('Whether it got a passport', boolean),
        'damaged?': described(
          'The first files of a complete part that its disk had lost or changed, and that were written again: the disk may be failing. Absent without any',
          strings,
        ),
      }),
    ),
  ),
  'program?': described(
    'The release of svc that each disk has',
    object({ version: string, files: integer, bytes: integer }),
  ),
  checks: list(volumeCheck),
  unknownRoots: described(
    'Recipes of the zone whose content the sender does not know: it is carried again',
    list(digest),
  ),
  'proof?': described(
    'The proof of the written media: each is verified, and all are imported into a registry in memory',
    object({
      ok: described(
        'Whether every recipe of the disks would land in the zone; a warning names content that its registry may refuse',
        boolean,
      ),
      'readBack?': described(
        '`false`: large files were hashed while they were written, and not read back from their disk',
        boolean,
      ),
      findings,
    }),
  ),
});
export type MediumWriting = TypeOf<typeof MediumWriting>;

/** A delivery as the sender remembers it. */
export const SentDelivery = object({
  id: string,
  zone: string,
  sequence: integer,
  startedAt: timestamp,
  'base?': object(base),
  recipes: list(digest),
  // whether the store had more recipes: such a delivery says nothing about those
  'selected?': boolean,
  // the folders that were given, with the bytes that each had and the mount point of its disk: an interrupted delivery is
  // planned alike again, and not written in the absence of a disk
  'room?': object({ folders: strings, bytes: list(integer), 'mounts?': strings }),
  parts: integer,
  // content that the delivery brings, in bytes; absent in records of earlier versions
  'bytes?': integer,
  // content that the store lost while it was written: it cannot be completed, and its unfinished disks are written over
  'lost?': list(digest),
  // digests of media.jsonl by part, as far as they are written, with the recipes that have content on the part; these are
  // absent in records of earlier versions
  written: list(
    object({
      part: integer,
      manifest: digest,
      'unproved?': boolean,
      // when a later proof succeeded, of a part that was not proved at the end of its writing: it has no passport
      'provedSince?': timestamp,
      'recipes?': list(digest),
    }),
  ),
});
export type SentDelivery = TypeOf<typeof SentDelivery>;

/** Whether every part of a delivery was written. */
export const isWritten = ({ parts, written }: SentDelivery): boolean => written.length === parts;

/** Whether a delivery can be on its way: every part was written, and was proved. */
export const isSent = (delivery: SentDelivery): boolean =>
  isWritten(delivery) && delivery.written.every(({ unproved }) => unproved !== true);

import { boolean, digest, integer, list, object, oneOf, type Schema, string, timestamp } from '../schema.ts';
import { code, params, strings } from './common.ts';

/** A tag whose record was lost, and the evidence for it. */
const recoveredTag = object({
  repository: string,
  tag: string,
  digest,
  from: oneOf('recipes', 'index', 'manifests'),
});

/** Tags and recipes that need some content. */
export const affected = list(object({ repository: string, 'tag?': string, recipes: strings }));
/** Reports about the store. */
export const storeSchemas = {
  StoreCheckReport: object({
    verdict: oneOf('clean', 'damaged'),
    root: string,
    mediaId: string,
    standing: oneOf('ours', 'foreign'),
    'reason?': oneOf('unkeyed', 'keyed', 'other-key', 'not-remembered', 'altered', 'older'),
    notices: strings,
    steps: list(
      object({
        name: oneOf('format', 'ledgers', 'folders', 'blobs', 'manifests', 'reachability', 'rest'),
        checked: integer,
        bytes: integer,
        milliseconds: integer,
        problems: integer,
      }),
    ),
    findings: list(
      object({
        code,
        path: string,
        params,
        'digest?': digest,
        affects: affected,
        'affectsMore?': integer,
        'quarantined?': string,
      }),
    ),
    omitted: integer,
    quarantine: object({ files: integer, bytes: integer, added: integer }),
    checked: object({ files: integer, bytes: integer }),
    'repair?': object({
      lost: list(object({ path: string, offset: integer, bytes: integer })),
      tags: list(recoveredTag),
      'tagsMore?': integer,
      gone: list(recoveredTag),
      'goneMore?': integer,
      manifests: integer,
      blobs: integer,
      held: boolean,
    }),
    'adopted?': object({ tags: integer, blobs: integer, held: boolean }),
    startedAt: timestamp,
    finishedAt: timestamp,
  }),
  ResetResult: object({ repositories: integer, bytes: integer }),
} satisfies Record<string, Schema>;

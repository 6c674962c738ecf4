import { strings } from './common.ts';
import { code, params } from './error.ts';
import { Rule, rules } from './rule.ts';
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

/** A tag whose record was lost, and the evidence for it. */
const recoveredTag = object({
  repository: string,
  tag: string,
  digest,
  from: choice('Evidence for the tag', {
    recipes: 'a recipe names it',
    index: 'the index of content names it',
    manifests: 'a manifest names it',
  }),
});

/** Tags and recipes that need some content. */
export const affected = list(
  object({ repository: string, 'tag?': string, recipes: described('Recipes that need it', strings) }),
);
/** Reports about the store. */
export const StoreCheckReport = component(
  'StoreCheckReport',
  object({
    verdict: choice('Verdict about the store', {
      clean: 'nothing is damaged',
      damaged: 'something is damaged',
    }),
    root: string,
    mediaId: string,
    standing: choice('Who wrote the store', {
      ours: 'this instance',
      foreign: 'another one',
    }),
    'reason?': choice('Why the store is foreign', {
      unkeyed: 'it has no key',
      keyed: 'it has a key and this instance has none',
      'other-key': 'it has the key of another instance',
      'not-remembered': 'this instance does not know it',
      altered: 'its ledgers differ from those that this instance wrote',
      older: 'it is an older state of the ledgers that this instance wrote',
    }),
    notices: described('Remarks', strings),
    'noticeRules?': list(Rule),
    steps: list(
      object({
        name: choice('What was checked', {
          format: 'the format marker',
          ledgers: 'the ledgers',
          folders: 'the folders',
          blobs: 'the blobs',
          manifests: 'the manifests',
          reachability: 'whether everything needed is there',
          rest: 'the other files',
        }),

        checked: described('How many were checked', integer),
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
        'rules?': rules,
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
      tags: described('Tags that were restored', list(recoveredTag)),
      'tagsMore?': integer,
      gone: list(recoveredTag),
      'goneMore?': integer,
      manifests: integer,
      blobs: integer,
      held: boolean,
    }),
    'adopted?': object({ tags: described('Number of tags', integer), blobs: integer, held: boolean }),
    startedAt: timestamp,
    finishedAt: timestamp,
  }),
);
export type StoreCheckReport = TypeOf<typeof StoreCheckReport>;
export type CheckFinding = StoreCheckReport['findings'][number];

export const ResetPreview = component(
  'ResetPreview',
  object({
    mediaId: string,
    repositories: described('Number of repositories', integer),
    tags: described('Number of tags', integer),
    bytes: integer,
    fingerprint: digest,
  }),
);
export type ResetPreview = TypeOf<typeof ResetPreview>;

export const ResetResult = component(
  'ResetResult',
  object({ repositories: described('Number of repositories', integer), bytes: integer }),
);
export type ResetResult = TypeOf<typeof ResetResult>;
export type AffectedContent = TypeOf<typeof affected>[number];
export type RecoveredTag = TypeOf<typeof recoveredTag>;

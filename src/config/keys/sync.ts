import { storeScopes } from '../scope.ts';
import { checkBareHost, checkRepositoryPath, checkRetrieverSource } from '../value-rules.ts';
import { boolean, duration, integer, size, text, url } from '../value-type.ts';
import { atLeast, type KeyDraft, moving, notNegative, positive, serve } from './key-draft.ts';

/** What it brings, whence and whither. */
export const syncKeys: readonly KeyDraft[] = [
  {
    key: 'retriever.source',
    type: url('path, https URL or oci:// reference'),
    flag: '--retriever',
    doc: 'The Retriever that drives this zone: an absolute path, `https://<host>/<path>` or `oci://<registry>/<repository>:<tag>`.',
    rule: checkRetrieverSource,
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'destination.registry',
    type: text('host'),
    defaultLabel: 'none (promotes nothing)',
    doc: 'Registry that receives promoted content: a bare `host[:port]`. Its scheme follows `registries.insecure`.',
    rule: checkBareHost,
    scopes: moving,
  },
  {
    key: 'destination.basePath',
    type: text('repository path'),
    doc: 'Path below which ingredients land; refused without a destination.',
    rule: checkRepositoryPath,
    scopes: moving,
  },
  {
    key: 'destination.cookbook',
    type: text('repository path'),
    default: 'cookbook',
    doc: 'Where recipes are published again with their signatures.',
    rule: checkRepositoryPath,
    scopes: moving,
  },
  {
    key: 'sync.parallelism',
    type: integer,
    default: 3,
    doc: 'Concurrent ingredient transfers.',
    rule: (value: number) => atLeast(1, '1')(value) ?? (value > 256 ? 'must be at most 256' : undefined),
    scopes: moving,
  },
  {
    key: 'sync.retries',
    type: integer,
    default: 3,
    doc: 'Further attempts per ingredient on transient failure, with growing pauses.',
    rule: (value: number) => notNegative(value) ?? (value > 100 ? 'must be at most 100' : undefined),
    scopes: moving,
  },
  {
    key: 'sync.interval',
    type: duration,
    default: 15 * 6e4,
    doc: 'Pause between cycles; passthrough only. `0` parks the loop, reported at start. An override set at run time wins.',
    rule: notNegative,
    scopes: serve,
  },
  {
    key: 'sync.prune',
    type: boolean,
    default: false,
    doc: 'Removes what no recipe reaches at the end of each cycle; passthrough only, refused in mirror.',
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'import.inspectTimeout',
    type: duration,
    default: 20e3,
    doc: 'Bound of one remote inspection before a unit import.',
    rule: positive,
    scopes: serve,
  },
  {
    key: 'transfer.resumeThreshold',
    type: size,
    default: 64 * 2 ** 20,
    doc: 'Blobs from this size download resumably, by way of the state folder. `0` turns that off.',
    scopes: moving,
  },
  {
    key: 'preflight.safetyMarginPercent',
    type: integer,
    default: 10,
    doc: 'Share of the free space held back, 0 to 99; `0` restores the default.',
    rule: (value: number) => (value < 0 || value > 99 ? 'must be between 0 and 99' : undefined),
    scopes: storeScopes,
  },
  {
    key: 'preflight.disabled',
    type: boolean,
    default: false,
    doc: 'Turns the pre-flight gate into a report; said at start and at each refusal it lets through.',
    scopes: storeScopes,
  },
  {
    key: 'tasks.keepFinished',
    type: integer,
    default: 500,
    doc: 'Finished tasks kept with their logs, newest first; `0` keeps all.',
    rule: notNegative,
    scopes: serve,
  },
];

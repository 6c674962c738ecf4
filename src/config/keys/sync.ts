import { checkTimeZone, checkWindow, checkWindowList } from '../../base/link/windows.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { storeScopes } from '../scope.ts';
import { checkBareHost, checkRepositoryPath, checkRetrieverSource } from '../value-rules.ts';
import { boolean, duration, integer, listOf, size, text, url } from '../value-type.ts';
import { atLeast, atMost, type KeyDraft, moving, notNegative, positive, serve } from './key-draft.ts';

/** Sources and destination of a sync. */
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
    doc: 'Path below which ingredients are pushed; requires a destination.',
    rule: checkRepositoryPath,
    scopes: moving,
  },
  {
    key: 'destination.cookbook',
    type: text('repository path'),
    default: 'cookbook',
    doc: 'Repository path at the destination for recipes and their signatures.',
    rule: checkRepositoryPath,
    scopes: moving,
  },
  {
    key: 'sync.parallelism',
    type: integer,
    default: 3,
    doc: 'Concurrent ingredient transfers.',
    rule: (value: number) => atLeast(1, '1')(value) ?? atMost(256)(value),
    scopes: moving,
  },
  {
    key: 'sync.retries',
    type: integer,
    default: 3,
    doc: 'Retries per ingredient after a transient failure, with increasing delays.',
    rule: (value: number) => notNegative(value) ?? atMost(100)(value),
    scopes: moving,
  },
  {
    key: 'sync.interval',
    type: duration,
    default: 15 * 6e4,
    doc: 'Pause between cycles; passthrough only. `0` disables the loop, which is logged at start. An override set at run time takes precedence.',
    rule: notNegative,
    scopes: serve,
  },
  {
    key: 'sync.windows',
    type: listOf(text(), 'list of windows'),
    defaultLabel: 'none (always)',
    fileOnly: true,
    itemRule: checkWindow,
    rule: checkWindowList,
    doc: 'Daily windows `HH:MM-HH:MM` in which tasks transfer content from and to other hosts, such as `22:00-06:00`; a window may last over midnight. Outside them tasks wait, and transfers pause. An override set at run time takes precedence.',
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'sync.timeZone',
    type: text('time zone'),
    default: 'UTC',
    doc: 'Time zone of the windows, by its name in the IANA database, such as `Europe/Paris`.',
    rule: checkTimeZone,
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'sync.prune',
    type: boolean,
    default: false,
    doc: 'Removes tags that no recipe needs at the end of each cycle; passthrough only, refused in mirror mode.',
    scopes: ['serve', 'sync-plan', 'dump'],
  },
  {
    key: 'import.inspectTimeout',
    type: duration,
    default: 20e3,
    doc: 'Timeout of one remote inspection before a unit import.',
    rule: positive,
    scopes: serve,
  },
  {
    key: 'transfer.resumeThreshold',
    type: size,
    default: 64 * 2 ** 20,
    doc: 'Minimum size of a blob whose download can be resumed; such downloads are kept below the state folder. `0` disables resumption.',
    scopes: moving,
  },
  {
    key: 'preflight.safetyMarginPercent',
    type: integer,
    default: 10,
    doc: 'Percentage of the free space kept as a margin, 0 to 99; `0` means the default.',
    rule: (value: number) =>
      value < 0 || value > 99
        ? rule(['must be between 0 and 99', fr`doit être compris entre 0 et 99`])
        : undefined,
    scopes: storeScopes,
  },
  {
    key: 'preflight.disabled',
    type: boolean,
    default: false,
    doc: 'Makes the pre-flight check advisory; logged at start and at each refusal that is ignored.',
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

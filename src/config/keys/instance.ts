import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { storeScopes } from '../scope.ts';
import { checkRepositoryPath } from '../value-rules.ts';
import { boolean, oneOf, path, size, text } from '../value-type.ts';
import { type KeyDraft, positive, serve } from './key-draft.ts';

/** The rule that the name of a zone breaks. */
export const breaksZoneName = (value: string): Rule | undefined =>
  value.length <= 63 && /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/.test(value)
    ? undefined
    : rule([
        'must be the name of a Retriever: lower-case letters and digits joined by ., _, __ or -, at most 63 characters',
        fr`doit être le nom d’un Retriever, en lettres minuscules et chiffres reliés par ., _, __ ou -, au plus 63 caractères`,
      ]);

/** Mode, zone and folders of the instance. */
export const instanceKeys: readonly KeyDraft[] = [
  {
    key: 'mode',
    type: oneOf(['passthrough', 'mirror']),
    flag: '--mode',
    doc: 'Required to serve. `passthrough` reconciles on an interval and promotes into a destination; `mirror` fills a store on request.',
  },
  {
    key: 'zone',
    type: text(),
    flag: '--zone',
    doc: 'Identity of this zone: the name of the Retriever that serves it. Required by `media verify` and `media import`.',
    rule: breaksZoneName,
    scopes: storeScopes,
  },
  {
    key: 'storage.root',
    type: path,
    flag: '--storage-root',
    doc: 'Folder of the self-contained store. Required to serve; created if missing; probed for writability.',
  },
  {
    key: 'storage.create',
    type: boolean,
    defaultLabel: 'true',
    doc: 'Whether a missing store is created. `false` for a disk that is carried: a folder without a store is then a disk that is not there (`SVC-STO-020`; the check and the import of a medium name it `SVC-MED-001`).',
    scopes: storeScopes,
  },
  {
    key: 'storage.basePrefix',
    type: text('repository path'),
    doc: 'Relocation base prefix of every ingredient in the local store.',
    rule: checkRepositoryPath,
    scopes: storeScopes,
  },
  {
    key: 'storage.occupancyThreshold',
    type: size,
    defaultLabel: 'none (unmonitored)',
    doc: 'Store size above which warnings are shown. Nothing is refused.',
    rule: positive,
    scopes: serve,
  },
  {
    key: 'state.root',
    type: path,
    flag: '--state-root',
    doc: 'Accounts, tokens, cached trust roots, partial downloads, freshness records. Required unless authentication is disabled. Must not be inside the store or contain it.',
  },
];

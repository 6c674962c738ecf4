import { boolean, text } from '../value-type.ts';
import { breaksZoneName } from './instance.ts';
import type { KeyDraft } from './key-draft.ts';

/** The ledger of deliveries. */
export const custodyKeys: readonly KeyDraft[] = [
  {
    key: 'custody.enabled',
    type: boolean,
    default: false,
    doc: 'Keeps a custody ledger below the state folder: a durable record of each fetch, delivery, receipt, verification, import and approval with its account. An operation whose line cannot be written does not begin. Requires `state.root`, and `zone` or `custody.site`.',
  },
  {
    key: 'custody.site',
    type: text(),
    doc: 'Name of the site in the lines of its ledger. Default: `zone` of the configuration, also where a flag names another zone.',
    rule: breaksZoneName,
  },
];

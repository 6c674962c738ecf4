import { fr } from '../../text/language.ts';
import { CustodyPage, custodyType } from '../custody.ts';
import { field, operation } from '../operation.ts';
import { text } from '../schema.ts';
import { paging } from './paging.ts';

export const listCustody = operation({
  id: 'listCustody',
  method: 'GET',
  path: '/custody',
  floor: 'admin',
  errors: ['SVC-CFG-001', 'SVC-STO-001', 'SVC-STO-014'],
  summary: 'Lines of the custody ledger, newest first',
  query: {
    type: field(
      custodyType,
      ['only lines of this kind', fr`seulement les lignes de cette sorte`],
      'handed-over',
    ),
    cursor: field(
      text({ pattern: '^[0-9]{4}-[0-9]{1,15}$' }),
      ['`next` of the page before', fr`« next » de la page précédente`],
      '2026-4096',
    ),
    pageSize: paging(50).pageSize,
  },
  answer: { status: 200, description: 'One page of lines', schema: CustodyPage },
});

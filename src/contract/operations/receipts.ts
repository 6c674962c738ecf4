import { operation } from '../operation.ts';
import { AddedReceipt, ReceiptList, receiptLimits } from '../receipt.ts';
import { boolean, described, object, text } from '../schema.ts';
import { writing } from './error-codes.ts';
import { sorting } from './sorting.ts';

export const listReceipts = operation({
  id: 'listReceipts',
  method: 'GET',
  path: '/receipts',
  floor: 'operator',
  errors: ['SVC-CFG-001', 'SVC-STO-001', 'SVC-STO-014'],
  summary: 'The last receipt of each zone',
  query: sorting(
    ['zone', 'sequence', 'issued', 'evidence', 'recipes'],
    '`recipes`: the number of recipes that are incomplete or blocked',
  ),
  answer: { status: 200, description: 'The receipts, by zone unless told', schema: ReceiptList },
});

export const addReceipt = operation({
  id: 'addReceipt',
  method: 'POST',
  path: '/receipts',
  floor: 'operator',
  errors: [
    ...writing,
    'SVC-AUTH-003',
    'SVC-CFG-001',
    'SVC-CUS-001',
    'SVC-RCP-001',
    'SVC-RCP-002',
    'SVC-RCP-003',
    'SVC-RCP-005',
    'SVC-STO-001',
    'SVC-STO-007',
    'SVC-STO-014',
  ],
  summary: 'Verifies a receipt of a zone, and keeps it',
  body: {
    schema: object({
      receipt: described(
        'Content of the file that `svc receipt write` made, as text; with the receipts of several zones, one a line',
        text({ minLength: 1, maxLength: receiptLimits.bytes }),
      ),
      'allowOlder?': described(
        'Accepts a lower number than the known one, or an earlier count; administrators only',
        boolean,
      ),
    }),
    // the quotes of the file are escaped in the body
    limit: receiptLimits.bytes + (64 << 10),
    required: true,
    examples: {
      receipt: { summary: 'Adds a receipt', value: { receipt: '{"mediaType":"…","dsseEnvelope":{}}' } },
    },
  },
  answer: { status: 200, description: 'The receipt', schema: AddedReceipt },
});

import { evidenceLanguages } from '../evidence.ts';
import { operation } from '../operation.ts';
import { dayOrTime, deliveryId } from '../patterns.ts';
import { choice, described, object, refusedAs, string, text } from '../schema.ts';
import { reading, writing } from './error-codes.ts';

const packed = object({
  'delivery?': described('Identifier of a delivery', deliveryId),
  'recipe?': described(
    'Name of a recipe, of all versions or with `@` and a version',
    refusedAs('SVC-REG-001', text({ minLength: 1, maxLength: 256 })),
  ),
  'since?': described('First day, or first time in UTC', dayOrTime),
  'redact?': choice('What is left out', {
    actors:
      'names and addresses of accounts, with numbers in their place, notes, and paths; the ledger is left out too',
  }),
  'language?': { ...evidenceLanguages, default: 'en' },
});

export const packEvidence = operation({
  id: 'packEvidence',
  method: 'POST',
  path: '/evidence',
  floor: 'admin',
  errors: [
    ...reading,
    ...writing,
    'SVC-CFG-001',
    'SVC-CUS-001',
    'SVC-CUS-002',
    'SVC-CUS-004',
    'SVC-REG-001',
    'SVC-STO-014',
  ],
  summary: 'Packs evidence of a delivery, a recipe or a time for auditors, as an archive',
  body: {
    schema: packed,
    required: true,
    examples: {
      delivery: { summary: 'Everything about a delivery', value: { delivery: 'dlv_48d77967b98f' } },
      recipe: {
        summary: 'A recipe, without the names of accounts, with a page in French',
        value: { recipe: 'shop@1.4.0', redact: 'actors', language: 'fr' },
      },
    },
  },
  answer: {
    status: 200,
    description: 'The folder that `svc evidence pack` writes, as a tar archive',
    schema: string,
    contentTypes: ['application/x-tar'],
  },
});

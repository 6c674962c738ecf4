import { fr } from '../../text/language.ts';
import { paging as pages } from '../common.ts';
import { deliveryStates, KnownDelivery } from '../delivery.ts';
import { field, operation } from '../operation.ts';
import { described, list, object, oneOf, text } from '../schema.ts';
import { paging } from './paging.ts';
import { sorting } from './sorting.ts';

const failures = ['SVC-CFG-001', 'SVC-STO-001', 'SVC-STO-014'] as const;

export const listKnownDeliveries = operation({
  id: 'listKnownDeliveries',
  method: 'GET',
  path: '/deliveries',
  floor: 'operator',
  errors: failures,
  summary: 'Each delivery that the instance wrote or received, by all its records',
  query: {
    q: field(
      text({ maxLength: 256 }),
      [
        'words of the identifier, the zone or a recipe, or parts of them',
        fr`mots de l’identifiant, de la zone ou d’une recette, ou parties de mots`,
      ],
      'shop',
    ),
    zone: field(
      text({ maxLength: 256 }),
      ['words of the name of the zone, or parts of them', fr`mots du nom de la zone, ou parties de mots`],
      'zone-b',
    ),
    state: field(
      oneOf(...deliveryStates),
      ['only deliveries in this state', fr`seulement les livraisons dans cet état`],
      'way',
      '`way` has those that are overdue too',
    ),
    ...sorting(['at', 'delivery', 'zone', 'state', 'bytes'], '`state`: those that ask for a look first'),
    ...paging(),
  },
  answer: {
    status: 200,
    description: 'The deliveries, the last begun first unless told',
    schema: object({ deliveries: described('The deliveries of this page', list(KnownDelivery)), ...pages }),
  },
});

export const getKnownDelivery = operation({
  id: 'getKnownDelivery',
  method: 'GET',
  path: '/deliveries/{delivery}',
  floor: 'operator',
  errors: [...failures, 'SVC-REG-005'],
  summary: 'One delivery, by all its records',
  answer: { status: 200, description: 'The delivery', schema: KnownDelivery },
});

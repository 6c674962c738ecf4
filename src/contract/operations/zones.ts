import { fr } from '../../text/language.ts';
import { paging as pages } from '../common.ts';
import { field, operation } from '../operation.ts';
import { described, list, object, oneOf, text } from '../schema.ts';
import { ZoneBoard, zoneRecipeStates } from '../zone-board.ts';
import { paging } from './paging.ts';
import { sorting } from './sorting.ts';

const failures = ['SVC-CFG-001', 'SVC-SRV-006', 'SVC-STO-014'] as const;

export const listZones = operation({
  id: 'listZones',
  method: 'GET',
  path: '/zones',
  floor: 'viewer',
  errors: failures,
  summary: 'The configured zones: the recipes of each, its last receipt, and the deliveries on their way',
  query: {
    q: field(text({ maxLength: 256 }), 'Words of the name, or parts of them', 'zone'),
    state: field(
      oneOf(...zoneRecipeStates),
      ['only zones with a recipe in this state', fr`seulement les zones qui ont une recette dans cet état`],
      'missing',
      '`current`: zones with all their recipes in it; `unknown`: also zones without known recipes',
    ),
    ...sorting(
      ['configured', 'urgency', 'name', 'recipes', 'receipt', 'deliveries', 'resolved'],
      '`configured`: in the order of the configuration; `urgency`: those that lack recipes first, then those with an error, those with a warning, those that wait, and the others; `recipes`: the number of recipes that are not current. All keys but `configured` and `name`, and a state, read every zone',
    ),
    ...paging(),
  },
  answer: {
    status: 200,
    description: 'The zones, in the order of the configuration unless told',
    schema: object({
      zones: described('The zones of this page', list(ZoneBoard)),
      ...pages,
    }),
  },
});

export const getZone = operation({
  id: 'getZone',
  method: 'GET',
  path: '/zones/{zone}',
  floor: 'viewer',
  errors: [...failures, 'SVC-REG-005'],
  summary: 'One configured zone',
  answer: { status: 200, description: 'The zone', schema: ZoneBoard },
});

import * as access from './access.ts';
import * as authoring from './authoring.ts';
import * as content from './content.ts';
import * as custody from './custody.ts';
import * as delivery from './delivery.ts';
import * as error from './error.ts';
import * as fileset from './fileset.ts';
import * as history from './history.ts';
import * as identity from './identity.ts';
import * as layout from './layout.ts';
import * as link from './link.ts';
import * as medium from './medium.ts';
import * as plan from './plan.ts';
import * as proof from './proof.ts';
import * as receipt from './receipt.ts';
import * as recipe from './recipe.ts';
import * as rule from './rule.ts';
import { listComponents, type Schema } from './schema.ts';
import * as status from './status.ts';
import * as store from './store.ts';
import * as task from './task.ts';
import * as zoneBoard from './zone-board.ts';

/** The families of documents. */
const families = [
  error,
  rule,
  layout,
  content,
  task,
  identity,
  link,
  status,
  recipe,
  authoring,
  plan,
  medium,
  proof,
  delivery,
  receipt,
  zoneBoard,
  store,
  fileset,
  access,
  history,
  custody,
];

/** Shared schemas of the API and the command line, by name. Members that are not required may be absent. */
export const sharedSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  families.flatMap(listComponents),
);

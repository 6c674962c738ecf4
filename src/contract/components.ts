import { accessSchemas } from './access.ts';
import { authoringSchemas } from './authoring.ts';
import { contentSchemas } from './content.ts';
import { errorSchemas } from './error.ts';
import { filesetSchemas } from './fileset.ts';
import { layoutSchemas } from './layout.ts';
import { mediumSchemas } from './medium.ts';
import { planSchemas } from './plan.ts';
import { recipeSchemas } from './recipe.ts';
import type { Schema } from './schema.ts';
import { statusSchemas } from './status.ts';
import { storeSchemas } from './store.ts';
import { taskSchemas } from './task.ts';

/** Shared schemas of the API and the command line, by name. Members that are not required may be absent. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  ...errorSchemas,
  ...layoutSchemas,
  ...contentSchemas,
  ...taskSchemas,
  ...statusSchemas,
  ...recipeSchemas,
  ...authoringSchemas,
  ...planSchemas,
  ...mediumSchemas,
  ...storeSchemas,
  ...filesetSchemas,
  ...accessSchemas,
};

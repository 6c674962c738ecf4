import type { Schema } from './schema.ts';
import { accessSchemas } from './schemas/access.ts';
import { authoringSchemas } from './schemas/authoring.ts';
import { contentSchemas } from './schemas/content.ts';
import { errorSchemas } from './schemas/error.ts';
import { filesetSchemas } from './schemas/fileset.ts';
import { layoutSchemas } from './schemas/layout.ts';
import { mediumSchemas } from './schemas/medium.ts';
import { planSchemas } from './schemas/plan.ts';
import { recipeSchemas } from './schemas/recipe.ts';
import { statusSchemas } from './schemas/status.ts';
import { storeSchemas } from './schemas/store.ts';
import { taskSchemas } from './schemas/task.ts';

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

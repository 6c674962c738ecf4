import {
  diffRecipes,
  type LintReport,
  lintRecipe,
  type OpenedRecipe,
  openPublishedRecipe,
  openRecipeDocument,
  openStoredRecipe,
  type PinChoices,
  type PinResult,
  pinRecipe,
  type RecipeDiff,
} from '../src/authoring/door.ts';
import { resources } from '../src/base/shares/resources.ts';
import type { Holder } from '../src/base/shares/shares.ts';
import type { Context } from '../src/operation/context.ts';
import { openPromptRegistry } from '../src/operation/prompt-registry.ts';
import type { VersionedName } from '../src/recipe/versioned-name.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';
import { Places } from './shares/places.ts';

/** Who asks. */
interface Caller {
  readonly actor: string;
  /** Who holds a place of those that ask registries. */
  readonly holder: Holder;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** One side of a comparison: a document, the reference of a published recipe, or a recipe of the store. */
export type RecipeSide =
  | { readonly document: Buffer }
  | { readonly reference: string }
  | {
      readonly stored: VersionedName;
      readonly view: Parameters<typeof openStoredRecipe>[0];
    };

/** Work on recipe documents that are given with a request. Nothing is written. */
export interface AuthoringOperations {
  /** Contacts nothing. @throws SVC-VAL-002; the reason of the signal */
  lint(request: Omit<Caller, 'holder'> & { readonly document: Buffer }): Promise<LintReport>;
  /** @throws SVC-VAL-001, SVC-VAL-002 for the draft, SVC-SRV-006 when no place is free in time */
  pin(request: Caller & Omit<PinChoices, 'cookedAt'> & { readonly document: Buffer }): Promise<PinResult>;
  /** @throws SVC-VAL-001, SVC-VAL-002, SVC-REG-001, SVC-SRV-006, errors of the registry of a reference, and of the view of the store */
  diff(request: Caller & { readonly old: RecipeSide; readonly new: RecipeSide }): Promise<RecipeDiff>;
}

/** What its places are for, in refusals. */
export const documentNames = {
  busy: rule([
    'other recipes are being pinned or compared',
    fr`d’autres recettes sont en train d’être figées ou comparées`,
  ]),
  one: rule(['the pin or comparison', fr`figer ou comparer`]),
} as const;

/** Makes the operations of an instance on recipe documents. */
export function createAuthoringOperations(context: Context): AuthoringOperations {
  // each holds a document of at most 4 MiB while it waits for registries; large ones are read one at a time in any case
  const places = new Places(resources.documents, documentNames);
  const { storage } = context.config;
  const open = (
    remote: Parameters<typeof openPublishedRecipe>[0],
    side: RecipeSide,
    file: string,
    actor: string,
    signal: AbortSignal,
  ): Promise<OpenedRecipe> =>
    'document' in side
      ? openRecipeDocument(remote, { document: side.document, file, actor, signal })
      : 'stored' in side
        ? openStoredRecipe(
            side.view,
            { policy: context.policy, basePrefix: storage.basePrefix },
            side.stored,
            { signal },
          )
        : openPublishedRecipe(remote, side.reference, { signal });
  return {
    lint: ({ document, ...caller }) => lintRecipe(context.config, { document, file: 'document', caller }),
    pin: ({ actor, holder, signal: gone, ...input }) =>
      places.run(holder, gone, (signal) => pinRecipe(context, { ...input, file: 'document', actor, signal })),
    diff: ({ actor, holder, signal: gone, old, new: now }) =>
      places.run(holder, gone, async (signal) => {
        const remote = { registry: openPromptRegistry(context), policy: context.policy };
        const before = await open(remote, old, 'old', actor, signal);
        return diffRecipes(before, await open(remote, now, 'new', actor, signal), signal);
      }),
  };
}

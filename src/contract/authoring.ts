import { ingredientKind, kind, strings } from './common.ts';
import { ErrorRecord } from './error.ts';
import {
  anyOf,
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  literals,
  mapOf,
  type ObjectOf,
  object,
  string,
  type TypeOf,
} from './schema.ts';

const line = described('Line of the document, from 1', integer);

/** A finding on a recipe. */
const lintFinding = object({
  rule: described('Name of the rule that found it, such as `moving-tag`', string),
  severity: choice('Whether a zone can use the recipe as it stands', {
    error: 'it cannot',
    warning: 'it can, and the author should know',
  }),
  path: described('Path of the member in the document', string),
  'line?': line,
  message: described('What is found, in English', string),
  'fix?': described('What to do', string),
  'error?': ErrorRecord,
});
export const lintFindings = described(
  'At most 1000, errors before warnings where there are more, in the order of their lines',
  list(lintFinding),
);
export const lintCounts = {
  errors: described('Number of findings that are errors', integer),
  warnings: described('Number of findings that are warnings', integer),
};

/** Report of a pin, without the document. */
export const pinReport = {
  name: string,
  version: described('Version of the recipe in the result', string),
  outcome: choice('Outcome of a pin', {
    unchanged: 'everything is pinned already',
    changed: 'the result differs from the draft',
    failed: 'an ingredient could not be pinned, and there is no result',
  }),
  ingredients: described('Number of ingredients', integer),
  changes: described(
    'Ingredients that change',
    list(
      object({
        name: string,
        kind,
        ref: string,
        from: described('As the draft has it', object({ version: string, 'digest?': digest })),
        to: described('As the result has it', object({ version: string, digest })),
        'platforms?': described('Platforms that are added, where the draft named none', strings),
        'vendored?': described(
          'The chart with its dependencies, which `to` names; only the flag --vendor-to of svc recipe pin makes one',
          object({
            ref: described('Where it is pushed; the `ref` of the ingredient in the result', string),
            dependencies: described('Added dependencies, each `name version`', strings),
          }),
        ),
        'upstreamDigest?': described('Digest of the chart before its dependencies were added', digest),
      }),
    ),
  ),
  problems: described(
    'Ingredients that could not be pinned',
    list(
      object({
        name: string,
        path: described('Path of the ingredient in the document', string),
        'line?': line,
        error: ErrorRecord,
      }),
    ),
  ),
  findings: described('Tags that do not name the pinned digest any more, or are gone', list(lintFinding)),
};

const writtenIngredient = {
  name: string,
  kind: ingredientKind,
  ref: described('Host and path of the repository', string),
  version: described('Exact tag, or a constraint in a draft', string),
  'digest?': digest,
  platforms: described('Platforms that are carried', strings),
  vendorDependencies: boolean,
  'artifactType?': string,
  'extract?': described(
    'Files that consumers of a FileSet want',
    object({ paths: described('Patterns of paths', strings) }),
  ),
};
/** An ingredient as its document has it. */
export type WrittenIngredient = ObjectOf<typeof writtenIngredient>;
const texts = mapOf(string);
const metadata = {
  name: string,
  version: string,
  'description?': string,
  labels: described('Labels, by key', texts),
  annotations: described('Annotations of the recipe, by key', texts),
};
export type RecipeMetadata = ObjectOf<typeof metadata>;

/** The content of a recipe. */
export const ShownRecipe = object({
  ...metadata,
  source: described('File, reference or `name@version`', string),
  'digest?': digest,
  documentDigest: digest,
  cooked: described('Whether every ingredient has an exact tag and a digest', boolean),
  'cookedAt?': described('Time at which the recipe was pinned, as its author says', string),
  'signature?': described(
    'Verdict on the signatures; absent for a file',
    object({
      outcome: literals('verified', 'unsigned-admitted', 'refused'),
      'keyFingerprint?': string,
      'root?': string,
      'layout?': literals('classic', 'bundle'),
      'signature?': digest,
      'trustScope?': string,
      'reason?': literals('none', 'untrusted', 'malformed', 'no-roots'),
      'fingerprints?': strings,
      'detail?': string,
      'attested?': strings,
    }),
  ),
  ingredients: list(
    object({
      ...writtenIngredient,
      namedPlatforms: described('Platforms that the recipe names; empty: all of the image', strings),
      'sizeBytes?': integer,
      'error?': ErrorRecord,
    }),
  ),
  'sizeBytes?': integer,
});

/** Answer of a check of a recipe document. */
export const LintAnswer = component(
  'LintAnswer',
  object({ findings: lintFindings, ...lintCounts, 'omitted?': integer }),
);
export type LintAnswer = TypeOf<typeof LintAnswer>;

export const PinAnswer = component(
  'PinAnswer',
  object({
    ...pinReport,
    'document?': described('The pinned document; absent after a failure', string),
  }),
);
export type PinAnswer = TypeOf<typeof PinAnswer>;
export type PinProblem = PinAnswer['problems'][number];
export type PinChange = PinAnswer['changes'][number];
export type Pin = PinChange['from'];

const compared = object({ name: string, version: string, documentDigest: digest, 'digest?': digest });
const { 'digest?': _, ...others } = writtenIngredient;
const pinned = { ...others, digest };
const diffed = list(object({ ...pinned, 'bytes?': integer }));
const more = described(
  'Number of such entries beyond those listed, of which there are at most 1000',
  integer,
);
const memberValue = anyOf(string, boolean, strings);
const members = list(
  object({
    path: described('Path of the member, such as `extract.paths` or `labels.team`', string),
    'from?': described('Value in the old recipe; absent when it has none', memberValue),
    'to?': described('Value in the new recipe; absent when it has none', memberValue),
  }),
);

/** Comparison of two recipes. */
export const RecipeDiff = component(
  'RecipeDiff',
  object({
    old: described('The old recipe', compared),
    new: described('The new recipe', compared),
    metadata: described('Members of the metadata that differ, `version` among them', members),
    'metadataMore?': more,
    added: described('Ingredients that only the new recipe has', diffed),
    'addedMore?': more,
    removed: described('Ingredients that only the old recipe has', diffed),
    'removedMore?': more,
    changed: described(
      'Ingredients that differ',
      list(
        object({
          name: string,
          from: described('As the old recipe has it', object(pinned)),
          to: described('As the new recipe has it', object(pinned)),
          members: described('Every member of the ingredient that differs', members),
          platformsAdded: described('Platforms that only the new recipe has', strings),
          platformsRemoved: described('Platforms that only the old recipe has', strings),
          'newBytes?': described('Bytes that the old recipe does not reach', integer),
        }),
      ),
    ),
    'changedMore?': more,
    retagged: described(
      'Tags that both recipes give, each to other content; of several ingredients with one reference the first gets the tag',
      list(
        object({
          reference: described('Reference of the ingredients, with the tag', string),
          from: described('As the old recipe gives it', digest),
          to: described('As the new recipe gives it', digest),
        }),
      ),
    ),
    'retaggedMore?': more,
    'totals?': described(
      'Bytes of everything, each content once; absent when an ingredient could not be read',
      object({
        oldBytes: described('Bytes of the old recipe', integer),
        newBytes: described('Bytes of the new recipe', integer),
        transferBytes: described('Bytes that a place with the old recipe needs for the new one', integer),
      }),
    ),
    problems: described(
      'Ingredients that could not be read',
      list(
        object({
          recipe: choice('Recipe that has the ingredient', { old: 'the old one', new: 'the new one' }),
          name: string,
          error: ErrorRecord,
        }),
      ),
    ),
    'problemsMore?': more,
  }),
);
export type RecipeDiff = TypeOf<typeof RecipeDiff>;
export type ReTaggedReference = RecipeDiff['retagged'][number];
export type MemberDifference = RecipeDiff['metadata'][number];
export type DiffedIngredient = RecipeDiff['added'][number];
export type ChangedIngredient = RecipeDiff['changed'][number];
export type MemberValue = TypeOf<typeof memberValue>;

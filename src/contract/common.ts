import {
  type Choice,
  choice,
  described,
  digest,
  integer,
  list,
  object,
  string,
  type TypeOf,
} from './schema.ts';

export const role = choice('Role; each includes those before it', {
  viewer: 'reads',
  operator: 'starts work',
  admin: 'changes access and settings',
});
export type Role = TypeOf<typeof role>;
export const kind = choice('Kind of content', {
  ContainerImage: 'an image of containers',
  HelmChart: 'a chart of helm',
  OCIArtifact: 'any other artifact',
  FileSet: 'a tree of files',
  Recipe: 'a recipe',
});
export type ContentKind = TypeOf<typeof kind>;
/** Kind of an ingredient: documents do not exclude `Recipe`. */
export const ingredientKind = kind as Choice<Exclude<ContentKind, 'Recipe'>>;
export type IngredientKind = TypeOf<typeof ingredientKind>;
export const client = choice('Client of the nodes', {
  containerd: 'containerd, with a `hosts.toml` for each host',
  k3s: 'K3s, with `registries.yaml` and `config.yaml.d/svc.yaml`',
  rke2: 'RKE2, with `registries.yaml` and `config.yaml.d/svc.yaml`',
  crio: 'CRI-O, with a drop-in of `registries.conf`',
  podman: 'Podman, Buildah and Skopeo, with a drop-in of `registries.conf`',
  docker: 'Docker, with a script that pulls by digest: its daemon rewrites no path',
  openshift: 'OpenShift, with an `ImageDigestMirrorSet` and an `ImageTagMirrorSet`',
  helm: 'helm, with its list of chart repositories',
  apt: 'apt, with deb822 sources and a file for credentials',
  dnf: 'dnf, with a file of repositories',
});
export type ClientKind = TypeOf<typeof client>;
export const provenance = choice('How content came here', {
  recipe: 'a synchronized recipe names it',
  import: 'a unit import',
  push: 'a client pushed it',
  'vulnerability-database': 'a vulnerability database',
  'local-pack': 'packed from a folder of the host',
});
export type Provenance = TypeOf<typeof provenance>;
/** Owners can have brought it in several ways. */
export const provenances = described(provenance.description, list(provenance));
/** Recipes of which a source offers a lower version than is here. */
export const loweredRecipes = list(
  object({
    cookbook: string,
    name: string,
    resolved: described('Version that the source offers', string),
    here: described('Version that is here', string),
  }),
);
export const contentStatus = choice('State compared with what is present', {
  new: 'not present',
  outdated: 'present with other content',
  'up-to-date': 'present',
});
export type ContentStatus = TypeOf<typeof contentStatus>;
const states = {
  pending: 'waits',
  running: 'is under way',
  done: 'ended with success',
  failed: 'ended with an error',
};
export const taskStatus = choice('State', { ...states, cancelled: 'was ended by somebody' });
export type TaskStatus = TypeOf<typeof taskStatus>;
export const itemStatus = choice('State', { ...states, skipped: 'was not needed' });
export type ItemStatus = TypeOf<typeof itemStatus>;
export const taskType = choice('Type of the task', {
  sync: 'a synchronization',
  import: 'a unit import',
  'media-import': 'an import of a medium',
  'media-write': 'a writing of media for a zone',
  'layout-export': 'an export of an image layout',
  'layout-import': 'an import of an image layout',
  'fileset-pack': 'a pack of a FileSet by a command',
});
export type TaskType = TypeOf<typeof taskType>;
export const mode = choice('Mode of the instance', {
  passthrough: 'content is pushed to the destination',
  mirror: 'the store is the destination',
});
export type Mode = TypeOf<typeof mode>;
export const serving = choice('Whether content is served', {
  open: 'it is served',
  closed: 'it is withheld until the medium is verified',
});
export const syncOutcome = choice('Outcome of the run', {
  success: 'every recipe is complete',
  partial: 'some recipes failed',
  failure: 'no recipe is complete',
});
export type SyncOutcome = TypeOf<typeof syncOutcome>;
export const layoutFormat = choice('Form of the layout', {
  tar: 'one uncompressed archive',
  directory: 'a folder',
});
/** Members of a part of a list. */
/** How fast work goes on (`Pace` of `base/rate.ts`). */
export const pace = {
  'bytesPerSecond?': integer,
  'averageBytesPerSecond?': integer,
  'secondsLeft?': integer,
  'stalledSeconds?': integer,
  'pauseSeconds?': integer,
};

export const paging = { page: integer, totalPages: integer, total: integer };
export const strings = list(string);
export const pruneItem = object({
  repository: string,
  tag: string,
  digest,
  recipe: string,
  sizeBytes: integer,
  'restored?': digest,
});
export type PruneItem = TypeOf<typeof pruneItem>;
export type LoweredRecipe = TypeOf<typeof loweredRecipes>[number];

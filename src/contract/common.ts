import type { ClientKind } from '../client/model.ts';
import type { ContentKind } from '../oci/kind.ts';
import { choice, described, digest, integer, list, object, ref, type Schema, string } from './schema.ts';

export const code: Schema = ref('ErrorCode');
export const params: Schema = ref('ErrorParameters');
export const errorClass = choice('Class of the error', {
  failure: 'something did not work',
  policy: 'a rule of this instance forbids it',
  verification: 'content or a signature is not what it must be',
});
export const role: Schema = choice('Role; each includes those before it', {
  viewer: 'reads',
  operator: 'starts work',
  admin: 'changes access and settings',
});
export const kind: Schema = choice('Kind of content', {
  ContainerImage: 'an image of containers',
  HelmChart: 'a chart of helm',
  OCIArtifact: 'any other artifact',
  FileSet: 'a tree of files',
  Recipe: 'a recipe',
} satisfies Record<ContentKind, string>);
export const client: Schema = choice('Client of the nodes', {
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
} satisfies Record<ClientKind, string>);
export const provenance = choice('How content came here', {
  recipe: 'a synchronized recipe names it',
  import: 'a unit import',
  push: 'a client pushed it',
  'vulnerability-database': 'a vulnerability database',
  'local-pack': 'packed from a folder of the host',
});
/** Owners can have brought it in several ways. */
export const provenances: Schema = { ...list(provenance), description: provenance.description };
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
const states = {
  pending: 'waits',
  running: 'is under way',
  done: 'ended with success',
  failed: 'ended with an error',
};
export const taskStatus: Schema = choice('State', { ...states, cancelled: 'was ended by somebody' });
export const itemStatus: Schema = choice('State', { ...states, skipped: 'was not needed' });
export const taskType: Schema = choice('Type of the task', {
  sync: 'a synchronization',
  import: 'a unit import',
  'media-import': 'an import of a medium',
  'layout-export': 'an export of an image layout',
  'layout-import': 'an import of an image layout',
  'fileset-pack': 'a pack of a FileSet by a command',
});
export const mode: Schema = choice('Mode of the instance', {
  passthrough: 'content is pushed to the destination',
  mirror: 'the store is the destination',
});
export const serving: Schema = choice('Whether content is served', {
  open: 'it is served',
  closed: 'it is withheld until the medium is verified',
});
export const syncOutcome: Schema = choice('Outcome of the run', {
  success: 'every recipe is complete',
  partial: 'some recipes failed',
  failure: 'no recipe is complete',
});
export const layoutFormat: Schema = choice('Form of the layout', {
  tar: 'one uncompressed archive',
  directory: 'a folder',
});
/** Members of a part of a list. */
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

import { toErrorRecord } from '../../src/base/error.ts';
import {
  type FilesetSetting,
  listVersions,
  type SelectedFileset,
} from '../../src/engine/fileset/select-fileset.ts';
import { isSigned } from '../../src/operation/select-signatures.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { provenanceOf } from './content-view.ts';
import { ref } from './schema.ts';

/** Describes a repository that holds a FileSet, whether or not a configured FileSet uses it. */
async function describe(call: ApiCall, reference: string, repository: string, selected?: SelectedFileset) {
  const { store, gate } = call;
  const versions = listVersions(store, gate, repository);
  const shown = selected === undefined ? versions : versions.filter(({ tag }) => tag === selected.tag);
  const { roots } = call.operations;
  const signed = await Promise.all(shown.map(({ digest }) => isSigned(store, repository, digest, roots)));
  return {
    reference,
    repository,
    versions: versions.map(({ tag }) => tag),
    ...(selected === undefined ? {} : { version: selected.tag, digest: selected.digest }),
    provenance: provenanceOf(shown),
    signed: signed.length > 0 && signed.every(Boolean),
  };
}

async function describeServed(call: ApiCall, setting: FilesetSetting) {
  const { name, ref: reference, anonymous } = setting;
  const { filesets } = call.operations;
  const repository = filesets.repositoryOf(setting);
  const shared = { anonymous, url: `/files/${name}/` };
  if (call.gate.refusal() !== undefined) {
    const unseen = { reference, repository, versions: [], provenance: [], signed: false };
    return { name, ...unseen, served: false, ...shared };
  }
  let selected: SelectedFileset | undefined;
  try {
    selected = filesets.select(setting);
    await filesets.requireServable(setting);
    return { name, ...(await describe(call, reference, repository, selected)), served: true, ...shared };
  } catch (error) {
    const described = await describe(call, reference, repository, selected);
    return { name, ...described, served: false, ...shared, error: toErrorRecord(error) };
  }
}

/** Describes a FileSet of the store that is not configured. */
async function describeUnserved(call: ApiCall, repository: string) {
  const reference = call.operations.filesets.nominalOf(repository);
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const described =
    call.gate.refusal() === undefined ? await describe(call, reference, repository) : undefined;
  const unseen = { reference, repository, versions: [], provenance: [], signed: false };
  return { name, ...(described ?? unseen), served: false, anonymous: false };
}

async function listFilesets(call: ApiCall): Promise<ApiAnswer> {
  const { filesets, packEnabled } = call.operations;
  const settings = [...filesets.settings.values()];
  const served = await Promise.all(settings.map((setting) => describeServed(call, setting)));
  const known = new Set(served.map(({ repository }) => repository));
  const closed = call.gate.refusal() !== undefined;
  const { index } = call.store;
  const others = index
    .repositories()
    .filter((name) => index.kindsOf(name).has('FileSet') && !known.has(name))
    .filter((name) => closed || call.gate.allowsRepository(name))
    .map((name) => describeUnserved(call, name));
  return { json: { filesets: [...served, ...(await Promise.all(others))], packEnabled } };
}

export const filesetRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/filesets',
    floor: 'viewer',
    summary: 'FileSets of the store, served or not',
    success: { status: 200, description: 'The FileSets', schema: ref('FilesetList') },
    handler: listFilesets,
  },
];

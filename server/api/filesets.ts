import { toErrorRecord } from '../../src/base/error.ts';
import { type FilesetSetting, listVersions, type SelectedFileset } from '../../src/engine/select-fileset.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { isSigned, provenanceOf } from './content-view.ts';
import { ref } from './schema.ts';

/** What is told of a repository that holds a file set, configured or not. */
function describe(call: ApiCall, reference: string, repository: string, selected?: SelectedFileset) {
  const { store, gate } = call;
  const versions = listVersions(store, gate, repository);
  const shown = selected === undefined ? versions : versions.filter(({ tag }) => tag === selected.tag);
  return {
    reference,
    repository,
    versions: versions.map(({ tag }) => tag),
    ...(selected === undefined ? {} : { version: selected.tag, digest: selected.digest }),
    provenance: provenanceOf(shown),
    signed: shown.length > 0 && shown.every(({ digest }) => isSigned(store, repository, digest)),
  };
}

function describeServed(call: ApiCall, setting: FilesetSetting) {
  const { name, ref: reference, anonymous } = setting;
  const { filesets } = call.operations;
  const repository = filesets.repositoryOf(setting);
  const shared = { served: true, anonymous, url: `/files/${name}/` };
  if (call.gate.refusal() !== undefined) {
    const unseen = { reference, repository, versions: [], provenance: [], signed: false };
    return { name, ...unseen, ...shared };
  }
  try {
    return { name, ...describe(call, reference, repository, filesets.select(setting)), ...shared };
  } catch (error) {
    return { name, ...describe(call, reference, repository), ...shared, error: toErrorRecord(error) };
  }
}

/** A file set of the store that no configuration names. */
function describeUnserved(call: ApiCall, repository: string) {
  const reference = call.operations.filesets.nominalOf(repository);
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const told = call.gate.refusal() === undefined ? describe(call, reference, repository) : undefined;
  const unseen = { reference, repository, versions: [], provenance: [], signed: false };
  return { name, ...(told ?? unseen), served: false, anonymous: false };
}

function listFilesets(call: ApiCall): ApiAnswer {
  const { filesets, packEnabled } = call.operations;
  const served = [...filesets.settings.values()].map((setting) => describeServed(call, setting));
  const known = new Set(served.map(({ repository }) => repository));
  const closed = call.gate.refusal() !== undefined;
  const { index } = call.store;
  const others = index
    .repositories()
    .filter((name) => index.kindsOf(name).has('FileSet') && !known.has(name))
    .filter((name) => closed || call.gate.allowsRepository(name))
    .map((name) => describeUnserved(call, name));
  return { json: { filesets: [...served, ...others], packEnabled } };
}

export const filesetRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/filesets',
    floor: 'viewer',
    summary: 'FileSets that are served, and those of the store that are not',
    success: { status: 200, description: 'All of them', schema: ref('FilesetList') },
    handler: listFilesets,
  },
];

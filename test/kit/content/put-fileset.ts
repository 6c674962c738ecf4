import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, pushArtifact } from './content.ts';

/** Puts a version of a FileSet into a store, as an import brings it. */
export const putFileset = (store: Store, name: string, artifact: Artifact, tag = '1.0.0') =>
  pushArtifact(
    openRepository(store, `localhost/filesets/${name}`, { owner: { provenance: 'import' }, kind: 'FileSet' }),
    artifact,
    tag,
  );

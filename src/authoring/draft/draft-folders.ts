import type { Config } from '../../config/model.ts';
import { openTreePack } from '../../fileset/pack-tree.ts';
import { isTag } from '../../oci/reference.ts';
import { requirePackSource } from '../../operation/pack-fileset.ts';
import { selectVersion } from '../../recipe/constraint.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type DueFolder, toFolderKey } from './collect-candidates.ts';
import type { NamedCandidate } from './name-ingredients.ts';

type DueFolders = ReadonlyMap<string, DueFolder>;

/** The version of a FileSet that is published for the first time. */
const firstVersion = '1.0.0';

/** The folder from which an ingredient is made; undefined for an ingredient of a registry. */
export const findFolder = (
  { kind, reference, doubt }: NamedCandidate,
  folders: DueFolders,
): DueFolder | undefined =>
  kind === 'FileSet' && doubt === undefined ? folders.get(toFolderKey(reference)) : undefined;

/**
 * Gives a version to each FileSet made from a folder: the named one, else its highest release in the registry. An
 * unchanged folder thus keeps its version.
 *
 * @param namedTags tag by the name of the ingredient
 * @throws SVC-VAL-001 for a named constraint, errors of the registry
 */
export async function giveFolderVersions(
  candidates: readonly NamedCandidate[],
  folders: DueFolders,
  namedTags: ReadonlyMap<string, string>,
  { registry, signal }: RemoteReading,
): Promise<readonly NamedCandidate[]> {
  const given: NamedCandidate[] = [];
  for (const candidate of candidates) {
    const { name, reference, version } = candidate;
    if (version !== undefined || findFolder(candidate, folders) === undefined) {
      given.push(candidate);
      continue;
    }
    const named = namedTags.get(name);
    if (named !== undefined && !isTag(named))
      throw svcError('SVC-VAL-001', {
        file: `--tag ${name}`,
        rule: rule(
          [
            'a FileSet that is pushed has an exact version, not {named}',
            fr`un FileSet à publier a une version exacte, pas {named}`,
          ],
          { named },
        ),
        problem: 'folder',
      });
    const remote = registry.repository(reference, { access: 'push', substitute: false });
    const released = async () => selectVersion('*', await remote.listTags({ signal }));
    given.push({ ...candidate, version: named ?? (await released()) ?? firstVersion });
  }
  return given;
}

/** Checks that each folder can be packed. @throws SVC-FIL-001, SVC-FIL-002 */
export async function requirePackable(
  folders: DueFolders,
  config: Config,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { path } of folders.values()) {
    const root = await requirePackSource({ source: path }, config);
    await using _tree = await openTreePack(root, signal);
  }
}

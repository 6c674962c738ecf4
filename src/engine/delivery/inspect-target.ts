import { lstat, opendir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { openGuardedFile } from '../../disk/guarded-open.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { readWhole } from '../../disk/plain-file.ts';
import { listStrangers } from '../../store/opening/require-unused.ts';
import { mediumManifestPath, readMediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/** What a medium becomes. */
export interface PartIdentity {
  readonly delivery: string;
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

/** Names the delivery of an unfinished part, relative to its root. */
export const identityPath = '_svc/delivery.json';

export function formatIdentity({ delivery, part, parts }: PartIdentity): string {
  return `${JSON.stringify({ delivery, part, parts })}\n`;
}

/** Folders that a part is written into. Other folders belong to the filesystem of the disk. */
const ownFolders: ReadonlySet<string> = new Set(['_svc', 'blobs', 'ledger', 'segments', 'program']);

/** Bytes; the identity has fewer than a hundred. */
const identityLimit = 4096;

const isSame = (a: Partial<PartIdentity>, b: PartIdentity): boolean =>
  a.delivery === b.delivery && a.part === b.part && a.parts === b.parts;

/**
 * Looks at the folder of a part: it must be absent, empty, or the same part, unfinished or complete. It must not lie in
 * another medium. Its own folders must hold only files and folders: a link leads to another place.
 *
 * @throws SVC-MED-045 for any other folder, SVC-MED-002 when it is a medium that cannot be read, SVC-FIL-005
 */
export async function inspectTarget(
  path: string,
  identity: PartIdentity,
): Promise<'new' | 'unfinished' | 'complete'> {
  const { delivery, part } = identity;
  const refuse = (detail: Rule): SvcError => svcError('SVC-MED-045', { path, delivery, part, detail });
  try {
    const around = await findMediumAround(path);
    if (around !== undefined)
      throw refuse(
        rule(['it lies in the medium {around}', fr`il se trouve dans le support {around}`], { around }),
      );
    if (!(await lstat(path)).isDirectory())
      throw refuse(rule(['it is not a folder', fr`ce n’est pas un dossier`]));
    const names = new Set(await readdir(path));
    // files would be written or removed through it, outside the disk
    const special = await findSpecial(path);
    if (special !== undefined)
      throw refuse(
        rule(
          [
            'it has {special}, which is neither a file nor a folder',
            fr`il contient {special}, qui n’est ni un fichier ni un dossier`,
          ],
          { special },
        ),
      );
    if (names.has(mediumManifestPath)) {
      const { delivery: found } = await readMediumHeader(path);
      if (found !== undefined && isSame({ ...found, delivery: found.id }, identity)) return 'complete';
      throw refuse(
        found === undefined
          ? rule(['it is another medium', fr`c’est un autre support`])
          : toOther({ ...found, delivery: found.id }),
      );
    }
    const begun = await readIdentity(path);
    if (begun !== undefined) {
      if (isSame(begun, identity)) return 'unfinished';
      throw refuse(toOther(begun));
    }
    const own = [...ownFolders].filter((name) => name !== '_svc' && names.has(name));
    const [stranger] = [...own, ...(await listStrangers(path))];
    if (stranger !== undefined)
      throw refuse(
        rule(['it is not empty: it has {stranger}', fr`il n’est pas vide : il contient {stranger}`], {
          stranger,
        }),
      );
    return 'new';
  } catch (error) {
    if (isAbsent(error)) return 'new';
    throw isSvcError(error) ? error : toNamedFileError(error, path);
  }
}

/** Names another part, of the same delivery or of another one. */
const toOther = ({ delivery, part, parts }: Partial<PartIdentity>): Rule =>
  rule(
    [
      'it is part {part} of {parts} of delivery {delivery}',
      fr`c’est la partie {part} sur {parts} de la livraison {delivery}`,
    ],
    { part: String(part), parts: String(parts), delivery: String(delivery) },
  );

/** @returns undefined when there is none; an empty identity when it is unreadable */
async function readIdentity(path: string): Promise<Partial<PartIdentity> | undefined> {
  let bytes: Buffer;
  try {
    const { file, size } = await openGuardedFile(path, identityPath);
    await using _file = file;
    if (size > identityLimit) return {};
    bytes = await readWhole(file, size);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The nearest folder above that is a medium, complete or unfinished. */
async function findMediumAround(path: string): Promise<string | undefined> {
  for (let at = dirname(path); ; at = dirname(at)) {
    for (const name of [mediumManifestPath, identityPath]) if (await isThere(join(at, name))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A link, device or pipe in the place of a folder of the part, or below one; relative to the part. */
async function findSpecial(path: string): Promise<string | undefined> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!ownFolders.has(entry.name)) continue;
    if (!entry.isDirectory()) return entry.name;
    for await (const below of await opendir(join(path, entry.name), { recursive: true }))
      if (!below.isFile() && !below.isDirectory()) return relative(path, join(below.parentPath, below.name));
  }
  return undefined;
}

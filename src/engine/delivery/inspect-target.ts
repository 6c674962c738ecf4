import type { Dirent } from 'node:fs';
import { lstat, opendir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isDigest } from '../../base/digest.ts';
import { openGuardedFile } from '../../disk/guarded-open.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { readWhole } from '../../disk/plain-file.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import { indexPath, layoutPath } from '../../oci/layout.ts';
import { listStrangers } from '../../store/opening/require-unused.ts';
import { absentListPath } from '../../store/rest/absent-list.ts';
import { mediumManifestPath, readMediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { readmePath } from './readme.ts';

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
export const ownFolders: ReadonlySet<string> = new Set(['_svc', 'blobs', 'ledger', 'segments', 'program']);

/** Bytes; the identity has fewer than a hundred. */
const identityLimit = 4096;

const isSame = (a: PartIdentity, b: PartIdentity): boolean =>
  a.delivery === b.delivery && a.part === b.part && a.parts === b.parts;

/**
 * Looks at the folder of a part: it must be absent, empty, the same part, unfinished or complete, or an unfinished part of a
 * delivery that cannot be completed. It must not lie in another medium. Its own folders must hold only files and folders: a
 * link leads to another place.
 *
 * @param broken deliveries of this source that cannot be completed
 * @throws SVC-MED-045 for any other folder, and for a medium that cannot be read; SVC-FIL-005
 */
export async function inspectTarget(
  path: string,
  identity: PartIdentity,
  broken: ReadonlySet<string> = new Set(),
): Promise<'new' | 'unfinished' | 'broken' | 'complete'> {
  const { delivery, part } = identity;
  const refuse = (
    detail: Rule,
    also: { readonly stranger?: string; readonly beside?: string } = {},
  ): SvcError => svcError('SVC-MED-045', { path, delivery, part, detail, ...also });
  /** A disk comes back from other hands: what they put beside the part would leave with it again. */
  const requireAlone = async (): Promise<void> => {
    const stranger = (await listStrangers(path)).find((name) => !ownFiles.has(name) && !ownFolders.has(name));
    if (stranger !== undefined)
      throw refuse(
        rule(['it has {stranger}, which no part has', fr`il contient {stranger}, qu’aucune partie n’a`], {
          stranger,
        }),
        { stranger },
      );
  };
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
    const flaw = await findFlaw(path);
    if (flaw !== undefined) throw refuse(flaw);
    if (names.has(mediumManifestPath)) {
      const { delivery: found } = await readMediumHeader(path).catch((error: unknown) => {
        if (!isSvcError(error) || !error.code.startsWith('SVC-MED-')) throw error;
        throw refuse(rule(['its media.jsonl cannot be read', fr`son media.jsonl est illisible`]));
      });
      if (found !== undefined && isSame({ ...found, delivery: found.id }, identity)) {
        await requireAlone();
        return 'complete';
      }
      throw refuse(
        found === undefined
          ? rule(['it is another medium', fr`c’est un autre support`])
          : toOther({ ...found, delivery: found.id }),
      );
    }
    const begun = await readIdentity(path);
    if (begun !== undefined) {
      if (begun === 'unreadable')
        throw refuse(
          rule(['its {file} cannot be read', fr`son fichier {file} est illisible`], { file: identityPath }),
        );
      if (isSame(begun, identity) || broken.has(begun.delivery)) {
        await requireAlone();
        return isSame(begun, identity) ? 'unfinished' : 'broken';
      }
      throw refuse(toOther(begun));
    }
    const own = [...ownFolders].filter((name) => name !== '_svc' && names.has(name));
    const [stranger] = [...own, ...(await listStrangers(path))];
    if (stranger !== undefined)
      throw refuse(
        rule(['it is not empty: it has {stranger}', fr`il n’est pas vide : il contient {stranger}`], {
          stranger,
        }),
        // a stick with other files; blobs without their list are what is left of a medium
        own.length === 0 ? { beside: join(path, 'delivery') } : {},
      );
    return 'new';
  } catch (error) {
    if (isAbsent(error)) return 'new';
    throw isSvcError(error) ? error : toNamedFileError(error, path);
  }
}

/** Names another part, of the same delivery or of another one. */
const toOther = ({ delivery, part, parts }: PartIdentity): Rule =>
  rule(
    [
      'it is part {part} of {parts} of delivery {delivery}',
      fr`c’est la partie {part} sur {parts} de la livraison {delivery}`,
    ],
    { part: String(part), parts: String(parts), delivery },
  );

/** @returns undefined when there is none */
async function readIdentity(path: string): Promise<PartIdentity | 'unreadable' | undefined> {
  let bytes: Buffer;
  try {
    const { file, size } = await openGuardedFile(path, identityPath);
    await using _file = file;
    if (size > identityLimit) return 'unreadable';
    bytes = await readWhole(file, size);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const { delivery, part, parts }: Partial<PartIdentity> = JSON.parse(bytes.toString());
    const isWhole = typeof delivery === 'string' && Number.isInteger(part) && Number.isInteger(parts);
    return isWhole ? { delivery, part: part!, parts: parts! } : 'unreadable';
  } catch {
    return 'unreadable';
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

/** Files of a part that are outside of its own folders. */
const ownFiles: ReadonlySet<string> = new Set([
  mediumManifestPath,
  absentListPath,
  indexPath,
  layoutPath,
  readmePath,
]);

/** Whether a part has a file of this name, and never a folder. */
const isFileName = (path: string): boolean => {
  const [folder, algorithm, name = ''] = path.split('/');
  return folder === 'blobs' ? isDigest(`${algorithm}:${name}`) : /\.jsonl?$/.test(path);
};

/** What a part can have in no place of its own: a link, device or pipe, a folder instead of a file, an unusable name. */
async function findFlaw(path: string): Promise<Rule | undefined> {
  const judge = (name: string, entry: Dirent): Rule | undefined => {
    if (name.includes('\ufffd'))
      return rule(
        ['it has {name}, whose name is not UTF-8', fr`il contient {name}, dont le nom n’est pas en UTF-8`],
        {
          name,
        },
      );
    if (!entry.isFile() && !entry.isDirectory())
      return rule(
        [
          'it has {special}, which is neither a file nor a folder',
          fr`il contient {special}, qui n’est ni un fichier ni un dossier`,
        ],
        { special: name },
      );
    return entry.isDirectory() && (ownFiles.has(name) || isFileName(name))
      ? rule(['a folder is in the place of {name}', fr`un dossier occupe la place de {name}`], { name })
      : undefined;
  };
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const { name } = entry;
    if (ownFiles.has(name) && entry.isDirectory()) return judge(name, entry);
    if (!ownFolders.has(name)) continue;
    if (entry.isFile()) return rule(['{name} is no folder', fr`{name} n’est pas un dossier`], { name });
    const flaw = judge(name, entry);
    if (flaw !== undefined) return flaw;
    try {
      for await (const below of await opendir(join(path, name), { recursive: true })) {
        const found = judge(relative(path, join(below.parentPath, below.name)), below);
        if (found !== undefined) return found;
      }
    } catch (error) {
      if (toSystemCode(error) !== 'ENAMETOOLONG') throw error;
      return rule(
        [
          'folders in {name} are nested too deep',
          fr`des dossiers dans {name} sont imbriqués trop profondément`,
        ],
        {
          name,
        },
      );
    }
  }
  return undefined;
}

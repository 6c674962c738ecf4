import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { toReadError } from '../../disk/read-error.ts';
import { isDenied } from '../../disk/system-code.ts';
import { isStateFolder } from '../../store/opening/is-state-folder.ts';
import {
  type MediumHeader,
  type ReadManifest,
  readMediumHeader,
  readMediumManifest,
} from '../../store/rest/media-manifest.ts';
import { isSvcError, svcError } from '../../text/error.ts';

const manifestName = 'media.jsonl';
/** Orders names with numbers in them as people do: part-2 comes before part-10. */
const { compare: compareNames } = new Intl.Collator('en', { numeric: true });
/** Names in a folder that say nothing about its content: of the filesystem, and of an operation log. */
const idleNames: ReadonlySet<string> = new Set(['lost+found', '_svc']);
/** Names of a medium as ISO 9660 of level 1 cuts them, without Rock Ridge, Joliet or UDF. */
const shortened = /^(?:media\.jso|oci_layo)\.?(?:;\d+)?$/i;
/** Maximum number of subfolders that are looked into. */
const lookedInto = 100;

/**
 * Reads the manifest of a medium as `readMediumManifest` does. For a folder without one, the error describes the
 * folder: empty, a blank disk, beside a medium, or an incomplete copy.
 *
 * @throws SVC-MED-001 to SVC-MED-004; SVC-STO-014
 */
export async function readManifestOf(
  root: string,
  options: { readonly maxBytes?: number } = {},
): Promise<ReadManifest> {
  return describingFolder(root, () => readMediumManifest(root, options));
}

/** Reads only the first line of the manifest of a medium. @throws as {@link readManifestOf} */
export function readHeaderOf(root: string): Promise<MediumHeader> {
  return describingFolder(root, () => readMediumHeader(root));
}

async function describingFolder<T>(root: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isSvcError(error, 'SVC-MED-001')) throw error;
    const params = { path: manifestName, folder: root, ...(await describeFolder(root)) };
    throw svcError('SVC-MED-001', params, { cause: error });
  }
}

/**
 * Whether a folder has parts of a medium, so that an operation on it belongs into its log.
 *
 * @throws SVC-STO-001 when this user may not look into it
 */
export async function isMediumFolder(root: string): Promise<boolean> {
  for (const name of [manifestName, 'ledger']) {
    try {
      await stat(join(root, name));
      return true;
    } catch (error) {
      if (isDenied(error)) throw toReadError(error, root);
    }
  }
  return false;
}

async function describeFolder(root: string): Promise<{
  readonly found: string;
  readonly nested?: string;
  readonly parts?: readonly string[];
}> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return { found: 'incomplete' };
  const own = entries.filter(({ name }) => !idleNames.has(name));
  if (own.length === 0) return { found: (await isMountPoint(root)) ? 'blank' : 'empty' };
  if (own.some(({ name }) => shortened.test(name))) return { found: 'shortened' };
  if (await isStateFolder(root)) return { found: 'state' };
  const names = own.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort(compareNames);
  const folders = names.slice(0, lookedInto).map((name) => join(root, name));
  const [first, ...more] = (await selectMedia(folders)).concat(await listBelow(folders));
  if (first !== undefined)
    return more.length === 0
      ? { found: 'nested', nested: first }
      : { found: 'parts', parts: [first, ...more] };
  const inside = await findAbove(root);
  return inside === undefined ? { found: 'incomplete' } : { found: 'inside', nested: inside };
}

async function selectMedia(folders: readonly string[]): Promise<string[]> {
  const media: string[] = [];
  for (const path of folders) if (await exists(join(path, manifestName))) media.push(path);
  return media;
}

/** The media in subfolders. */
async function listBelow(folders: readonly string[]): Promise<string[]> {
  const media: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort(compareNames);
    media.push(...(await selectMedia(names.slice(0, lookedInto).map((name) => join(folder, name)))));
  }
  return media;
}

/** The medium that a folder lies in: the first folder above it with a manifest. */
async function findAbove(root: string): Promise<string | undefined> {
  for (let path = dirname(resolve(root)); path !== dirname(path); path = dirname(path))
    if (await exists(join(path, manifestName))) return path;
  return undefined;
}

/** Whether a folder is on another volume than the folder above it. */
async function isMountPoint(root: string): Promise<boolean> {
  try {
    const above = dirname(await realpath(root));
    return (await stat(root)).dev !== (await stat(above)).dev;
  } catch {
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

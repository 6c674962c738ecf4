import type { Rule } from '../../text/rule.ts';
import { type OmissionReason, type SourceFormat, sourceFormats } from '../foreign/model.ts';

/** An entry of a folder. */
export interface FolderFile {
  /** Below the folder, with `/`; a folder ends with one. */
  readonly path: string;
  /** Form of its content, or why it has none that is read. */
  readonly form: SourceFormat | OmissionReason;
  /** The rule that its content breaks. */
  readonly detail?: Rule | string | undefined;
}

/** The sources of a folder. */
export interface FolderSelection {
  /** Folders of charts; '' is the folder itself. */
  readonly charts: readonly string[];
  /** Documents that are read each for itself: compose file, lists of images, definition of a package. */
  readonly documents: readonly FolderFile[];
  /** Kubernetes manifests, which are read together. */
  readonly manifests: readonly FolderFile[];
  readonly leftOut: readonly LeftOut[];
}

/** Something of a folder that is not taken. */
export interface LeftOut {
  readonly path: string;
  readonly reason: OmissionReason;
  /** The rule that its content breaks. */
  readonly detail?: Rule | string;
}

const definitions: ReadonlySet<FolderFile['form']> = new Set(['hauler', 'zarf', 'oc-mirror', 'imgpkg']);
/** Whether a file is the definition of a package, which defines its folder. */
export const isDefinition = ({ form }: FolderFile): boolean => definitions.has(form);
/** Names under which docker compose finds its file. */
const composeName = /^(?:docker-)?compose\.ya?ml$/;

/** Whether a file lies in the folder itself, or where imgpkg keeps its lock. */
const isAtTop = ({ path }: FolderFile): boolean => !path.includes('/') || path.startsWith('.imgpkg/');

/**
 * Selects the sources of a folder. A chart, or the definition of a package, names its own parts: everything else in the
 * folder is left out. A list of images must be named so, because many texts look like one.
 *
 * @param charts folders with a `Chart.yaml`, without those in charts; '' is the folder itself
 * @returns names of several files that each define the folder
 */
export function selectFolder(
  files: readonly FolderFile[],
  charts: readonly string[],
): FolderSelection | { readonly ambiguous: readonly string[] } {
  const named = (accept: (file: FolderFile) => boolean) =>
    files.filter((file) => isAtTop(file) && accept(file));
  const defining = named(isDefinition);
  const composed = named(({ form, path }) => form === 'compose' && composeName.test(path));
  for (const several of [defining, composed])
    if (several.length > 1) return { ambiguous: several.map(({ path }) => path) };
  if (charts.includes('')) return select({ charts: [''] }, files, charts, 'beside-chart');
  if (defining.length > 0) return select({ documents: defining }, files, charts, 'beside-definition');
  const lists = named(({ form, path }) => form === 'images' && /image/i.test(path));
  const manifests = files.filter(({ form }) => form === 'manifests');
  return select({ charts, documents: [...composed, ...lists], manifests }, files, charts, 'not-named-so');
}

function select(
  { charts = [], documents = [], manifests = [] }: Partial<FolderSelection>,
  files: readonly FolderFile[],
  known: readonly string[],
  reason: OmissionReason,
): FolderSelection {
  const taken = new Set([...documents, ...manifests]);
  const leftOut = [
    ...known.filter((path) => !charts.includes(path)).map((path) => ({ path: `${path}/Chart.yaml`, reason })),
    ...files.filter((file) => !taken.has(file)).map((file) => toLeftOut(file, reason)),
  ];
  return { charts, documents, manifests, leftOut };
}

/** @param reason of a file that could be taken */
function toLeftOut({ path, form, detail }: FolderFile, reason: OmissionReason): LeftOut {
  return {
    path,
    reason: isSourceFormat(form) ? reason : form,
    ...(detail === undefined ? {} : { detail }),
  };
}

export const isSourceFormat = (form: FolderFile['form']): form is SourceFormat =>
  (sourceFormats as readonly string[]).includes(form);

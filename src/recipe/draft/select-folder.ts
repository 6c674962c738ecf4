import type { OmissionReason, SourceFormat } from './model.ts';

/** A file of a folder that may be a source. */
export interface FolderFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  /** Form of its content; `unknown`: none that is known, `unreadable`: it cannot be read as any. */
  readonly form: SourceFormat | 'unknown' | 'unreadable';
}

/** What a folder is read as. */
export interface FolderSelection {
  /** Folders of charts; '' is the folder itself. */
  readonly charts: readonly string[];
  /** Documents that are read each for itself: compose file, lists of images, definition of a package. */
  readonly documents: readonly FolderFile[];
  /** Kubernetes manifests, which are read together. */
  readonly manifests: readonly FolderFile[];
  readonly leftOut: readonly { readonly path: string; readonly reason: OmissionReason }[];
}

const definitions: ReadonlySet<FolderFile['form']> = new Set(['hauler', 'zarf', 'oc-mirror', 'imgpkg']);
/** Names under which docker compose finds its file. */
const composeName = /^(?:docker-)?compose\.ya?ml$/;

/** Whether a file lies in the folder itself, or where imgpkg keeps its lock. */
const isAtTop = ({ path }: FolderFile): boolean => !path.includes('/') || path.startsWith('.imgpkg/');

/**
 * Selects the sources of a folder. A chart, or the definition of a package, says what belongs to it: what else the folder
 * has is left out. A list of images must be named so, because many texts look like one.
 *
 * @param charts folders with a `Chart.yaml`, without those in charts; '' is the folder itself
 * @returns names of several files of which each says alone what the folder is
 */
export function selectFolder(
  files: readonly FolderFile[],
  charts: readonly string[],
): FolderSelection | { readonly ambiguous: readonly string[] } {
  const named = (accept: (file: FolderFile) => boolean) =>
    files.filter((file) => isAtTop(file) && accept(file));
  const defining = named(({ form }) => definitions.has(form));
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
    ...files
      .filter((file) => !taken.has(file))
      .map(({ path, form }) => ({ path, reason: reasonFor[form as keyof typeof reasonFor] ?? reason })),
  ];
  return { charts, documents, manifests, leftOut };
}

const reasonFor = { unknown: 'no-known-form', unreadable: 'unreadable' } as const satisfies Partial<
  Record<FolderFile['form'], OmissionReason>
>;

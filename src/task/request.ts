import { type Digest, parseDigest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';

interface RequestBase {
  /** What the task is about, as lists show it. */
  readonly reference: string;
  readonly actor: string;
  /** Where the request came from, for audit records; no task shows it. */
  readonly origin?: string | undefined;
}

export interface SyncRequest extends RequestBase {
  readonly type: 'sync';
  /** Overrides the configured prune for this run. */
  readonly prune?: boolean;
}

export interface ImportRequest extends RequestBase {
  readonly type: 'import';
  readonly parameters: {
    readonly platforms: readonly { readonly name: string; readonly digest: Digest }[];
    readonly vendorDependencies: boolean;
  };
}

interface MediaImportRequest extends RequestBase {
  readonly type: 'media-import';
  readonly parameters: { readonly allowZoneMismatch: boolean; readonly allowStale: boolean };
}

export interface LayoutExportRequest extends RequestBase {
  readonly type: 'layout-export';
  readonly parameters: {
    /** Absolute path. */
    readonly output: string;
    readonly format: 'tar' | 'directory';
    readonly recipes: readonly string[];
    readonly repositories: readonly string[];
    readonly overwrite: boolean;
  };
}

export interface LayoutImportRequest extends RequestBase {
  readonly type: 'layout-import';
  readonly parameters: {
    /** Absolute path. */
    readonly input: string;
    readonly repository?: string;
  };
}

/** What a task is asked to do: enough to run it again after a restart. */
export type TaskRequest =
  | SyncRequest
  | ImportRequest
  | MediaImportRequest
  | LayoutExportRequest
  | LayoutImportRequest;

/** A request as a task document holds it, of this version or of another. */
export interface StoredRequest extends RequestBase {
  readonly type: string;
  readonly prune?: boolean;
  readonly parameters?: unknown;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function toPlatforms(value: unknown): ImportRequest['parameters']['platforms'] {
  if (!Array.isArray(value)) return [];
  return (value as readonly { readonly name?: unknown; readonly digest?: unknown }[]).flatMap(
    ({ name, digest }) => {
      const parsed = parseDigest(digest);
      return typeof name === 'string' && parsed ? [{ name, digest: parsed }] : [];
    },
  );
}

/**
 * The request of a stored task, read once before it runs. A member that is missing or of another type is as if it had
 * not been asked for.
 *
 * @throws SVC-VAL-001 for a type of task that this version does not know
 */
export function parseRequest(stored: StoredRequest): TaskRequest {
  const { type, reference, actor, origin, prune } = stored;
  const base = { reference, actor, ...(typeof origin === 'string' ? { origin } : {}) };
  const given = (stored.parameters ?? {}) as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'sync':
      return { ...base, type, ...(prune === undefined ? {} : { prune }) };
    case 'import':
      return {
        ...base,
        type,
        parameters: {
          platforms: toPlatforms(given.platforms),
          vendorDependencies: given.vendorDependencies === true,
        },
      };
    case 'media-import':
      return {
        ...base,
        type,
        parameters: {
          allowZoneMismatch: given.allowZoneMismatch === true,
          allowStale: given.allowStale === true,
        },
      };
    case 'layout-export':
      return {
        ...base,
        type,
        parameters: {
          output: toText(given.output),
          format: given.format === 'directory' ? 'directory' : 'tar',
          recipes: toTexts(given.recipes),
          repositories: toTexts(given.repositories),
          overwrite: given.overwrite === true,
        },
      };
    case 'layout-import':
      return {
        ...base,
        type,
        parameters: {
          input: toText(given.input),
          ...(typeof given.repository === 'string' ? { repository: given.repository } : {}),
        },
      };
    default:
      throw svcError('SVC-VAL-001', { file: 'task', path: '/type', rule: `cannot run ${type}` });
  }
}

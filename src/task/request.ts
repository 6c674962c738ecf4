import { type Digest, parseDigest } from '../base/digest.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { type PruneOrder, pruneOrders } from './prune-order.ts';

interface RequestBase {
  /** Subject of the task, as lists show it. */
  readonly reference: string;
  readonly actor: string;
  /** Address of the client, for audit records; not part of the task document. */
  readonly origin?: string | undefined;
  /** Correlation identifier of the request for the task; the schedule and commands have none. */
  readonly requestId?: string | undefined;
  /** The command that runs the task itself, such as `svc export`. */
  readonly command?: string | undefined;
}

export interface SyncRequest extends RequestBase {
  readonly type: 'sync';
  /** Whether this run prunes, as its document says. */
  readonly prune?: boolean;
  /** How it prunes; absent in records of older versions. */
  readonly order?: PruneOrder;
  /** Of the preview of the prune that was confirmed: anything else is not pruned. */
  readonly fingerprint?: string;
}

export interface ImportRequest extends RequestBase {
  readonly type: 'import';
  readonly parameters: {
    readonly platforms: readonly { readonly name: string; readonly digest: Digest }[];
    readonly vendorDependencies: boolean;
    /** Fingerprint of the content of the tag when the import was confirmed: nothing else is replaced. */
    readonly replaces?: string;
  };
}

interface MediaImportRequest extends RequestBase {
  readonly type: 'media-import';
  readonly parameters: {
    readonly allowZoneMismatch: boolean;
    readonly allowStale: boolean;
    readonly reason?: string;
  };
}

export interface MediaWriteRequest extends RequestBase {
  readonly type: 'media-write';
  readonly parameters: {
    readonly zone: string;
    readonly base: 'latest' | 'none' | 'sent';
    readonly recipes: readonly string[];
    /** Those that the Retriever of the zone wants, in place of `recipes`. */
    readonly wanted?: boolean;
    /** Absolute paths. */
    readonly folders: readonly string[];
    /** Bytes of the media, if the parts are made below one folder; the last one repeats. */
    readonly volumeBytes?: readonly number[];
  };
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
    /** Of the plan that was confirmed: anything else is not imported. */
    readonly fingerprint?: string;
  };
}

/** Only a command packs as a task. */
interface FilesetPackRequest extends RequestBase {
  readonly type: 'fileset-pack';
  readonly parameters: {
    /** Path of the folder. */
    readonly source: string;
  };
}

/** Request of a task, with everything needed to run it again after a restart. */
export type TaskRequest =
  | SyncRequest
  | ImportRequest
  | MediaImportRequest
  | MediaWriteRequest
  | LayoutExportRequest
  | LayoutImportRequest
  | FilesetPackRequest;

/** A request as stored in a task document, which another version may have written. */
export interface StoredRequest extends RequestBase {
  readonly type: string;
  readonly prune?: boolean;
  readonly order?: unknown;
  readonly fingerprint?: unknown;
  readonly parameters?: unknown;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
/** A request of an earlier version has one size. */
function toSizes(value: unknown): Pick<MediaWriteRequest['parameters'], 'volumeBytes'> {
  const sizes = [value].flat().filter((one) => typeof one === 'number');
  return sizes.length === 0 ? {} : { volumeBytes: sizes };
}
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
 * Parses the request of a stored task. A missing or mistyped member gets its default.
 *
 * @throws SVC-VAL-001 for a task type that this version does not support
 */
export function parseRequest(stored: StoredRequest): TaskRequest {
  const { type, reference, actor, origin, prune, fingerprint } = stored;
  const order = pruneOrders.find((each) => each === stored.order);
  const base = { reference, actor, ...(typeof origin === 'string' ? { origin } : {}) };
  const given = (stored.parameters ?? {}) as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'sync':
      return {
        ...base,
        type,
        ...(prune === undefined ? {} : { prune }),
        ...(order === undefined ? {} : { order }),
        ...(typeof fingerprint === 'string' ? { fingerprint } : {}),
      };
    case 'import':
      return {
        ...base,
        type,
        parameters: {
          platforms: toPlatforms(given.platforms),
          vendorDependencies: given.vendorDependencies === true,
          ...(typeof given.replaces === 'string' ? { replaces: given.replaces } : {}),
        },
      };
    case 'media-import':
      return {
        ...base,
        type,
        parameters: {
          allowZoneMismatch: given.allowZoneMismatch === true,
          allowStale: given.allowStale === true,
          ...(typeof given.reason === 'string' ? { reason: given.reason } : {}),
        },
      };
    case 'media-write':
      return {
        ...base,
        type,
        parameters: {
          zone: toText(given.zone),
          base: given.base === 'none' || given.base === 'sent' ? given.base : 'latest',
          recipes: toTexts(given.recipes),
          ...(given.wanted === true ? { wanted: true } : {}),
          folders: toTexts(given.folders),
          ...toSizes(given.volumeBytes),
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
          ...(typeof given.fingerprint === 'string' ? { fingerprint: given.fingerprint } : {}),
        },
      };
    case 'fileset-pack':
      return { ...base, type, parameters: { source: toText(given.source) } };
    default:
      throw svcError('SVC-VAL-001', {
        file: rule(['task', fr`tâche`]),
        path: '/type',
        rule: rule(['cannot run {type}', fr`ne peut pas exécuter {type}`], { type }),
      });
  }
}

import type { Digest } from '../base/digest.ts';
import type { Pace } from '../base/rate.ts';
import type { MediumReport } from '../catalog/medium-verdict.ts';
import type { ErrorRecord } from '../text/error.ts';
import type { ErrorCode } from '../text/errors/registry.ts';
import type { StoredRule } from '../text/rule.ts';

export type TaskType =
  | 'sync'
  | 'import'
  | 'media-import'
  | 'layout-export'
  | 'layout-import'
  | 'fileset-pack';
export const taskStatuses = ['pending', 'running', 'done', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export type ItemStatus = Exclude<TaskStatus, 'cancelled'> | 'skipped';

/** Whether a task has ended: nothing of it can change any more. A state of a newer instance may still change. */
export function isOver({ status }: { readonly status: TaskStatus }): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

export interface TaskBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly receivedBytes: number;
  readonly resumed: boolean;
  readonly done: boolean;
}

export interface TaskItem {
  readonly name: string;
  readonly digest?: Digest;
  readonly sizeBytes?: number;
  readonly status: ItemStatus;
  readonly transferredBytes: number;
  readonly error?: ErrorRecord;
  /** A defect of completely received content that does not fail the item. */
  readonly warning?: ErrorRecord;
  /** Non-distributable layers that the registry does not have: the image was received without them. */
  readonly absentLayers?: readonly Digest[];
  readonly blobs?: readonly TaskBlob[];
}

export interface TaskResolution {
  readonly recipe: string;
  readonly ingredient?: string;
  readonly requested: string;
  readonly resolved: string;
  readonly digest: Digest;
  readonly status: 'new' | 'outdated' | 'up-to-date';
  /** The higher version that was here, where the source offered it no longer. */
  readonly lowerThan?: string;
  readonly effective?: string;
  /** Non-distributable layers that the registry does not have: the image was received without them. */
  readonly absentLayers?: readonly Digest[];
  readonly trustScope?: string;
  readonly destination?: string;
  readonly destinationStatus?: 'pushed' | 'up-to-date' | 'failed' | 'skipped';
  readonly pushedBytes?: number;
}

export interface PrunedItem {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly recipe: string;
  /** The digest that the tag has now, when it was returned to a displaced owner. */
  readonly restored?: Digest;
}

/** What a layout task wrote or imported; its entries are the items of the task. Sizes in bytes. */
export interface LayoutResult {
  readonly manifests: number;
  readonly blobs: number;
  /** Of the layout that was written, or of the content that the imported entries reach. */
  readonly bytes: number;
  /** Bytes that were not in the store before an import. */
  readonly movedBytes?: number;
  /** What an export leaves out, and why. */
  readonly missing?: readonly {
    readonly repository: string;
    readonly tag?: string;
    readonly digest: Digest;
    readonly reason: string;
    /** The reason in both languages; absent in a task of an older version. */
    readonly reasonRule?: StoredRule;
  }[];
  /** Why a part of the selection may not leave a foreign store. */
  readonly blocked?: ErrorRecord;
}

/** Why a task does not go on now. */
export interface TaskWait {
  /** `window`: transfers run in the windows only. */
  readonly reason: 'window';
  /** When it goes on (RFC 3339 UTC); absent when that is unknown. */
  readonly until?: string;
}

/** The task document of the API. Times are RFC 3339 UTC. Members without a value are absent, not null. */
export interface Task {
  readonly id: string;
  readonly runId: string;
  /** Correlation identifier of the request that asked for the task. */
  readonly requestId?: string;
  readonly sourceRunId?: string;
  readonly type: TaskType;
  readonly reference: string;
  readonly actor: string;
  /** The command that ran it, such as `svc export`; absent of a task of the queue of an instance. */
  readonly command?: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly resumed: boolean;
  readonly prune?: boolean;
  /** Present while the task, pending or running, waits for something that is not another task. */
  readonly waiting?: TaskWait;
  /** Actor who cancelled the task; while it runs, its work is being stopped. */
  readonly cancelledBy?: string;
  readonly error?: ErrorRecord;
  readonly principalCode?: ErrorCode;
  /** Of an import of a medium that had been imported as it is, and brought nothing: when that was. */
  readonly alreadyImportedAt?: string;
  readonly items: readonly TaskItem[];
  readonly counts: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly resolutions?: readonly TaskResolution[];
  readonly pruned?: readonly PrunedItem[];
  /** The verdict under which a medium was imported, waivers included: the record of what was decided and why. */
  readonly verification?: MediumReport;
  readonly layout?: LayoutResult;
  /** Sizes in bytes; the pace only while the task runs. */
  readonly progress: Pace & { readonly bytesDone: number; readonly bytesTotal: number };
}

/** Interface by which the work of a task reports progress and results. */
export interface TaskJournal {
  /** Writes a line to the log of the task. */
  line(text: string): void;
  /**
   * Declares the items by name. An item that an interrupted run has settled keeps its state, unless its
   * digest differs.
   */
  setItems(items: readonly TaskItem[]): void;
  /** Updates one item by name. A terminal status is durable before the promise resolves. */
  updateItem(name: string, change: Partial<Omit<TaskItem, 'name'>>): Promise<void>;
  /**
   * Records items in one write, in any state. Pass `durable: false` for items that a resumed run determines
   * again.
   */
  settleItems(items: readonly TaskItem[], options?: { readonly durable?: boolean }): Promise<void>;
  /** Adds to the number of transferred bytes; not durable. */
  addBytes(count: number): void;
  setTotalBytes(total: number): void;
  setResolutions(resolutions: readonly TaskResolution[]): void;
  setPruned(pruned: readonly PrunedItem[]): void;
  setSourceRunId(runId: string): void;
  setVerification(report: MediumReport): void;
  setAlreadyImported(at: string): void;
  setLayout(result: LayoutResult): void;
  /** The current document of the task, with the items that an interrupted run has settled. */
  readonly task: Task;
}

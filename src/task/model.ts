import type { ErrorCode } from '../base/catalogue.ts';
import type { Digest } from '../base/digest.ts';
import type { ErrorRecord } from '../base/error.ts';

export type TaskType = 'sync' | 'import' | 'media-import' | 'layout-export' | 'layout-import';
export type TaskStatus = 'pending' | 'running' | 'done' | 'failed';
export type ItemStatus = TaskStatus | 'skipped';

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
  /** What is wrong with content that came whole, and that does not fail the item. */
  readonly warning?: ErrorRecord;
  /** Layers that need not be distributed and that the registry does not have: the image came without them. */
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
  readonly effective?: string;
  /** Layers that need not be distributed and that the registry does not have: the image came without them. */
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
  /** What the tag names now: it went back to the owner that it had before. */
  readonly restored?: Digest;
}

/** The task document of the API; times are RFC 3339 UTC; absent, not null. */
export interface Task {
  readonly id: string;
  readonly runId: string;
  readonly sourceRunId?: string;
  readonly type: TaskType;
  readonly reference: string;
  readonly actor: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly resumed: boolean;
  readonly prune?: boolean;
  readonly error?: ErrorRecord;
  readonly principalCode?: ErrorCode;
  readonly items: readonly TaskItem[];
  readonly counts: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly resolutions?: readonly TaskResolution[];
  readonly pruned?: readonly PrunedItem[];
  readonly progress: { readonly bytesDone: number; readonly bytesTotal: number };
}

/** What the work of a task tells about itself while it runs. */
export interface TaskJournal {
  /** Human line of the task's log. */
  line(text: string): void;
  /** Declares the items, by name; one that an interrupted run has settled stays settled unless its digest differs. */
  setItems(items: readonly TaskItem[]): void;
  /** Settles or updates one item by name; a terminal status is durable before the promise resolves. */
  updateItem(name: string, change: Partial<Omit<TaskItem, 'name'>>): Promise<void>;
  /** Keeps items as they are, settled or not, in one write; durable, unless a run that goes on finds them out again. */
  settleItems(items: readonly TaskItem[], options?: { readonly durable?: boolean }): Promise<void>;
  /** Bytes that have just arrived or left; not durable. */
  addBytes(count: number): void;
  setTotalBytes(total: number): void;
  setResolutions(resolutions: readonly TaskResolution[]): void;
  setPruned(pruned: readonly PrunedItem[]): void;
  setSourceRunId(runId: string): void;
  /** The items as they stand: settled ones of an interrupted run are found here. */
  readonly task: Task;
}

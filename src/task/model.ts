import { type TaskStatus, taskStatus } from '../contract/common.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { MediumReport } from '../contract/medium.ts';
import type { LayoutResult, MovedTag, PrunedItem, Task, TaskItem, TaskResolution } from '../contract/task.ts';

export const taskStatuses: readonly TaskStatus[] = taskStatus.enum;

/** Whether a task has ended: it cannot change any more. A state of a newer instance may still change. */
export function isOver({ status }: { readonly status: TaskStatus }): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

/** Milliseconds that an ended task took; undefined before its end, and for one that never began. */
export function durationOf({
  startedAt,
  finishedAt,
}: Pick<Task, 'startedAt' | 'finishedAt'>): number | undefined {
  return startedAt === undefined || finishedAt === undefined
    ? undefined
    : Date.parse(finishedAt) - Date.parse(startedAt);
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
  /** Adds tags that an import gave to other content, or left where they are: the last word on each ingredient counts. */
  addMovedTags(tags: readonly MovedTag[]): void;
  setDelivery(delivery: Delivery): void;
  setReceipt(receipt: NonNullable<Task['receipt']>): void;
  setWritten(written: NonNullable<Task['written']>): void;
  setLayout(result: LayoutResult): void;
  /** The current document of the task, with the items that an interrupted run has settled. */
  readonly task: Task;
}

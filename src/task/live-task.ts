import { toStamp } from '../base/clock.ts';
import { Rate } from '../base/rate.ts';
import type { ItemStatus, TaskStatus } from '../contract/common.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { MediumReport } from '../contract/medium.ts';
import type {
  LayoutResult,
  MovedTag,
  PrunedItem,
  Task,
  TaskItem,
  TaskResolution,
  TaskWait,
} from '../contract/task.ts';
import type { ErrorRecord } from '../text/error.ts';
import { fromErrorRecord, selectPrincipal, toErrorRecord } from '../text/error.ts';
import { escapeText } from '../text/escape.ts';
import type { TaskJournal } from './model.ts';
import type { StoredRequest } from './request.ts';
import { countItems, type JournalEntry, type TaskRecord } from './storage.ts';

interface LiveTaskOptions {
  readonly record: TaskRecord;
  /** Appends an entry to the journal of the task. */
  readonly note: (entry: JournalEntry, durable: boolean) => Promise<void>;
  /** Appends lines to the log of the task. */
  readonly log: (text: string) => Promise<void>;
  readonly onChange: (task: () => Task) => void;
  /** Finds the reason of a failure. Default: the error itself. */
  readonly explain?: ((error: unknown) => Promise<unknown>) | undefined;
  /** The attempt that requests of the task wait for. */
  readonly retry?: (() => Task['progress']['retry']) | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: (() => number) | undefined;
}

const maxLine = 8 << 10;

/** A task that has not ended: its current document, and the journal that its work writes. */
export class LiveTask implements TaskJournal {
  readonly sequence: number;
  readonly request: StoredRequest;
  readonly #note: LiveTaskOptions['note'];
  readonly #log: LiveTaskOptions['log'];
  readonly #onChange: LiveTaskOptions['onChange'];
  readonly #explain: (error: unknown) => Promise<unknown>;
  readonly #now: () => number;
  readonly #retry: NonNullable<LiveTaskOptions['retry']>;
  readonly #rate = new Rate();
  #task: Task;
  #items: Map<string, TaskItem>;
  #bytesDone = 0;
  #bytesTotal = 0;
  #stale = true;
  /** Seconds of work that were left when the task began to wait. */
  #leftBefore: number | undefined;
  #interrupted = false;
  #ending = false;
  #logged: Promise<void> = Promise.resolve();

  constructor(options: LiveTaskOptions) {
    const { record } = options;
    this.sequence = record.sequence;
    this.request = record.request;
    this.#note = options.note;
    this.#log = options.log;
    this.#onChange = options.onChange;
    this.#explain = options.explain ?? (async (error) => error);
    this.#retry = options.retry ?? (() => undefined);
    this.#now = options.now ?? (() => performance.now());
    this.#task = record.task;
    this.#items = new Map(record.task.items.map((item) => [item.name, item]));
  }

  get task(): Task {
    if (this.#stale) {
      const items = [...this.#items.values()];
      this.#task = {
        ...this.#task,
        items,
        counts: countItems(items),
        progress: this.bytes,
      };
      this.#stale = false;
    }
    return this.#task.status === 'running' ? { ...this.#task, progress: this.#paced() } : this.#task;
  }

  /** Bytes transferred and expected. */
  get bytes(): Pick<Task['progress'], 'bytesDone' | 'bytesTotal'> {
    return { bytesDone: this.#bytesDone, bytesTotal: Math.max(this.#bytesTotal, this.#bytesDone) };
  }

  /** The progress with its pace: a look at the task is a sample too, so that the rate of a stalled transfer falls. */
  #paced(): Task['progress'] {
    if (this.#task.waiting !== undefined)
      return { ...this.bytes, ...(this.#leftBefore === undefined ? {} : { secondsLeft: this.#leftBefore }) };
    this.#rate.add(this.#now(), this.#bytesDone);
    const left = this.#bytesTotal > 0 ? this.#bytesTotal - this.#bytesDone : undefined;
    const retry = this.#retry();
    return {
      ...this.bytes,
      ...this.#rate.toPace(left),
      ...(retry === undefined ? {} : { retry: { ...retry } }),
    };
  }

  get status(): TaskStatus {
    return this.#task.status;
  }

  get hasOpenItems(): boolean {
    return [...this.#items.values()].some((item) => !isSettled(item.status));
  }

  // ── Methods for the queue ──

  /** Whether the end of the task is being recorded. */
  get isEnding(): boolean {
    return this.#ending;
  }

  /**
   * Marks the task as cancelled; {@link logged} resolves when the mark is durable.
   *
   * @returns the actor of the first cancellation
   */
  cancel(actor: string): string {
    const { cancelledBy } = this.#task;
    if (cancelledBy !== undefined) return cancelledBy;
    this.#change({ cancelledBy: actor });
    // without the mark the task ends all the same, unless the process is killed before
    const noted = this.#note({ cancelledBy: actor }, true).catch(() => undefined);
    this.#logged = Promise.all([this.#logged, noted]).then(() => undefined);
    return actor;
  }

  async begin(at: Date): Promise<void> {
    const startedAt = at.toISOString();
    this.#rate.add(this.#now(), this.#bytesDone);
    this.#change({ status: 'running', startedAt: this.#task.startedAt ?? startedAt });
    await this.#note({ startedAt }, false);
  }

  /**
   * Marks the task as interrupted. Failures after this are caused by the interruption and are not recorded.
   */
  interrupt(): void {
    this.#interrupted = true;
  }

  /** Makes the task pending again; settled items are kept. */
  park(): void {
    for (const item of this.#items.values())
      if (!isSettled(item.status)) this.#items.set(item.name, { ...item, status: 'pending' });
    this.#bytesDone = 0;
    this.#bytesTotal = 0;
    this.#rate.clear();
    this.wait(undefined);
    this.#change({ status: 'pending', resumed: true });
  }

  /**
   * Makes the final record: status and principal code follow from the error of the task and those of its
   * items. The task itself does not change yet, because its end is shown only after the record is durable.
   */
  toEnded(at: Date, error: ErrorRecord | undefined): TaskRecord {
    this.#ending = true;
    this.wait(undefined);
    const items = [...this.#items.values()].map((item): TaskItem => {
      if (isSettled(item.status)) return item;
      return item.status === 'running' && error
        ? { ...item, status: 'failed', error, finishedAt: at.toISOString() }
        : { ...item, status: 'skipped' };
    });
    const failed = items.flatMap((item) => (item.status === 'failed' && item.error ? [item.error] : []));
    const principal = selectPrincipal(error ? [error, ...failed] : failed);
    const isFailed = error !== undefined || items.some((item) => item.status === 'failed');
    const task: Task = {
      ...this.task,
      progress: this.bytes,
      items,
      counts: countItems(items),
      // a task that was done before it could be stopped is done
      status: !isFailed ? 'done' : this.#task.cancelledBy === undefined ? 'failed' : 'cancelled',
      finishedAt: at.toISOString(),
      ...(error ? { error } : {}),
      ...(isFailed ? { principalCode: principal?.code ?? 'SVC-SRV-001' } : {}),
      ...(error === undefined ? toPrincipal(items, principal?.code) : {}),
    };
    return { sequence: this.sequence, request: this.request, task };
  }

  /** Resolves when every log line has been written, or its write has failed. */
  logged(): Promise<void> {
    return this.#logged;
  }

  /** Shows why the task does not go on, or that it does. @returns whether that was not shown before */
  wait(waiting: TaskWait | undefined): boolean {
    const known = this.#task.waiting;
    if (known?.reason === waiting?.reason && known?.until === waiting?.until) return false;
    if (known === undefined) this.#leftBefore = this.task.progress.secondsLeft;
    const { waiting: _, ...others } = this.#task;
    // a time outside the windows is no pause of the link
    if (waiting === undefined) this.#rate.clear();
    this.#task = waiting === undefined ? others : { ...others, waiting };
    this.#change({});
    return true;
  }

  // ── Methods for the work of the task ──

  line(text: string): void {
    const shown = text.length > maxLine ? `${text.slice(0, maxLine)}…` : text;
    const line = `${toStamp()} ${escapeText(shown)}\n`;
    // a failed write of the log does not fail the task; a failing disk is reported by writes of the journal
    this.#logged = Promise.all([this.#logged, this.#log(line).catch(() => undefined)]).then(() => undefined);
  }

  setItems(items: readonly TaskItem[]): void {
    const settled = this.#items;
    const names = new Set(items.map(({ name }) => name));
    // the later item would replace the earlier one and hide its failure
    if (names.size < items.length) throw new Error('two items of a task have one name');
    this.#items = new Map(
      items.map((item) => {
        const known = settled.get(item.name);
        const keeps =
          known !== undefined &&
          isSettled(known.status) &&
          !isSettled(item.status) &&
          (item.digest === undefined || known.digest === undefined || item.digest === known.digest);
        return [item.name, keeps ? known : item];
      }),
    );
    this.#change({});
  }

  async updateItem(name: string, change: Partial<Omit<TaskItem, 'name'>>): Promise<void> {
    const known = this.#items.get(name) ?? { name, status: 'pending', transferredBytes: 0 };
    const reopens = change.status !== undefined && isSettled(known.status) && !isSettled(change.status);
    const item: TaskItem = {
      ...known,
      ...change,
      status: reopens ? known.status : (change.status ?? known.status),
    };
    if (change.status !== undefined && isSettled(item.status)) return this.settleItems([item]);
    this.#items.set(name, item);
    this.#change({});
  }

  async settleItems(
    items: readonly TaskItem[],
    { durable = true }: { readonly durable?: boolean } = {},
  ): Promise<void> {
    const kept = this.#interrupted ? items.filter((item) => item.status !== 'failed') : items;
    if (kept.length === 0) return;
    const explained = kept.some(({ error }) => error !== undefined) ? await this.#explainItems(kept) : kept;
    const finishedAt = toStamp();
    const told = explained.map((item): TaskItem => {
      if (!isSettled(item.status) || item.finishedAt !== undefined) return item;
      return { ...item, finishedAt: this.#items.get(item.name)?.finishedAt ?? finishedAt };
    });
    for (const item of told) this.#items.set(item.name, item);
    this.#change({});
    await this.#note({ items: told }, durable);
  }

  #explainItems(items: readonly TaskItem[]): Promise<TaskItem[]> {
    return Promise.all(
      items.map(async (item) =>
        item.error === undefined
          ? item
          : { ...item, error: toErrorRecord(await this.#explain(fromErrorRecord(item.error))) },
      ),
    );
  }

  addBytes(count: number): void {
    this.#bytesDone += count;
    this.#rate.add(this.#now(), this.#bytesDone);
    this.#stale = true;
  }

  setTotalBytes(total: number): void {
    this.#bytesTotal = total;
    this.#change({});
  }

  setResolutions(resolutions: readonly TaskResolution[]): void {
    this.#change({ resolutions });
  }

  setPruned(pruned: readonly PrunedItem[]): void {
    this.#change({ pruned });
  }

  setSourceRunId(sourceRunId: string): void {
    this.#change({ sourceRunId });
    // not awaited: the final document contains it too
    this.#note({ sourceRunId }, false).catch(() => undefined);
  }

  setVerification(verification: MediumReport): void {
    const { mediaId } = verification.medium ?? {};
    // the disk may have been exchanged since the task was created
    const isOther = this.#task.type === 'media-import' && mediaId !== undefined;
    this.#change({ verification, ...(isOther ? { reference: mediaId } : {}) });
    // not awaited: the document at the end of the task contains it too
    this.#note({ verification }, false).catch(() => undefined);
  }

  setAlreadyImported(alreadyImportedAt: string): void {
    this.#change({ alreadyImportedAt });
  }

  addMovedTags(tags: readonly MovedTag[]): void {
    if (tags.length === 0) return;
    const all = [...(this.task.movedTags ?? []), ...tags].map((one) => [one.ingredient, one] as const);
    this.#change({ movedTags: [...new Map(all).values()] });
  }

  setDelivery(delivery: Delivery): void {
    this.#change({ delivery });
  }

  setReceipt(receipt: NonNullable<Task['receipt']>): void {
    this.#change({ receipt });
  }

  setWritten(written: NonNullable<Task['written']>): void {
    this.#change({ written });
  }

  setLayout(layout: LayoutResult): void {
    this.#change({ layout });
  }

  #change(change: Partial<Task>): void {
    this.#task = { ...this.#task, ...change };
    this.#stale = true;
    this.#onChange(() => this.task);
  }
}

function isSettled(status: ItemStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'skipped';
}

/** The first item with the code of a task, for lists, which have no items. */
function toPrincipal(
  items: readonly TaskItem[],
  code: ErrorRecord['code'] | undefined,
): Pick<Task, 'principal'> {
  const [first, ...others] = items.filter((item) => item.status === 'failed' && item.error?.code === code);
  return first?.error === undefined
    ? {}
    : { principal: { item: first.name, error: first.error, others: others.length } };
}

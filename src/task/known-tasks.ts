import type { Task } from '../contract/task.ts';

/** The tasks that were read last, up to a size of their documents: a finished task never changes. */
export class KnownTasks {
  readonly #limit: number;
  readonly #known = new Map<string, { readonly task: Task; readonly size: number }>();
  #size = 0;

  /** @param limit characters of all documents kept; in memory, a parsed document takes a few times as much */
  constructor(limit = 8 << 20) {
    this.#limit = limit;
  }

  get(id: string): Task | undefined {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    this.#known.delete(id);
    this.#known.set(id, known);
    return known.task;
  }

  /** @param size characters of its document; one above the limit is not kept */
  set(task: Task, size: number): void {
    this.delete(task.id);
    if (size > this.#limit) return;
    this.#known.set(task.id, { task, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#known) {
      if (this.#size <= this.#limit) break;
      this.#known.delete(oldest);
      this.#size -= freed;
    }
  }

  delete(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    this.#size -= known.size;
  }
}

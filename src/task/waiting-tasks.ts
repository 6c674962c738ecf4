import { resources } from '../base/shares/resources.ts';
import { type Holder, Shares } from '../base/shares/shares.ts';
import { svcError } from '../text/error.ts';
import type { TaskEntry } from './task-table.ts';

/** The holder for which a task counts that is queued in any case. */
const toHolder = ({ head }: TaskEntry): Holder => ({ name: head.actor, rank: 'account' });

/** The one of these tasks that starts first, by the last turn of each actor; undefined where something holds all. */
function selectNext(waiting: Iterable<TaskEntry>, turns: ReadonlyMap<string, number>): TaskEntry | undefined {
  const turnOf = ({ head }: TaskEntry): number => turns.get(head.actor) ?? 0;
  let next: TaskEntry | undefined;
  for (const entry of waiting) {
    if (entry.live?.task.waiting !== undefined) continue;
    if (entry.head.resumed) return entry;
    if (next === undefined || turnOf(entry) < turnOf(next)) next = entry;
  }
  return next;
}

/** The tasks that wait for their start, in order of submission, with the share and the turn of each actor. */
export class WaitingTasks {
  readonly #waiting: TaskEntry[] = [];
  /** Number of them for each actor, with those that are being stored. */
  readonly #shares = new Shares(resources.tasks);
  /** The last turn of each actor since no task waited. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  get all(): readonly TaskEntry[] {
    return this.#waiting;
  }

  /** Takes a place for a task that is being stored. @throws SVC-TSK-002 */
  reserve(holder: Holder): void {
    const obstacle = this.#shares.obstacle(holder);
    if (obstacle !== undefined) {
      const { of, limit } = obstacle;
      throw svcError('SVC-TSK-002', { limit, actor: of === 'share' ? holder.name : undefined });
    }
    this.#shares.add(holder);
  }

  /** Gives a place back: the task was not stored. */
  release(holder: Holder): void {
    this.#shares.give(holder);
  }

  /** Adds a task whose place was reserved. */
  add(entry: TaskEntry): void {
    this.#waiting.push(entry);
    this.#waiting.sort((a, b) => a.sequence - b.sequence);
  }

  /** Adds a task of the last process. */
  adopt(entry: TaskEntry): void {
    this.#waiting.push(entry);
    this.#shares.add(toHolder(entry));
  }

  /** Adds a task that was interrupted, before all others. */
  putBack(entry: TaskEntry): void {
    this.#waiting.unshift(entry);
    this.#shares.add(toHolder(entry));
  }

  /** Takes out a task. @returns false when it does not wait */
  remove(entry: TaskEntry): boolean {
    const at = this.#waiting.indexOf(entry);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    this.#shares.give({ name: entry.head.actor });
    return true;
  }

  /**
   * Takes the next task that nothing holds: an interrupted one first, then the oldest one of the actor with the longest
   * time since a turn. Many tasks of one actor do not delay those of another.
   */
  takeNext(): TaskEntry | undefined {
    const next = selectNext(this.#waiting, this.#turns);
    return next && this.#take(next);
  }

  /** The tasks that nothing holds, in the order in which they start if no other one is submitted. */
  get order(): readonly TaskEntry[] {
    const rest = new Set(this.#waiting);
    const turns = new Map(this.#turns);
    const order: TaskEntry[] = [];
    for (let next = selectNext(rest, turns); next !== undefined; next = selectNext(rest, turns)) {
      order.push(next);
      rest.delete(next);
      turns.set(next.head.actor, this.#turn + order.length);
    }
    return order;
  }

  /** Takes out a task as the turn of its actor. */
  #take(entry: TaskEntry): TaskEntry {
    this.#turn += 1;
    this.remove(entry);
    if (this.#waiting.length === 0) this.#turns.clear();
    else this.#turns.set(entry.head.actor, this.#turn);
    return entry;
  }
}

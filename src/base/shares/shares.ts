/** Ranks of holders, lowest first: a network origin before sign-in, an account or token, an administrator. */
const ranks = ['origin', 'account', 'admin'] as const;
export type Rank = (typeof ranks)[number];

/** One caller. Its name is unique over all ranks. */
export interface Holder {
  readonly name: string;
  readonly rank: Rank;
}

/** Limits of a resource that callers share, in its units. */
export interface Bounds {
  /** Units of all holders at once. */
  readonly total: number;
  /** Part of `total` that only administrators take. */
  readonly reserve: number;
  /** Units of one holder at once; 0: such a holder takes none. */
  readonly share: Readonly<Record<Rank, number>>;
  /** Units of all origins at once. Default: those that accounts may take. */
  readonly origins?: number;
}

interface Part {
  readonly rank: Rank;
  units: number;
}

const isBelow = (rank: Rank, other: Rank): boolean => ranks.indexOf(rank) < ranks.indexOf(other);

/**
 * Counts the units of a bounded resource for each holder. Decides whether a holder may take more, and which one gives
 * way. A holder at the end of its share gives way to itself; otherwise the largest holder of no higher rank does.
 */
export class Shares {
  readonly #bounds: Bounds;
  readonly #parts = new Map<string, Part>();
  #taken = 0;
  #ofOrigins = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Units of all holders. */
  get taken(): number {
    return this.#taken;
  }

  /** Units of one holder. */
  of({ name }: Pick<Holder, 'name'>): number {
    return this.#parts.get(name)?.units ?? 0;
  }

  /** The limit that more units of a holder would exceed. */
  obstacle(
    holder: Holder,
    units = 1,
  ): { readonly of: 'share' | 'origins' | 'total'; readonly limit: number } | undefined {
    const { total, reserve, share, origins } = this.#bounds;
    const { rank } = holder;
    const limit = rank === 'admin' ? total : total - reserve;
    if (share[rank] < limit && this.of(holder) + units > share[rank])
      return { of: 'share', limit: share[rank] };
    if (rank === 'origin' && origins !== undefined && this.#ofOrigins + units > origins)
      return { of: 'origins', limit: origins };
    return this.#taken + units > limit ? { of: 'total', limit } : undefined;
  }

  /** Takes units where no limit is in the way. @returns whether they were taken */
  tryTake(holder: Holder, units = 1): boolean {
    if (this.obstacle(holder, units) !== undefined) return false;
    this.add(holder, units);
    return true;
  }

  /** Counts units that a holder has in any case. */
  add({ name, rank }: Holder, units = 1): void {
    const part = this.#parts.get(name);
    if (part === undefined) this.#parts.set(name, { rank, units });
    else part.units += units;
    this.#taken += units;
    if (rank === 'origin') this.#ofOrigins += units;
  }

  /** Gives units back. */
  give({ name }: Pick<Holder, 'name'>, units = 1): void {
    const part = this.#parts.get(name);
    if (part === undefined) return;
    part.units -= units;
    this.#taken -= units;
    if (part.rank === 'origin') this.#ofOrigins -= units;
    if (part.units <= 0) this.#parts.delete(name);
  }

  /**
   * Selects the holder that gives way, so that another can take more; undefined when nothing is in the way, or nobody
   * can.
   *
   * @param canGive whether a holder has something that can end
   */
  giver(holder: Holder, units = 1, canGive: (name: string) => boolean = () => true): string | undefined {
    const obstacle = this.obstacle(holder, units);
    if (obstacle === undefined) return undefined;
    if (obstacle.of === 'share')
      return this.#parts.has(holder.name) && canGive(holder.name) ? holder.name : undefined;
    const highest = obstacle.of === 'origins' ? 'origin' : holder.rank;
    let most: readonly [string, Part] | undefined;
    for (const [name, part] of this.#parts) {
      if (isBelow(highest, part.rank)) continue;
      if ((most === undefined || part.units > most[1].units) && canGive(name)) most = [name, part];
    }
    return most?.[0];
  }
}

import type { Owner } from '../contract/content.ts';
import { none } from './content-links.ts';
import { isSameOwner } from './content-records.ts';

/** Maximum number of texts and of owner lists that are shared. */
const textLimit = 10_000;
const ownersLimit = 50_000;

/** Returns one shared object for equal values: a media type or a list of owners occurs a hundred thousand times. */
export class SharedValues {
  readonly #texts = new Map<string, string>();
  readonly #owners = new Map<string, readonly Owner[]>();
  /** Owners of the last tag: consecutive tags mostly have the same. */
  #last: readonly Owner[] = none;

  text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < textLimit) this.#texts.set(text, text);
    return text;
  }

  owners(owners: readonly Owner[]): readonly Owner[] {
    const last = this.#last;
    if (owners === last) return last;
    const [one] = owners;
    if (last.length === 1 && owners.length === 1 && isSameOwner(last[0]!, one!))
      if (last[0]!.displaced === one!.displaced) return last;
    this.#last = this.#intern(owners);
    return this.#last;
  }

  #intern(owners: readonly Owner[]): readonly Owner[] {
    const key = owners.map(toOwnerKey).join('\t');
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    if (this.#owners.size > ownersLimit) this.#owners.clear();
    this.#owners.set(key, owners);
    return owners;
  }
}

function toOwnerKey({ provenance, recipe = '', cookbook = '', displaced }: Owner): string {
  const claim = `${provenance}\n${recipe}\n${cookbook}`;
  return displaced === undefined ? claim : `${claim}\n${displaced.tag}\n${displaced.order}`;
}

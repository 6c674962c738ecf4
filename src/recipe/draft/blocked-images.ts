import { readImageName } from './image-name.ts';

/** Entries of `mirror.blockedImages` of oc-mirror: images that must not be mirrored. */
export class BlockedImages {
  readonly #entries: { readonly name: string; readonly at: string; isUsed: boolean }[];

  constructor(
    entries: Iterable<{ readonly at: string; readonly text: (member: string) => string | undefined }>,
  ) {
    this.#entries = [...entries].map(({ at, text }) => ({ name: text('name') ?? '', at, isUsed: false }));
  }

  /** Whether an entry names this image. */
  has(image: string): boolean {
    const matching = this.#entries.filter(({ name }) => isNamed(name, image));
    for (const entry of matching) entry.isUsed = true;
    return matching.length > 0;
  }

  /** Entries that have named no image so far. */
  get unused(): readonly { readonly name: string; readonly at: string }[] {
    return this.#entries.filter(({ isUsed }) => !isUsed);
  }
}

/** An entry is a reference, a repository for each of its versions, or the last part of one. */
function isNamed(entry: string, image: string): boolean {
  if (entry === image) return true;
  const read = readImageName(image);
  if ('rule' in read) return false;
  const { host, repository, tag, digest } = read.reference;
  if (/^[a-z0-9._-]+$/.test(entry)) return repository.split('/').at(-1) === entry;
  const blocked = readImageName(entry);
  if ('rule' in blocked) return false;
  const { reference } = blocked;
  return (
    reference.host === host &&
    reference.repository === repository &&
    (reference.tag === undefined || reference.tag === tag) &&
    (reference.digest === undefined || reference.digest === digest)
  );
}

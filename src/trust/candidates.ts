import { signPredicate } from '../attest/predicate-types.ts';
import type { Digest } from '../base/digest.ts';
import { type Announced, announcedAs, mergeEntries } from '../oci/announced.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { isBundleType } from '../oci/media-types.ts';
import { signatureLimits } from './claim.ts';
import { isNoBundle } from './no-bundles.ts';

/** A referrer that may be a signature; `tag` is the fallback tag when only the fallback index lists it. */
export interface Candidate {
  readonly descriptor: Descriptor;
  readonly tag?: string;
}

const predicateAnnotation = 'dev.sigstore.bundle.predicateType';

/** Whether an annotation of cosign announces an attestation. Unsigned; used only for the order of reading. */
function isAnnouncedAttestation({ descriptor: { annotations } }: Candidate): boolean {
  return (annotations?.[predicateAnnotation] ?? signPredicate) !== signPredicate;
}

/**
 * The entries of the lists of one subject that may be signatures. The announced kind of an entry is a hint: it decides
 * the order, and the number of entries that are read.
 */
export class Candidates {
  readonly #found = new Map<Digest, Candidate>();
  readonly #counted: Readonly<Record<Exclude<Announced, 'signature'>, Set<Digest>>> = {
    unclear: new Set(),
    other: new Set(),
  };
  readonly #takesOthers: boolean;
  /** Whether there are more entries of other types than are read. */
  isCut = false;

  /** @param takesOthers whether entries that are announced as something else are candidates */
  constructor(takesOthers: boolean) {
    this.#takesOthers = takesOthers;
  }

  /** Whether an entry is a candidate. Those of other types are limited, so that they displace no announced signature. */
  accepts(entry: Descriptor): boolean {
    const announced = announcedAs(entry);
    if (isNoBundle(entry.digest) && !isBundleType(entry.artifactType)) return false;
    if (announced === 'signature') return true;
    if (announced === 'other' && !this.#takesOthers) return false;
    const counted = this.#counted[announced];
    if (counted.has(entry.digest)) return true;
    if (counted.size >= signatureLimits.unannounced) {
      this.isCut = true;
      return false;
    }
    counted.add(entry.digest);
    return true;
  }

  /**
   * Adds an entry of a list. Entries for one manifest become one, announced as a signature where one of them is. Their sizes
   * decide nothing: the digest does.
   */
  add(one: Candidate): void {
    const { digest } = one.descriptor;
    const known = this.#found.get(digest) ?? one;
    const { tag } = [one, known].find((each) => each.tag === undefined) ?? one;
    this.#found.set(digest, {
      descriptor: mergeEntries(one.descriptor, known.descriptor),
      ...(tag === undefined ? {} : { tag }),
    });
  }

  /** The candidates to read: signatures, then announced attestations, then entries of unclear types. */
  listLikely(): readonly Candidate[] {
    const signatures = this.#select('signature');
    return [
      ...signatures.filter((one) => !isAnnouncedAttestation(one)),
      ...signatures.filter(isAnnouncedAttestation),
      ...this.#select('unclear'),
    ];
  }

  /** The candidates that are announced as something else, to be read where nothing else claims to be a signature. */
  listOthers(): readonly Candidate[] {
    return this.#select('other');
  }

  #select(announced: Announced): readonly Candidate[] {
    return [...this.#found.values()].filter(({ descriptor }) => announcedAs(descriptor) === announced);
  }
}

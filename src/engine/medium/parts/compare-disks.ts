import { type Digest, fingerprintOf } from '../../../base/digest.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import type { MediumHeader } from '../../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../../text/error.ts';
import { fr } from '../../../text/language.ts';
import { type Rule, rule } from '../../../text/rule.ts';

/** A disk of a delivery that arrived. */
type Disk = Pick<Delivery['landed'][number], 'part' | 'mediaId' | 'said'>;
type Said = NonNullable<Disk['said']>;

/** What a disk says of its whole delivery. All disks of a delivery say the same. */
export function toSaid({ delivery, base, recipes }: MediumHeader): Said {
  const digests: Digest[] = recipes.map(({ digest }) => digest).sort();
  return {
    parts: delivery!.parts,
    ...(base === undefined ? {} : { base: base.receipt }),
    recipes: fingerprintOf(digests),
  };
}

/**
 * Compares a disk of a delivery with the others that arrived. Pure.
 *
 * @param others disks that do not say anything are left out
 * @returns SVC-MED-049 about the first one that says something else, with the disk that most others contradict, if one is
 */
export function compareDisks(header: MediumHeader, others: readonly Disk[]): SvcError | undefined {
  const { delivery, mediaId } = header;
  if (delivery === undefined) return undefined;
  const { id, part } = delivery;
  const own = toSaid(header);
  const telling = others.flatMap(({ said, ...disk }) =>
    said === undefined || disk.part === part ? [] : [{ ...disk, said, detail: toDifference(own, said) }],
  );
  const different = telling.filter(({ detail }) => detail !== undefined);
  const [other] = different;
  if (other === undefined) return undefined;
  const lead = different.length - (telling.length - different.length + 1);
  return svcError('SVC-MED-049', {
    delivery: id,
    part,
    mediaId,
    other: other.mediaId,
    otherPart: other.part,
    detail: other.detail!,
    ...(lead === 0 ? {} : { odd: lead > 0 ? 'this' : 'other' }),
  });
}

/** @returns undefined where both say the same */
export function toDifference(own: Said, other: Said): Rule | undefined {
  if (own.parts !== other.parts)
    return rule(
      [
        'this disk names {own} parts, the earlier one {other}',
        fr`ce disque annonce {own} parties, l’autre {other}`,
      ],
      {
        own: own.parts,
        other: other.parts,
      },
    );
  if (own.base !== other.base)
    return rule([
      'the two disks leave out the content of different receipts',
      fr`les deux disques omettent le contenu de reçus différents`,
    ]);
  return own.recipes === other.recipes
    ? undefined
    : rule(['the two disks list different recipes', fr`les deux disques listent des recettes différentes`]);
}

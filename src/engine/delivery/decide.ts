import { mostParts } from '../../store/rest/media-manifest.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { identifyDelivery } from './identify.ts';
import type { Delivery } from './model.ts';
import { type DistributedContent, type PartitionFault, type PartSupply, partition } from './partition.ts';
import { type DeliveryBase, planDelivery } from './plan.ts';

/** Everything that decides a delivery. */
interface DeliveryInput extends Pick<Delivery, 'zone' | 'sync' | 'closures' | 'program'> {
  /** What the zone has, and how the media name it; undefined: it has nothing. */
  readonly base?: (DeliveryBase & { readonly header: NonNullable<Delivery['base']> }) | undefined;
  readonly supply: PartSupply;
  /** The folders of the disks that are given, in their order. Default: the disks have numbers only. */
  readonly folders?: readonly string[];
}

/**
 * Decides a delivery: its content, its parts and its identifier. Pure: the same input is the same delivery.
 *
 * @throws SVC-MED-046 when the content does not fit
 */
export function decideDelivery({
  zone,
  sync,
  closures,
  base,
  program,
  supply,
  folders,
}: DeliveryInput): Delivery {
  const content = planDelivery(closures, base);
  const distributed = {
    always: content.always,
    recipes: new Map(content.recipes.map(({ record, blobs }) => [record.digest, blobs])),
    absent: content.absent.size,
    program: program?.files,
  };
  const parts = partition(distributed, supply);
  if ('fault' in parts) {
    const disks = parts.fault === 'space' ? countDisks(distributed, supply) : undefined;
    throw svcError('SVC-MED-046', { zone, detail: toDetail(parts, disks, folders) });
  }
  const header = base === undefined ? {} : { base: base.header };
  const decided = { zone, sync, closures, content, parts, program, ...header };
  return { id: identifyDelivery(decided), ...decided };
}

/** Number of disks like the largest given one that hold the content; undefined where no number does. */
function countDisks(content: DistributedContent, supply: PartSupply): number | undefined {
  if (!('given' in supply)) return undefined;
  const each = supply.given.reduce((largest, one) => (one.bytes > largest.bytes ? one : largest));
  const opened = partition(content, { each, most: mostParts });
  if ('fault' in opened) return undefined;
  let { length } = opened;
  // disks that are all there from the start are filled better than those that are opened one after the other
  for (;;) {
    const fewer = partition(content, { given: Array.from({ length: length - 1 }, () => each) });
    if ('fault' in fewer) return length;
    length -= 1;
  }
}

/** @param disks number of disks like the largest one that would do */
function toDetail(fault: PartitionFault, disks: number | undefined, folders: readonly string[] = []): Rule {
  const nameOf = (place: number): string | number => folders[place] ?? place + 1;
  switch (fault.fault) {
    case 'metadata': {
      const { neededBytes, limitBytes, place } = fault;
      return rule(
        [
          'documents, signatures, manifests and records take {neededBytes:size} on each disk, and disk {disk} has {limitBytes:size} for them, a quarter of its space',
          fr`documents, signatures, manifestes et registres prennent {neededBytes:size} sur chaque disque, et le disque {disk} a {limitBytes:size} pour eux, un quart de sa place`,
        ],
        { neededBytes, limitBytes, disk: nameOf(place) },
      );
    }
    case 'entries': {
      const { entries, limitEntries, place } = fault;
      return rule(
        [
          'documents, signatures and manifests are {entries} files, and a folder of disk {disk} takes {limitEntries}',
          fr`documents, signatures et manifestes font {entries} fichiers, et un dossier du disque {disk} en prend {limitEntries}`,
        ],
        { entries, limitEntries, disk: nameOf(place) },
      );
    }
    case 'program': {
      const { neededBytes, limitBytes, place } = fault;
      return rule(
        [
          'the program and the records take {neededBytes:size} on each disk, and disk {disk} has {limitBytes:size}',
          fr`le programme et les registres prennent {neededBytes:size} sur chaque disque, et le disque {disk} a {limitBytes:size}`,
        ],
        { neededBytes, limitBytes, disk: nameOf(place) },
      );
    }
    case 'file': {
      const { size, limitBytes, place } = fault;
      return rule(
        [
          'a file of the program has {size:size}, and disk {disk} takes files of at most {limitBytes:size}',
          fr`un fichier du programme fait {size:size}, et le disque {disk} prend des fichiers de {limitBytes:size} au plus`,
        ],
        { size, limitBytes, disk: nameOf(place) },
      );
    }
    case 'space': {
      const { missingBytes } = fault;
      if (disks === undefined)
        return rule(['{missingBytes:size} find no place', fr`{missingBytes:size} ne trouvent pas de place`], {
          missingBytes,
        });
      return rule(
        [
          '{missingBytes:size} find no place, and {disks} disks like the largest of these would do',
          fr`{missingBytes:size} ne trouvent pas de place, et {disks} disques comme le plus grand de ceux-ci suffiraient`,
        ],
        { missingBytes, disks },
      );
    }
    case 'piece': {
      const { neededBytes, limitBytes } = fault;
      return rule(
        [
          'a disk needs {neededBytes:size} for documents, records and a piece of a large file, and has {limitBytes:size}',
          fr`un disque nécessite {neededBytes:size} pour les documents, les registres et un morceau d’un grand fichier, et a {limitBytes:size}`,
        ],
        { neededBytes, limitBytes },
      );
    }
    case 'parts': {
      const { most } = fault;
      return rule(['more than {most} disks are needed', fr`il faut plus de {most} disques`], { most });
    }
  }
}

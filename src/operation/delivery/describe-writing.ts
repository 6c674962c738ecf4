import type { ReceivedRecipe } from '../../contract/receipt.ts';
import type { MediumWriting } from '../../contract/write-medium.ts';
import { sumContents } from '../../engine/copy/sum-contents.ts';
import type { WrittenPart } from '../../engine/delivery/model.ts';
import { selectOnPart } from '../../engine/delivery/plan.ts';
import { toVolumeCheck } from '../../engine/sync/preflight/judge-volume.ts';
import { toErrorRecord } from '../../text/error.ts';
import { type ChosenBase, isDoubtful } from './choose-base.ts';
import type { PlannedWriting } from './plan-write.ts';

/** A part as far as it is written. */
export type DonePart = Omit<WrittenPart, 'readBack'> & { readonly passport?: boolean };

/**
 * Describes a delivery as documents show it.
 *
 * @param done by part, from 0; absent: nothing was written
 * @param proof absent: nothing was proved
 */
export function describeWriting(
  { delivery, blocked, lacking, refused, refusals, base, places, checks }: PlannedWriting,
  done: readonly DonePart[] = [],
  proof?: MediumWriting['proof'],
): MediumWriting {
  const { id, zone, content, parts, program } = delivery;
  const counted = base && isDoubtful(base) ? undefined : base;
  const said = new Map(counted?.receipt?.recipes.map((recipe) => [recipe.digest, toState(recipe)]));
  return {
    delivery: {
      id,
      zone,
      parts: parts.length,
      ...(base === undefined ? {} : { base: toBase(base) }),
    },
    recipes: content.recipes.map(({ record: { name, version, digest }, blobs: _, ...bytes }) => {
      const refusal = refusals.get(digest);
      return {
        ...{ name, version, digest, ...bytes, ...said.get(digest) },
        ...(refusal === undefined ? {} : { refusal: toErrorRecord(refusal) }),
      };
    }),
    ...(blocked.length === 0
      ? {}
      : {
          blocked: blocked.map(({ record: { name, version, digest }, missing, error }) => {
            return { name, version, digest, missing: [...missing], error: toErrorRecord(error) };
          }),
        }),
    ...(lacking.length === 0
      ? {}
      : { lacking: lacking.map(({ error, ...one }) => ({ ...one, error: toErrorRecord(error) })) }),
    ...(refused.length === 0 ? {} : { refused: [...refused] }),
    totals: {
      totalBytes: sumContents([content.always, content.blobs, content.absent]),
      writeBytes: sumContents([content.always, content.blobs]),
      absentBytes: sumContents([content.absent]),
    },
    volumes: parts.map(({ blobs, segments }, i) => {
      const { path, bytes, volumeBytes } = places[i]!;
      const { unchanged, ...written } = done[i] ?? {};
      const nameOf = ({ record }: (typeof content.recipes)[number]): string =>
        `${record.name}@${record.version}`;
      const isWhole = (one: (typeof content.recipes)[number]): boolean =>
        [...one.blobs.keys()].every((digest) => blobs.has(digest));
      const shares = selectOnPart(content.recipes, { blobs, segments }).filter((one) => !isWhole(one));
      return {
        part: i + 1,
        path,
        state: unchanged === undefined ? 'planned' : unchanged ? 'unchanged' : 'written',
        bytes,
        ...(volumeBytes === undefined ? {} : { volumeBytes }),
        recipes: content.recipes.filter(isWhole).map(nameOf),
        ...(shares.length === 0 ? {} : { shares: shares.map(nameOf) }),
        segments: segments.length,
        ...written,
      };
    }),
    ...(program === undefined
      ? {}
      : { program: { version: program.version, files: program.files.length, bytes: program.bytes } }),
    checks: checks.map(toVolumeCheck),
    unknownRoots: [...content.unknownRoots],
    ...(proof === undefined ? {} : { proof }),
  };
}

function toBase({
  header,
  from,
  receipt,
  fork,
  lower,
}: ChosenBase): NonNullable<MediumWriting['delivery']['base']> {
  if (receipt === undefined) return { ...header, from };
  const { freeBytes } = receipt.destination;
  return {
    ...header,
    from,
    issuedAt: receipt.issuedAt,
    ...(freeBytes === undefined ? {} : { freeBytes }),
    ...(fork === undefined ? {} : { fork }),
    ...(lower === undefined ? {} : { lower }),
  };
}

function toState({ state, code }: ReceivedRecipe): Pick<MediumWriting['recipes'][number], 'inZone' | 'code'> {
  return { inZone: state, ...(code === undefined ? {} : { code }) };
}

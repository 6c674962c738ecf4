import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { AbsentBlob } from '../../../src/store/rest/absent-list.ts';
import { type Artifact, buildImage } from '../content/content.ts';
import type { Signer } from '../content/signer.ts';
import type { RegistryDouble } from '../result/registry-double.ts';
import type { CarriedMedium } from './carried-medium.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from './medium.ts';
import { carryPart, type PartOptions } from './partial-medium.ts';

/** Identifier of the delivery. */
export const splitId = 'dlv_0123456789ab';
export const splitBase = { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 7 };
/** Byte at which the last layer of `shop` is cut. */
export const cutAt = 1000;
/** Bytes of each layer. */
export const layerSize = 2048;

export const imageOf = (name: string): string => `origin.example/${name}/image`;
const names = ['shop', 'depot', 'yard'] as const;
type Name = (typeof names)[number];

/** A delivery of two parts for a zone whose registry has one layer already. */
export interface SplitDelivery extends AsyncDisposable {
  readonly medium: BuiltMedium;
  readonly artifacts: Readonly<Record<Name, Artifact>>;
  readonly layers: Readonly<Record<Name, readonly [Digest, Digest, Digest]>>;
  /** Makes a fresh copy of a part. @param more replaces what the writer of the delivery says */
  carry(part: 1 | 2, more?: Partial<PartOptions>): Promise<CarriedMedium>;
  /** Puts the layer into a registry that the delivery expects there. */
  putBase(double: RegistryDouble): void;
}

/**
 * Makes a delivery. Part 1 has all layers of `depot`, the first layer of `shop` and the first bytes of its last one; part 2
 * has the rest of `shop`, and two layers of `yard`, whose first layer is at the base.
 */
export async function openSplitDelivery(
  options: {
    readonly signer?: Signer;
    readonly zone?: string;
    readonly resolvedAt?: string;
    /** Part of each seed: other content under the same names. */
    readonly seed?: string;
    readonly version?: string;
  } = {},
): Promise<SplitDelivery> {
  const { seed = '', version = '1.0.0', ...rest } = options;
  const built = names.map(
    (name) => [name, buildImage(`${name}${seed}`, { ownLayers: 3, layerSize })] as const,
  );
  const artifacts = Object.fromEntries(built) as Record<Name, Artifact>;
  const recipes = built.map(
    ([name, artifact]): MediumRecipe => ({
      name,
      version,
      layout: 'bundle',
      ingredients: [{ name: 'image', kind: 'ContainerImage', ref: imageOf(name), tag: version, artifact }],
    }),
  );
  const medium = await buildMedium({ recipes, inMemory: true, ...rest });
  const layers = Object.fromEntries(
    built.map(([name, { blobs }]) => [name, blobs.slice(1).map(({ descriptor }) => descriptor.digest)]),
  ) as Record<Name, [Digest, Digest, Digest]>;
  const { shop, depot, yard } = layers;
  const plans = {
    1: {
      absent: [
        [shop[1], [2]],
        [shop[2], [1, 2]],
        [yard[0], 'base'],
        [yard[1], [2]],
        [yard[2], [2]],
      ],
      cut: [0, cutAt],
    },
    2: {
      absent: [
        [shop[0], [1]],
        [shop[2], [1, 2]],
        ...depot.map((digest) => [digest, [1]] as const),
        [yard[0], 'base'],
      ],
      cut: [cutAt, layerSize],
    },
  } as const satisfies Record<1 | 2, object>;
  return {
    medium,
    artifacts,
    layers,
    carry: (part, more = {}) => {
      const { absent, cut } = plans[part];
      return carryPart(medium, {
        delivery: { id: splitId, part, parts: 2 },
        base: splitBase,
        absent: new Map<Digest, AbsentBlob['at']>(absent),
        cut: new Map([[shop[2], [cut]]]),
        ...more,
      });
    },
    putBase: (double) => void double.putBlob(imageOf('yard'), artifacts.yard.blobs[1]!.bytes),
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}

/** The bytes of a blob of the delivery. */
export const readBlob = ({ medium }: SplitDelivery, digest: Digest): Promise<Buffer> =>
  readFile(join(medium.root, 'blobs', ...digest.split(':')));

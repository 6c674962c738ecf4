import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../../../../src/base/digest.ts';
import {
  type AbsentBlob,
  absentListPath,
  formatAbsentBlob,
  segmentPath,
} from '../../../../src/store/rest/absent-list.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import type { RegistryDouble } from '../../result/registry-double.ts';
import type { CarriedMedium } from '../../scene/carried-medium.ts';
import type { importCarried } from '../../scene/import-carried.ts';
import { layerSize, type SplitDelivery } from '../../scene/split-delivery.ts';
import type { Canary } from '../canary.ts';

/** The outcome of a recipe of an imported part: it landed, it waits for a part, or the code of its failure. */
export type Fate = 'landed' | 'waiting' | ErrorCode;
export type Recipe = 'shop' | 'depot' | 'yard';

/** What a case may spoil, and where it does so. */
export interface HostileScene {
  readonly delivery: SplitDelivery;
  /** Another delivery with the same names, of another signer, version and seed where it says so. */
  readonly other: SplitDelivery;
  /** A delivery of the same sender, a month older. */
  readonly older: SplitDelivery;
  /** State of the zone. */
  readonly state: string;
  readonly double: RegistryDouble;
  readonly canary: Canary;
}

/** One way to spoil a part of a delivery, or the memory of the zone, and everything that must come of it. */
export interface HostilePart {
  readonly name: string;
  /** The spoilt part. Default 1. */
  readonly part?: 1 | 2;
  /** Honest parts that were imported before. Default: none. */
  readonly before?: readonly (1 | 2)[];
  /** Makes the medium that is imported. Default: an honest part. */
  readonly make?: (scene: HostileScene) => Promise<CarriedMedium>;
  readonly spoil?: (part: CarriedMedium, scene: HostileScene) => Promise<unknown> | unknown;
  /** Blocks of the whole medium that nobody waived; nothing of it then lands. The code of `shop` may end it too. */
  readonly blocks?: readonly ErrorCode[];
  /** Where it differs from the outcome of the honest part. */
  readonly shop?: Fate | 'absent';
  readonly depot?: Fate | 'absent';
  readonly yard?: Fate | 'absent';
  /** Codes that must be among the findings. Others may be there only when something fails. */
  readonly findings?: readonly ErrorCode[];
  /** Code of the error that ends the import, without a verdict. */
  readonly ends?: ErrorCode;
  /** What the message of a failure has. Default: by its code. */
  readonly says?: RegExp;
  /** What somebody does, told by the message, before the honest parts are imported. */
  readonly repair?: (scene: HostileScene) => Promise<unknown> | unknown;
  readonly options?: Partial<Parameters<typeof importCarried>[3]>;
  /** Whether the zone signs a receipt, which goes onto the medium too. Default: no. */
  readonly signs?: boolean;
  /** Honest parts that are imported afterwards. Default: 1 and 2. */
  readonly after?: readonly (1 | 2)[];
  /** Other content than the delivery's that comes into the zone, from `other`. */
  readonly brings?: readonly Recipe[];
}

type Line = Omit<AbsentBlob, 'at'> & { readonly at: AbsentBlob['at'] };

/** Reads `absent.jsonl`. */
export async function readList(part: CarriedMedium): Promise<Line[]> {
  const text = await readFile(join(part.root, absentListPath), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { digest, size, at, parts } = JSON.parse(line);
      return { digest, size, at: at ?? parts };
    });
}

/** Replaces `absent.jsonl` by any text, and its line in the manifest. */
export async function writeList(part: CarriedMedium, text: string | Buffer): Promise<void> {
  await writeFile(join(part.root, absentListPath), text);
  await part.relist(absentListPath);
}

/** Changes the lines of `absent.jsonl`; they stay in order. */
export async function editList(
  part: CarriedMedium,
  change: (lines: Line[]) => readonly Line[],
): Promise<void> {
  const lines = [...change(await readList(part))].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  await writeList(part, lines.map(formatAbsentBlob).join(''));
}

/** Changes the line of one blob; `undefined` removes it. */
export const editLine = (
  part: CarriedMedium,
  digest: Digest,
  change: (line: Line) => Line | undefined,
): Promise<void> =>
  editList(part, (lines) =>
    lines.flatMap((line) => (line.digest === digest ? (change(line) ?? []) : [line])),
  );

export const line = (digest: Digest, at: Line['at'], size = layerSize): Line => ({ digest, size, at });

/** Path of the segment of the cut blob that a part has. */
export const ownSegment = ({ layers }: SplitDelivery, offset: number): string =>
  segmentPath({ digest: layers.shop[2], offset });

/** Changes the first line of `media.jsonl`. */
export const editHeader = (part: CarriedMedium, change: (header: any) => void): Promise<void> =>
  part.editManifest((header) => {
    change(header);
    return undefined;
  });

export const at = (part: CarriedMedium, path: string): string => join(part.root, path);

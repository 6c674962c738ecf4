import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import { isWritten, type SentDelivery } from '../../contract/write-medium.ts';
import type { Filesystem } from '../../disk/filesystem.ts';
import { findMount } from '../../disk/place/find-mount.ts';
import type { MountTables } from '../../disk/place/find-unmounted.ts';
import { requireParent } from '../../disk/place/require-parent.ts';
import { requireWritable } from '../../disk/place/require-writable.ts';
import { inspectVolume } from '../../disk/volume.ts';
import { sumContents } from '../../engine/copy/sum-contents.ts';
import { decideDelivery } from '../../engine/delivery/decide.ts';
import type { Delivery } from '../../engine/delivery/model.ts';
import { type PartLimits, recordBytes } from '../../engine/delivery/partition.ts';
import { listKnown } from '../../engine/delivery/plan.ts';
import type { CarriedProgram } from '../../engine/delivery/program/read-program.ts';
import { type ExportGate, isWanted } from '../../engine/layout/select-entries.ts';
import { type JudgedVolume, judgeVolume, withWarnings } from '../../engine/sync/preflight/judge-volume.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { mediumManifestPath, mostParts } from '../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { Sent } from '../../zone/sent.ts';
import type { ChosenRecipes } from '../zone/choose-wanted.ts';
import { type ChosenBase, isDoubtful, type StatedBase, toReceiptBase, toSentBase } from './choose-base.ts';
import { type FolderRoom, measureRoom } from './measure-room.ts';
import { type BlockedRecipe, findRefusals, selectClosures } from './select-closures.ts';

export interface PlanWriteInput extends CallOptions {
  readonly store: Store;
  readonly sent: Sent;
  readonly zone: string;
  /** The source of the content that the zone is believed to have: a receipt, or the earlier deliveries. Absent: none. */
  readonly base?: StatedBase | 'sent' | undefined;
  /** `<name>` or `<name>@<version>`; empty: all of the store. */
  readonly recipes: readonly string[];
  /** In place of `recipes`: those that the Retriever of the zone wants. There may be none. */
  readonly wanted?: ChosenRecipes | undefined;
  /** Real paths; with `volumeBytes` one folder, which gets a folder for each part. Empty: no disk is there yet. */
  readonly folders: readonly string[];
  /** Bytes of the media, if the parts are made for media of these sizes; the last one repeats. Absent without folders: any size. */
  readonly volumeBytes?: readonly number[] | undefined;
  /** Filesystem of media that are not there yet. Default: one without limits. */
  readonly filesystem?: Pick<Filesystem, 'maxFileSize' | 'maxFolderEntries'> | undefined;
  readonly marginPercent: number;
  /** A verified release of svc, for every medium. */
  readonly program?: CarriedProgram | undefined;
  /** Where mount points are listed. Default: the tables of the machine. */
  readonly mountTables?: MountTables | undefined;
  /** Decides which content of a foreign store may be written. */
  readonly gate?: ExportGate | undefined;
}

/** A part with its folder, and the room there. */
export interface PlacedPart {
  readonly path: string;
  /** Upper limit of the bytes of its files. */
  readonly bytes: number;
  /** Bytes of the medium, where sizes were given. */
  readonly volumeBytes?: number | undefined;
}

/** A delivery with the folders of its parts. */
export interface PlannedWriting {
  readonly delivery: Delivery;
  /** Recipes that were asked for, and of which the store has lost content. */
  readonly blocked: readonly BlockedRecipe[];
  /** Recipes that the Retriever of the zone wants, and that the store cannot bring. */
  readonly lacking: ChosenRecipes['lacking'];
  /** Recipes that it wants, and that the zone would refuse again. */
  readonly refused: ChosenRecipes['refused'];
  /** Why the registry of the zone refuses recipes, by their digests, as its receipt lets expect. */
  readonly refusals: ReadonlyMap<Digest, SvcError>;
  readonly base?: ChosenBase | undefined;
  readonly places: readonly PlacedPart[];
  readonly checks: readonly JudgedVolume[];
  readonly room?: SentDelivery['room'];
}

/**
 * Plans the media of a delivery. Reads manifests and writes nothing. Where the zone wants nothing that the store could bring, it
 * has no parts.
 *
 * @throws SVC-REG-005 for a recipe that the store does not have, SVC-STO-010 when it has lost content of each, SVC-MED-032 for one that may not be written, SVC-MED-046
 *   when the delivery does not fit, SVC-FIL-005 without the folder above a disk's, SVC-STO-002 for one that is read-only, errors of reading the store
 */
export async function planWriting(input: PlanWriteInput): Promise<PlannedWriting> {
  const { store, sent, zone, folders, volumeBytes, marginPercent, program, filesystem = {} } = input;
  const { recipes, lacking, refused } = input.wanted ?? { recipes: input.recipes, lacking: [], refused: [] };
  const isNothing = input.wanted !== undefined && recipes.length === 0;
  const records = isNothing ? [] : selectRecords({ ...input, recipes });
  const base =
    input.base === 'sent'
      ? await toSentBase(store, sent, zone, input)
      : input.base && (await toReceiptBase(store, sent, input.base, input));
  // a store with recipes has the run that recorded them
  const sync = store.lastSync!;
  // a base that does not count is told, and the media do not name it
  const counted = base && isDoubtful(base) ? undefined : base;
  const { closures, blocked } = await selectClosures(store, records, listKnown(counted), input);
  const common = { zone, sync, closures, base: counted, program };
  const isRefused = base?.receipt?.destination.sparse === 'refused';
  const refusals = isRefused ? await findRefusals(store, closures, listKnown(counted), input) : new Map();
  const told = { blocked, lacking, refused, refusals, base };
  if (isNothing) {
    const each = { bytes: Number.MAX_SAFE_INTEGER };
    const decided = decideDelivery({ ...common, program: undefined, supply: { each, most: 1 } });
    return { delivery: { ...decided, parts: [] }, ...told, places: [], checks: [] };
  }
  if (volumeBytes !== undefined || folders.length === 0) {
    const [folder] = folders;
    const toLimits = (bytes: number): PartLimits => ({
      bytes,
      maxFileBytes: filesystem.maxFileSize,
      maxFolderEntries: filesystem.maxFolderEntries,
    });
    const sizes = volumeBytes?.map((bytes) => Math.floor(bytes * (1 - marginPercent / 100)));
    const limits = (sizes ?? [Number.MAX_SAFE_INTEGER]).map(toLimits);
    const supply = { before: limits.slice(0, -1), each: limits.at(-1)!, most: mostParts };
    const delivery = decideDelivery({ ...common, supply });
    const places = delivery.parts.map(({ place }, i) => ({
      path: join(folder ?? '', `part-${i + 1}`),
      bytes: toBytes(delivery, i),
      volumeBytes: volumeBytes?.[Math.min(place, volumeBytes.length - 1)],
    }));
    if (folder === undefined) return { delivery, ...told, places, checks: [] };
    const { mounts } = await recall(input);
    const volume = await inspectVolume(folder);
    const rooms = await measureRoom(
      places.map(({ path }) => path),
      0,
      undefined,
    );
    const held = rooms.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    const needed = places.reduce((sum, { bytes }) => sum + bytes, 0) - held;
    const demand = { target: 'output', path: folder, volume, neededBytes: needed } as const;
    const extent = { largestFileBytes: toLargest(delivery), folderEntries: toEntries(delivery) };
    const checks = [judgeVolume({ ...demand, ...extent }, marginPercent)];
    await requireWritableParts(places);
    return { delivery, ...told, places, checks, room: { folders: [folder], bytes: [], mounts } };
  }
  const { last, mounts } = await recall(input);
  const rooms = await measureRoom(folders, marginPercent, last?.room);
  const delivery = decideDelivery({
    ...common,
    supply: { given: rooms.map(({ limits }) => limits) },
    folders: rooms.map(({ path }) => path),
  });
  const places = delivery.parts.map(({ place }, i) => {
    return { path: rooms[place]!.path, bytes: toBytes(delivery, i) };
  });
  const checks = delivery.parts.map(({ place }, i) => {
    const { path, volume, heldBytes } = rooms[place]!;
    const neededBytes = Math.max(0, places[i]!.bytes - heldBytes);
    const demand = { target: 'output', path, volume, neededBytes } as const;
    // limits of the filesystem decided the parts
    const check = judgeVolume({ ...demand, largestFileBytes: toLargest(delivery, i), folderEntries: 0 }, 0);
    return withWarnings(check, warnOfSharing(rooms, rooms[place]!));
  });
  await requireWritableParts(places);
  const room = { folders: [...folders], bytes: rooms.map(({ limits }) => limits.bytes), mounts };
  return { delivery, ...told, places, checks, room };
}

/**
 * Recalls the last delivery of the zone to the same folders, and finds the mount points of their disks now.
 *
 * @throws SVC-FIL-005 where the folder above is absent, or is a mount point without its disk: the system disk would be
 *   filled in its place; SVC-STO-019 when it is unfinished, and a disk that it was written to is no longer mounted
 */
async function recall({ sent, zone, folders, mountTables }: PlanWriteInput) {
  const last = (await sent.deliveries(zone)).find(
    ({ room }) => room?.folders.join('\0') === folders.join('\0'),
  );
  const mounts = await Promise.all(folders.map(findMount));
  if (last !== undefined && !isWritten(last))
    for (const [i, path] of folders.entries()) {
      const before = last.room?.mounts?.[i];
      if (before !== undefined && before !== mounts[i] && before.startsWith(mounts[i]!))
        throw svcError('SVC-STO-019', {
          path,
          detail: rule(['{before} is no longer a mount point', fr`{before} n’est plus un point de montage`], {
            before,
          }),
        });
    }
  for (const folder of folders) await requireParent(folder, mountTables);
  return { last, mounts };
}

/** Requires that the parts which are not written yet can be. @throws SVC-STO-002, SVC-STO-014 */
async function requireWritableParts(places: readonly PlacedPart[]): Promise<void> {
  for (const { path } of places) {
    // the manifest is written last
    if (!existsSync(join(path, mediumManifestPath))) await requireWritable(path);
  }
}

/** Folders on one volume share its room; for disks, one of them may not be mounted. */
function warnOfSharing(rooms: readonly FolderRoom[], { path, volume }: FolderRoom): readonly Rule[] {
  const others = rooms.filter((one) => one.path !== path && one.volume.device === volume.device);
  if (others.length === 0) return [];
  const names = others.map((one) => one.path).join(', ');
  return [
    rule(
      [
        'it shares one volume and its room with {names}: for disks, check that each is mounted',
        fr`il partage un même volume et sa place avec {names} : pour des disques, vérifiez que chacun est monté`,
      ],
      { names },
    ),
  ];
}

/** @returns sorted by name and version */
function selectRecords({ store, recipes, gate }: PlanWriteInput): readonly RecipeRecord[] {
  const all = store.index.recipes();
  const names = () => all.flatMap(({ name, version }) => [name, `${name}@${version}`]);
  const unknown = recipes.find((wanted) => !all.some((record) => isWanted(record, wanted)));
  if (unknown !== undefined) throw toUnknownName(unknown, names());
  const chosen = all.filter(
    (record) => recipes.length === 0 || recipes.some((wanted) => isWanted(record, wanted)),
  );
  if (chosen.length === 0) throw svcError('SVC-MED-025', {});
  if (gate && chosen.some(({ repository, digest }) => !gate.allowsManifest(repository, digest)))
    throw svcError('SVC-MED-032', { mediaId: store.mediaId });
  const toKey = ({ name, version, digest }: RecipeRecord): string => `${name}\0${version}\0${digest}`;
  return chosen.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/** Upper limit of the bytes of a part. @param i from 0 */
function toBytes({ content, parts, program }: Delivery, i: number): number {
  const { blobs, segments } = parts[i]!;
  const files = {
    always: content.always.size,
    blobs: content.blobs.size + content.absent.size,
    program: program?.files.length ?? 0,
  };
  const cut = segments.reduce((sum, { size }) => sum + size, 0);
  return sumContents([content.always, blobs]) + cut + (program?.bytes ?? 0) + recordBytes(files);
}

function toLargest({ content, parts, program }: Delivery, i?: number): number {
  const chosen = i === undefined ? parts : [parts[i]!];
  let largest = 0;
  for (const size of content.always.values()) largest = Math.max(largest, size);
  for (const { size } of program?.files ?? []) largest = Math.max(largest, size);
  for (const { blobs, segments } of chosen) {
    for (const size of blobs.values()) largest = Math.max(largest, size);
    for (const { size } of segments) largest = Math.max(largest, size);
  }
  return largest;
}

const toEntries = ({ content, parts }: Delivery): number =>
  content.always.size + Math.max(...parts.map(({ blobs }) => blobs.size));

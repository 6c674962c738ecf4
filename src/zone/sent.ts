import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestHex, isDigest } from '../base/digest.ts';
import { KeptWork } from '../base/kept-work.ts';
import { checkValue } from '../contract/check-value.ts';
import type { Receipt } from '../contract/receipt.ts';
import { inline, type Schema } from '../contract/schema.ts';
import { SentDelivery } from '../contract/write-medium.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readKept, readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';

/** Most records that are remembered; the oldest are forgotten first. */
const most = { deliveries: 1000, closures: 5000 } as const;
/** Largest closure that is remembered, in characters of its record: half a million files. */
const closureLimit = 64 << 20;

/** What the sender remembers of its deliveries. */
export interface Sent {
  /**
   * The content of a recipe that was written or that a receipt named, by the digest of its manifest. A store may have lost
   * the recipe since.
   *
   * @returns sizes in bytes; undefined when it is not remembered, or its record is damaged
   * @throws SVC-STO-014
   */
  closure(recipe: Digest): Promise<ReadonlyMap<Digest, number> | undefined>;
  /** Remembers the content of a recipe, durably. @throws SVC-STO-002, SVC-STO-004 */
  keepClosure(recipe: Digest, contents: ReadonlyMap<Digest, number>): Promise<void>;
  /** Deliveries for a zone, the latest first. Damaged records are left out: too much is carried then, and never too little. */
  deliveries(zone: string): Promise<readonly SentDelivery[]>;
  /** Deliveries for all zones, in the same order. */
  list(): Promise<readonly SentDelivery[]>;
  /** The delivery with this identifier. */
  delivery(id: string): Promise<SentDelivery | undefined>;
  /** Replaces the record of a delivery, durably. @throws SVC-STO-002, SVC-STO-004 */
  keepDelivery(delivery: SentDelivery): Promise<void>;
}

/**
 * The medium that a receipt names as imported, where it is not the one that this source wrote under that name.
 *
 * @param sent the delivery that the receipt names, if this source wrote it
 */
export function findOtherMedium(
  { lastDelivery }: Pick<Receipt, 'lastDelivery'>,
  sent: SentDelivery | undefined,
):
  | { readonly delivery: string; readonly part: number; readonly found: Digest; readonly known?: Digest }
  | undefined {
  if (lastDelivery === undefined || sent?.id !== lastDelivery.id) return undefined;
  const { id: delivery, part, manifest: found } = lastDelivery;
  const known = sent.written.find((one) => one.part === part)?.manifest;
  // a part that is being written anew has no manifest yet
  if (known === found || (known === undefined && part <= sent.parts)) return undefined;
  return { delivery, part, found, ...(known === undefined ? {} : { known }) };
}

/** Parsed records of all deliveries, up to 32 MiB. */
const kept = new KeptWork<string, SentDelivery>(32 << 20);

/** Opens the record of sent deliveries, `<state>/sent/`. @param stateRoot folder of the state; created on the first write */
export function openSent(stateRoot: string): Sent {
  const closures = join(stateRoot, 'sent', 'closures');
  const deliveries = join(stateRoot, 'sent', 'deliveries');
  const closurePath = (recipe: Digest): string => join(closures, `${digestHex(recipe)}.txt`);

  const delivery = async (id: string): Promise<SentDelivery | undefined> => {
    const path = join(deliveries, `${id}.json`);
    try {
      return await readKept(kept, path, async () => {
        const text = await readText(path);
        const value = text === undefined ? undefined : parseDelivery(text);
        return value && { value, bytes: 2 * text!.length };
      });
    } catch (error) {
      throw toReadError(error, path);
    }
  };
  const all = async (): Promise<SentDelivery[]> => {
    const found: SentDelivery[] = [];
    for (const name of await listNames(deliveries)) {
      const [, id] = /^(dlv_[0-9a-f]{12})\.json$/.exec(name) ?? [];
      const one = id === undefined ? undefined : await delivery(id);
      if (one !== undefined) found.push(one);
    }
    return found.sort((a, b) =>
      a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.id < b.id) ? 1 : -1,
    );
  };

  return {
    delivery,
    list: all,
    deliveries: async (zone) => (await all()).filter((one) => one.zone === zone),
    keepDelivery: async (one) => {
      await makeStateFolder(deliveries);
      await writeStateFile(join(deliveries, `${one.id}.json`), `${JSON.stringify(one, null, 2)}\n`);
      for (const { id } of (await all()).slice(most.deliveries))
        await removeDurably(join(deliveries, `${id}.json`));
    },
    closure: async (recipe) => {
      const path = closurePath(recipe);
      const text = await readText(path);
      return text === undefined ? undefined : parseClosure(text, recipe);
    },
    keepClosure: async (recipe, contents) => {
      const text = formatClosure(recipe, contents);
      if (text.length > closureLimit) return;
      await makeStateFolder(closures);
      await writeStateFile(closurePath(recipe), text);
      await forgetOldest(closures);
    },
  };
}

function formatClosure(recipe: Digest, contents: ReadonlyMap<Digest, number>): string {
  const lines = [...contents].map(([digest, size]) => `${digest} ${size}\n`);
  return `${recipe} ${lines.length}\n${lines.join('')}`;
}

/** @returns undefined when the text is not the whole record of this recipe */
function parseClosure(text: string, recipe: Digest): ReadonlyMap<Digest, number> | undefined {
  if (text.length > closureLimit) return undefined;
  const [first, ...lines] = text.split('\n');
  if (lines.pop() !== '' || first !== `${recipe} ${lines.length}`) return undefined;
  const contents = new Map<Digest, number>();
  for (const line of lines) {
    const [digest, size, ...more] = line.split(' ');
    if (!isDigest(digest) || !/^(?:0|[1-9]\d{0,15})$/.test(size ?? '') || more.length > 0) return undefined;
    contents.set(digest, Number(size));
  }
  return contents;
}

/** A record of a later version has further members. */
const openDelivery = inline(SentDelivery) as Schema;

function parseDelivery(text: string): SentDelivery | undefined {
  try {
    const document: unknown = JSON.parse(text);
    checkValue(document, openDelivery, '', 'delivery');
    return document as SentDelivery;
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readPlainText(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toReadError(error, path);
  }
}

async function listNames(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  });
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await listNames(folder)).filter((name) => name.endsWith('.txt'));
  if (names.length <= most.closures) return;
  const aged: { readonly path: string; readonly at: number }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const at = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    aged.push({ path, at });
  }
  aged.sort((a, b) => a.at - b.at);
  for (const { path } of aged.slice(0, names.length - most.closures)) await removeDurably(path);
}

import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { Store } from '../../../src/store/model.ts';
import { openStoreAt } from '../instance/open-store-at.ts';
import type { BuiltMedium } from './medium.ts';

export interface ManifestLine {
  path: string;
  size: number;
  digest: Digest;
}

/** A copy of a medium, as a disk that was carried and may be tampered with. */
export interface CarriedMedium {
  readonly root: string;
  /** The original of this copy, as it was made. */
  readonly made: BuiltMedium;
  /** Where a blob lies, absolute. */
  blob(digest: Digest): string;
  /** Relative path of a ledger's file. */
  ledger(name: 'content' | 'recipes'): Promise<string>;
  readJson(digest: Digest): Promise<any>;
  /** Digests of the parts of the first ingredient of a recipe, and of its document and signature. */
  parts(recipe: string): Promise<RecipeParts>;
  /** Rewrites `media.jsonl`; totals follow the lines unless they are changed too. */
  editManifest(change: (header: any, lines: ManifestLine[]) => ManifestLine[] | undefined): Promise<void>;
  /** Makes the line of a file match the file. */
  relist(path: string): Promise<void>;
}

export interface RecipeParts {
  readonly record: RecipeRecord;
  readonly recipe: Digest;
  readonly recipeConfig: Digest;
  readonly document: Digest;
  readonly signature: Digest;
  readonly payload: Digest;
  /** The first image manifest that the first ingredient reaches. */
  readonly manifest: Digest;
  readonly config: Digest;
  /** Its last layer. */
  readonly layer: Digest;
}

export async function carry(medium: BuiltMedium): Promise<CarriedMedium> {
  const root = await medium.carry();
  const blob = (digest: Digest): string => join(root, 'blobs', ...digest.split(':'));
  const readJson = async (digest: Digest) => JSON.parse(await readFile(blob(digest), 'utf8'));
  const manifestPath = join(root, 'media.jsonl');

  const findSignature = async (subject: Digest): Promise<Digest> => {
    for (const name of await readdir(join(root, 'blobs', 'sha256'))) {
      const text = await readFile(join(root, 'blobs', 'sha256', name), 'utf8');
      if (!text.startsWith('{"schemaVersion"')) continue;
      const { layers = [], subject: of } = JSON.parse(text) as {
        layers?: Descriptor[];
        subject?: Descriptor;
      };
      const digest: Digest = `sha256:${name}`;
      if (of?.digest === subject) return digest;
      const isClassic = layers.some(({ mediaType }) => mediaType.includes('simplesigning'));
      if (isClassic && (await readFile(blob(layers[0]!.digest), 'utf8')).includes(subject)) return digest;
    }
    throw new Error(`no signature of ${subject}`);
  };

  const carried: CarriedMedium = {
    root,
    made: medium,
    blob,
    readJson,
    ledger: async (name) => {
      const names = await readdir(join(root, 'ledger'));
      return `ledger/${names.find((file) => file.startsWith(name))}`;
    },
    parts: async (name) => {
      const record = medium.records.find((one) => one.name === name)!;
      const signature = await findSignature(record.digest);
      const recipeManifest = await readJson(record.digest);
      let manifest = record.ingredients[0]!.digest;
      let read = await readJson(manifest);
      while (read.manifests) {
        manifest = read.manifests[0].digest;
        read = await readJson(manifest);
      }
      return {
        record,
        recipe: record.digest,
        recipeConfig: recipeManifest.config.digest,
        document: record.documentDigest,
        signature,
        payload: (await readJson(signature)).layers[0].digest,
        manifest,
        config: read.config.digest,
        layer: read.layers.at(-1).digest,
      };
    },
    editManifest: async (change) => {
      const [first, ...rest] = (await readFile(manifestPath, 'utf8')).trimEnd().split('\n');
      const header = JSON.parse(first!);
      const before = JSON.stringify(header.totals);
      const lines: ManifestLine[] = rest.map((line) => JSON.parse(line));
      const changed = change(header, lines) ?? lines;
      if (JSON.stringify(header.totals) === before) {
        const bytes = changed.reduce((sum, { size }) => sum + size, 0);
        header.totals = { files: changed.length, bytes };
      }
      const text = [header, ...changed].map((line) => `${JSON.stringify(line)}\n`).join('');
      await writeFile(manifestPath, text);
    },
    relist: async (path) => {
      const bytes = await readFile(join(root, path));
      const found = { path, size: bytes.length, digest: hashBytes(bytes) };
      await carried.editManifest((_, lines) =>
        [...lines.filter((line) => line.path !== path), found].sort((a, b) => (a.path < b.path ? -1 : 1)),
      );
    },
  };
  return carried;
}

/** A copy of a medium that its maker has changed again and left without its manifest being carried along. */
export async function remake(medium: BuiltMedium, change: (store: Store) => Promise<void>): Promise<string> {
  const root = join(medium.folder, `remade-${Date.now()}-${Math.random()}`);
  const state = `${root}-state`;
  await cp(medium.root, root, { recursive: true });
  await cp(join(medium.folder, 'maker'), state, { recursive: true });
  await using store = await openStoreAt({ root, stateRoot: state });
  await change(store);
  return root;
}

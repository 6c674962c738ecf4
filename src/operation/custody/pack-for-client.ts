import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { requireSetting } from '../../base/require-setting.ts';
import type { Evidence, EvidenceScope } from '../../contract/evidence.ts';
import { removeLeftovers } from '../../disk/remove-leftovers.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { openPackFolder } from '../../engine/evidence/pack-folder.ts';
import { planTar } from '../../engine/evidence/tar-pack.ts';
import type { Language } from '../../text/language.ts';
import type { Instance } from '../instance/instance.ts';
import { packEvidence } from './pack-evidence.ts';

interface ClientPackInput {
  readonly scope: EvidenceScope;
  readonly withholdActors: boolean;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** How many of each kind a pack has. */
export interface PackContent {
  /** Lines of ledgers about its subject. */
  readonly lines: number;
  /** Recipes with their documents. */
  readonly recipes: number;
  readonly receipts: number;
  /** All signatures, those of recipes and receipts among them. */
  readonly signatures: number;
}

/** A pack that waits for its client; its folder is removed with it. */
interface ClientPack extends AsyncDisposable {
  /** Plain name of the archive, and of the folder in it. */
  readonly name: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly content: PackContent;
  /** The archive. @throws the signal's reason, and errors of the filesystem */
  read(signal: AbortSignal): AsyncGenerator<Buffer>;
}

const toFolder = (stateRoot: string): string => join(stateRoot, 'custody', 'packs');
/** Folders of packs have this name, with a suffix that no other has. */
const folderName = 'pack';

/** Removes the packs that a killed instance left behind. */
export function removeAbandonedPacks(stateRoot: string): Promise<void> {
  return removeLeftovers(join(toFolder(stateRoot), folderName));
}

function countContent({ ledgers, recipes, signatures }: Evidence): PackContent {
  return {
    lines: ledgers.reduce((sum, { lines }) => sum + lines.length, 0),
    recipes: recipes.filter(({ folder }) => folder !== undefined).length,
    receipts: signatures.filter(({ kind }) => kind === 'receipt').length,
    signatures: signatures.length,
  };
}

/**
 * Packs evidence into a folder below the state, and plans its archive.
 *
 * @throws the errors of {@link packEvidence}; nothing is left then
 */
export async function packForClient(
  { context, store }: Pick<Instance, 'context' | 'store'>,
  { scope, ...input }: ClientPackInput,
): Promise<ClientPack> {
  const parent = toFolder(requireSetting('state.root', context.config.state.root));
  await using cleanup = new AsyncDisposableStack();
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw toWriteError(error, parent, { place: 'state' });
  });
  const folder = cleanup.use(await openPackFolder(join(parent, folderName)));
  const evidence = await packEvidence(context, folder, { ...input, scope, store });
  const names = await folder.seal();
  const name = `evidence-${scope.value.replace(/[^a-zA-Z0-9._-]/g, '-')}`;
  const { size, read } = await planTar(folder.root, names, name);
  const kept = cleanup.move();
  return {
    name,
    size,
    content: countContent(evidence),
    read,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

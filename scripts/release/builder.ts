import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root } from '../bundle-options.ts';
import type { ReleaseArguments } from './arguments.ts';
import { makeRelease } from './make-release.ts';
import type { MakePrograms } from './program.ts';
import { openReleaseKey } from './sign.ts';
import { openSource, RefusedError, toReason } from './source.ts';

/** The order for the building process, its only argument, in JSON. */
export interface BuildOrder extends Omit<ReleaseArguments, 'out'> {
  /** The commit that was judged. */
  readonly commit: string;
  /** An empty folder for the files of the release. */
  readonly files: string;
  /** An empty folder on the same volume. */
  readonly work: string;
}

/** A message of the building process to the one that started it. */
export type BuildMessage = { readonly step: string } | { readonly refused: string };

function readPassword(path: string | undefined): string | undefined {
  if (path === undefined) return process.env.SVC_SIGNING_PASSWORD;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new RefusedError(`the password cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Builds a release from the tree that this file belongs to, in a process of its own. Its code, its packages and its
 * runtime are those of the tree. It ends when the process that started it does.
 */
export async function runBuilder(makePrograms: MakePrograms): Promise<void> {
  // modes of files do not depend on the user's umask
  process.umask(0o022);
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
  // the parent process may have ended: a message that cannot be sent is dropped, and "disconnect" ends this one
  const tell = (message: BuildMessage): void => void process.send?.(message, undefined, {}, () => {});
  const order = JSON.parse(process.argv[2]!) as BuildOrder;
  try {
    const source = openSource(root, order.version);
    if (source.commit !== order.commit) {
      throw new RefusedError(`the tree has the commit ${source.commit}, not ${order.commit}`);
    }
    const signer =
      order.mode === 'signed'
        ? await openReleaseKey(order.key!, readPassword(order.passwordFile))
        : undefined;
    const onStep = (step: string): void => tell({ step });
    await makeRelease({ ...order, source, signer, makePrograms, onStep }, order.files, order.work);
  } catch (error) {
    const refused = toReason(error, [dirname(dirname(order.files)), root]);
    if (refused === undefined) throw error;
    tell({ refused });
    process.exitCode = 1;
  }
}

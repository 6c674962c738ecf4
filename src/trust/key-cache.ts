import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { KeyError, parsePublicKey, toFingerprint } from '../attest/public-key.ts';
import { actors, type Report } from '../base/report.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readPlain } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** A trust root configured by URL. */
interface RemoteRoot {
  readonly name: string;
  readonly keyURL: string;
}

/**
 * Local copies of keys configured by URL, one file each under the state root. Verification uses only the
 * copy.
 */
interface KeyCache {
  /** Path of the copy of a root. When it is removed, the next start fetches a new key. */
  pathOf(root: RemoteRoot): string;
  /** Reads the copy, without fetching. @returns undefined when there is none */
  read(root: RemoteRoot): Promise<Buffer | undefined>;
  /**
   * Fetches the key once. Without a copy, the fetched key becomes the copy. With a copy, a failed fetch is a
   * warning, and a different key is audited and ignored.
   *
   * @throws the errors of `fetchKey`, and SVC-CFG-001 for an unusable key, both only when there is no copy
   */
  refresh(root: RemoteRoot, fetchKey: (url: string) => Promise<Buffer>): Promise<void>;
}

/** @param options `stateRoot` is created with the first copy when it does not exist */
export function createKeyCache(options: { readonly stateRoot: string; readonly report: Report }): KeyCache {
  const { stateRoot, report } = options;
  const folder = join(stateRoot, 'trust');

  const pathOf = ({ name, keyURL }: RemoteRoot): string => {
    const readable = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
    // another URL has another copy, and so has a name with the same readable form
    const identity = createHash('sha256').update(`${name}\n${keyURL}`).digest('hex').slice(0, 16);
    return join(folder, `${readable}-${identity}.pem`);
  };

  const read = async (root: RemoteRoot): Promise<Buffer | undefined> => {
    const path = pathOf(root);
    try {
      return await readPlain(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw toReadError(error, path);
    }
  };

  const refresh: KeyCache['refresh'] = async (root, fetchKey) => {
    const copy = await read(root);
    const source = new URL(root.keyURL).host;
    let offered: Buffer;
    let fingerprint: string;
    try {
      offered = await fetchKey(root.keyURL);
      fingerprint = toFingerprint(parsePublicKey(offered));
    } catch (error) {
      if (copy === undefined) throw toStartError(root, error);
      report.log('warn', 'a trust root could not be fetched; using the cached copy', {
        root: root.name,
        source,
        detail: error instanceof Error ? error.message : String(error),
      });
      return;
    }
    if (copy === undefined) {
      await makeStateFolder(folder);
      await writeStateFile(pathOf(root), offered);
      report.audit({
        actor: actors.system,
        action: 'config.key',
        target: root.name,
        outcome: 'success',
        details: { source, fingerprint },
      });
      return;
    }
    const kept = copyFingerprint(copy);
    if (kept === fingerprint) return;
    report.log(
      'warn',
      'a trust root is offered with a different key, which is ignored until its copy is removed',
      {
        root: root.name,
        source,
        kept,
        offered: fingerprint,
        copy: pathOf(root),
      },
    );
    report.audit({
      actor: actors.system,
      action: 'config.key',
      target: root.name,
      outcome: 'denied',
      details: { source, kept, offered: fingerprint },
    });
  };

  return { pathOf, read, refresh };
}

/** Fingerprint of a copy. A damaged copy is not replaced; loading it as a root fails with a message. */
function copyFingerprint(copy: Buffer): string {
  try {
    return toFingerprint(parsePublicKey(copy));
  } catch (error) {
    if (error instanceof KeyError) return `unreadable: ${error.rule}`;
    throw error;
  }
}

function toStartError(root: RemoteRoot, error: unknown): unknown {
  if (!(error instanceof KeyError)) return error;
  return svcError(
    'SVC-CFG-001',
    {
      setting: 'trust.roots',
      detail: rule(
        [
          'has an invalid key of root {name}: {rule}',
          fr`contient une clé non valide pour la racine {name} : {rule}`,
        ],
        { name: root.name, rule: error.rule },
      ),
    },
    { cause: error },
  );
}

import type { KeyObject } from 'node:crypto';
import { KeyError } from '../attest/public-key.ts';
import { toKeyFileError } from '../disk/named-file-error.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { TrustRoot } from './model.ts';

/** A peer as configured. */
export interface PeerSource {
  readonly name: string;
  readonly keyFile: string;
  readonly for: readonly string[];
}

export interface PeerKey {
  readonly key: KeyObject;
  /** SHA-256 of the key's DER, lower-case hexadecimal. */
  readonly fingerprint: string;
}

/** Another instance, with the kinds of its statements. It approves no recipe. */
export interface Peer extends PeerKey {
  readonly name: string;
  readonly for: readonly string[];
}

/**
 * Reads the keys of the configured peers. A key is one peer, or one trust root: the key of a zone must never
 * approve recipes. A peer whose custody ledger began anew has a second name for its checkpoints.
 *
 * @param readKey throws KeyError for a key that is not accepted, or the error of its file
 * @throws SVC-CFG-001 naming the setting, for a key that cannot be read or is not accepted, or that another peer
 *   or a root has
 */
export async function loadPeers(
  sources: readonly PeerSource[],
  roots: readonly TrustRoot[],
  readKey: (path: string) => Promise<PeerKey>,
): Promise<readonly Peer[]> {
  const peers: Peer[] = [];
  for (const [i, source] of sources.entries()) {
    const setting = `peers[${i}].keyFile`;
    const peer = await readPeer(source, setting, readKey);
    const refuse = (detail: Rule) => svcError('SVC-CFG-001', { setting, detail });
    const isSame = ({ fingerprint }: { readonly fingerprint: string }) => fingerprint === peer.fingerprint;
    const root = roots.find(isSame);
    if (root)
      throw refuse(
        rule(
          [
            'has the key of trust root {name}: a peer never approves recipes',
            fr`a la clé de la racine de confiance {name}, alors qu’un pair n’approuve jamais de recette`,
          ],
          { name: root.name },
        ),
      );
    const other = peers.find(isSame);
    // the first one is found as the signer of receipts and passports
    const isLedgerOnly = source.for.every((kind) => kind === 'checkpoint');
    if (other && !isLedgerOnly)
      throw refuse(
        rule(
          [
            'has the key of peer {name}: the second name of a key is for checkpoint alone, and behind the first',
            fr`a la clé du pair {name} : le second nom d’une clé ne sert que pour checkpoint, et suit le premier`,
          ],
          { name: other.name },
        ),
      );
    peers.push(peer);
  }
  return peers;
}

async function readPeer(
  { name, keyFile, for: kinds }: PeerSource,
  setting: string,
  readKey: (path: string) => Promise<PeerKey>,
): Promise<Peer> {
  try {
    return { name, ...(await readKey(keyFile)), for: kinds };
  } catch (error) {
    if (!(error instanceof KeyError)) throw toKeyFileError(error, setting, keyFile);
    throw svcError(
      'SVC-CFG-001',
      {
        setting,
        detail: rule(
          [
            'has an invalid key of peer {name}: {rule}',
            fr`contient une clé invalide du pair {name} : {rule}`,
          ],
          { name, rule: error.rule },
        ),
      },
      { cause: error },
    );
  }
}

import { isOwnPredicate } from '../attest/predicate-types.ts';
import { KeyError, parsePublicKey, toFingerprint } from '../attest/public-key.ts';
import { toKeyFileError } from '../disk/named-file-error.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { TrustPolicy, TrustRoot, TrustScope } from './model.ts';

/** A trust root as configured: a name and exactly one of `key`, `keyFile` and `keyURL`. */
export interface TrustRootSource {
  readonly name: string;
  /** Inline PEM. */
  readonly key?: string;
  readonly keyFile?: string;
  readonly keyURL?: string;
  /** Further predicate types that approve under this key. */
  readonly predicates?: readonly string[] | undefined;
}

interface LoadTrustPolicyOptions {
  readonly roots: readonly TrustRootSource[];
  readonly scopes: readonly TrustScope[];
  readonly readFile: (path: string) => Promise<Buffer>;
  /**
   * Reads the local copy of a key configured by URL, without fetching. Absent when there is no state root.
   */
  readonly cachedKey?: (root: {
    readonly name: string;
    readonly keyURL: string;
  }) => Promise<Buffer | undefined>;
}

/**
 * Reads the configured keys. A root configured by URL without a copy is listed in `missing` and accepts no
 * signature.
 *
 * @throws SVC-CFG-001 naming the setting, for a key that cannot be read or is not accepted, and for a scope
 *   that names a root which does not exist
 */
export async function loadTrustPolicy(options: LoadTrustPolicyOptions): Promise<TrustPolicy> {
  const roots: TrustRoot[] = [];
  const missing: string[] = [];
  for (const [i, source] of options.roots.entries()) {
    refuseOwnPredicates(source, `trust.roots[${i}].predicates`);
    const setting = `trust.roots[${i}].${settingOf(source)}`;
    const pem = await readKey(source, setting, options);
    if (pem === undefined) missing.push(source.name);
    else roots.push(toRoot(source, pem, setting));
  }
  const names = new Set(options.roots.map(({ name }) => name));
  for (const [i, scope] of options.scopes.entries()) {
    const unknown = scope.roots?.find((name) => !names.has(name));
    if (unknown !== undefined)
      throw svcError('SVC-CFG-001', {
        setting: `trust.scopes[${i}].roots`,
        detail: rule(
          ['names an unknown trust root: {unknown}', fr`nomme une racine de confiance inconnue : {unknown}`],
          { unknown },
        ),
      });
  }
  return { roots, scopes: options.scopes, missing };
}

/** A receipt or passport of a zone must never approve a recipe. @throws SVC-CFG-001 */
function refuseOwnPredicates({ predicates = [] }: TrustRootSource, setting: string): void {
  const own = predicates.find(isOwnPredicate);
  if (own === undefined) return;
  throw svcError('SVC-CFG-001', {
    setting,
    detail: rule(
      [
        'must not contain {own}: statements of svc never approve a recipe',
        fr`ne doit pas contenir {own} : les déclarations de svc n’approuvent jamais une recette`,
      ],
      { own },
    ),
  });
}

const settingOf = ({ key, keyFile }: TrustRootSource): string =>
  key !== undefined ? 'key' : keyFile !== undefined ? 'keyFile' : 'keyURL';

async function readKey(
  { name, key, keyFile, keyURL }: TrustRootSource,
  setting: string,
  { readFile, cachedKey }: LoadTrustPolicyOptions,
): Promise<Buffer | string | undefined> {
  if (key !== undefined) return key;
  if (keyFile === undefined) return keyURL === undefined ? undefined : await cachedKey?.({ name, keyURL });
  try {
    return await readFile(keyFile);
  } catch (error) {
    throw toKeyFileError(error, setting, keyFile);
  }
}

function toRoot({ name, predicates }: TrustRootSource, pem: Buffer | string, setting: string): TrustRoot {
  try {
    const key = parsePublicKey(pem);
    return { name, key, fingerprint: toFingerprint(key), ...(predicates ? { predicates } : {}) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw svcError(
      'SVC-CFG-001',
      {
        setting,
        detail: rule(
          [
            'has an invalid key of root {name}: {rule}',
            fr`contient une clé non valide pour la racine {name} : {rule}`,
          ],
          { name, rule: error.rule },
        ),
      },
      { cause: error },
    );
  }
}

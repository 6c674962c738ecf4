import type { KeyObject } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readBundle } from '../../attest/bundle.ts';
import { decodeBase64 } from '../../attest/encoding.ts';
import { parseApproval } from '../../attest/payload.ts';
import { isOwnPredicate } from '../../attest/predicate-types.ts';
import { KeyError, parsePublicKey, toFingerprint } from '../../attest/public-key.ts';
import { isSignedBy } from '../../attest/signed-by.ts';
import { isSubjectNamed } from '../../attest/statement.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { readBounded } from '../../disk/named-file.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { isApproval } from '../../trust/judge.ts';
import { type CollectedStatement, collectStatement } from './collect-statement.ts';
import type { EvidenceKey, EvidenceSignature } from './model.ts';
import { toKeyFile, toSignedFiles } from './sign-files.ts';

export const documentName = 'evidence.json';
const approverName = 'approver';

/** In bytes. A bundle has its signed bytes in base64. */
export const limits = { signed: 8 << 20, bundle: 12 << 20, small: 64 << 10 } as const;

export type Fault = (path: string, broken: Rule) => void;

/** A pack whose files are as its sums list them. */
export interface OpenedPack {
  readonly root: string;
  /** Whether the sums list a path that a file of the pack names; else it is a fault. */
  readonly isListed: (path: string, of: string) => boolean;
  readonly fault: Fault;
  readonly signal?: AbortSignal | undefined;
}

/** A public key that the recipient of a pack has, with its role. */
export interface GivenKey {
  readonly key: KeyObject;
  /** SHA-256 of its DER, lower-case hexadecimal. */
  readonly fingerprint: string;
  /** Where it is from. */
  readonly file: string;
  readonly role: KeyRole;
  /** The site for which alone it speaks; absent for a key in another role. */
  readonly site?: string | undefined;
}

/** What a given key counts for: the statements of a site, the signatures of recipes, or approvals. */
export type KeyRole = 'site' | 'signer' | 'approver';

/** Outcome of the check of a signature. */
interface CheckedSignature {
  /** The given key that verifies it. */
  readonly by?: GivenKey | undefined;
  /** It, where it is as the document states. */
  readonly statement?: CollectedStatement | undefined;
  /** Whether no given key verifies it, in any role: the last fault says so. */
  readonly isKeyless?: boolean;
}

/**
 * Reads the keys of the pack: they say under which of them a signature is shown, and are not believed.
 *
 * @param given a key of a site must have its name there
 */
export async function readKeys(
  { root, isListed, fault }: OpenedPack,
  { keys }: Evidence,
  given: readonly GivenKey[],
): Promise<readonly EvidenceKey[]> {
  const found: EvidenceKey[] = [];
  for (const { path, name, fingerprint } of keys) {
    if (!isListed(path, documentName)) continue;
    try {
      const bytes = await readBounded(join(root, path), limits.small);
      const read = { name, key: parsePublicKey(bytes), fingerprint };
      const file = toKeyFile(read);
      if (toFingerprint(read.key) === fingerprint && file.path === path && file.bytes.equals(bytes)) {
        found.push(read);
        const sites = given
          .filter((one) => one.fingerprint === fingerprint)
          .flatMap(({ site }) => site ?? []);
        const [site] = sites;
        // a site may approve with its own key
        if (site !== undefined && !sites.includes(name) && name !== approverName)
          fault(
            path,
            rule(
              [
                'it is the key of site {site}, and {of} names it {name}',
                fr`c’est la clé du site {site}, et {of} la nomme {name}`,
              ],
              { site, of: documentName, name },
            ),
          );
        continue;
      }
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
    }
    fault(
      path,
      rule(['it is not the key that {of} states', fr`ce n’est pas la clé qu’indique {of}`], {
        of: documentName,
      }),
    );
  }
  return found;
}

/** Checks that a signature is as the document states, and finds the given key that verifies it: without one, it is a fault. */
export async function checkSignature(
  { root, isListed, fault }: OpenedPack,
  stated: EvidenceSignature,
  {
    recipes,
    keys,
    predicates,
    packed,
  }: {
    readonly recipes: Evidence['recipes'];
    readonly keys: readonly GivenKey[];
    readonly predicates: readonly string[];
    readonly packed: readonly EvidenceKey[];
  },
): Promise<CheckedSignature> {
  const { path, kind, bundle: bundlePath, predicateType } = stated;
  const [signedPath, signaturePath] = [`${path}.signed`, `${path}.sig`];
  const paths = [signedPath, signaturePath, ...(bundlePath === undefined ? [] : [bundlePath])];
  if (!paths.every((one) => isListed(one, documentName))) return {};
  const signed = await readBounded(join(root, signedPath), limits.signed);
  const text = await readBounded(join(root, signaturePath), limits.small);
  const signature = decodeBase64(text.toString('latin1').trim()) ?? Buffer.alloc(0);
  const bundle =
    bundlePath === undefined ? undefined : await readBounded(join(root, bundlePath), limits.bundle);
  const found = new Map([
    [signedPath, signed],
    [signaturePath, text],
    [bundlePath, bundle],
  ]);
  const wanted =
    kind === 'recipe'
      ? toRecipeSignature(path, { signed, signature, bundle, predicateType }, recipes, packed)
      : bundle && collectStatement(kind, bundle, packed, recipes);
  if (
    wanted === undefined ||
    !isDeepStrictEqual(stated, wanted.signature) ||
    !wanted.files.every(({ path: one, bytes }) => found.get(one)?.equals(bytes))
  ) {
    fault(
      signedPath,
      rule(['it is not as {of} states', fr`il n’est pas tel que l’indique {of}`], { of: documentName }),
    );
    return {};
  }
  if (kind === 'recipe' && !isApproval({ predicateType }, { predicates })) {
    fault(
      signedPath,
      rule(
        [
          'it is a statement of type {type}, which approves nothing: where it approves the recipe, give --predicate {type}',
          fr`c’est une déclaration de type {type}, qui n’approuve rien ; si elle approuve la recette, indiquez --predicate {type}`,
        ],
        { type: predicateType! },
      ),
    );
    return { statement: wanted };
  }
  const by = keys.filter(({ key }) => isSignedBy(key, signed, signature));
  const speaker = by.find((one) => isSpeaker(one, kind, wanted.site));
  if (speaker === undefined) fault(signaturePath, toUnverified(by[0], kind, wanted));
  return { by: speaker, statement: wanted, isKeyless: by.length === 0 };
}

/** Whether a key may speak in a statement: that of a site for this site only, also in an approval that it signed itself. */
function isSpeaker(
  { role, site }: GivenKey,
  kind: EvidenceSignature['kind'],
  of: string | undefined,
): boolean {
  if (kind === 'recipe') return role === 'signer';
  if (kind === 'approval') return role === 'approver' || (role === 'site' && site === of);
  return role === 'site' && (of === undefined || site === of);
}

/** Why no given key counts for a signature. @param by the given key that verifies it, in another role */
function toUnverified(
  by: GivenKey | undefined,
  kind: EvidenceSignature['kind'],
  { site, hint }: Pick<CollectedStatement, 'site' | 'hint'>,
): Rule {
  if (by === undefined)
    return rule(
      [
        'no given key verifies it[: it names the key with SHA-256 {fingerprint}]',
        fr`aucune clé indiquée ne la valide[ ; elle nomme la clé de SHA-256 {fingerprint}]`,
      ],
      { fingerprint: toHinted(hint) },
    );
  if (by.role === 'approver' && kind === 'recipe')
    return rule(
      [
        'its key was given for approvals: where it signs recipes too, give it as --key {file}',
        fr`sa clé est indiquée pour les approbations ; si elle signe aussi des recettes, indiquez-la par --key {file}`,
      ],
      { file: by.file },
    );
  if (by.role === 'signer' && kind === 'approval')
    return rule(
      [
        'its key was given for recipes: where it approves too, give it as --approver {file}',
        fr`sa clé est indiquée pour les recettes ; si elle approuve aussi, indiquez-la par --approver {file}`,
      ],
      { file: by.file },
    );
  if (by.site === undefined)
    return rule(
      [
        'it is a statement of [{site}|a site], and its key was given without that name: give it as --key {name}={file}',
        fr`c’est une déclaration [de {site}|d’un site], et sa clé est indiquée sans ce nom : indiquez-la par --key {name}={file}`,
      ],
      { site, name: site ?? 'SITE', file: by.file },
    );
  return kind === 'recipe'
    ? rule(
        [
          'the key of site {by} signed it, which signs no recipe',
          fr`elle est signée par la clé du site {by}, qui ne signe pas de recette`,
        ],
        { by: by.site },
      )
    : rule(
        [
          'the key of site {by} signed it, and it is a statement of {site}',
          fr`elle est signée par la clé du site {by}, et c’est une déclaration de {site}`,
        ],
        { by: by.site, site: site ?? '' },
      );
}

/** The fingerprint in the hint of a bundle, which nothing vouches for. */
function toHinted(hint: string | undefined): string | undefined {
  const bytes = hint === undefined ? undefined : decodeBase64(hint);
  return bytes?.length === 32 ? bytes.toString('hex') : undefined;
}

/** Reads the signature of a recipe of the pack. @returns undefined where it signs something else */
function toRecipeSignature(
  path: string,
  {
    signed,
    signature,
    bundle: bytes,
    predicateType,
  }: { signed: Buffer; signature: Buffer; bundle: Buffer | undefined; predicateType: string | undefined },
  recipes: Evidence['recipes'],
  packed: readonly EvidenceKey[],
): CollectedStatement | undefined {
  const recipe = recipes.find(({ folder }) => folder === dirname(path));
  if (recipe === undefined || !/^signature-[0-9]+$/.test(basename(path))) return undefined;
  const { name, version, digest } = recipe;
  const bundle = bytes && readBundle(bytes);
  if (bundle !== undefined) {
    if ('flaw' in bundle || bundle.predicateType !== predicateType) return undefined;
    if (!bundle.signed.equals(signed) || !bundle.signature.equals(signature)) return undefined;
    if (isOwnPredicate(bundle.predicateType) || !isSubjectNamed(bundle, digest)) return undefined;
  } else if ('rule' in parseApproval(signed, digest)) return undefined;
  return {
    ...toSignedFiles(
      { path, kind: 'recipe', about: [`${name}@${version}`], subjects: [digest] },
      { signed, signature },
      packed,
      bytes && { bytes, predicateType },
    ),
    hint: bundle?.hint,
  };
}

import type { KeyObject } from 'node:crypto';
import {
  type ApprovalPayload,
  parseApproval,
  type SignatureLayout,
  toApproval,
} from '../../attest/payload.ts';
import { toFingerprint } from '../../attest/public-key.ts';
import { readSignature } from '../../attest/read-signature.ts';
import { audited } from '../../base/audited.ts';
import { toStamp } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import { attachSignature } from '../../engine/publish/attach-signature.ts';
import { type PublishedDocument, readPublished } from '../../engine/publish/read-published.ts';
import { formatReference, parseReference, withoutCredentials } from '../../oci/reference.ts';
import type { Signer } from '../../signing/signer.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { Context } from '../context.ts';

/** A recipe as `recipe sign` shows it before it is signed. */
export interface RecipeToSign {
  /** `<host>/<path>@<digest>`. */
  readonly reference: string;
  readonly digest: Digest;
  readonly name: string;
  readonly version: string;
  /** Number of ingredients. */
  readonly ingredients: number;
}

export interface SignedRecipe extends RecipeToSign {
  readonly layout: SignatureLayout;
  readonly keyFingerprint: string;
  /** Digest of the signature artifact. */
  readonly signature: Digest;
  /** Whether this key had signed it in this layout before, so that nothing was written. */
  readonly unchanged: boolean;
}

interface SignInput {
  /** `<registry>/<cookbook>/<name>:<version>`, or with a digest. */
  readonly reference: string;
  readonly actor: string;
  /** Called when the recipe was read and checked, before it is signed. */
  readonly onRead?: ((recipe: RecipeToSign) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A signature that another tool made over the bytes of `preparePayload`. */
export interface ForeignSignature {
  readonly payload: Buffer;
  readonly signature: Buffer;
  readonly key: KeyObject;
  /** Names the file of the signature in errors. */
  readonly file: string;
}

type Registry = Pick<Context, 'registry' | 'report'>;

/**
 * Signs a published recipe with a key. The manifest and its document are read and checked first; a tag is resolved
 * once, and the digest is signed.
 *
 * @throws the errors of `readPublished` and `attachSignature`
 */
export async function signRecipe(
  context: Registry,
  input: SignInput & { readonly signer: Signer; readonly layout: SignatureLayout },
): Promise<SignedRecipe> {
  const { signer, layout } = input;
  return attach(context, input, signer.publicKey, (recipe) => {
    const payload = toApproval(recipe.manifest.digest, toRepository(recipe), layout);
    return { payload, sign: () => signer.sign(payload.signed) };
  });
}

/**
 * Attaches a signature made elsewhere, after verifying it. The payload must be exactly the bytes that approve the
 * manifest of the registry. The signature must be over the payload, by the key.
 *
 * @throws SVC-SGN-002, the errors of `readPublished` and `attachSignature`
 */
export async function attachForeign(
  context: Registry,
  input: SignInput & { readonly foreign: ForeignSignature; readonly layout?: SignatureLayout | undefined },
): Promise<SignedRecipe> {
  const { key, payload: signed, signature: given, file } = input.foreign;
  return attach(context, input, key, (recipe) => {
    const { reference, manifest } = recipe;
    const refuse = (broken: Rule) =>
      svcError('SVC-SGN-002', { path: file, subject: reference, rule: broken });
    const payload = parseApproval(signed, manifest.digest);
    if ('rule' in payload) throw refuse(payload.rule);
    if (input.layout !== undefined && input.layout !== payload.layout)
      throw refuse(
        rule(['its payload is of the layout {layout}', fr`ce qu’elle signe est de la forme {layout}`], {
          layout: payload.layout,
        }),
      );
    // any other content of a payload would be signed and published with the approval
    const { signed: expected } = toApproval(manifest.digest, toRepository(recipe), payload.layout);
    if (!expected.equals(signed))
      throw refuse(
        rule([
          'its payload is not what --payload-out writes for this recipe',
          fr`ce qu’elle signe n’est pas ce que --payload-out écrit pour cette recette`,
        ]),
      );
    const signature = readSignature(given, signed, key);
    if (!signature)
      throw refuse(
        rule([
          'it does not verify with this key over this payload',
          fr`elle ne se vérifie pas avec cette clé sur ces octets`,
        ]),
      );
    return { payload, sign: () => signature };
  });
}

/**
 * Reads a recipe and returns the exact bytes that a key outside of this program signs. Writes nothing.
 *
 * @throws the errors of `readPublished`
 */
export async function preparePayload(
  { registry }: Pick<Context, 'registry'>,
  input: Pick<SignInput, 'reference' | 'signal'> & { readonly layout: SignatureLayout },
): Promise<{ readonly recipe: RecipeToSign; readonly payload: ApprovalPayload }> {
  const place = parseReference(input.reference);
  const repository = registry.repository(place, { substitute: false });
  const recipe = await readPublished(repository, place, { signal: input.signal });
  const payload = toApproval(recipe.manifest.digest, toRepository(recipe), input.layout);
  return { recipe: toShown(recipe), payload };
}

async function attach(
  { registry, report }: Registry,
  { reference, actor, onRead, signal }: SignInput,
  key: KeyObject,
  prepare: (recipe: PublishedDocument) => {
    readonly payload: ApprovalPayload;
    readonly sign: () => Buffer;
  },
): Promise<SignedRecipe> {
  const keyFingerprint = toFingerprint(key);
  const details = { keyFingerprint };
  return audited(
    report,
    { actor, action: 'recipe.sign', target: withoutCredentials(reference), details },
    async () => {
      const place = parseReference(reference);
      const { host, repository } = place;
      const remote = registry.repository(place, { access: 'push', substitute: false });
      const recipe = await readPublished(remote, place, { signal });
      const shown = toShown(recipe);
      onRead?.(shown);
      const { payload, sign } = prepare(recipe);
      const created = toStamp();
      const options = { registry, report, created, signal };
      const attached = await attachSignature(
        { host, repository },
        recipe.manifest,
        payload,
        key,
        sign,
        options,
      );
      return { ...shown, layout: payload.layout, keyFingerprint, ...attached };
    },
    {
      success: ({ digest, layout, signature, unchanged }) => ({ digest, layout, signature, unchanged }),
    },
  );
}

const toRepository = ({ reference }: PublishedDocument): string => {
  const { host, repository } = parseReference(reference);
  return formatReference({ host, repository });
};

function toShown({ reference, manifest, recipe }: PublishedDocument): RecipeToSign {
  const { name, version } = recipe.metadata;
  return { reference, digest: manifest.digest, name, version, ingredients: recipe.ingredients.length };
}

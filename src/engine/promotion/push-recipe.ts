import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, parseRepositoryReference, type RepositoryReference } from '../../oci/reference.ts';
import { recipeRepository } from '../../recipe/relocation.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { SvcError } from '../../text/error.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import { toScopePath } from '../../trust/scope.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { type HeldContent, withHeld } from '../copy/held-content.ts';
import { toSignatureError } from '../sync/resolve-recipe.ts';
import type { PromotableRecipe, PromotionOptions, PushResult } from './model.ts';
import type { PushSession } from './push-session.ts';
import type { PushTarget } from './push-target.ts';
import { requireSameDocument } from './recipe-tags.ts';
import type { CarriedRecipe } from './verify-carried.ts';

/**
 * Pushes a recipe artifact with its signatures, after all of its ingredients. The tag is resolved again immediately
 * before it is put. A destination with the same document in another manifest keeps its tag while that manifest has an
 * acceptable signature. The signed manifest is then put without a tag.
 *
 * @throws SVC-POL-004 when the destination has another document under this version, SVC-SIG-001 when it keeps
 *   the same document in a manifest without an acceptable signature, errors of the copy
 */
export async function pushRecipe(
  session: PushSession,
  options: PromotionOptions,
  record: PromotableRecipe,
  { found, isSigned }: CarriedRecipe,
  held: HeldContent,
  place: RepositoryReference,
  target: PushTarget,
): Promise<PushResult> {
  const { report, signal } = options;
  const call: CallOptions = { signal };
  const reference = `${formatReference(place)}:${record.version}`;
  const scopePath = toScopePath(recipeRepository(parseRepositoryReference(record.cookbook), record.name));
  const current = await target.resolve(record.version, call);
  const other = current && current.digest !== record.digest ? current : undefined;
  if (other) await requireSameDocument(target, other.digest, record, reference, call);
  const refusal = other && (await judgeExisting(target, other, scopePath, options, reference));
  const keepsTag = other !== undefined && refusal === undefined;
  const source = withHeld(options.source(record.repository), held);
  let signatures = { bytes: 0, count: 0 };
  const { moved } = await copyGraph(
    source,
    target,
    held.manifest(record.digest) ?? { mediaType: '', digest: record.digest, size: 0 },
    {
      ...session.copying(source, target, reference),
      ...(keepsTag ? {} : { tag: record.version }),
      beforeRoot: async () => {
        const need = isSigned ? 'one' : 'none';
        signatures = await session.carry(found, source, target, record.digest, reference, scopePath, need);
        // a recipe gets its tag when the destination has its signatures
        await target.confirm(call);
        if (keepsTag || current?.digest === record.digest) return;
        // another client may have published meanwhile: registries have no conditional put
        const now = await session.open(place).resolve(record.version, call);
        if (now) await requireSameDocument(target, now.digest, record, reference, call);
      },
    },
  );
  const now = other && !keepsTag ? await target.resolve(record.version, call) : other;
  const isKept = now !== undefined && now.digest !== record.digest;
  // the registry still keeps the tag of the published recipe: its refusal stands
  if (refusal && isKept) throw refusal;
  await target.confirm(call);
  if (other) {
    report.log(
      isKept ? 'info' : 'warn',
      isKept
        ? 'The destination has the same document in another manifest: its tag stays'
        : 'A recipe tag at the destination is re-pointed to the signed manifest of the same document',
      { destination: reference, from: other.digest, digest: record.digest },
    );
  }
  const isMoved = moved.count + signatures.count > 0 || !current || (other !== undefined && !keepsTag);
  return { status: isMoved ? 'pushed' : 'up-to-date', bytes: moved.bytes + signatures.bytes };
}

/** Why the manifest under the tag at the destination is not acceptable; undefined when it is. */
async function judgeExisting(
  target: RemoteRepository,
  { digest }: Descriptor,
  scopePath: string,
  { policy, allowUnsigned, signal }: PromotionOptions,
  reference: string,
): Promise<SvcError | undefined> {
  const found = await collectSignatures(target, digest, { signal });
  const verdict = await judgeFound(digest, found, policy, scopePath, { allowUnsigned });
  return verdict.outcome === 'refused' ? toSignatureError(verdict, `${reference}@${digest}`) : undefined;
}

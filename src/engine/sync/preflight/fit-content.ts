import { forEachBounded } from '../../../base/concurrency.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { RemoteRegistry } from '../../../remote/model.ts';
import { type SvcError, svcError } from '../../../text/error.ts';
import { fr } from '../../../text/language.ts';
import { rule } from '../../../text/rule.ts';
import { type ContentPlan, planContent } from '../plan-sync.ts';
import { type Presence, toKey } from '../presence.ts';
import type { Resolution, ResolvedIngredient } from '../resolve-retriever.ts';
import { type JudgedVolume, judgeVolume, type VolumeDemand } from './judge-volume.ts';
import { measureVolumes } from './measure-volumes.ts';

interface FitOptions {
  readonly registry: Pick<RemoteRegistry, 'repository'>;
  /** Whether an ingredient is in a repository of recipes. */
  readonly isInCookbook: (ingredient: ResolvedIngredient) => boolean;
  readonly storeRoot: string;
  readonly stateRoot?: string | undefined;
  /** Bytes. Larger downloads are spooled; 0: none. */
  readonly resumeThreshold: number;
  readonly parallelism: number;
  readonly marginPercent: number;
  readonly preflightDisabled: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface FittedContent {
  readonly resolutions: readonly Resolution[];
  readonly content: ContentPlan;
  readonly volumes: readonly JudgedVolume[];
}

/** A blob to transfer, and an ingredient that declares its size. */
interface Claim {
  readonly subject: ResolvedIngredient;
  readonly blob: Descriptor;
}

const requestsAtOnce = 8;

/**
 * Plans the content and judges the volumes. Where the projection does not fit, recipes with an impossible size are left
 * out, which would block the others. Such a size exceeds the volume, or differs from that of their registry. The
 * refusal is kept when it remains for the other recipes, or when there are no others.
 */
export async function fitContent(
  resolutions: readonly Resolution[],
  presence: Presence,
  late: ReadonlySet<ResolvedIngredient>,
  options: FitOptions,
): Promise<FittedContent> {
  const fit = async (among: readonly Resolution[]) => {
    const content = planContent(among, presence, late, options.isInCookbook);
    const demands = await measureVolumes({ ...options, missing: content.missing });
    const volumes = demands.map((demand) => judgeVolume(demand, options.marginPercent));
    return { fitted: { resolutions: among, content, volumes }, demands };
  };
  const first = await fit(resolutions);
  let { fitted, demands } = first;
  while (!options.preflightDisabled && fitted.volumes.some(({ refusal }) => refusal)) {
    const claims = listClaims(fitted.resolutions, fitted.content);
    let errors = selectOversized(claims, demands, options);
    if (errors.size === 0) errors = await findMisdeclared(claims, fitted, options);
    if (errors.size === 0) break;
    const rest = withErrors(fitted.resolutions, errors);
    if (!rest.some(isUsable)) return first.fitted;
    ({ fitted, demands } = await fit(rest));
  }
  return fitted;
}

function isUsable({ recipe, ingredients }: Resolution): boolean {
  return recipe.outcome === 'verified' && ingredients.every(({ error }) => !error);
}

/**
 * The blobs of ingredients that usable recipes lack, the largest first. Manifests and recipes were read: their sizes are
 * known.
 */
function listClaims(resolutions: readonly Resolution[], { missing }: ContentPlan): readonly Claim[] {
  const planned = new Set(missing.map(toKey));
  const claims: Claim[] = [];
  for (const resolution of resolutions) {
    if (!isUsable(resolution)) continue;
    for (const subject of resolution.ingredients)
      for (const blob of subject.graph?.blobs ?? [])
        if (planned.has(toKey(blob))) claims.push({ subject, blob });
  }
  return claims.sort((a, b) => b.blob.size - a.blob.size);
}

type Errors = Map<ResolvedIngredient, SvcError>;

/** The ingredients that declare a blob larger than a volume that must hold it. Pure. */
function selectOversized(
  claims: readonly Claim[],
  demands: readonly VolumeDemand[],
  { marginPercent, resumeThreshold }: FitOptions,
): Errors {
  const errors: Errors = new Map();
  for (const { subject, blob } of claims)
    for (const demand of demands) {
      const isSpooled = resumeThreshold > 0 && blob.size >= resumeThreshold;
      if (demand.target === 'state' && !isSpooled) continue;
      if (blob.size <= demand.volume.totalBytes || errors.has(subject)) continue;
      const own = { ...demand, neededBytes: blob.size, largestFileBytes: blob.size, folderEntries: 0 };
      const { refusal } = judgeVolume(own, marginPercent);
      if (refusal) errors.set(subject, refusal);
    }
  return errors;
}

/**
 * The ingredients that declare another size than their registry announces. Registries are asked about the largest blobs
 * only, until the rest would fit, or until the correctly declared ones exceed the space.
 */
async function findMisdeclared(
  claims: readonly Claim[],
  { content, volumes }: FittedContent,
  { registry, signal }: FitOptions,
): Promise<Errors> {
  const errors: Errors = new Map();
  const usable = Math.min(...volumes.map(({ usableBytes }) => usableBytes));
  const largestFile = Math.min(...volumes.map(({ filesystem }) => filesystem.maxFileSize ?? Infinity));
  let unknown = content.transferBytes;
  let confirmed = 0;
  const asked = new Set<string>();
  for (let i = 0; i < claims.length && confirmed <= usable; i += requestsAtOnce) {
    const batch = claims.slice(i, i + requestsAtOnce);
    if (confirmed + unknown <= usable && batch[0]!.blob.size <= largestFile) break;
    const isAsDeclared = new Set<string>();
    await forEachBounded(batch, requestsAtOnce, async ({ subject, blob }) => {
      const { nominal } = subject;
      const announced = await registry
        .repository(nominal)
        .announcedSize(blob.digest, { signal })
        // a source that does not answer fails its own recipe when the blob is fetched
        .catch(() => undefined);
      signal?.throwIfAborted();
      if (announced !== undefined && announced !== blob.size) {
        const detail = rule(
          [
            '{announced} bytes are announced instead of {size}',
            fr`{announced} octets annoncés au lieu de {size}`,
          ],
          { announced, size: blob.size },
        );
        const reference = `${nominal.host}/${nominal.repository}@${blob.digest}`;
        errors.set(subject, svcError('SVC-REG-007', { reference, detail }));
      } else isAsDeclared.add(toKey(blob));
    });
    for (const { blob } of batch) {
      const key = toKey(blob);
      if (asked.has(key)) continue;
      asked.add(key);
      unknown -= blob.size;
      if (isAsDeclared.has(key)) confirmed += blob.size;
    }
  }
  return errors;
}

/** The resolutions with the errors of content that cannot be carried. */
function withErrors(resolutions: readonly Resolution[], errors: Errors): readonly Resolution[] {
  return resolutions.map((resolution): Resolution => {
    const { recipe, ingredients } = resolution;
    if (!ingredients.some((one) => errors.has(one))) return resolution;
    return {
      recipe,
      ingredients: ingredients.map((one) => {
        const error = errors.get(one);
        if (!error) return one;
        const { graph: _, ...known } = one;
        return { ...known, error };
      }),
    };
  });
}

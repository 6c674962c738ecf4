import type { Digest } from '../../base/digest.ts';
import { isSvcError, svcError } from '../../base/error.ts';
import type { SignedSource } from '../../oci/ports.ts';
import { formatReference, parseRepositoryReference } from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { compareVersions } from '../../recipe/constraint.ts';
import { parseRecipe, requireCooked } from '../../recipe/document.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { yamlLimits } from '../../recipe/read-yaml.ts';
import { hostSegment } from '../../recipe/relocation.ts';
import type { RecipeRecord } from '../../store/model.ts';
import { collectSignatures, type FoundSignatures } from '../../trust/discover.ts';
import { judgeSignatures } from '../../trust/judge.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import type { RecipeVerdict } from '../model.ts';
import { compareRecord, type GraphDifference } from './compare-graph.ts';
import { checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import { checkIngredients, readBlob, readManifest } from './walk-ingredients.ts';

/** A recipe that may be pushed and served, with every file it reaches. */
export interface ClearedRecipe {
  readonly record: RecipeRecord;
  readonly recipe: CookedRecipe;
  readonly files: ReachedFiles;
  /** Manifests of the signatures that travel with the recipe. */
  readonly signatures: readonly Digest[];
}

export interface JudgedRecipe {
  readonly verdict: RecipeVerdict;
  /** The ledger says something else than the verified document. */
  readonly difference?: GraphDifference;
  readonly cleared?: ClearedRecipe;
  /** Whether the verified document is of a lower version than this one. */
  isOlderThan(imported: string | undefined): boolean;
}

export interface JudgeRecipeOptions {
  readonly record: RecipeRecord;
  readonly files: MediumFiles;
  /** A repository of the medium; only for finding signatures. */
  readonly openSource: (repository: string) => SignedSource;
  readonly policy: TrustPolicy;
  readonly signal?: AbortSignal | undefined;
  readonly onIngredients?: () => void;
}

/** The cookbook path that trust scopes match, as the unsigned ledger claims it: it can only narrow what is accepted. */
function toClaimedPath(record: RecipeRecord): string {
  try {
    const { host, repository } = parseRepositoryReference(record.cookbook);
    return `${hostSegment(host)}/${repository}`;
  } catch {
    return record.cookbook;
  }
}

/** Takes signature artifacts into what a recipe reaches. @throws SVC-MED-010 … SVC-MED-014 */
async function reachSignatures(
  files: MediumFiles,
  found: FoundSignatures,
  reached: ReachedFiles,
): Promise<Digest[]> {
  const signatures: Digest[] = [];
  const index = found.fallbackIndex?.descriptor;
  if (index) checkBlob(files, index.digest, index.size, reached);
  for (const { manifest } of found.evidence) {
    const { digest } = manifest.descriptor;
    const read = await readManifest(files, digest, undefined, reached);
    if (read.manifest.kind === 'image') {
      for (const blob of [read.manifest.config, ...read.manifest.layers])
        checkBlob(files, blob.digest, blob.size, reached);
    }
    signatures.push(digest);
  }
  return signatures;
}

/** Signatures of an ingredient are no duty: whole ones are reached, others stay behind as unreached content. */
async function reachAttached(
  files: MediumFiles,
  source: SignedSource,
  subject: Digest,
  reached: ReachedFiles,
  signal: AbortSignal | undefined,
): Promise<void> {
  const own: ReachedFiles = new Map();
  try {
    await reachSignatures(files, await collectSignatures(source, subject, { signal }), own);
  } catch (error) {
    if (!isSvcError(error)) throw error;
    return;
  }
  for (const [digest, file] of own) reached.set(digest, file);
}

/**
 * Judges one recipe of a medium in the order of trust: manifest, signature, document, pinned digests, bytes.
 * A failure blocks this recipe and no other.
 */
export async function judgeRecipe(options: JudgeRecipeOptions): Promise<JudgedRecipe> {
  const { record, files, policy, signal } = options;
  const reached: ReachedFiles = new Map();
  let recipe: CookedRecipe | undefined;
  let signed: { readonly keyFingerprint: string; readonly trustScope?: string } | undefined;
  let difference: GraphDifference | undefined;
  const describe = () => ({
    name: record.name,
    version: record.version,
    repository: record.repository,
    digest: record.digest,
    ...(signed ? { keyFingerprint: signed.keyFingerprint } : {}),
    ...(signed?.trustScope === undefined ? {} : { trustScope: signed.trustScope }),
    files: reached.size,
    bytes: [...reached.values()].reduce((sum, file) => sum + file.size, 0),
  });
  const isOlderThan = (imported: string | undefined): boolean =>
    imported !== undefined && recipe !== undefined && compareVersions(recipe.metadata.version, imported) < 0;
  try {
    const { manifest } = await readManifest(files, record.digest, undefined, reached);
    const found = await collectSignatures(options.openSource(record.repository), record.digest, { signal });
    const verdict = judgeSignatures(record.digest, found.evidence, policy, toClaimedPath(record), {
      allowUnsigned: false,
    });
    if (verdict.outcome !== 'verified') {
      const { reason, fingerprints } =
        verdict.outcome === 'refused' ? verdict : { reason: 'none', fingerprints: [] as readonly string[] };
      throw svcError('SVC-SIG-001', { subject: `${record.name}@${record.version}`, reason, fingerprints });
    }
    signed = verdict;
    const layer = selectRecipeLayer(manifest);
    checkBlob(files, layer.digest, layer.size, reached);
    if (manifest.kind === 'image') checkBlob(files, manifest.config.digest, manifest.config.size, reached);
    const file = `${formatReference({ host: 'medium', repository: record.repository })}:${record.tag}`;
    const document = parseRecipe(await readBlob(files, layer.digest, yamlLimits.bytes), file);
    recipe = requireCooked(document, file);
    difference = compareRecord(record, recipe, layer.digest);
    const signatures = await reachSignatures(files, found, reached);
    options.onIngredients?.();
    await checkIngredients(files, recipe, reached);
    for (const ingredient of record.ingredients) {
      await reachAttached(
        files,
        options.openSource(ingredient.repository),
        ingredient.digest,
        reached,
        signal,
      );
    }
    return {
      verdict: { ...describe(), pushable: true },
      ...(difference ? { difference } : {}),
      cleared: { record, recipe, files: reached, signatures },
      isOlderThan,
    };
  } catch (error) {
    if (!isSvcError(error)) throw error;
    const { path } = error.params;
    return {
      verdict: {
        ...describe(),
        pushable: false,
        reason: {
          code: error.code,
          ...(typeof path === 'string' ? { path } : {}),
          params: { ...error.params, recipe: `${record.name}@${record.version}` },
        },
      },
      ...(difference ? { difference } : {}),
      isOlderThan,
    };
  }
}

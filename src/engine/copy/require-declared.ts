import { selectChartLayer } from '../../chart/chart-artifact.ts';
import { effectiveArtifactType } from '../../oci/manifest.ts';
import type { Ingredient } from '../../recipe/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { ManifestGraph } from './read-graph.ts';

/**
 * Requires that the manifest of an artifact agrees with the declaration of the recipe. Each recipe that shares the
 * artifact is checked separately.
 *
 * @param reference names the artifact in errors
 * @throws SVC-SIG-003 when it has another artifact type, when a HelmChart is not a chart, or when a signature
 *   is among its manifests: it would count as a signature of its subject
 */
export function requireDeclared(
  { root, manifest, signatures }: Pick<ManifestGraph, 'root' | 'manifest' | 'signatures'>,
  { kind, artifactType }: Pick<Ingredient, 'kind' | 'artifactType'>,
  reference: string,
): void {
  if (signatures.length > 0)
    throw svcError('SVC-SIG-003', {
      expected: rule([
        'content, as signatures are carried with the signed artifact',
        fr`du contenu, car les signatures sont transportées avec ce qu’elles signent`,
      ]),
      actual: rule(['a signature, {digest}', fr`une signature, {digest}`], { digest: signatures[0] }),
      reference,
    });
  if (artifactType !== undefined) {
    const actual = effectiveArtifactType(manifest);
    if (actual !== artifactType)
      throw svcError('SVC-SIG-003', {
        expected: artifactType,
        actual: actual ?? rule(['none', fr`aucun`]),
        reference,
      });
  }
  if (kind === 'HelmChart') selectChartLayer(root, manifest, reference);
}

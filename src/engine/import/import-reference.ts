import { type Digest, digestHex } from '../../base/digest.ts';
import { toChartTag } from '../../chart/chart-artifact.ts';
import {
  type ChartReference,
  formatChartReference,
  isChartReference,
  parseChartReference,
} from '../../chart/chart-reference.ts';
import {
  canonicalHost,
  formatReference,
  parseReference,
  type Reference,
  withoutCredentials,
} from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** The parsed reference of an import. */
type ImportReference =
  | { readonly kind: 'registry'; readonly reference: Reference; readonly text: string }
  | { readonly kind: 'chart'; readonly reference: ChartReference; readonly text: string };

const scheme = 'oci://';

/** Removes `oci://` and converts the `+` of a version as helm writes it, which a tag cannot contain. */
function withoutScheme(text: string): string {
  const bare = text.slice(scheme.length);
  const at = bare.indexOf('@');
  const named = at < 0 ? bare : bare.slice(0, at);
  const colon = named.lastIndexOf(':');
  if (colon <= named.lastIndexOf('/')) return bare;
  return `${named.slice(0, colon)}${toChartTag(named.slice(colon))}${at < 0 ? '' : bare.slice(at)}`;
}

/**
 * Parses `<registry>/<repository>:<tag>` or `<registry>/<repository>@<digest>`, both with or without
 * `oci://`, or a chart of a classic chart repository: `https://<base>/<chart>[:<version>]`.
 *
 * @throws SVC-REG-001
 */
export function parseImportReference(given: string): ImportReference {
  const text = given.trim();
  if (isChartReference(text)) {
    const reference = parseChartReference(text);
    return { kind: 'chart', reference, text: formatChartReference(reference, reference.version) };
  }
  const parsed = parseReference(text.toLowerCase().startsWith(scheme) ? withoutScheme(text) : text);
  const reference: Reference = { ...parsed, host: canonicalHost(parsed.host) };
  if (reference.tag === undefined && reference.digest === undefined)
    throw svcError('SVC-REG-001', {
      reference: withoutCredentials(text).slice(0, 512),
      rule: rule([
        'must name a tag (:1.0.0) or a digest (@sha256:…)',
        fr`doit nommer une étiquette (:1.0.0) ou une empreinte (@sha256:…)`,
      ]),
    });
  return { kind: 'registry', reference, text: formatReference(reference) };
}

/** The host that an import contacts first, according to its reference. */
export function hostOf({ kind, reference }: ImportReference): string {
  return kind === 'chart' ? reference.base.host : reference.host;
}

/** The local tag. An import by digest alone gets one too: content without a tag is collected. */
export function toLocalTag(reference: Reference, digest: Digest): string {
  return reference.tag ?? `digest-${digestHex(digest).slice(0, 64)}`;
}

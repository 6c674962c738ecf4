import type { MediumClaims } from '../../contract/medium.ts';
import type { NoMember } from '../../contract/operation.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';

/** The claims of a header that documents contain. Members of a later version are not copied. */
export function toMediumClaims(header: MediumHeader): MediumClaims {
  const { producedBy, totals, recipes: _, otherRecipes: __, ...others } = header;
  const {
    mediaId,
    zone,
    mediaFormat,
    storeFormat,
    resolvedAt,
    writtenAt,
    delivery,
    base,
    program,
    ...unnamed
  } = others;
  unnamed satisfies NoMember;
  const { version, runId } = producedBy;
  const { files, bytes } = totals;
  return {
    mediaId,
    zone,
    mediaFormat,
    storeFormat,
    producedBy: { version, runId },
    resolvedAt,
    writtenAt,
    ...(delivery === undefined
      ? {}
      : { delivery: { id: delivery.id, part: delivery.part, parts: delivery.parts } }),
    ...(base === undefined
      ? {}
      : { base: { zone: base.zone, receipt: base.receipt, sequence: base.sequence } }),
    ...(program === undefined
      ? {}
      : { program: { version: program.version, files: program.files, bytes: program.bytes } }),
    files,
    bytes,
  };
}

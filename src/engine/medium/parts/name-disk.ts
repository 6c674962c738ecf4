import type { MediumHeader } from '../../../store/rest/media-manifest.ts';
import { type ErrorCode, errorRegistry, type ParamValue } from '../../../text/errors/registry.ts';

/** A medium as errors name it. */
export type NamedMedium = Partial<Pick<MediumHeader, 'mediaId' | 'delivery'>>;

type Params = Readonly<Record<string, ParamValue>>;

/** Adds to the parameters of an error the medium, and for a code about one file of a disk its delivery and part. Pure. */
export function nameDisk(code: ErrorCode, params: Params, { mediaId, delivery }: NamedMedium): Params {
  const isOfFile = 'part?' in errorRegistry[code].params;
  return {
    ...params,
    ...(mediaId === undefined ? {} : { mediaId }),
    ...(isOfFile && delivery !== undefined ? { part: delivery.part, delivery: delivery.id } : {}),
  };
}

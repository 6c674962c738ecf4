import { isProgramPath } from '../../../store/rest/carried-program.ts';
import type { MediumHeader } from '../../../store/rest/media-manifest.ts';
import { type ErrorCode, errorRegistry, type ParamValue } from '../../../text/errors/registry.ts';

/** A medium as errors name it. */
export type NamedMedium = Partial<Pick<MediumHeader, 'mediaId' | 'delivery' | 'zone'>>;

type Params = Readonly<Record<string, ParamValue>>;

/**
 * Adds to the parameters of an error the medium, and for a code about one file of a disk its delivery and part; the zone, where
 * its remedy writes the file for it again. Pure.
 */
export function nameDisk(code: ErrorCode, params: Params, medium: NamedMedium): Params {
  const { mediaId, delivery, zone } = medium;
  const { params: known } = errorRegistry[code];
  const isOfFile = 'part?' in known;
  const isOfProgram = 'program?' in known && typeof params.path === 'string' && isProgramPath(params.path);
  const isWritten = 'zone?' in known && delivery !== undefined && zone !== undefined;
  return {
    ...params,
    ...(mediaId === undefined ? {} : { mediaId }),
    ...(isOfFile && delivery !== undefined ? { part: delivery.part, delivery: delivery.id } : {}),
    ...(isOfFile && isWritten ? { zone } : {}),
    ...(isOfProgram ? { program: 'yes' } : {}),
  };
}

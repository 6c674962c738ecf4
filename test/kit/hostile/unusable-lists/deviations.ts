import { classicDeviations } from './classic.ts';
import type { Deviation } from './deviation.ts';
import { entryDeviations } from './entries.ts';
import { apiDeviations, fallbackDeviations } from './lists.ts';

/** Everything unusable that can be beside a signature in the lists of a registry. */
export const deviations: readonly Deviation[] = [
  ...entryDeviations,
  ...apiDeviations,
  ...fallbackDeviations,
  ...classicDeviations,
];

/**
 * Deviations with which a registry still says, usably and completely, that there is no signature beside the valid one.
 * Its entries are no signatures, or the valid one itself.
 */
const complete: readonly RegExp[] = [
  /: a signature that is called /,
  /: (?:a referrer of another type|an index of images|200 SBOMs that are not there)$/,
  /: (?:a numeric annotation of the signature|annotations that are .*|an entry twice.*|a size of the signature .*)$/,
  /^referrers API: (?:a list of another media type|another media type of JSON|no version of the schema)$/,
  /^referrers API: status (?:40[0456]|501)$/,
  /^referrers API: (?:an empty page|pages of other referrers) before the signature$/,
  /^fallback tag[^:]*: (?:an image|the subject)$/,
];

/** Whether a scope that admits unsigned subjects admits one with this deviation, where there is no valid signature. */
export const saysNone = ({ name }: Deviation): boolean => complete.some((form) => form.test(name));

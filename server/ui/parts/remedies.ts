import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { remedies } from '../../../src/text/words/remedies.ts';
import type { Sentence } from '../../../src/text/words/words.ts';

/** Remedies on a page, where the sentence of the code names a flag or a request. */
export const pageRemedies: Partial<Readonly<Record<ErrorCode, Sentence>>> = {
  'SVC-MED-006': remedies.zoneMismatch,
  'SVC-MED-007': remedies.stale,
  'SVC-LAY-003': remedies.overwrite,
  'SVC-STO-006': remedies.confirmation,
  'SVC-SRV-002': remedies.unknownPage,
  'SVC-SRV-004': remedies.unknownPage,
};

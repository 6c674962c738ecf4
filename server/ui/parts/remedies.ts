import type { ErrorRecord, SvcError } from '../../../src/text/error.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { remedies } from '../../../src/text/words/remedies.ts';
import type { Sentence, Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';

/** Remedies on a page, where the sentence of the code names a flag or a request. */
export const pageRemedies: Partial<Readonly<Record<ErrorCode, Sentence>>> = {
  'SVC-MED-006': remedies.zoneMismatch,
  'SVC-MED-007': remedies.stale,
  'SVC-STO-006': remedies.confirmation,
  'SVC-SRV-004': remedies.unknownPage,
};

/** The remedy of an error that means several things, some of which the sentence of its code explains with requests. */
export function remedyOf({ code, params }: SvcError): Sentence | undefined {
  if (code === 'SVC-CFG-001' && params.setting === 'zone') return remedies.setZone;
  // nothing replaces anything else than a layout
  if (code === 'SVC-LAY-003') return params.kept === undefined ? remedies.overwrite : undefined;
  if (code === 'SVC-SRV-002')
    return params.lacks === 'fileset'
      ? remedies.unknownFileset
      : params.lacks === undefined || params.lacks === ''
        ? remedies.unknownPage
        : undefined;
  if (code === 'SVC-REG-005' && params.local === 'store' && (params.nearest ?? '') === '')
    return remedies.unknownContent;
  return undefined;
}

/** The button that leads to the guide on the remedy of an error, where there is one. */
export function remedyButton({ say }: Words, error: ErrorRecord | undefined): Html | string {
  const { code, params } = error ?? {};
  const isKey = code === 'SVC-SIG-001' && (params?.reason === 'untrusted' || params?.reason === 'no-roots');
  return isKey
    ? html`<a class="button button-primary" href="/help#guide-key">${say(remedies.acceptKey)}</a>`
    : '';
}

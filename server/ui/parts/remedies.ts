import type { ErrorRecord, SvcError } from '../../../src/text/error.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { content } from '../../../src/text/words/content.ts';
import { history } from '../../../src/text/words/history.ts';
import { remedies } from '../../../src/text/words/remedies.ts';
import { shell } from '../../../src/text/words/shell.ts';
import { tasks } from '../../../src/text/words/tasks.ts';
import type { Sentence, Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { toPath } from '../to-href.ts';

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
  if (code === 'SVC-CUS-002' && params.problem === 'name') return remedies.ledgerName;
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

/** Pages for all readers on which the remedy of an error is found. */
const mendingPages: Partial<Readonly<Record<ErrorCode, readonly [text: Sentence, path: string]>>> = {
  'SVC-CUS-002': [history.title, '/history'],
  'SVC-STO-004': [shell.showOccupancy, '/content?sort=size'],
  'SVC-TSK-001': [tasks.title, '/tasks'],
  'SVC-TSK-002': [tasks.title, '/tasks'],
  'SVC-TSK-003': [tasks.title, '/tasks'],
  'SVC-TSK-005': [tasks.title, '/tasks'],
};

/** The page on which the remedy of an error is found, where there is one. */
export function pageOfRemedy(error: SvcError): readonly [text: Sentence, path: string] | undefined {
  const { code, params } = error;
  if (code === 'SVC-REG-005' && params.local === 'store') return [content.title, '/content'];
  if (code === 'SVC-SRV-002' && params.lacks === 'fileset') return [shell.filesets, '/filesets'];
  // content is removed from a store only
  if (code === 'SVC-STO-004' && (params.place ?? '') !== '') return undefined;
  return mendingPages[code];
}

/** The guide on the remedy of an error, where there is one. */
export function guideOf(error: ErrorRecord | undefined): readonly [text: Sentence, href: string] | undefined {
  const { code, params } = error ?? {};
  const isKey = code === 'SVC-SIG-001' && (params?.reason === 'untrusted' || params?.reason === 'no-roots');
  if (!isKey) return undefined;
  const key = [params?.fingerprints].flat()[0];
  return [
    remedies.acceptKey,
    key === undefined ? '/help#guide-key' : `${toPath('/help', {}, { key: String(key) })}#key-check`,
  ];
}

/** The button that leads there. */
export function remedyButton({ say }: Words, error: ErrorRecord | undefined): Html | string {
  const guide = guideOf(error);
  return guide === undefined
    ? ''
    : html`<a class="button button-primary" href="${guide[1]}">${say(guide[0])}</a>`;
}

import type { Inspection } from '../../../../src/contract/content.ts';
import { withoutCredentials } from '../../../../src/oci/reference.ts';
import { toSvcError } from '../../../../src/text/error.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import type { Exchange } from '../../../exchange.ts';
import { showInspection } from '../../../views/inspection.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { form, submit, textField } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { foundBlock, inspectedField, toImportBody } from './found.ts';

/** Whether a page of this instance led here: only then may a GET ask a registry (Fetch Metadata). */
const isOurs = ({ req }: Exchange): boolean => req.headers['sec-fetch-site'] === 'same-origin';

function inspectForm(call: PageCall, reference: string): Html {
  const { say } = call.words;
  return form(
    '/import/inspect',
    html`${textField(call, { name: 'reference', label: say(imports.reference), hint: say(imports.referenceHint), value: reference, required: true })}
<div>${submit(say(imports.inspect), { kind: 'plain', working: say(imports.inspecting) })}<p class="hint">${say(imports.inspectHint)}</p></div>`,
  );
}

/** The page `/import` with the inspection of a reference, if there is one. */
export function toImportPage(call: PageCall, given: string, found: Inspection | Html | undefined): Page {
  const { say } = call.words;
  // a title stays in the history of the browser
  const reference = withoutCredentials(given);
  const asked = reference === '' ? 'registry.example/repository:tag' : reference;
  const path = toPath('/import/inspect', {}, { reference: asked });
  return {
    title: reference === '' ? say(imports.title) : `${escapeText(reference)} · ${say(imports.title)}`,
    heading: html`${say(imports.title)}`,
    lead: say(imports.lead),
    crumbs: [[say(imports.recipes), '/recipes']],
    sections: [
      { id: 'reference', html: inspectForm(call, reference) },
      ...(found === undefined
        ? []
        : [{ id: 'found', html: 'digest' in found ? foundBlock(call, found) : found }]),
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', path),
          ...(found !== undefined && 'digest' in found
            ? [curlCommand(call, 'POST', '/import', toImportBody(found))]
            : []),
        ]),
      },
    ],
  };
}

/** @returns the inspection, or its error: the form stays, so that the reference can be mended */
async function inspect(call: PageCall, reference: string): Promise<Inspection | Html> {
  const { words, exchange, holder, signal } = call;
  try {
    return await showInspection(call, { reference, holder, signal });
  } catch (error) {
    const { correlationId } = exchange;
    return html`<div id="field-platforms">${errorBlock({ words, error: toSvcError(error), hasHelp: true, correlationId })}</div>`;
  }
}

/** The page `/import`. `?reference=` is inspected where a page of this instance led here; from elsewhere it fills the form. */
export async function showImport(call: PageCall): Promise<Page> {
  const { words, exchange, search } = call;
  const given = search.get('reference') ?? '';
  if (given !== '' && isOurs(exchange)) return toImportPage(call, given, await inspect(call, given));
  if (given !== '') {
    const note = html`<div class="note">${icon('info')}<p>${words.say(imports.elsewhere)}</p></div>`;
    return toImportPage(call, given, note);
  }
  const typed = call.field('reference');
  // an import that was refused: the choices come back, as the registry has them now
  const isRefused = call.posted?.error !== undefined && call.field(inspectedField) === 'true';
  return toImportPage(call, typed, isRefused ? await inspect(call, typed) : undefined);
}

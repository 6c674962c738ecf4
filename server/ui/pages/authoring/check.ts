import type { LintReport } from '../../../../src/authoring/door.ts';
import type { PinAnswer } from '../../../../src/contract/authoring.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { form, submit, textArea, textField } from '../../parts/form.ts';
import { excerpt, givenDocument } from '../../parts/offending-line.ts';
import { terminal } from '../../parts/terminal.ts';
import { fieldOf, textOf } from '../../read-form.ts';
import type { Fields, Finding, Page, PageCall, Section } from '../../ui-route.ts';
import { findingsBlock, findingsVerdict } from './findings.ts';
import { pinnedBlock } from './pinned.ts';

/** Fields of a pin besides the document. */
const pinFields = ['setVersion', 'platforms', 'update'] as const;

/** A form of the page with its result. */
interface Checked {
  /** The document as it was given. */
  readonly document: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly report?: LintReport;
  readonly pinned?: PinAnswer;
}

/** Keeps a result with the form that it answers. */
export function toChecked(fields: Fields, result: Pick<Checked, 'report' | 'pinned'>): Finding {
  const typed = Object.fromEntries(pinFields.map((name) => [name, fieldOf(fields, name) ?? '']));
  const shown: Checked = { document: textOf(fields, 'document'), typed, ...result };
  return { show: (call) => showCheck(call, shown), of: shown };
}

function pinOptions(call: PageCall, typed: Checked['typed']): Html {
  const { say } = call.words;
  return html`<fieldset class="choices"><legend>${say(authoring.pinLegend)}</legend>
${textField(call, { name: 'setVersion', label: say(authoring.setVersion), hint: say(authoring.setVersionHint), value: typed.setVersion ?? '' })}
${textArea(call, { name: 'platforms', label: say(authoring.platforms), hint: say(authoring.platformsHint), value: typed.platforms ?? '', rows: 2 })}
${textArea(call, { name: 'update', label: say(authoring.update), hint: say(authoring.updateHint), value: typed.update ?? '', rows: 2 })}
<div><button class="button button-plain" type="submit" formaction="/recipes/check/pin" data-working="${say(authoring.pinning)}">${say(authoring.pin)}</button><p class="hint">${say(authoring.pinHint)}</p></div></fieldset>`;
}

function checkForm(call: PageCall, shown: Checked | undefined): Html {
  const { say } = call.words;
  const document = textArea(call, {
    name: 'document',
    label: say(authoring.document),
    hint: say(authoring.documentHint),
    value: shown?.document ?? givenDocument(call),
    required: true,
    rows: 18,
    file: { label: say(authoring.file), accept: '.yaml,.yml' },
  });
  return form(
    '/recipes/check',
    html`${document}<div>${submit(say(authoring.check), { working: say(authoring.checking) })}<p class="hint">${say(authoring.checkHint)}</p></div>
${call.can('operator') ? pinOptions(call, shown?.typed ?? {}) : ''}`,
    { multipart: true },
  );
}

function commands(call: PageCall): Html {
  const request = '@request.json';
  const note = call.words.say(authoring.requestFile, { document: '{"document": "…"}' });
  return terminal(
    call.words,
    [
      'svc recipe lint shop.yaml',
      curlCommand(call, 'POST', '/recipes/lint', request),
      ...(call.can('operator')
        ? [
            'svc recipe pin shop.yaml --set-version 1.4.0 --out shop-1.4.0.yaml',
            curlCommand(call, 'POST', '/recipes/pin', request),
          ]
        : []),
    ],
    [note],
  );
}

/** The page `/recipes/check`: a form with a document, below the result of a check or a pin. */
export async function showCheck(call: PageCall, shown?: Checked): Promise<Page> {
  const { say } = call.words;
  const { report, pinned, document = '' } = shown ?? {};
  const result: readonly Section[] = [
    ...(report === undefined
      ? []
      : [
          { id: 'verdict', html: await findingsVerdict(call, report) },
          { id: 'findings', html: await findingsBlock(call, report, document) },
        ]),
    ...(pinned === undefined ? [] : [{ id: 'pinned', html: pinnedBlock(call, pinned, document) }]),
  ];
  return {
    title: say(authoring.checkTitle),
    lead: say(authoring.checkLead),
    crumbs: [[say(authoring.recipes), '/recipes']],
    sections: [
      ...result,
      { id: 'check', html: html`${await excerpt(call)}${checkForm(call, shown)}` },
      { id: 'terminal', html: commands(call) },
    ],
  };
}

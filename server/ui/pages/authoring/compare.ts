import type { RecipeDiff } from '../../../../src/contract/authoring.ts';
import { withoutCredentials } from '../../../../src/oci/reference.ts';
import { parseStoredName } from '../../../../src/recipe/versioned-name.ts';
import type { SvcError } from '../../../../src/text/error.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { listWrongDocuments, toSideError } from '../../../views/authoring.ts';
import { noteFaults, noteField } from '../../faults.ts';
import { requireSingle } from '../../fields-to-body.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { belowResults, form, submit, textArea, textField } from '../../parts/form.ts';
import { excerpt, givenDocument } from '../../parts/offending-line.ts';
import { terminal } from '../../parts/terminal.ts';
import { fieldOf, textOf, toExactName } from '../../read-form.ts';
import type { ActionCall, Faults, Fields, Finding, Page, PageCall } from '../../ui-route.ts';
import { differenceBlock, differenceVerdict } from './difference.ts';

const sides = ['old', 'new'] as const;
type Side = (typeof sides)[number];

/** One side of the comparison as the form gave it; each text may be empty. */
interface Given {
  readonly reference: string;
  readonly document: string;
}

/** A form of the page with the difference that it led to. */
interface Compared {
  readonly given: Readonly<Record<Side, Given>>;
  readonly diff: RecipeDiff;
}

const sideFieldNames = (side: Side): readonly string[] => [
  `${side}-reference`,
  `${side}-document`,
  toExactName(`${side}-document`),
];

const readSide = (fields: Fields, side: Side): Given => ({
  reference: (fieldOf(fields, `${side}-reference`) ?? '').trim(),
  document: textOf(fields, `${side}-document`),
});

/**
 * The fields of the form as members of the request: each recipe is an object. Other fields stay, and are refused as any form
 * has them refused.
 *
 * @throws SVC-VAL-001 for a field that is given twice, a file that is no text, or each side without one recipe
 */
export function toRequestFields(fields: Fields): Fields {
  requireSingle(fields);
  const request = new Map(fields);
  const wrong = new Map<string, SvcError>();
  for (const side of sides) {
    const { reference, document } = readSide(fields, side);
    if ((reference === '') === (document === '')) wrong.set(side, toSideError(side));
    for (const name of sideFieldNames(side)) request.delete(name);
    const member = {
      ...(reference === '' ? {} : { reference }),
      ...(document === '' ? {} : { document }),
    };
    request.set(side, [...(request.get(side) ?? []), JSON.stringify(member)]);
  }
  const [first] = wrong.values();
  if (first !== undefined) throw noteFaults(first, wrong);
  return request;
}

/** The documents of the form that cannot be read, by side. */
export const listWrongSides = (call: ActionCall): Promise<Faults> =>
  listWrongDocuments(call, {
    old: readSide(call.fields, 'old').document,
    new: readSide(call.fields, 'new').document,
  });

/** Keeps a difference, with the form that it answers; references without credentials. */
export function toCompared(fields: Fields, diff: RecipeDiff): Finding {
  const given = (side: Side): Given => {
    const { reference, document } = readSide(fields, side);
    // the name of a recipe of the store has no credentials before its @
    const isStored = parseStoredName(reference) !== undefined;
    return { reference: isStored ? reference : withoutCredentials(reference), document };
  };
  const shown: Compared = { given: { old: given('old'), new: given('new') }, diff };
  return { show: (call) => showCompare(call, shown), of: shown };
}

function sideFields(call: PageCall, side: Side, given: Given | undefined): Html {
  const { say } = call.words;
  const label = say(authoring[side]);
  // an error names the side: it is about the part that was given
  const isDocument = call.posted !== undefined && givenDocument(call, `${side}-document`) !== '';
  const fields = html`${textField(call, { name: `${side}-reference`, about: isDocument ? undefined : side, label: say(authoring.reference), hint: say(authoring.referenceHint), value: given?.reference ?? '' })}
${textArea(call, {
  name: `${side}-document`,
  about: isDocument ? side : undefined,
  label: say(authoring.orDocument),
  hint: say(authoring.orDocumentHint),
  value: given?.document ?? givenDocument(call, `${side}-document`),
  rows: 8,
  file: { label: say(authoring.file), accept: '.yaml,.yml' },
})}`;
  noteField(call.posted, side, { label, id: `field-${side}-${isDocument ? 'document' : 'reference'}` });
  return html`<fieldset class="choices"><legend>${label}</legend>
${fields}</fieldset>`;
}

/** The offending line of the document that the error names. */
async function offending(call: PageCall): Promise<Html | string> {
  const file = call.posted?.error?.params.file;
  return file === 'old' || file === 'new' ? excerpt(call, `${file}-document`) : '';
}

function commands(call: PageCall, given: Compared['given'] | undefined): Html {
  const example = (side: Side, version: string): string =>
    given?.[side].reference || `registry.example/cookbook/shop:${version}`;
  const body = JSON.stringify({
    old: { reference: example('old', '1.4.0') },
    new: { reference: example('new', '1.5.0') },
  });
  return terminal(call.words, [
    'svc recipe diff shop-1.4.0.yaml shop-1.5.0.yaml',
    curlCommand(call, 'POST', '/recipes/diff', body),
  ]);
}

/** The page `/recipes/compare`: two recipes, and above them their difference. */
export async function showCompare(call: PageCall, shown?: Compared): Promise<Page> {
  const { say } = call.words;
  const asked = form(
    '/recipes/compare',
    html`${sides.map((side) => sideFields(call, side, shown?.given[side]))}<div>${submit(say(authoring.compare), { working: say(authoring.comparing) })}<p class="hint">${say(authoring.compareHint)}</p></div>`,
    { multipart: true },
  );
  return {
    title: say(authoring.compareTitle),
    lead: say(authoring.compareLead),
    crumbs: [[say(authoring.recipes), '/recipes']],
    sections: [
      ...(shown === undefined
        ? []
        : [
            { id: 'verdict', html: differenceVerdict(call, shown.diff) },
            { id: 'difference', html: differenceBlock(call, shown.diff) },
          ]),
      {
        id: 'compare',
        html: html`${await offending(call)}${shown === undefined ? asked : belowResults(call, say(authoring.compareTitle), asked)}`,
      },
      { id: 'terminal', html: commands(call, shown?.given) },
    ],
  };
}

import { escapeText } from '../../../../src/text/escape.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import type { RecipePreview } from '../../../views/publish.ts';
import { type Html, html } from '../../html.ts';
import { copyable } from '../../parts/copy.ts';
import { form, submit, textArea, textField } from '../../parts/form.ts';
import { excerpt, givenDocument } from '../../parts/offending-line.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toExactName } from '../../read-form.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { kindBadge } from '../content/content-words.ts';

/** Ingredients that a preview lists. */
const shownIngredients = 200;
/** Set in the form that follows a preview. */
const previewedField = '_previewed';

type Ingredient = RecipePreview['ingredients'][number];

function previewBlock(
  { words }: PageCall,
  { name, version, description, ingredients, documentDigest }: RecipePreview,
): Html {
  const { say } = words;
  const total = ingredients.length;
  return html`<h2>${say(publish.preview)}</h2>${facts([
    [say(publish.name), untrusted(name)],
    [say(publish.version), untrusted(version)],
    ...(description === undefined ? [] : [[say(publish.description), untrusted(description)] as const]),
    [say(publish.documentDigest), copyable(words, documentDigest, say(publish.documentDigest))],
  ])}
<h3>${say(publish.ingredients)}</h3>${total > shownIngredients ? html`<p class="muted">${say(publish.more, { shown: shownIngredients, total })}</p>` : ''}${table<Ingredient>(
    {
      caption: say(publish.ingredients),
      empty: '',
      rows: ingredients.slice(0, shownIngredients),
      columns: [
        {
          label: say(publish.ingredient),
          isHeader: true,
          cell: (each) =>
            html`${untrusted(each.name)}<div class="item-digest muted">${code(each.nominal)}</div><div class="item-digest muted">${code(each.digest)}</div>`,
        },
        { label: say(publish.kind), cell: ({ kind }) => kindBadge(words, kind) },
        {
          label: say(publish.platforms),
          cell: ({ platforms }) =>
            platforms === undefined ? say(publish.allPlatforms) : untrusted(platforms.join(', ')),
        },
        {
          label: say(publish.relocated),
          cell: ({ relocated }) =>
            relocated === undefined
              ? html`<span class="item-warning">${say(publish.notRelocated)}</span>`
              : code(relocated),
        },
      ],
    },
  )}`;
}

/** @param document the text to fill in; the form itself keeps typed text */
function documentField(call: PageCall, document: string, isFileTaken: boolean): Html {
  const { say } = call.words;
  return textArea(call, {
    name: 'document',
    label: say(publish.document),
    hint: say(publish.documentHint),
    value: document,
    required: true,
    rows: 18,
    ...(isFileTaken ? { file: { label: say(publish.file), accept: '.yaml,.yml' } } : {}),
  });
}

/** The document of a file as the form carries it: its bytes, beside a text that is only looked at. */
function carriedFile({ words: { say } }: PageCall, document: string, exact: string): Html {
  return html`<input type="hidden" name="${toExactName('document')}" value="${exact}">
<p class="hint">${say(publish.fromFile)} <a href="/recipes/publish">${say(publish.another)}</a></p>
<details class="fold"><summary>${say(publish.document)}</summary><pre tabindex="0" translate="no"><code>${document.split(/\r?\n/).map((line) => `${escapeText(line)}\n`)}</code></pre></details>`;
}

/**
 * The form that publishes the previewed document.
 *
 * @param exact the bytes of a file, as base64: they are published as they are, and cannot be edited here
 */
function publishForm(call: PageCall, document: string, reference: string, exact = ''): Html {
  const { say } = call.words;
  return form(
    '/recipes/publish',
    html`<input type="hidden" name="${previewedField}" value="true">${textField(call, { name: 'reference', label: say(publish.reference), hint: say(publish.referenceHint), value: reference, required: true })}
<div class="buttons">${submit(say(publish.publish), { working: say(publish.publishing) })}<button class="button button-plain" type="submit" formaction="/recipes/publish/preview">${say(publish.previewAgain)}</button></div>
${exact === '' ? documentField(call, document, false) : carriedFile(call, document, exact)}`,
  );
}

function previewForm(call: PageCall): Html {
  const { say } = call.words;
  return form(
    '/recipes/publish/preview',
    html`${documentField(call, givenDocument(call), true)}<div>${submit(say(publish.preview), { working: say(publish.previewing) })}<p class="hint">${say(publish.previewHint)}</p></div>`,
    { multipart: true },
  );
}

/** The page `/recipes/publish`: the document, and after a preview the form that publishes it. */
export async function showPublish(
  call: PageCall,
  shown?: { readonly preview: RecipePreview; readonly document: string; readonly exact: string | undefined },
): Promise<Page> {
  const { say } = call.words;
  const reference = call.field('reference', shown?.preview.reference ?? '');
  // a publication that was refused: its form comes back
  const isRefused = call.field(previewedField) === 'true';
  const ready =
    shown !== undefined
      ? publishForm(call, shown.document, reference, shown.exact)
      : isRefused
        ? publishForm(call, givenDocument(call), reference, call.field(toExactName('document')))
        : previewForm(call);
  return {
    title: shown === undefined ? say(publish.title) : `${say(publish.preview)} · ${say(publish.title)}`,
    heading: html`${say(publish.title)}`,
    lead: say(publish.lead),
    crumbs: [[say(publish.recipes), '/recipes']],
    sections: [
      ...(shown === undefined ? [] : [{ id: 'preview', html: previewBlock(call, shown.preview) }]),
      { id: 'publish', html: html`${await excerpt(call)}${ready}` },
      {
        id: 'terminal',
        html: terminal(call.words, ['svc recipe push shop.yaml registry.example/cookbook/shop:1.4.0']),
      },
    ],
  };
}

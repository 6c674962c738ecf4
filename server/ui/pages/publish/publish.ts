import { publishRecipe } from '../../../../src/contract/operations/recipes.ts';
import type { PublishedRecipe } from '../../../../src/contract/recipe.ts';
import { publish } from '../../../../src/text/words/publish.ts';
import { listWrongDocuments } from '../../../views/authoring.ts';
import { largestDocument } from '../../../views/plan.ts';
import { previewRecipe } from '../../../views/publish.ts';
import { toReached } from '../../../views/reached.ts';
import { html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { fieldOf, textOf, toExactName } from '../../read-form.ts';
import {
  type ActionCall,
  action,
  type Outcome,
  type Page,
  type PageCall,
  type UiRoute,
} from '../../ui-route.ts';
import { showPublish } from './show.ts';

/** @throws SVC-VAL-001, SVC-VAL-002 for the document */
async function preview(call: ActionCall): Promise<Outcome> {
  const document = textOf(call.fields, 'document');
  const exact = fieldOf(call.fields, toExactName('document'));
  const shown = {
    document,
    exact,
    preview: await previewRecipe(call, { document, reached: toReached(call) }),
  };
  return { keep: { show: (later) => showPublish(later, shown), of: shown } };
}

function showPublished(
  call: PageCall,
  { reference, digest, documentDigest, unchanged }: PublishedRecipe,
): Page {
  const { words } = call;
  const { say } = words;
  const named = `${reference.replace(/:[^:/]*$/, '')}@${digest}`;
  return {
    title: `${say(publish.published)} · ${say(publish.title)}`,
    heading: html`${say(publish.published)}`,
    crumbs: [
      [say(publish.recipes), '/recipes'],
      [say(publish.title), '/recipes/publish'],
    ],
    sections: [
      {
        id: 'published',
        html: html`<p>${badge('ok', say(publish.published))}</p>${unchanged ? html`<p>${say(publish.unchanged)}</p>` : ''}${facts(
          [
            [say(publish.publishedAs), copyable(words, reference, say(publish.publishedAs))],
            [say(publish.digest), copyable(words, digest, say(publish.digest))],
            [say(publish.documentDigest), copyable(words, documentDigest, say(publish.documentDigest))],
          ],
        )}<p class="muted">${say(publish.publishedHint)}</p>
<p><a class="button button-plain" href="/recipes/publish">${say(publish.another)}</a></p>
${terminal(words, [
  `svc recipe sign ${named} --key release.key --key-password-file release.password`,
  `cosign sign --key cosign.key --use-signing-config=false --tlog-upload=false ${named}`,
])}`,
      },
    ],
  };
}

export const publishPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/recipes/publish',
    floor: 'operator',
    title: publish.title,
    page: (call) => showPublish(call),
  },
  {
    method: 'POST',
    path: '/recipes/publish/preview',
    floor: 'operator',
    page: '/recipes/publish',
    limit: largestDocument,
    run: preview,
  },
  action(publishRecipe, {
    faulty: { 'SVC-REG-001': 'reference' },
    beside: (call, { code }) =>
      code === 'SVC-REG-001'
        ? listWrongDocuments(call, { document: textOf(call.fields, 'document') })
        : new Map(),
    path: '/recipes/publish',
    page: '/recipes/publish',
    done: (_call, answer) => ({
      keep: { show: (call) => showPublished(call, answer), of: answer },
    }),
  }),
];

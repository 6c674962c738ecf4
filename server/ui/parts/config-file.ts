import { recipeWords } from '../../../src/text/words/recipes.ts';
import { noteField } from '../faults.ts';
import { attr, type Html, html } from '../html.ts';
import type { PageCall, Posted } from '../ui-route.ts';
import { copyButton } from './copy.ts';
import { faultOf } from './form.ts';
import { code } from './text.ts';

/** A file of a client with its place, and a button that copies its content. */
export function configFile(call: PageCall, path: string, content: string): Html {
  return html`<figure class="file"><figcaption>${code(path)}${copyButton(call.words, content, path)}</figcaption><pre translate="no" tabindex="0"><code>${content}</code></pre></figure>`;
}

/** The form that changes how nodes reach the registry. */
export function registryForm(call: PageCall, refused: Posted | undefined): Html {
  const { search, here } = call;
  const { say } = call.words;
  const name = 'registry';
  noteField(refused, name, {
    label: say(recipeWords.registry),
    id: `field-${name}`,
    given: refused?.fields.get(name),
  });
  const fault = faultOf({ ...call, posted: refused }, { name });
  const isWrong = fault !== '';
  const [path = ''] = here.split('?', 1);
  return html`<form class="filters" method="get" action="${path}"><div class="field field-wide"><label for="field-registry">${say(recipeWords.registry)}</label><p class="hint" id="hint-registry">${say(recipeWords.registryHint)}</p><input class="input" id="field-registry" name="registry" type="text" value="${search.get('registry') ?? ''}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="270" aria-describedby="${isWrong ? `hint-${name} error-${name}` : `hint-${name}`}" ${attr('aria-invalid', isWrong && 'true')}>${fault}</div>
<button class="button" type="submit">${say(recipeWords.apply)}</button></form>`;
}

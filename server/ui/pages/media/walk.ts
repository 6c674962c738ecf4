import type { VerificationState } from '../../../../src/engine/sync/model.ts';
import { media } from '../../../../src/text/words/media.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { type Html, html } from '../../html.ts';
import { stagePicture } from '../../pictures/stages.ts';
import type { PageCall } from '../../ui-route.ts';
import { verdictCards } from './verdict.ts';

type Walk = NonNullable<VerificationState['running']>;

/** A verification under way: its stage, its pace, and the recipes judged so far. */
export function walkBlock(call: PageCall, walk: Walk): Html {
  const { words } = call;
  const { say, format } = words;
  const { files, totalFiles, bytes, totalBytes, bytesPerSecond, secondsLeft, recipe, recipes } = walk;
  const line = [
    ...(totalFiles === undefined ? [] : [say(media.filesOf, { done: files, total: totalFiles })]),
    ...(totalBytes === undefined ? [] : [say(parts.bytesOf, { used: bytes, total: totalBytes })]),
    ...(bytesPerSecond === undefined ? [] : [say(media.rate, { rate: bytesPerSecond })]),
    ...(secondsLeft === undefined
      ? []
      : [say(media.left, { duration: format.duration(secondsLeft * 1000) })]),
  ];
  return html`<h2>${say(media.walk)}</h2>${stagePicture(words, walk)}
<p class="progress-line">${line.map((part, index) => html`${index === 0 ? '' : html` <span class="muted">·</span> `}${part}`)}</p>
${recipe === undefined ? '' : html`<p class="muted">${say(media.judging, { recipe })}</p>`}
${recipes.length === 0 ? '' : html`<h2>${say(media.soFar)}</h2><p class="muted">${say(media.soFarHint)}</p>${verdictCards(call, recipes)}`}`;
}

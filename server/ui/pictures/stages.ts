import type { VerificationProgress } from '../../../src/contract/medium.ts';
import { startSentence } from '../../../src/text/start-sentence.ts';
import { media } from '../../../src/text/words/media.ts';
import type { Sentence, Words } from '../../../src/text/words/words.ts';
import { attr, type Html, html } from '../html.ts';
import { bar, hatchPattern } from '../parts/bar.ts';

type Stage = VerificationProgress['stage'];

/** In the order in which a medium is walked. */
export const stageWords: Readonly<Record<Stage, Sentence>> = {
  inventory: media.inventory,
  manifest: media.manifest,
  recipes: media.recipes,
  ingredients: media.ingredients,
  extraneous: media.extraneous,
};
const stages = Object.keys(stageWords) as readonly Stage[];

/** Share of a stage that is over, from 0 to 1; undefined where it cannot be known. */
export function shareOfStage(progress: VerificationProgress): number | undefined {
  const { stage, bytes, totalBytes, recipes, totalRecipes } = progress;
  if (stage === 'manifest' && totalBytes !== undefined)
    return totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  if (stage === 'ingredients' && totalRecipes !== undefined && totalRecipes > 0)
    return Math.min(1, recipes.length / totalRecipes);
  return undefined;
}

/** The five stages of a verification. @param isStalled whether nothing moves */
export function stagePicture(
  words: Words,
  progress: VerificationProgress,
  { isStalled }: { readonly isStalled: boolean },
): Html {
  const at = stages.indexOf(progress.stage);
  return stepPicture(words, Object.values(stageWords), { at, share: shareOfStage(progress), isStalled });
}

interface CurrentStep {
  /** Its index. */
  readonly at: number;
  /** Share of it that is over, from 0 to 1; undefined where it cannot be known. */
  readonly share: number | undefined;
  /** Whether nothing moves. */
  readonly isStalled: boolean;
}

/** The steps of work: those before the current one are full, the current one fills. */
export function stepPicture(
  { say }: Words,
  names: readonly Sentence[],
  { at, share, isStalled }: CurrentStep,
): Html {
  const state = (index: number): 'done' | 'running' | 'to-come' =>
    index < at ? 'done' : index === at ? 'running' : 'to-come';
  const running = isStalled ? media.stageStalled : media.stageRunning;
  const word = { done: media.stageDone, running, 'to-come': media.stageToCome } as const;
  const barOf = (index: number): Html => {
    if (index < at) return bar({ parts: [{ kind: 'done', share: 1 }] });
    if (index > at) return bar({ parts: [] });
    if (isStalled) return bar({ parts: [{ kind: 'stalled', share: share || 1 }] });
    // a stage of unknown length is pale as a whole
    return bar({ parts: share === undefined ? [{ kind: 'after', share: 1 }] : [{ kind: 'done', share }] });
  };
  return html`${isStalled ? hatchPattern() : ''}<ol class="stages">${names.map(
    (name, index) =>
      html`<li class="stage stage-${state(index)}" ${attr('aria-current', index === at ? 'step' : undefined)}>${barOf(index)}<span class="stage-name">${startSentence(say(name))}</span> <span class="stage-state">${say(word[state(index)])}</span></li>`,
  )}</ol>`;
}

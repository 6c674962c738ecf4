import type { VerificationProgress } from '../src/contract/medium.ts';
import { fr, type Language, type Sentence, say } from '../src/text/language.ts';
import type { Progress } from './cli/progress.ts';

const stages: Readonly<Record<VerificationProgress['stage'], Sentence>> = {
  inventory: ['verifying: files', fr`vérification : fichiers`],
  manifest: ['verifying: manifest', fr`vérification : manifeste`],
  recipes: ['verifying: recipes', fr`vérification : recettes`],
  ingredients: ['verifying: ingredients', fr`vérification : ingrédients`],
  extraneous: ['verifying: other files', fr`vérification : autres fichiers`],
};

/** Makes the function that shows the progress of a verification. */
export function showVerification(
  progress: Progress,
  language: Language,
): (state: VerificationProgress) => void {
  const files = say(['files', fr`fichiers`], language);
  return ({ stage, recipe, files: done, totalFiles, bytes, totalBytes }) => {
    const label = say(stages[stage], language);
    progress.update({
      label: recipe === undefined ? label : `${label}, ${recipe}`,
      bytesDone: bytes,
      bytesTotal: totalBytes,
      items: totalFiles === undefined ? undefined : `${done}/${totalFiles} ${files}`,
    });
  };
}

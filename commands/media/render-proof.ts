import { type MediumProof, mayBeRefused, type ProofFinding } from '../../src/contract/proof.ts';
import { type ProofLimit, proofLimits } from '../../src/engine/prove/limits.ts';
import { fr, type Language, say, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { proof as words } from '../../src/text/words/delivering/proof.ts';
import { words as spoken } from '../../src/text/words/words.ts';
import { renderTable } from '../cli/print.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderProblems } from '../render/problems.ts';

/** Renders the errors, then the warnings of a proof, each with its remedy. */
export function renderFindings(findings: MediumProof['findings'], language: Language): string {
  const text = speak(language);
  const render = (title: string, severity: ProofFinding['severity']): readonly string[] => {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) return [];
    // the detail is the sentence of the code, in English
    const problems = own.map(({ detail: _, subject, ...error }) => ({ error, name: subject }));
    return [`${title}\n${renderProblems(problems, { language, indent: 2 })}`];
  };
  return [
    ...render(text('errors:', fr`erreurs :`), 'error'),
    ...render(text('warnings:', fr`avertissements :`), 'warning'),
  ].join('\n');
}

/** Renders a proof as text: the steps, every finding with its remedy, the limits. The verdict comes last. */
export function renderProof(proof: MediumProof, { language, width }: RenderOptions): string {
  const text = speak(language);
  const { steps, findings, limits, against, verdict } = proof;
  const parts = [renderSteps(steps, { language, width })];
  const found = renderFindings(findings, language);
  if (found !== '') parts.push(found);
  const known = limits.map(({ name }) => `  ${say(proofLimits[name as ProofLimit], language)}\n`);
  parts.push(
    `${text('this proof cannot know:', fr`cette preuve ne peut pas connaître :`)}\n${known.join('')}`,
  );
  const place = toPlace(against, language);
  const sentence = verdict === 'proved' && mayBeRefused(findings) ? 'provedUnless' : verdict;
  parts.push(
    `${text('against', fr`contre`).padEnd(10)}${place}\n${'verdict'.padEnd(10)}${say(words.verdicts[sentence], language)}\n`,
  );
  return parts.join('\n');
}

function toPlace({ kind, zone = '', sequence = 0 }: MediumProof['against'], language: Language): string {
  return kind === 'empty'
    ? say(words.empty, language)
    : spoken[language].say(words.receipt, { zone, sequence: String(sequence) });
}

function renderSteps(steps: MediumProof['steps'], { language, width }: RenderOptions): string {
  const text = speak(language);
  const rows = steps.map(({ name, checked, bytes, milliseconds }) => [
    say(words.steps[name], language),
    String(checked),
    bytes === 0 ? '' : formatByteSize(bytes, language),
    `${milliseconds} ms`,
  ]);
  const headings = [
    text('STEP', fr`ÉTAPE`),
    text('CHECKED', fr`CONTRÔLÉS`),
    text('SIZE', fr`TAILLE`),
    text('TIME', fr`DURÉE`),
  ];
  return renderTable(headings, rows, width);
}

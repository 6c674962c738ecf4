import { type Finding, type LintReport, sayFinding, type ToPinCommand } from '../../src/authoring/door.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { words } from '../../src/text/words/words.ts';
import { renderUnlisted } from '../render/count.ts';

/** Renders findings as compilers do, so that editors find the line: `<file>:<line>: <severity>: <message> [<rule>]`. */
export function renderLint(
  file: string,
  { findings, omitted = 0 }: LintReport,
  { language, toPinCommand }: { readonly language: Language; readonly toPinCommand: ToPinCommand },
): string {
  const text = speak(language);
  if (findings.length === 0)
    return `${escapeText(file)}${text(': nothing to change', fr` : rien à changer`)}\n`;
  const severities = {
    error: text('error', fr`erreur`),
    warning: text('warning', fr`avertissement`),
  } as const;
  const colon = text(':', fr` :`);
  const listed = findings
    .map((finding) => {
      const { severity, line, path, message, fix } = sayFinding(
        withMember(finding),
        words[language],
        toPinCommand,
      );
      const at = escapeText([file, ...(line === undefined ? [] : [line])].join(':'));
      const isNamed = line !== undefined || path === '' || finding.rule === 'format';
      const where = isNamed ? '' : ` ${escapeText(path)}:`;
      const remedy = fix === undefined ? '' : `    ${fix}\n`;
      return `${at}:${where} ${severities[severity]}${colon} ${message} [${finding.rule}]\n${remedy}`;
    })
    .join('');
  return omitted === 0
    ? listed
    : `${listed}${escapeText(file)}${colon} ${renderUnlisted(omitted, language)}\n`;
}

/** A rule of the format says nothing without its member: `is required`. Other findings name the ingredient. */
function withMember(finding: Finding): Finding {
  const { path, params } = finding;
  if (finding.rule !== 'format' || path === '') return finding;
  const broken = rule(['{path}: {broken}', fr`{path} : {broken}`], { path, broken: params.broken });
  return { ...finding, params: { ...params, broken } };
}

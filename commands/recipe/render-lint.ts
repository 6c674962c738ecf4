import { type LintReport, sayFindings, type ToPinCommand, withMember } from '../../src/authoring/door.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { words } from '../../src/text/words/words.ts';
import { renderUnlisted } from '../render/count.ts';

/** Renders findings as compilers do, so that editors find the line: `<file>:<line>: <severity>: <message> [<rule>]`. */
export async function renderLint(
  file: string,
  { findings, omitted = 0 }: LintReport,
  { language, toPinCommand }: { readonly language: Language; readonly toPinCommand: ToPinCommand },
): Promise<string> {
  const text = speak(language);
  if (findings.length === 0)
    return `${escapeText(file)}${text(': nothing to change', fr` : rien à changer`)}\n`;
  const severities = {
    error: text('error', fr`erreur`),
    warning: text('warning', fr`avertissement`),
  } as const;
  const colon = text(':', fr` :`);
  const said = await sayFindings(findings.map(withMember), words[language], toPinCommand);
  const listed = said
    .map(({ rule: name, severity, line, path, message, fix }) => {
      const at = escapeText([file, ...(line === undefined ? [] : [line])].join(':'));
      const isNamed = line !== undefined || path === '' || name === 'format';
      const where = isNamed ? '' : ` ${escapeText(path)}:`;
      const remedy = fix === undefined ? '' : `    ${fix}\n`;
      return `${at}:${where} ${severities[severity]}${colon} ${message} [${name}]\n${remedy}`;
    })
    .join('');
  return omitted === 0
    ? listed
    : `${listed}${escapeText(file)}${colon} ${renderUnlisted(omitted, language)}\n`;
}

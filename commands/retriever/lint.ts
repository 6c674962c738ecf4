import { lintRetriever, type RetrieverFinding } from '../../src/authoring/door.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { yamlLimits } from '../../src/recipe/read-yaml.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { readEach, toUnreadMembers } from '../cli/read-each.ts';

interface LintedFile {
  readonly file: string;
  readonly findings: readonly RetrieverFinding[];
}

export class RetrieverLintCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Checks the format, and what the format allows and is seldom meant: the same recipe twice, ranges that can select the same version, a version under which no recipe is published, any version at all, a cookbook on this machine. Contacts nothing. A file that cannot be read does not hide the findings of the others.',
        fr`Vérifie le format, et ce que le format permet et qui est rarement voulu : deux fois la même recette, des intervalles qui peuvent choisir la même version, une version sous laquelle aucune recette n’est publiée, n’importe quelle version, un livre de recettes sur cette machine. Ne contacte rien. Un fichier illisible ne cache pas les constats des autres.`,
      ],
      [
        'Exit code: 0 no errors, warnings included, 1 an error was found or a file cannot be read.',
        fr`Code de sortie : 0 aucune erreur, avec ou sans avertissements, 1 une erreur a été trouvée ou un fichier n’est pas lisible.`,
      ],
    ],
    examples: [
      [['Check a Retriever', fr`Vérifier un Retriever`], 'svc retriever lint zone-b.yaml'],
      [
        ['All Retrievers, for a script', fr`Tous les Retrievers, pour un script`],
        'svc retriever lint zones/*.yaml --output json',
      ],
    ],
  };

  files: string[] = argument.each(['file', fr`fichier`], 'file');

  async run(): Promise<number> {
    const { judged, unread } = await readEach(this.files, async (file): Promise<LintedFile> => {
      const bytes = await readBounded(file, yamlLimits.bytes);
      return { file, findings: await lintRetriever(bytes, file, this.outputLanguage) };
    });
    if (this.format === 'json') await this.printDocument({ files: judged, ...toUnreadMembers(unread) });
    else this.#print(judged);
    const code = await this.failEach(unread);
    const isWrong = judged.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
    return Math.max(isWrong ? 1 : 0, code);
  }

  #print(linted: readonly LintedFile[]): void {
    const { stdout } = this.context;
    for (const { file, findings } of linted)
      for (const { line, severity, path, message, fix, rule } of findings) {
        const place = line === undefined ? file : `${file}:${line}`;
        const kind = severity === 'error' ? ['error', fr`erreur`] : ['warning', fr`avertissement`];
        const word = this.language === 'fr' ? kind[1] : kind[0];
        const colon = this.language === 'fr' ? fr` :` : ':';
        const text = `${place}: ${word}${colon} ${path === '' ? '' : `${path}${colon} `}${message} (${rule})`;
        stdout.write(`${escapeText(text)}\n${fix === undefined ? '' : `    ${escapeText(fix)}\n`}`);
      }
    if (linted.length > 0 && linted.every(({ findings }) => findings.length === 0))
      this.printLine(['svc: nothing to change', fr`svc: rien à changer`]);
  }
}

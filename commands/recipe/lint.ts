import { type LintReport, lintRecipe, sayFindings } from '../../src/authoring/door.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { exitCodes } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { words } from '../../src/text/words/words.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag } from '../cli/inputs.ts';
import { readEach, toUnreadMembers, type UnreadFile } from '../cli/read-each.ts';
import { documentLimit } from './document-limit.ts';

interface LintedFile {
  readonly file: string;
  readonly report: LintReport;
}

export class RecipeLintCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reports every rule of the format that a document breaks, and what zones or readers would stumble over: tags that move, one digest under two names, hosts that only this machine reaches, images that do not have the platforms. Asks no registry, so that it also checks a pinned recipe where its registries cannot be reached; that every ingredient is pinned, svc recipe push requires. With --online, compares the document with its registries: digests that are gone, tags that moved, absent platforms, files that a FAT32 medium cannot hold, dependencies that charts do not embed, images that charts use and the recipe does not have. A file that cannot be read does not hide the findings of the others. At most 1000 findings of a file are listed, errors first; the others are counted.',
        fr`Signale chaque règle du format qu’un document ne respecte pas, et ce qui gênerait les zones ou les lecteurs : étiquettes qui se déplacent, une empreinte sous deux noms, hôtes que seule cette machine atteint, images qui n’ont pas les plateformes. N’interroge aucun registre, et contrôle donc aussi une recette figée là où ses registres sont hors d’atteinte ; que chaque ingrédient soit figé, svc recipe push l’exige. Avec --online, compare le document avec ses registres : empreintes disparues, étiquettes déplacées, plateformes absentes, fichiers qu’un support FAT32 ne peut pas contenir, dépendances que des charts n’embarquent pas, images que des charts utilisent et que la recette n’a pas. Un fichier illisible ne cache pas les constats des autres. Au plus 1000 constats d’un fichier sont listés, les erreurs d’abord ; les autres sont comptés.`,
      ],
      [
        'Exit code: 0 no error, 1 an error or a file that cannot be read, with --strict also a warning.',
        fr`Code de sortie : 0 aucune erreur, 1 une erreur ou un fichier illisible, avec --strict aussi un avertissement.`,
      ],
    ],
    examples: [
      [['Check a draft', fr`Contrôler un brouillon`], 'svc recipe lint shop.yaml'],
      [
        ['In a pipeline, before a recipe is signed', fr`Dans un pipeline, avant de signer une recette`],
        'svc recipe lint shop-1.4.0.yaml --online --strict',
      ],
      [
        ['The rules that were broken', fr`Les règles non respectées`],
        "svc recipe lint shop.yaml --output json | jq -r '.files[].findings[].rule'",
      ],
    ],
  };

  files: string[] = argument.each(['file', fr`fichier`], 'file');
  online: boolean = flag.present('--online', [
    'compare the documents with their registries too',
    fr`compare aussi les documents avec leurs registres`,
  ]);
  strict: boolean = flag.present('--strict', [
    'exit with 1 also for a warning',
    fr`se termine avec 1 aussi pour un avertissement`,
  ]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-read');
    const lint = (online?: Parameters<typeof lintRecipe>[1]['online']) =>
      readEach(this.files, async (file): Promise<LintedFile> => {
        const document = await readBounded(file, documentLimit);
        return { file, report: await lintRecipe(config, { document, file, online }) };
      });
    let found: Awaited<ReturnType<typeof lint>>;
    if (this.online) {
      const { openContext } = await import('../../src/operation/context.ts');
      const { openPromptRegistry } = await import('../../src/operation/prompt-registry.ts');
      const report = await this.openReport();
      const { env, signal } = this.context;
      await using context = await openContext(config, { report, version: getBuildInfo().version, env });
      found = await lint({ registry: openPromptRegistry(context), signal });
    } else found = await lint();
    const { judged, unread } = found;
    await this.#print(judged, unread);
    const code = await this.failEach(unread);
    const isClean = judged.every(
      ({ report: { errors, warnings } }) => errors === 0 && !(this.strict && warnings > 0),
    );
    return Math.max(isClean ? exitCodes.ok : exitCodes.failure, code);
  }

  async #print(linted: readonly LintedFile[], unread: readonly UnreadFile[]): Promise<void> {
    const { toPinCommandOf } = await import('./pin-command.ts');
    const flags = await this.withRepeatedFlags('');
    if (this.format === 'json') {
      const sum = (member: 'errors' | 'warnings') =>
        linted.reduce((total, { report }) => total + report[member], 0);
      // machine output is the same in every language
      const files = await Promise.all(
        linted.map(async ({ file, report: { findings, omitted } }) => ({
          file,
          findings: await sayFindings(findings, words.en, toPinCommandOf(file, flags)),
          omitted,
        })),
      );
      return this.printDocument({
        files,
        ...toUnreadMembers(unread),
        errors: sum('errors'),
        warnings: sum('warnings'),
      });
    }
    const { renderLint } = await import('./render-lint.ts');
    for (const { file, report } of linted)
      this.context.stdout.write(
        await renderLint(file, report, {
          language: this.language,
          toPinCommand: toPinCommandOf(file, flags),
        }),
      );
  }
}

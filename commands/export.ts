import { resolve } from 'node:path';
import type { ErrorRecord } from '../src/contract/error.ts';
import { isRepositoryName } from '../src/oci/reference.ts';
import { parseRecipeName } from '../src/recipe/metadata.ts';
import {
  exitCodes,
  fromErrorRecord,
  type SvcError,
  selectPrincipal,
  svcError,
  toExitCode,
  toSvcError,
} from '../src/text/error.ts';
import { fr, say } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';
import { getBuildInfo } from './build-info.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { flag } from './cli/inputs.ts';
import { parseArgument } from './cli/parse-argument.ts';
import { LayoutCommand } from './layout-command.ts';

export class ExportCommand extends LayoutCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes one uncompressed tar archive, or with --directory a folder, that skopeo, oras, crane and svc import can read. Every byte is hashed while it is copied, and the same content always gives the same archive. The instance must be stopped; a running instance exports through its API. In a zone, a store from another instance is verified first and only what passes is exported.',
        fr`Écrit une archive tar non compressée, ou un dossier avec --directory, que skopeo, oras, crane et svc import savent lire. Chaque octet est haché pendant la copie, et le même contenu donne toujours la même archive. L’instance doit être arrêtée ; une instance en cours d’exécution exporte par son API. Dans une zone, le stockage d’une autre instance est d’abord vérifié, et seul ce qui est validé est exporté.`,
      ],
      [
        'A recipe is left out as a whole, and named with the file, where the store has lost content of it, or where a file is damaged. So is any other entry. The others are exported, and the exit code is 4.',
        fr`Une recette est écartée tout entière, et nommée avec le fichier, si le stockage a perdu de son contenu, ou si un fichier est abîmé. Toute autre entrée aussi. Les autres sont exportées, et le code de sortie est 4.`,
      ],
      [
        'An interrupted archive is removed; for an interrupted folder, run the same command to resume.',
        fr`Une archive interrompue est supprimée ; pour un dossier interrompu, la même commande reprend.`,
      ],
      [
        'Exit code: 0 success, 1 failure, 3 refused by policy, 4 damaged or blocked content.',
        fr`Code de sortie : 0 succès, 1 échec, 3 refus par la politique, 4 contenu abîmé ou bloqué.`,
      ],
    ],
    examples: [
      [
        ['Everything in one archive', fr`Tout dans une seule archive`],
        'svc export store.tar --storage-root medium --state-root state',
      ],
      [
        [
          'One recipe with its ingredients and all signatures',
          fr`Une recette avec ses ingrédients et toutes les signatures`,
        ],
        'svc export shop.tar --recipe shop@1.4.0',
      ],
      [['Show what would be written', fr`Afficher ce qui serait écrit`], 'svc export store.tar --dry-run'],
    ],
  };

  directory: boolean = flag.present('--directory', [
    'write a folder instead of one archive',
    fr`écrit un dossier au lieu d’une archive`,
  ]);
  overwrite: boolean = flag.present('--overwrite', [
    'replace an existing layout',
    fr`remplace une disposition existante`,
  ]);
  dryRun: boolean = flag.present('--dry-run', [
    'print what would be written, with sizes',
    fr`affiche ce qui serait écrit, avec les tailles`,
  ]);
  recipes: string[] = flag.each(
    '--recipe',
    [
      'only this recipe, name or name@version, with its ingredients and signatures; repeatable',
      fr`seulement cette recette, nom ou nom@version, avec ses ingrédients et ses signatures ; répétable`,
    ],
    'recipe',
  );
  repositories: string[] = flag.each(
    '--repository',
    ['only this repository; repeatable', fr`seulement ce dépôt ; répétable`],
    'repository',
  );

  async run(): Promise<number> {
    for (const recipe of this.recipes)
      await parseArgument(['<name>[@<version>]', fr`<nom>[@<version>]`], recipe, parseRecipeName);
    for (const repository of this.repositories)
      await parseArgument(
        ['a repository of the store', fr`un dépôt du stockage`],
        repository,
        parseRepository,
      );
    const { config, path: configPath } = await this.loadConfig('export');
    const { createMediumReport } = await import('../src/log/medium-report.ts');
    const { openExport } = await import('../src/operation/open-export.ts');
    const { planLayout } = await import('../src/operation/export-layout.ts');
    const { runLayoutExport } = await import('../src/operation/run-layout-task.ts');
    const { requireUnlocked } = await import('../src/store/opening/store-lock.ts');
    const { openProgress } = await import('./cli/progress.ts');
    const { showVerification } = await import('./show-verification.ts');
    const { renderObstacles } = await import('./media/render-medium.ts');
    const { renderExport, renderLayoutPlan } = await import('./render/layout.ts');
    const { language } = this;
    using progress = openProgress({ stderr: this.context.stderr, language });
    const label = say(['exporting', fr`export`], language);
    const report = await this.openReport(progress);
    const { signal } = this.context;
    const selection = { recipes: this.recipes, repositories: this.repositories };
    const format = this.directory ? 'directory' : 'tar';
    const output = resolve(this.layout);
    const { overwrite } = this;
    let blocked: SvcError | undefined;
    const openPermitted = async (options: { readonly peek: boolean; readonly signal: AbortSignal }) => {
      const opened = await openExport(config, {
        ...options,
        report,
        version: getBuildInfo().version,
        actor: this.actor,
        onProgress: showVerification(progress, language),
        onVerified: (verified) => this.printNotes(renderObstacles(verified, language)),
      });
      const { store } = opened;
      const permit = opened.permitOf(selection);
      blocked = permit.blocked;
      const context = { config, configPath, report: createMediumReport(report, () => store.mediaId) };
      return { opened, store, permit, context };
    };
    let short: ErrorRecord | undefined;
    try {
      if (this.dryRun) {
        const { opened, store, permit, context } = await openPermitted({ peek: true, signal });
        await using _opened = opened;
        const plan = await planLayout(context, { store, ...permit, format, selection, output, overwrite });
        short = plan.blocked;
        progress.stop();
        if (this.format === 'json') await this.printDocument(plan);
        else this.printReport(renderLayoutPlan(plan, language));
      } else {
        // beside a running instance nothing begins that could be a task
        await requireUnlocked(config.storage.root, 'svc export');
        const request = {
          type: 'layout-export',
          command: 'svc export',
          reference: output,
          actor: this.actor,
          parameters: { output, format, ...selection, overwrite },
        } as const;
        const { result, ofTask } = await this.runAsTask(config, {
          request,
          work: async ({ task, ...work }) => {
            const { opened, ...permitted } = await openPermitted({ peek: false, signal: work.signal });
            await using _opened = opened;
            return await runLayoutExport({
              ...permitted,
              ...work,
              request,
              runId: task.runId,
              taskId: task.id,
              onBytes: (bytesDone, bytesTotal) => progress.update({ label, bytesDone, bytesTotal }),
            });
          },
        });
        short = result.blocked;
        progress.stop();
        if (this.format === 'json') await this.printDocument({ ...result, ...ofTask });
        else this.printReport(renderExport(result, language));
      }
    } catch (error) {
      if (!blocked || signal.aborted) throw error;
      await this.fail(error);
      await this.fail(blocked);
      return toExitCode(selectPrincipal([toSvcError(error), blocked])!);
    }
    if (short === undefined) return exitCodes.ok;
    const error = fromErrorRecord(short);
    await this.fail(error);
    return toExitCode(error);
  }
}

/** Requires the form of a name; one with the port of its host is looked up, and corrected from the names of the store. */
function parseRepository(text: string): void {
  if (isRepositoryName(text.replace(/^([^/:]+):(\d+)\//, '$1_$2/'))) return;
  const broken = rule([
    'must be a path of lower-case names joined by /; the : of a port is written _',
    fr`doit être un chemin de noms en minuscules séparés par / ; le : d’un port s’écrit _`,
  ]);
  throw svcError('SVC-REG-001', { reference: text.slice(0, 512), rule: broken });
}

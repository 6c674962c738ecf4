import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { exitCodes, selectPrincipal, toExitCode, toSvcError } from '../src/base/error.ts';
import { fr, say } from '../src/base/language.ts';
import { parseVersionedName } from '../src/recipe/versioned-name.ts';
import { getBuildInfo } from './build-info.ts';
import type { FlagValues } from './cli/base-command.ts';
import { parseArgument } from './cli/parse-argument.ts';
import { LayoutCommand } from './layout-command.ts';

export class ExportCommand extends LayoutCommand {
  static override paths: string[][] = [['export']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...LayoutCommand.values,
    '--recipe': 'recipe',
    '--repository': 'repository',
  };
  static override usage: Usage = Command.Usage({
    description: 'Write the store, or a part of it, as an OCI image layout',
    details: `
      Writes one uncompressed tar archive, or with --directory a folder, that skopeo, oras, crane and svc import
      can read. Every byte is hashed while it is copied, and the same content always gives the same archive. The
      instance must be stopped; a running instance exports through its API. In a zone, a store from another
      instance is verified first and only what passes is exported.

      An interrupted archive is removed; for an interrupted folder, run the same command to resume.

      Exit code: 0 success, 1 failure, 3 refused by policy, 4 damaged or blocked content.
    `,
    examples: [
      ['Everything in one archive', 'svc export store.tar --storage-root medium --state-root state'],
      ['One recipe with its ingredients and all signatures', 'svc export shop.tar --recipe shop@1.4.0'],
      ['Show what would be written', 'svc export store.tar --dry-run'],
    ],
  });

  directory: boolean = Option.Boolean('--directory', false, {
    description: 'write a folder instead of one archive',
  });
  overwrite: boolean = Option.Boolean('--overwrite', false, {
    description: 'replace an existing layout',
  });
  dryRun: boolean = Option.Boolean('--dry-run', false, {
    description: 'print what would be written, with sizes',
  });
  recipes: string[] = Option.Array('--recipe', [], {
    description: 'only this recipe, name or name@version, with its ingredients and signatures; repeatable',
  });
  repositories: string[] = Option.Array('--repository', [], {
    description: 'only this repository; repeatable',
  });

  async run(): Promise<number> {
    this.requireFormat();
    for (const recipe of this.recipes)
      await parseArgument(['<name>[@<version>]', fr`<nom>[@<version>]`], recipe, parseVersionedName);
    const { config, path: configPath } = await this.loadConfig('export');
    const { createMediumReport } = await import('../src/log/medium-report.ts');
    const { openExport } = await import('../src/operation/open-export.ts');
    const { exportLayout, planLayout } = await import('../src/operation/export-layout.ts');
    const { openProgress } = await import('./cli/progress.ts');
    const { showVerification } = await import('./show-verification.ts');
    const { renderObstacles } = await import('./media/render-medium.ts');
    const { renderExport, renderLayoutPlan } = await import('./render/layout.ts');
    const { language } = this;
    using progress = openProgress({ stderr: this.context.stderr, language });
    const label = say(['exporting', fr`export`], language);
    const report = await this.openReport(progress);
    const { signal } = this.context;
    await using opened = await openExport(config, {
      report,
      version: getBuildInfo().version,
      actor: this.actor,
      peek: this.dryRun,
      onProgress: showVerification(progress, language),
      onVerified: (verified) => this.printNotes(renderObstacles(verified, language)),
      signal,
    });
    const { store, gate } = opened;
    const selection = { recipes: this.recipes, repositories: this.repositories };
    const blocked = opened.blockedOf(selection);
    let isWhole: boolean;
    const ofMedium = { config, configPath, report: createMediumReport(report, () => store.mediaId) };
    const wanted = {
      store,
      gate,
      blocked,
      format: this.directory ? 'directory' : 'tar',
      selection,
      output: resolve(this.layout),
      overwrite: this.overwrite,
    } as const;
    try {
      if (this.dryRun) {
        const plan = await planLayout(ofMedium, wanted);
        isWhole = !plan.blocked;
        progress.stop();
        if (this.format === 'json') await this.printDocument(plan);
        else this.printReport(renderLayoutPlan(plan, language));
      } else {
        const result = await exportLayout(ofMedium, {
          ...wanted,
          actor: this.actor,
          signal,
          onBytes: (bytesDone, bytesTotal) => progress.update({ label, bytesDone, bytesTotal }),
        });
        isWhole = !result.blocked;
        progress.stop();
        if (this.format === 'json') await this.printDocument(result);
        else this.printReport(renderExport(result, language));
      }
    } catch (error) {
      if (!blocked || signal.aborted) throw error;
      await this.fail(error);
      await this.fail(blocked);
      return toExitCode(selectPrincipal([toSvcError(error), blocked])!);
    }
    if (!blocked || isWhole) return exitCodes.ok;
    await this.fail(blocked);
    return toExitCode(blocked);
  }
}

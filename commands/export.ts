import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { exitCodes, toExitCode } from '../src/base/error.ts';
import type { FlagValues } from './base-command.ts';
import { getBuildInfo } from './build-info.ts';
import { LayoutCommand } from './layout-command.ts';
import { printDocument } from './print.ts';

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
      Writes one uncompressed tar archive, or with --directory a folder, that skopeo, oras, crane and svc import read.
      Every byte is hashed while it is copied, and the same content is always the same archive. Works on the store of a
      stopped instance; a running one exports by its API. In a zone a store that was made elsewhere is verified first,
      and what is cleared leaves.

      An interrupted archive leaves nothing behind; an interrupted folder is gone on with by the same command.

      Exit code: 0 success, 1 failure, 3 refused by policy, 4 content that is damaged, or a part of a carried store that
      was not cleared.
    `,
    examples: [
      ['Everything in one archive', 'svc export store.tar --storage-root medium --state-root state'],
      ['One recipe with its ingredients and all signatures', 'svc export shop.tar --recipe shop@1.4.0'],
      ['How large it would be', 'svc export store.tar --dry-run'],
    ],
  });

  directory: boolean = Option.Boolean('--directory', false, {
    description: 'write a folder instead of one archive',
  });
  overwrite: boolean = Option.Boolean('--overwrite', false, {
    description: 'replace a layout that is there',
  });
  dryRun: boolean = Option.Boolean('--dry-run', false, {
    description: 'say what would be written, with sizes',
  });
  recipes: string[] = Option.Array('--recipe', [], {
    description: 'only this recipe, name or name@version, with its ingredients and signatures; repeatable',
  });
  repositories: string[] = Option.Array('--repository', [], {
    description: 'only this repository; repeatable',
  });

  async run(): Promise<number> {
    this.requireFormat();
    const { config } = await this.loadConfig('export');
    const { openExport } = await import('../src/operation/open-export.ts');
    const { exportLayout, planLayout } = await import('../src/operation/export-layout.ts');
    const { openProgress } = await import('./progress.ts');
    const { showVerification } = await import('./show-verification.ts');
    const { renderExport, renderLayoutPlan } = await import('./render-layout.ts');
    using progress = openProgress({ stderr: this.context.stderr });
    const report = await this.openReport(config.logging.level, progress);
    const { signal, stdout } = this.context;
    await using opened = await openExport(config, {
      report,
      version: getBuildInfo().version,
      actor: this.actor,
      peek: this.dryRun,
      onProgress: showVerification(progress),
      signal,
    });
    const { store, gate, blocked } = opened;
    const wanted = {
      store,
      gate,
      format: this.directory ? 'directory' : 'tar',
      selection: { recipes: this.recipes, repositories: this.repositories },
      output: resolve(this.layout),
      overwrite: this.overwrite,
    } as const;
    if (this.dryRun) {
      const plan = await planLayout({ config, report }, wanted);
      progress.stop();
      if (this.format === 'json') await printDocument(stdout, plan, 'json');
      else stdout.write(renderLayoutPlan(plan));
    } else {
      const result = await exportLayout(
        { config, report },
        {
          ...wanted,
          actor: this.actor,
          signal,
          onBytes: (bytesDone, bytesTotal) => progress.update({ label: 'exporting', bytesDone, bytesTotal }),
        },
      );
      progress.stop();
      if (this.format === 'json') await printDocument(stdout, result, 'json');
      else stdout.write(renderExport(result));
    }
    if (!blocked) return exitCodes.ok;
    await this.fail(blocked);
    return toExitCode(blocked);
  }
}

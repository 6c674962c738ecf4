import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { exitCodes } from '../src/text/error.ts';
import { fr, say } from '../src/text/language.ts';
import type { FlagValues } from './cli/base-command.ts';
import { parseArgument } from './cli/parse-argument.ts';
import { LayoutCommand } from './layout-command.ts';
import { openToWrite } from './open-to-write.ts';

export class ImportCommand extends LayoutCommand {
  static override paths: string[][] = [['import']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...LayoutCommand.values,
    '--repository': 'repository',
  };
  static override usage: Usage = Command.Usage({
    description: 'Import an OCI image layout into the store',
    details: `
      Reads a folder or an uncompressed tar archive of skopeo, oras, crane, umoci, containerd or svc export, and
      stores its content at identical digests. Every manifest and blob is verified. Entries are independent: a
      damaged entry is skipped and reported; the others are imported. A repeated import transfers nothing. The
      instance must be stopped; a running instance imports through its API.

      Compressed archives, archives of docker save and layouts with other files in them are refused.

      Exit code: 0 every entry was imported, 1 entries were skipped or the import failed, 3 refused by policy, 4
      the layout was refused.
    `,
    examples: [
      ['An archive of svc export', 'svc import store.tar --storage-root medium --state-root state'],
      ['A layout that names only tags', 'svc import layout --repository docker.io/library/alpine'],
    ],
  });

  repository: string | undefined = Option.String('--repository', {
    description: 'repository of entries that have only a tag; with :<tag>, of the entry that has no name',
  });

  async run(): Promise<number> {
    this.requireFormat();
    const { parseImportTarget } = await import('../src/operation/import-layout.ts');
    if (this.repository !== undefined)
      await parseArgument(['<path>[:<tag>]', fr`<chemin>[:<étiquette>]`], this.repository, parseImportTarget);
    const { config, path: configPath } = await this.loadConfig('import');
    const { runLayoutImport } = await import('../src/operation/run-layout-task.ts');
    const { requireUnlocked } = await import('../src/store/opening/store-lock.ts');
    const { openProgress } = await import('./cli/progress.ts');
    const { renderImport } = await import('./render/layout.ts');
    const { language } = this;
    using progress = openProgress({ stderr: this.context.stderr, language });
    const label = say(['importing', fr`import`], language);
    const { withoutFailures } = await import('./cli/without-failures.ts');
    const opened = await this.openReport(progress);
    const report = this.format === 'text' ? withoutFailures(opened) : opened;
    await using cleanup = new AsyncDisposableStack();
    // beside a running instance nothing begins that could be a task
    await requireUnlocked(config.storage.root, 'svc import');
    const input = resolve(this.layout);
    const { repository } = this;
    const request = {
      type: 'layout-import',
      command: 'svc import',
      reference: input,
      actor: this.actor,
      parameters: { input, ...(repository === undefined ? {} : { repository }) },
    } as const;
    const { result, ofTask } = await this.runAsTask(config, {
      request,
      work: ({ task, ...work }) =>
        runLayoutImport({
          ...work,
          context: { config, configPath, report },
          openStore: async () => cleanup.use(await openToWrite(config, report, 'svc import')),
          request,
          runId: task.runId,
          taskId: task.id,
          onBytes: (bytesDone) => progress.update({ label, bytesDone }),
        }),
    });
    progress.stop();
    if (this.format === 'json') await this.printDocument({ ...result, ...ofTask });
    else this.printReport(renderImport(result, language));
    return result.failed === 0 ? exitCodes.ok : exitCodes.failure;
  }
}

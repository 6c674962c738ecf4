import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { exitCodes } from '../src/base/error.ts';
import { selectLanguage } from '../src/base/message.ts';
import type { FlagValues } from './base-command.ts';
import { LayoutCommand } from './layout-command.ts';
import { openToWrite } from './open-to-write.ts';
import { printDocument } from './print.ts';

export class ImportCommand extends LayoutCommand {
  static override paths: string[][] = [['import']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...LayoutCommand.values,
    '--repository': 'repository',
  };
  static override usage: Usage = Command.Usage({
    description: 'Bring an OCI image layout into the store',
    details: `
      Reads a folder or an uncompressed tar archive of skopeo, oras, crane, umoci, containerd or svc export, and stores its
      content at identical digests. Every manifest and blob is verified. Entries are independent: one that is damaged is
      lost and named, its neighbours come. Importing again moves nothing. Works on the store of a stopped instance; a
      running one imports by its API.

      Compressed archives, archives of docker save and anything with foreign content in it are refused whole.

      Exit code: 0 everything came, 1 entries were lost or the import failed, 3 refused by policy, 4 the layout was refused
      whole.
    `,
    examples: [
      ['An archive of svc export', 'svc import store.tar --storage-root medium --state-root state'],
      ['A layout that names only tags', 'svc import layout --repository docker.io/library/alpine'],
    ],
  });

  repository: string | undefined = Option.String('--repository', {
    description: 'where entries go that name only a tag; with :<tag>, one that has no name at all',
  });

  async run(): Promise<number> {
    this.requireFormat();
    const { config } = await this.loadConfig('import');
    const { importLayout, parseImportTarget } = await import('../src/operation/import-layout.ts');
    const { openProgress } = await import('./progress.ts');
    const { renderImport } = await import('./render-layout.ts');
    parseImportTarget(this.repository);
    using progress = openProgress({ stderr: this.context.stderr });
    const report = await this.openReport(config.logging.level, progress);
    const { signal, stdout, env } = this.context;
    await using cleanup = new AsyncDisposableStack();
    const result = await importLayout(
      { config, report },
      {
        openStore: async () => cleanup.use(await openToWrite(config, report, 'svc import')),
        input: resolve(this.layout),
        repository: this.repository,
        actor: this.actor,
        signal,
        onBytes: (bytesDone) => progress.update({ label: 'importing', bytesDone }),
      },
    );
    progress.stop();
    if (this.format === 'json') await printDocument(stdout, result, 'json');
    else stdout.write(renderImport(result, selectLanguage(env)));
    return result.failed === 0 ? exitCodes.ok : exitCodes.failure;
  }
}

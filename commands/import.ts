import { resolve } from 'node:path';
import { exitCodes } from '../src/text/error.ts';
import { fr, say } from '../src/text/language.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { flag } from './cli/inputs.ts';
import { parseArgument } from './cli/parse-argument.ts';
import { LayoutCommand } from './layout-command.ts';
import { openToWrite } from './open-to-write.ts';

export class ImportCommand extends LayoutCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads a folder or an uncompressed tar archive of skopeo, oras, crane, umoci, containerd or svc export, and stores its content at identical digests. Every manifest and blob is verified. Entries are independent: a damaged entry is skipped and reported; the others are imported. A repeated import transfers nothing. The instance must be stopped; a running instance imports through its API.',
        fr`Lit un dossier ou une archive tar non compressée de skopeo, oras, crane, umoci, containerd ou svc export, et enregistre son contenu avec les mêmes empreintes. Chaque manifeste et chaque blob est vérifié. Les entrées sont indépendantes : une entrée abîmée est ignorée et signalée ; les autres sont importées. Un import répété ne transfère rien. L’instance doit être arrêtée ; une instance en cours d’exécution importe par son API.`,
      ],
      [
        'Compressed archives, archives of docker save and layouts with other files in them are refused.',
        fr`Les archives compressées, celles de docker save et les dispositions qui contiennent d’autres fichiers sont refusées.`,
      ],
      [
        'Exit code: 0 every entry was imported, 1 entries were skipped or the import failed, 3 refused by policy, 4 the layout was refused.',
        fr`Code de sortie : 0 toutes les entrées sont importées, 1 des entrées sont ignorées ou l’import a échoué, 3 refus par la politique, 4 la disposition est refusée.`,
      ],
    ],
    examples: [
      [
        ['An archive of svc export', fr`Une archive de svc export`],
        'svc import store.tar --storage-root medium --state-root state',
      ],
      [
        ['A layout that names only tags', fr`Une disposition qui ne nomme que des étiquettes`],
        'svc import layout --repository docker.io/library/alpine',
      ],
    ],
  };

  repository: string | undefined = flag.text(
    '--repository',
    [
      'repository of entries that have only a tag; with :<tag>, of the entry that has no name',
      fr`dépôt des entrées qui n’ont qu’une étiquette ; avec :<étiquette>, de l’entrée qui n’a pas de nom`,
    ],
    'repository',
  );

  async run(): Promise<number> {
    const { parseImportTarget } = await import('../src/oci/import-target.ts');
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

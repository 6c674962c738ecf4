import { realpath } from 'node:fs/promises';
import type { MediumReport } from '../../src/contract/medium.ts';
import type { Task } from '../../src/contract/task.ts';
import type { HashThreads } from '../../src/disk/threads/hash-threads.ts';
import type { ContentAnswers } from '../../src/remote/registry/remember-content.ts';
import { fromErrorRecord, isSvcError, type SvcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, say } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import type { ErrorDocument } from '../cli/error-document.ts';
import { argument } from '../cli/inputs.ts';
import { selectTaskError, toTaskExitCode } from '../client/wait-for-task.ts';
import { showVerification } from '../show-verification.ts';
import { MediaCommand } from './media-command.ts';
import { refuseFile } from './refuse-file.ts';

/** The task of a folder. */
type FolderTask = Task & { readonly folder: string };

/** A folder that could not be imported, and why. */
type FolderError = ErrorDocument & { readonly folder: string };

export class MediaImportCommand extends MediaCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Verifies the medium as svc media verify does, then pushes every recipe that passed, with its ingredients and signatures, to destination.registry. A recipe that fails a check is skipped and reported; the others continue. Every byte is hashed again while it is sent, and only missing content is transferred. After an interruption, run the same command to resume. The last line names what stays on the medium, as no pushable recipe names it.',
        fr`Vérifie le support comme svc media verify, puis pousse chaque recette validée, avec ses ingrédients et ses signatures, vers destination.registry. Une recette qui échoue à un contrôle est ignorée et signalée ; les autres continuent. Chaque octet est de nouveau haché pendant l’envoi, et seul le contenu manquant est transféré. Après une interruption, la même commande reprend. La dernière ligne nomme ce qui reste sur le support, car aucune recette poussable ne le nomme.`,
      ],
      [
        'A delivery of several disks is imported one disk after the other, in any order; or name the folders of all that are connected. A recipe that needs another disk waits: its content that is here is already pushed. svc media status lists the disks that are missing. A recipe that needs content which the registry of the zone no longer has is held back (SVC-MED-040).',
        fr`Une livraison sur plusieurs disques s’importe un disque après l’autre, dans n’importe quel ordre ; ou nommez les dossiers de tous ceux qui sont branchés. Une recette qui nécessite un autre disque attend : son contenu présent est déjà poussé. svc media status liste les disques manquants. Une recette qui nécessite un contenu que le registre de la zone n’a plus est retenue (SVC-MED-040).`,
      ],
      [
        'Exit code: 0 every recipe was pushed or waits for another disk, 1 a push failed, 3 refused by policy or only by the zone or freshness guard, 4 the medium or a recipe was blocked, or the program on the disk is not the listed one (recipes that passed were pushed).',
        fr`Code de sortie : 0 toutes les recettes sont poussées ou attendent un autre disque, 1 un envoi a échoué, 3 refus par la politique, ou seulement par le contrôle de la zone ou de fraîcheur, 4 le support ou une recette est bloqué, ou le programme sur le disque n’est pas celui de la liste (les recettes validées sont poussées).`,
      ],
    ],
    examples: [
      [
        ['Import the medium mounted at /mnt', fr`Importer le support monté sur /mnt`],
        'svc media import --storage-root /mnt --zone zone-b',
      ],
      [
        ['Import two disks of a delivery', fr`Importer deux disques d’une livraison`],
        'svc media import /media/usb1 /media/usb2',
      ],
    ],
  };

  folders: string[] = argument.any(['directory', fr`dossier`], 'folder');

  /** Content of the registry of the zone, for the disks after the first one. */
  readonly #answers: ContentAnswers = new Map();
  /** Starts the threads that hash a disk; those of several disks wait for the next one. */
  #startThreads: (() => HashThreads) | undefined;

  async run(): Promise<number> {
    if (this.folders.length > 0 && this.storageRoot !== undefined)
      throw new CommandLineError([
        'folders and --storage-root are given: name the media in one way',
        fr`des dossiers et --storage-root sont donnés : nommez les supports d’une seule façon`,
      ]);
    const tasks: FolderTask[] = [];
    const errors: FolderError[] = [];
    if (this.folders.length === 0) return this.#importInto(true);
    let worst = 0;
    const folders = await this.#withoutRepeated();
    for (const folder of folders) {
      this.storageRoot = folder;
      const isAlone = this.folders.length === 1;
      if (!isAlone && this.format === 'text') this.printReport(`${escapeText(folder)}\n`);
      // the numbers of the exit codes grow with their severity, except for wrong usage
      worst = Math.max(worst, await this.#importNext({ tasks, errors }, isAlone));
    }
    if (this.folders.length > 1 && this.format === 'json') {
      const [first] = errors;
      const error = tasks.length === 0 && first !== undefined ? { error: first.error } : {};
      await this.printDocument({ ...error, tasks, ...(first === undefined ? {} : { errors }) });
    }
    return worst;
  }

  /** The folders, each once: a disk can be named by two paths. */
  async #withoutRepeated(): Promise<readonly string[]> {
    const known = new Map<string, string>();
    for (const folder of this.folders) {
      const root = await realpath(folder).catch(() => folder);
      const former = known.get(root);
      if (former === undefined) known.set(root, folder);
      else if (former === folder)
        this.warn([
          `${folder} is named twice: it is imported once`,
          fr`${folder} est nommé deux fois : il n’est importé qu’une fois`,
        ]);
      else
        this.warn([
          `${folder} is the folder ${former}, which is named already: it is imported once`,
          fr`${folder} est le dossier ${former}, déjà nommé : il n’est importé qu’une fois`,
        ]);
    }
    return [...known.values()];
  }

  /** As {@link #importInto}, and reports a disk that cannot be read, so that the next ones are imported. */
  async #importNext(
    { tasks, errors }: { readonly tasks: FolderTask[]; readonly errors: FolderError[] },
    isAlone: boolean,
  ): Promise<number> {
    const folder = this.storageRoot!;
    const addError = async (error: unknown): Promise<void> => {
      const { toErrorDocument } = await import('../cli/error-document.ts');
      errors.push({ folder, ...(await toErrorDocument(error)) });
    };
    try {
      await refuseFile(folder);
      return await this.#importInto(isAlone, async (task) => {
        tasks.push({ folder, ...task });
        // an error of the whole medium; those of its recipes are in the items of the task
        if (task.error !== undefined) await addError(fromErrorRecord(task.error));
      });
    } catch (error) {
      // settings are wrong for every disk
      const isOfDisk = isSvcError(error) && !/^SVC-(CFG|AUTH)-/.test(error.code);
      if (isAlone || this.context.signal.aborted || !isOfDisk) throw error;
      await addError(error);
      return this.fail(error);
    }
  }

  /** Imports the medium of the configuration. @param isPrinted prints the document of its task */
  async #importInto(isPrinted: boolean, onTask?: (task: Task) => Promise<void>): Promise<number> {
    const loaded = await this.loadMediumConfig('media-import');
    const { config } = loaded;
    const { findOwnZone } = await import('../../src/config/find-own-zone.ts');
    const ownZone = await findOwnZone(loaded, this.context.env, this.configPath);
    if (ownZone !== undefined)
      this.warn([
        `--zone names ${config.zone}, and the configuration is of zone ${ownZone}: no receipt is written`,
        fr`--zone désigne ${config.zone}, et la configuration est celle de la zone ${ownZone} : aucun reçu n’est écrit`,
      ]);
    await this.warnOfNewState(config.state.root);
    const { openMedium } = await import('../../src/operation/open-medium.ts');
    const { openMediumLog } = await import('../../src/log/medium-log.ts');
    const { teeReport } = await import('../../src/log/tee-report.ts');
    const { createMediumReport } = await import('../../src/log/medium-report.ts');
    const { openProgress } = await import('../cli/progress.ts');
    const { version } = getBuildInfo();
    const { language } = this;
    using progress = openProgress({ stderr: this.context.stderr, language });
    const label = say(['pushing', fr`envoi`], language);
    const { withoutFailures } = await import('../cli/without-failures.ts');
    const complete = await this.openReport(progress);
    const own = this.format === 'text' ? withoutFailures(complete) : complete;
    const root = config.storage.root;
    if (this.folders.length > 1) {
      const { openLastingThreads } = await import('../../src/disk/threads/hash-threads.ts');
      this.#startThreads ??= openLastingThreads();
    }
    const startThreads = this.#startThreads;
    const { isMediumFolder } = await import('../../src/engine/medium/find-medium.ts');
    const { media } = config.logging;
    // nothing is written into a folder that is no medium, such as a mount point without its disk
    const disabled = media.disabled || !(await isMediumFolder(root));
    const { openPlace } = await import('../../src/disk/place/place.ts');
    const place = disabled ? undefined : await openPlace(root);
    await using log = openMediumLog({ root, place, ...media, disabled, report: own });
    const combined = teeReport(own, log.sink);
    const onProgress = showVerification(progress, language);
    await using medium = await openMedium(config, { report: combined, version, onProgress, startThreads });
    const { store } = medium;
    const report = store ? createMediumReport(combined, () => store.mediaId) : combined;
    // load the modules for pushing while the medium is read
    const { openContext } = await import('../../src/operation/context.ts');
    const { importMediumAlone } = await import('../../src/operation/import-medium.ts');
    const { rememberContent } = await import('../../src/remote/registry/remember-content.ts');
    await using opened = await openContext(config, { report, version, env: this.context.env });
    const context = { ...opened, registry: rememberContent(opened.registry, this.#answers) };
    const { signal } = this.context;
    let verdict: MediumReport | undefined;
    let unwritten: SvcError | undefined;
    let unkept: SvcError | undefined;
    const task = await importMediumAlone(context, {
      root: medium.root,
      store,
      verify: async (waivers, actor, abort) => {
        const verification = await medium.verify(waivers, actor, abort);
        verdict = verification.report;
        return verification;
      },
      hashed: medium.hashed,
      waivers: this.waivers,
      actor: this.actor,
      ownZone,
      onUnwritten: (reason) => {
        unwritten = reason;
      },
      onUnkept: (reason) => {
        unkept = reason;
      },
      signal,
      onChange: ({ counts, progress: { bytesDone, bytesTotal } }) => {
        const settled = counts.done + counts.failed + counts.skipped;
        if (counts.total > 0) {
          progress.update({ label, bytesDone, bytesTotal, items: `${settled}/${counts.total}` });
        }
      },
    });
    progress.stop();
    if (signal.aborted) this.printInterrupted();
    const isJson = this.format === 'json';
    await onTask?.(task);
    if (isJson && isPrinted) await this.printDocument({ task });
    signal.throwIfAborted();
    const { renderFailures, renderLanded, renderPullable, renderRepeated, renderTask } = await import(
      '../render/task.ts'
    );
    const { renderLeftBehind, renderObstacles, renderRemarks } = await import('./render-medium.ts');
    const { renderDelivery, renderMovedTags, renderOwnReceipt } = await import('./render-deliveries.ts');
    if (!isJson)
      this.printReport(renderTask(task, language) + renderRepeated(task, language) + renderLanded(task));
    // for a person: a script reads the destinations from the document
    if (!isJson && this.context.stderr.isTTY) this.printNotes(renderPullable(task, language));
    // the complete medium is blocked, so that no item contains the other errors
    const error = selectTaskError(task);
    if (verdict && task.items.length === 0) this.printNotes(renderObstacles(verdict, language, error));
    this.printNotes(renderFailures(task, language, error));
    if (error) await this.fail(error);
    if (task.verification) this.printNotes(renderRemarks(task.verification, language));
    if (!isJson) this.printReport(renderMovedTags(task, language));
    const { delivery } = task;
    // the list of recipes already reports a whole delivery on one disk
    if (!isJson && delivery && !(delivery.complete && delivery.parts === 1))
      this.printReport(renderDelivery(delivery, language));
    if (!isJson && task.receipt) this.printReport(renderOwnReceipt(task.receipt, language));
    if (unwritten !== undefined) {
      const { renderUnwritten } = await import('./render-deliveries.ts');
      this.printNotes(renderUnwritten(unwritten, language));
    }
    // last, as nothing else says that content of the medium did not arrive
    if (!isJson && verdict) this.printReport(renderLeftBehind(verdict, language));
    const failed = unkept === undefined ? 0 : await this.fail(unkept);
    return Math.max(toTaskExitCode(task), failed);
  }
}

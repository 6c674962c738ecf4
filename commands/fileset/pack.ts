import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { Config } from '../../src/config/model.ts';
import type { PackedFileset } from '../../src/contract/fileset.ts';
import type { FilesetName } from '../../src/fileset/fileset-name.ts';
import { withoutCredentials } from '../../src/oci/reference.ts';
import type { PackFilesetInput } from '../../src/operation/pack-fileset.ts';
import type { PushFilesetInput } from '../../src/operation/push-fileset.ts';
import { fr, say } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import { actAsOwner } from '../cli/act-as-owner.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { printNext } from '../cli/print-next.ts';
import { readOpenFileLimit } from '../cli/read-open-file-limit.ts';
import { openToWrite } from '../open-to-write.ts';
import { TaskCommand } from '../task-command.ts';
import { toFaultLine } from './fault-sentences.ts';
import { type IndexKind, indexKinds } from './index-kinds.ts';
import { toIndexNote, toLackWarning, toServingLines, toUnsignedNote } from './pack-notes.ts';

/** Files and folders of the tree that stay open while it is packed, and files that the command opens besides. */
const mostHeld = 16_384;
const ownFiles = 256;

export class FilesetPackCommand extends TaskCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Packs the folder as an image with one uncompressed layer and stores it in the local store as localhost/filesets/<name>:<version>. The same folder gives the same digest on every machine: owners and times are not packed. Packing an existing version points its tag at the new content.',
        fr`Empaquette le dossier dans une image à une seule couche non compressée et l’enregistre dans le stockage local sous localhost/filesets/<nom>:<version>. Le même dossier donne la même empreinte sur toute machine : propriétaires et dates ne sont pas empaquetés. Empaqueter une version existante déplace son étiquette sur le nouveau contenu.`,
      ],
      [
        'Setuid files, special files, links to targets outside the folder, and names that are not portable are refused, and so is a folder that changes while it is packed. In these cases nothing is stored.',
        fr`Les fichiers setuid, les fichiers spéciaux, les liens vers l’extérieur du dossier et les noms non portables sont refusés, de même qu’un dossier qui change pendant l’empaquetage. Dans ces cas, rien n’est enregistré.`,
      ],
      [
        'With --index, makes the index of the packages in the folder first, with the programs of the platform: apt-ftparchive for apt (a flat repository), createrepo_c for rpm. With --gpg-key, gpg signs it with the key of this fingerprint, and the folder is packed. Without --gpg-key the command ends before it packs, so that the index is signed elsewhere; then pack the folder with --check. A zone never signs packages. An index that describes the packages of the folder and is signed by the key is kept, so that the same command gives the same digest.',
        fr`Avec --index, produit d’abord l’index des paquets du dossier, avec les programmes de la plateforme : apt-ftparchive pour apt (un dépôt plat), createrepo_c pour rpm. Avec --gpg-key, gpg le signe avec la clé de cette empreinte, et le dossier est empaqueté. Sans --gpg-key, la commande s’arrête avant d’empaqueter, pour que l’index soit signé ailleurs ; empaquetez ensuite le dossier avec --check. Une zone ne signe jamais de paquets. Un index qui décrit les paquets du dossier et qui est signé par la clé est gardé : la même commande donne ainsi la même empreinte.`,
      ],
      [
        'With --check, every file that an index of the folder names must be there with its size and hash, every package of the folder must be whole and named by an index, and every repository must be signed by the key of --gpg-key, which the keyring of gpg has. Without --gpg-key, signatures are not judged, and a warning says so. An index that is made and signed is checked too. An index compressed with xz only is read by the program xz.',
        fr`Avec --check, chaque fichier que nomme un index du dossier doit être présent avec sa taille et son empreinte, chaque paquet du dossier doit être entier et nommé par un index, et chaque dépôt doit être signé par la clé de --gpg-key, que le trousseau de gpg contient. Sans --gpg-key, les signatures ne sont pas jugées, et un avertissement le dit. Un index produit et signé est vérifié aussi. Un index compressé en xz seulement est lu par le programme xz.`,
      ],
      [
        'With --output text, only the digest is printed to stdout; the configuration that serves the FileSet is printed to stderr.',
        fr`Avec --output text, seule l’empreinte est affichée sur la sortie standard ; la configuration qui sert le FileSet est affichée sur la sortie d’erreur.`,
      ],
      [
        'With --push, the FileSet goes to <registry>/<path>:<version> of a registry, with the same digest, where a recipe can name it. It is not stored on this machine, so that a running instance is no obstacle. The version is that of the FileSet. Pushing the same folder again succeeds; another folder under a published version is refused.',
        fr`Avec --push, le FileSet est envoyé vers <registre>/<chemin>:<version>, avec la même empreinte, là où une recette peut le nommer. Il n’est pas enregistré sur cette machine : une instance en marche ne gêne donc pas. La version est celle du FileSet. Pousser de nouveau le même dossier réussit ; un autre dossier sous une version déjà publiée est refusé.`,
      ],
      [
        'Exit code: 0 stored or pushed, or the index is ready to be signed, 1 the folder is not readable, changed or exceeds a limit, or a program failed, 3 the folder is not safe to pack, or the version exists with other content, 4 a package repository does not hold together.',
        fr`Code de sortie : 0 enregistré ou envoyé, ou l’index est prêt à être signé, 1 le dossier n’est pas lisible, a changé ou dépasse une limite, ou un programme a échoué, 3 le dossier n’est pas sûr à empaqueter, ou la version existe avec un autre contenu, 4 un dépôt de paquets ne tient pas.`,
      ],
    ],
    examples: [
      [
        ['Pack a package repository', fr`Empaqueter un dépôt de paquets`],
        'svc fileset pack /srv/debian debian:12.11',
      ],
      [
        ['Index and sign packages', fr`Indexer et signer des paquets`],
        'svc fileset pack /srv/debs tools:1.0 --index apt --gpg-key FINGERPRINT',
      ],
      [
        [
          'Pack a folder where a recipe can name it',
          fr`Empaqueter un dossier là où une recette peut le nommer`,
        ],
        'svc fileset pack /srv/debs debs:1.0 --push registry.example/filesets/debs:1.0',
      ],
      [
        ['Save the digest in a variable', fr`Conserver l’empreinte dans une variable`],
        'digest=$(svc fileset pack /srv/debian debian:12.11)',
      ],
    ],
  };

  directory: string = argument.text(['directory', fr`dossier`], 'folder');
  fileset: string = argument.text(['name:version', fr`nom:version`]);

  index: IndexKind | undefined = flag.choice('--index', indexKinds, [
    'make the index of the packages first: apt or rpm',
    fr`produit d’abord l’index des paquets : apt ou rpm`,
  ]);
  gpgKey: string | undefined = flag.text(
    '--gpg-key',
    [
      'fingerprint of the key that signs the index, or with --check has signed it',
      fr`empreinte de la clé qui signe l’index, ou qui l’a signé avec --check`,
    ],
    'fingerprint',
  );
  check: boolean = flag.present('--check', [
    'require every file that an index of the folder names, and an index that names every package',
    fr`exige chaque fichier que nomme un index du dossier, et un index qui nomme chaque paquet`,
  ]);
  push: string | undefined = flag.text('--push', [
    'push it to <registry>/<path>:<version> instead of storing it here',
    fr`l’envoie vers <registre>/<chemin>:<version> au lieu de l’enregistrer ici`,
  ]);

  /** Members of the document that the index, the check or the packages of the folder give. */
  #document: object | undefined;

  async run(): Promise<number> {
    const { parseFilesetName } = await import('../../src/fileset/fileset-name.ts');
    const named = await parseArgument(
      ['<name>:<version>', fr`<nom>:<version>`],
      this.fileset,
      parseFilesetName,
    );
    const reference = await this.#parsePush(named);
    await using cleanup = new AsyncDisposableStack();
    // making an index changes the folder
    const early = this.#isPlain ? await this.#lookAhead(cleanup) : undefined;
    await this.#requireUnlocked();
    if (!(await this.#prepare(cleanup))) return 0;
    const look = early ?? (await this.#lookAhead(cleanup));
    if (reference !== undefined) return await this.#push({ ...named, reference, look });
    const { config } = await this.loadConfig('fileset-pack');
    const [{ runPack }, { openProgress }] = await Promise.all([
      import('../../src/operation/command/run-pack-task.ts'),
      import('../cli/progress.ts'),
    ]);
    const { stdout, stderr } = this.context;
    const language = this.language;
    using progress = openProgress({ stderr, language });
    const label = say(['packing', fr`empaquetage`], language);
    const report = await this.openReport(progress);
    const store = async () => cleanup.use(await openToWrite(config, report, 'svc fileset pack'));
    const {
      result: { fileset, previous },
      ofTask,
    } = await this.runAsTask(config, {
      request: this.#toRequest(`localhost/filesets/${named.name}:${named.version}`),
      work: async (work) =>
        runPack(
          { config, report },
          {
            source: this.directory,
            ...named,
            store,
            look: (root) => {
              // the owner of the store reads the folder, also when root starts the command
              actAsOwner(config.storage.root);
              return look(root);
            },
            actor: this.actor,
            onBytes: (bytesDone, bytesTotal) => progress.update({ label, bytesDone, bytesTotal }),
          },
          work,
        ),
    });
    progress.stop();
    if (this.format === 'json') await this.printDocument({ fileset, ...this.#document, ...ofTask });
    else {
      this.#printNextSteps(fileset, previous);
      this.#printServing({ ...named, ref: `localhost/filesets/${named.name}` }, config);
      stdout.write(`${fileset.digest}\n`);
    }
    return 0;
  }

  /** Whether the folder is packed as it is, without an index or a check. */
  get #isPlain(): boolean {
    return this.index === undefined && !this.check;
  }

  #toRequest(reference: string) {
    return {
      type: 'fileset-pack',
      command: 'svc fileset pack',
      reference,
      actor: this.actor,
      parameters: { source: resolve(this.directory) },
    } as const;
  }

  /** @throws CommandLineError for a reference that is none, or that contradicts the version of the FileSet */
  async #parsePush({ version }: FilesetName): Promise<string | undefined> {
    const { push } = this;
    if (push === undefined) return undefined;
    const { parseFilesetPlace } = await import('../../src/engine/publish/publish-fileset.ts');
    await parseArgument(['<registry>/<path>:<version>', fr`<registre>/<chemin>:<version>`], push, (text) =>
      parseFilesetPlace(text, version),
    );
    return push;
  }

  /** Packs the folder into a registry. */
  async #push(input: Pick<PushFilesetInput, 'name' | 'version' | 'reference' | 'look'>): Promise<number> {
    const { config } = await this.loadConfig('recipe-push');
    const [{ openContext }, { runPackPush }, { openProgress }] = await Promise.all([
      import('../../src/operation/context.ts'),
      import('../../src/operation/command/run-pack-task.ts'),
      import('../cli/progress.ts'),
    ]);
    const { stdout, stderr, env } = this.context;
    const { language } = this;
    using progress = openProgress({ stderr, language });
    const labels = {
      read: say(['packing', fr`empaquetage`], language),
      push: say(['pushing', fr`envoi`], language),
    };
    const report = await this.openReport(progress);
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const {
      result: { fileset, unchanged },
      ofTask,
    } = await this.runAsTask(config, {
      request: this.#toRequest(withoutCredentials(input.reference)),
      work: async (work) =>
        runPackPush(
          context,
          {
            ...input,
            source: this.directory,
            actor: this.actor,
            onBytes: (stage, bytesDone, bytesTotal) =>
              progress.update({ label: labels[stage], bytesDone, bytesTotal }),
          },
          work,
        ),
    });
    progress.stop();
    if (this.format === 'json') {
      await this.printDocument({ fileset, push: { unchanged }, ...this.#document, ...ofTask });
      return 0;
    }
    const { name, version } = fileset;
    if (unchanged)
      this.printLine([
        `svc: ${fileset.reference} is already published with the same content`,
        fr`svc: ${fileset.reference} est déjà publié avec le même contenu`,
      ]);
    this.#printServing({ name, version, ref: repositoryOf(fileset.reference) }, config);
    stdout.write(`${fileset.digest}\n`);
    await this.suggestNext(
      [
        'name it in a recipe; RECIPE is the name of yours:',
        fr`nommez-le dans une recette ; RECETTE est le nom de la vôtre :`,
      ],
      `svc recipe init ${say(['RECIPE', fr`RECETTE`], language)} --from ${toShellWord(repositoryOf(fileset.reference))} --tags ${toShellWord(fileset.version)}`,
    );
    return 0;
  }

  /**
   * Looks at the store before an index is made, signed and packed, and before a task begins: a command that cannot pack
   * changes nothing.
   *
   * @throws SVC-STO-007 beside a running instance, and the errors of the configuration
   */
  async #requireUnlocked(): Promise<void> {
    const isUnsigned = this.index !== undefined && this.gpgKey === undefined;
    if (isUnsigned || this.push !== undefined) return;
    const { config } = await this.loadConfig('fileset-pack');
    const { requireUnlocked } = await import('../../src/store/opening/store-lock.ts');
    await requireUnlocked(config.storage.root, 'svc fileset pack');
  }

  /**
   * Makes and checks the index, as the flags ask.
   *
   * @returns false when the command ends, as the index is to be signed elsewhere
   * @throws CommandLineError, SVC-FIL-001, SVC-FIL-008, SVC-FIL-009, SVC-STO-007
   */
  async #prepare(cleanup: AsyncDisposableStack): Promise<boolean> {
    const kind = this.index;
    if (this.#isPlain) {
      if (this.gpgKey === undefined) return true;
      throw new CommandLineError([
        '--gpg-key needs --index or --check',
        fr`--gpg-key exige --index ou --check`,
      ]);
    }
    if (this.check && this.gpgKey === undefined)
      this.warn([
        'no signature was judged: give the fingerprint of the key with --gpg-key',
        fr`aucune signature n’a été jugée : donnez l’empreinte de la clé avec --gpg-key`,
      ]);
    const { prepareIndex } = await import('./prepare-index.ts');
    const { index, check, rpms } = await prepareIndex({
      directory: this.directory,
      kind,
      key: this.gpgKey,
      env: this.context.env,
      signal: this.context.signal,
      cleanup,
      onFault: (finding) => this.printLine(toFaultLine(this.directory, finding)),
    });
    this.#document = { index, check, rpms };
    if (rpms !== undefined && rpms.unsigned > 0 && this.format === 'text')
      this.printLine(toUnsignedNote(rpms));
    if (index?.signedBy !== undefined && this.format === 'text') this.printLine(toIndexNote(index));
    if (index === undefined || index.signedBy !== undefined) return true;
    if (this.format === 'json') await this.printDocument(this.#document);
    await this.#printSigning(index.kind);
    return false;
  }

  /** Warns of packages that clients could not install from the folder as it is. */
  async #judgePackages(): Promise<void> {
    const { indexFolder } = await import('./index-folder.ts');
    const { directory } = this;
    const { env, signal } = this.context;
    // the pack reports unreadable files
    const { lack, rpms }: Awaited<ReturnType<typeof indexFolder>> = await indexFolder({
      ...{ directory, kinds: [], key: undefined, env, signal, onFault: () => {} },
    }).catch(() => ({}));
    signal.throwIfAborted();
    if (lack !== undefined) this.warn(toLackWarning(directory, lack));
    if (rpms === undefined) return;
    if (rpms.unsigned > 0 && this.format === 'text') this.printLine(toUnsignedNote(rpms));
    this.#document = { rpms };
  }

  /** Prints how to sign the index elsewhere, and the next step. */
  async #printSigning(kind: IndexKind): Promise<void> {
    const file = join(this.directory, kind === 'apt' ? 'Release' : 'repodata/repomd.xml');
    const sign =
      kind === 'apt'
        ? `gpg --clearsign --output ${toShellWord(join(this.directory, 'InRelease'))} ${toShellWord(file)}`
        : `gpg --armor --detach-sign ${toShellWord(file)}`;
    const push = this.push === undefined ? '' : ` --push ${toShellWord(this.push)}`;
    const pack = await this.withRepeatedFlags(
      `svc fileset pack ${toShellWord(this.directory)} ${toShellWord(this.fileset)} --check --gpg-key FINGERPRINT${push}`,
    );
    printNext(
      this.context.stderr,
      [
        {
          sentence: [
            'the index is made and not signed, and nothing was packed; sign it where the key is',
            fr`l’index est fait et n’est pas signé, et rien n’a été empaqueté ; signez-le là où se trouve la clé`,
          ],
          command: sign,
        },
        { sentence: ['then pack the folder', fr`puis empaquetez le dossier`], command: pack },
      ],
      this.language,
    );
  }

  /**
   * Starts the scan of the tree while the configuration is read and the store is opened, which take about as
   * long.
   */
  async #lookAhead(cleanup: AsyncDisposableStack): Promise<NonNullable<PackFilesetInput['look']>> {
    const { openTreePack } = await import('../../src/fileset/pack-tree.ts');
    const stop = new AbortController();
    cleanup.defer(() => stop.abort());
    const signal = AbortSignal.any([this.context.signal, stop.signal]);
    const root = await realpath(this.directory).catch(() => undefined);
    const user = process.geteuid?.();
    const hold = Math.max(0, Math.min(mostHeld, (readOpenFileLimit() ?? mostHeld) - ownFiles));
    const early =
      root === undefined ? undefined : openTreePack(root, signal, { thread: this.context.thread, hold });
    // the failure is reported by the caller that awaits the scan
    early?.catch(() => {});
    return async (wanted) => {
      const isSame = wanted === root && user === process.geteuid?.();
      const tree = await (isSame && early !== undefined ? early : openTreePack(wanted, signal));
      if (tree.hasPackages && this.#isPlain) await this.#judgePackages();
      return tree;
    };
  }

  #printNextSteps({ reference, digest }: PackedFileset, previous: string | undefined): void {
    if (previous === digest)
      this.printLine([
        `svc: ${reference} is already packed with the same content`,
        fr`svc: ${reference} est déjà empaqueté avec le même contenu`,
      ]);
    else if (previous !== undefined)
      this.printLine([
        `svc: ${reference} pointed at ${previous} before`,
        fr`svc: ${reference} désignait auparavant ${previous}`,
      ]);
  }

  /** Prints the configuration that serves the FileSet. */
  #printServing(fileset: FilesetName & { readonly ref: string }, { files }: Pick<Config, 'files'>): void {
    this.context.stderr.write(toServingLines(fileset, files.filesets, this.language));
  }
}

/** A reference without its tag. */
function repositoryOf(reference: string): string {
  return reference.slice(0, reference.lastIndexOf(':'));
}

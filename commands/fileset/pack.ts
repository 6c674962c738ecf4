import { realpath } from 'node:fs/promises';
import { Command, Option, type Usage } from 'clipanion';
import { fr, say } from '../../src/base/language.ts';
import type { PackedFileset, PackFilesetInput } from '../../src/operation/pack-fileset.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { openToWrite } from '../open-to-write.ts';

export class FilesetPackCommand extends BaseCommand {
  static override paths: string[][] = [['fileset', 'pack']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'folder' };
  static override usage: Usage = Command.Usage({
    description: 'Pack a folder into the store as a FileSet',
    details: `
      Packs the folder as an image with one uncompressed layer and stores it in the local store as
      localhost/filesets/<name>:<version>. The same folder gives the same digest on every machine: owners and
      times are not packed. Packing an existing version points its tag at the new content.

      Setuid files, special files, links to targets outside the folder, and names that are not portable are
      refused, and so is a folder that changes while it is packed. In these cases nothing is stored.

      With --output text, only the digest is printed to stdout; the configuration that serves the FileSet is
      printed to stderr.

      Exit code: 0 stored, 1 the folder is not readable, changed or exceeds a limit, 3 the folder is not safe to
      pack.
    `,
    examples: [
      ['Pack a package repository', 'svc fileset pack /srv/debian debian:12.11'],
      ['Save the digest in a variable', 'digest=$(svc fileset pack /srv/debian debian:12.11)'],
    ],
  });

  directory: string = Option.String({ name: 'directory', required: true });
  fileset: string = Option.String({ name: 'name:version', required: true });

  async run(): Promise<number> {
    const { parseFilesetName } = await import('../../src/fileset/fileset-name.ts');
    const named = await parseArgument(
      ['<name>:<version>', fr`<nom>:<version>`],
      this.fileset,
      parseFilesetName,
    );
    await using cleanup = new AsyncDisposableStack();
    const look = await this.#lookAhead(cleanup);
    const { config } = await this.loadConfig('fileset-pack');
    const [{ packFileset }, { openProgress }] = await Promise.all([
      import('../../src/operation/pack-fileset.ts'),
      import('../cli/progress.ts'),
    ]);
    const { stdout, stderr, signal } = this.context;
    const language = this.language;
    using progress = openProgress({ stderr, language });
    const label = say(['packing', fr`empaquetage`], language);
    const report = await this.openReport(progress);
    const store = async () => cleanup.use(await openToWrite(config, report, 'svc fileset pack'));
    const { fileset, previous } = await packFileset(
      { config, report },
      {
        source: this.directory,
        ...named,
        store,
        look,
        actor: this.actor,
        signal,
        onBytes: (bytesDone, bytesTotal) => progress.update({ label, bytesDone, bytesTotal }),
      },
    );
    progress.stop();
    if (this.format === 'json') await this.printDocument({ fileset });
    else {
      this.#printNextSteps(fileset, previous);
      stdout.write(`${fileset.digest}\n`);
    }
    return 0;
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
    const early = root === undefined ? undefined : openTreePack(root, signal, this.context.thread);
    // the failure is reported by the caller that awaits the scan
    early?.catch(() => {});
    return (wanted) => (early !== undefined && wanted === root ? early : openTreePack(wanted, signal));
  }

  #printNextSteps({ reference, digest, name, version }: PackedFileset, previous: string | undefined): void {
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
    this.printLine([
      `# configuration that serves it under /files/${name}/`,
      fr`# configuration qui le sert sous /files/${name}/`,
    ]);
    this.context.stderr.write(`files:
  filesets:
    - name: "${name}"
      ref: localhost/filesets/${name}
      version: "${version}"
`);
  }
}

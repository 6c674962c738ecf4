import { realpath } from 'node:fs/promises';
import { Command, Option, type Usage } from 'clipanion';
import { svcError } from '../../src/base/error.ts';
import type { PackedFileset, PackFilesetInput } from '../../src/operation/pack-fileset.ts';
import { BaseCommand, type FlagValues } from '../base-command.ts';
import { openToWrite } from '../open-to-write.ts';
import { printDocument } from '../print.ts';

export class FilesetPackCommand extends BaseCommand {
  static override paths: string[][] = [['fileset', 'pack']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'folder' };
  static override usage: Usage = Command.Usage({
    description: 'Pack a folder into the store as a FileSet',
    details: `
      Packs the folder as an image of one uncompressed layer and keeps it in the local store as
      localhost/filesets/<name>:<version>. The same folder gives the same digest on every machine: owners and times are
      not packed. A version that was packed before is pointed at the new content.

      Refused are setuid files, special files, links that lead outside the folder, and names that mean something else
      elsewhere. A folder that changes meanwhile is refused as well. Nothing is stored then.

      In text the digest alone is printed; the configuration that serves it is told on stderr.

      Exit code: 0 it is stored, 1 the folder cannot be read, changes or does not fit, 3 it is not safe to pack.
    `,
    examples: [
      ['Pack a package repository', 'svc fileset pack /srv/debian debian:12.11'],
      ['Keep the digest', 'digest=$(svc fileset pack /srv/debian debian:12.11)'],
    ],
  });

  directory: string = Option.String({ name: 'directory', required: true });
  fileset: string = Option.String({ name: 'name:version', required: true });

  async run(): Promise<number> {
    const colon = this.fileset.indexOf(':');
    if (colon < 0)
      throw svcError('SVC-FIL-001', {
        path: this.fileset.slice(0, 512),
        rule: 'the FileSet must be named as <name>:<version>',
      });
    await using cleanup = new AsyncDisposableStack();
    const look = await this.#lookAhead(cleanup);
    const { config } = await this.loadConfig('fileset-pack');
    const [{ packFileset }, { openProgress }] = await Promise.all([
      import('../../src/operation/pack-fileset.ts'),
      import('../progress.ts'),
    ]);
    const { stdout, stderr, signal } = this.context;
    using progress = openProgress({ stderr });
    const report = await this.openReport(config.logging.level, progress);
    const store = async () => cleanup.use(await openToWrite(config, report, 'svc fileset pack'));
    const { fileset, previous } = await packFileset(
      { config, report },
      {
        source: this.directory,
        name: this.fileset.slice(0, colon),
        version: this.fileset.slice(colon + 1),
        store,
        look,
        actor: this.actor,
        signal,
        onBytes: (bytesDone, bytesTotal) => progress.update({ label: 'packing', bytesDone, bytesTotal }),
      },
    );
    progress.stop();
    if (this.format === 'json') await printDocument(stdout, { fileset }, 'json');
    else {
      this.#tellWhatIsNext(fileset, previous);
      stdout.write(`${fileset.digest}\n`);
    }
    return 0;
  }

  /** Has the tree looked at while the configuration is read and the store opened: that takes as long. */
  async #lookAhead(cleanup: AsyncDisposableStack): Promise<NonNullable<PackFilesetInput['look']>> {
    const { openTreePack } = await import('../../src/fileset/pack-tree.ts');
    const stop = new AbortController();
    cleanup.defer(() => stop.abort());
    const signal = AbortSignal.any([this.context.signal, stop.signal]);
    const root = await realpath(this.directory).catch(() => undefined);
    const early = root === undefined ? undefined : openTreePack(root, signal, this.context.thread);
    // who needs it hears of its failure
    early?.catch(() => {});
    return (wanted) => (early !== undefined && wanted === root ? early : openTreePack(wanted, signal));
  }

  #tellWhatIsNext({ reference, digest, name, version }: PackedFileset, previous: string | undefined): void {
    if (previous === digest) this.tell(`svc: ${reference} was packed already, with the same content`);
    else if (previous !== undefined) this.tell(`svc: ${reference} pointed at ${previous} until now`);
    this.tell(`# serves it under /files/${name}/
files:
  filesets:
    - name: "${name}"
      ref: localhost/filesets/${name}
      version: "${version}"`);
  }
}

import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { fr } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { toShellWord } from '../render/shell-word.ts';

export class RetrieverResolveCommand extends BaseCommand {
  static override paths: string[][] = [['retriever', 'resolve']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Show what each entry of a Retriever picks today',
    details: `
      Resolves the entries of a Retriever as a synchronization would now: the version that each constraint picks, its
      digest, and whether its signature is accepted. Reads the cookbooks; needs no store and no instance, and writes
      nothing. The Retriever is a file, an https URL or an oci:// reference. Trust roots, registries and allowlist
      are those of the configuration.

      Exit code: 0 every entry picks a recipe that is accepted, 1 failure, such as a constraint that nothing
      satisfies, 3 a host is not on the allowlist, 4 a signature or a document is refused.
    `,
    examples: [
      ['What a zone would get', 'svc retriever resolve zone-b.yaml'],
      [
        'The versions for a script',
        `svc retriever resolve zone-b.yaml --output json | jq -r '.recipes[] | .name + " " + .version'`,
      ],
    ],
  });

  source: string = Option.String({ name: 'file' });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-read');
    const { openContext } = await import('../../src/operation/context.ts');
    const { resolveRetriever } = await import('../../src/operation/recipe/resolve-retriever.ts');
    const { env, signal } = this.context;
    const report = await this.openReport();
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const isRemote = /^[a-z][a-z0-9+.-]*:\/\//i.test(this.source);
    const source = isRemote ? this.source : resolve(this.source);
    const resolved = await resolveRetriever(context, { source, signal });
    if (this.format === 'json') await this.printDocument(resolved);
    else {
      const { renderResolved } = await import('./render-resolved.ts');
      this.printReport(renderResolved(resolved, this.rendering));
    }
    if (resolved.exit_code === 0)
      await this.suggestNext(
        ['see what it would transfer with:', fr`voyez ce qu’il ferait transférer avec :`],
        `svc sync --dry-run --retriever ${toShellWord(source)}`,
      );
    return resolved.exit_code;
  }
}

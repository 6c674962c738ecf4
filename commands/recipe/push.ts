import { Command, Option, type Usage } from 'clipanion';
import { BaseCommand, type FlagValues } from '../base-command.ts';
import { getBuildInfo } from '../build-info.ts';
import { printDocument } from '../print.ts';
import { readBounded } from '../read-bounded.ts';

/** The most of a recipe document, before it is decoded. */
const documentLimit = 4 << 20;

export class RecipePushCommand extends BaseCommand {
  static override paths: string[][] = [['recipe', 'push']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Publish a cooked recipe into a cookbook',
    details: `
      Validates the document and publishes it as an artifact at <registry>/<cookbook>/<name>:<version>, which must agree
      with the document. The same document twice is fine; another one under a published version is refused. Signing is
      done afterwards, by cosign. In text the digest alone is printed.

      Exit code: 0 published now or before, 1 failure, 3 refused by policy: other content has the version, or the host is
      not on the allowlist.
    `,
    examples: [
      [
        'Publish and sign',
        'cosign sign registry.example/cookbook/app@$(svc recipe push app.yaml registry.example/cookbook/app:1.0.0)',
      ],
    ],
  });

  file: string = Option.String({ name: 'file', required: true });
  reference: string = Option.String({ name: 'reference', required: true });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-push');
    const document = await readBounded(this.file, documentLimit);
    const report = await this.openReport(config.logging.level);
    const { openContext } = await import('../../src/operation/context.ts');
    const { publishRecipe } = await import('../../src/operation/publish-recipe.ts');
    await using context = await openContext(config, { report, version: getBuildInfo().version });
    const { file, reference, actor } = this;
    const { signal, stdout } = this.context;
    const published = await publishRecipe(context, { document, file, reference, actor, signal });
    if (this.format === 'json') await printDocument(stdout, published, 'json');
    else {
      if (published.unchanged)
        this.tell(`svc: ${published.reference} was published already, with the same content`);
      stdout.write(`${published.digest}\n`);
    }
    return 0;
  }
}

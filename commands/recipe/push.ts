import { Command, Option, type Usage } from 'clipanion';
import { fr } from '../../src/base/language.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { readBounded } from '../cli/read-bounded.ts';
import { documentLimit } from './document-limit.ts';

export class RecipePushCommand extends BaseCommand {
  static override paths: string[][] = [['recipe', 'push']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Publish a cooked recipe into a cookbook',
    details: `
      Validates the document and publishes it as an artifact at <registry>/<cookbook>/<name>:<version>, which
      must match the document. Publishing the same document again succeeds; a different document under a
      published version is refused. Sign the published recipe with cosign. With --output text, only the digest
      is printed.

      Exit code: 0 published, now or earlier, 1 failure, 3 refused by policy: the version exists with other
      content, or the host is not on the allowlist.
    `,
    examples: [
      ['Publish, and print the digest', 'svc recipe push shop.yaml registry.example/cookbook/shop:1.4.0'],
      [
        'Sign this digest offline',
        'cosign sign --key release.key --use-signing-config=false --tlog-upload=false registry.example/cookbook/shop@sha256:…',
      ],
    ],
  });

  file: string = Option.String({ name: 'file', required: true });
  reference: string = Option.String({ name: 'reference', required: true });

  async run(): Promise<number> {
    const { parseRecipePlace } = await import('../../src/engine/publish/recipe-place.ts');
    await parseArgument(
      ['<registry>/<cookbook>/<name>:<version>', fr`<registre>/<livre de recettes>/<nom>:<version>`],
      this.reference,
      parseRecipePlace,
    );
    const { config } = await this.loadConfig('recipe-push');
    const document = await readBounded(this.file, documentLimit);
    const report = await this.openReport();
    const { openContext } = await import('../../src/operation/context.ts');
    const { publishRecipe } = await import('../../src/operation/publish-recipe.ts');
    await using context = await openContext(config, {
      report,
      version: getBuildInfo().version,
      env: this.context.env,
    });
    const { file, reference, actor } = this;
    const { signal, stdout } = this.context;
    const published = await publishRecipe(context, { document, file, reference, actor, signal });
    if (this.format === 'json') await this.printDocument(published);
    else {
      if (published.unchanged)
        this.printLine([
          `svc: ${published.reference} is already published with the same content`,
          fr`svc: ${published.reference} est déjà publié avec le même contenu`,
        ]);
      stdout.write(`${published.digest}\n`);
      await this.#suggestSigning(published.digest);
    }
    return 0;
  }

  /** Shows a person at a terminal how the published recipe is signed. */
  async #suggestSigning(digest: string): Promise<void> {
    const { stderr } = this.context;
    if (stderr.isTTY !== true) return;
    const { printNext } = await import('../cli/print-next.ts');
    const repository = this.reference.slice(0, this.reference.lastIndexOf(':'));
    const command = `cosign sign --key release.key --use-signing-config=false --tlog-upload=false ${repository}@${digest}`;
    const sentence = [
      'sign it with your key, such as:',
      fr`signez-la avec votre clé, par exemple :`,
    ] as const;
    printNext(stderr, [{ sentence, command }], this.language);
  }
}

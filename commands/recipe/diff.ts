import { Command, Option, type Usage } from 'clipanion';
import { exitCodes, selectPrincipal, toExitCode } from '../../src/text/error.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { getWidth } from '../render/width.ts';

export class RecipeDiffCommand extends BaseCommand {
  static override paths: string[][] = [['recipe', 'diff']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Compare two recipes: every member that differs, and the bytes to transfer',
    details: `
      Each recipe is a file, a published recipe (<registry>/<cookbook>/<name>:<version>) or a recipe of the store
      (<name>@<version>), with a digest on every ingredient. Every member of the documents is compared: name, version,
      description, labels and annotations, and of each ingredient its kind, reference, version, digest, platforms and
      whatever else it has. A tag that both recipes give to different content is a difference too: of ingredients with one
      reference the first gets the tag. Comments are no difference. Reads the manifests below every digest, over the
      platforms of each ingredient, and counts each content once: the bytes to transfer are those that a place with the
      old recipe needs for the new one. Of each kind of difference, at most 1000 entries are listed, and the others are
      counted. After 1000 ingredients of a recipe that cannot be read, the others are not asked for.

      Exit code: 0 success, 1 failure, 3 a host is not on the allowlist, 4 a registry serves other content than is
      pinned, 5 with --exit-code, when the recipes differ.
    `,
    examples: [
      ['Two files', 'svc recipe diff shop-1.4.0.yaml shop-1.5.0.yaml'],
      [
        'How much has to be carried',
        'svc recipe diff shop@1.4.0 shop-1.5.0.yaml --output json | jq .totals.transferBytes',
      ],
    ],
  });

  old: string = Option.String({ name: 'old', required: true });
  new: string = Option.String({ name: 'new', required: true });
  exitCode: boolean = Option.Boolean('--exit-code', false, {
    description: 'exit with 5 when the recipes differ',
  });

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-read');
    const report = await this.openReport();
    const { RecipeReader } = await import('./recipe-reader.ts');
    const { diffRecipes } = await import('../../src/authoring/diff/diff-recipes.ts');
    const { actor } = this;
    const { env, signal, stdout } = this.context;
    await using reader = await RecipeReader.open(config, { report, env, actor, signal });
    const diff = await diffRecipes(await reader.read(this.old), await reader.read(this.new), signal);
    if (this.format === 'json') await this.printDocument(diff);
    else {
      const { renderDiff } = await import('./render-diff.ts');
      stdout.write(renderDiff(diff, { language: this.language, width: getWidth(this.context) }));
    }
    const principal = selectPrincipal(diff.problems.map(({ error }) => error));
    if (principal !== undefined) return toExitCode(principal);
    const { isDifferent } = await import('../../src/authoring/diff/compare-recipes.ts');
    return this.exitCode && isDifferent(diff) ? exitCodes['changes-planned'] : exitCodes.ok;
  }
}

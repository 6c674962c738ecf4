import { type ShownRecipe, showRecipe } from '../../src/authoring/door.ts';
import { exitCodes, selectPrincipal, toExitCode } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { count } from '../render/count.ts';
import { getWidth } from '../render/width.ts';

export class RecipeShowCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads a file, a published recipe (<registry>/<cookbook>/<name>:<version>, or with a digest), or a recipe of the store (<name>@<version>), and shows its ingredients with the platforms and sizes that their registries, or the store, have. The signature is judged under the trust roots of the configuration. An ingredient that cannot be read is shown with the reason, and decides the exit code.',
        fr`Lit un fichier, une recette publiée (<registre>/<livre de recettes>/<nom>:<version>, ou avec une empreinte), ou une recette du stockage (<nom>@<version>), et affiche ses ingrédients avec les plateformes et les tailles qu’ont leurs registres, ou le stockage. La signature est jugée selon les racines de confiance de la configuration. Un ingrédient illisible est affiché avec la raison, et décide du code de sortie.`,
      ],
      [
        'Exit code: 0 success, 1 failure, unknown recipe, or an ingredient that cannot be read, 3 a host is not on the allowlist, 4 an ingredient has other content than its digest or kind says, or with --verify, when no trusted signature verifies.',
        fr`Code de sortie : 0 succès, 1 échec, recette inconnue ou ingrédient illisible, 3 un hôte n’est pas dans la liste autorisée, 4 un ingrédient a un autre contenu que son empreinte ou son type ne le disent, ou avec --verify, si aucune signature de confiance n’est valide.`,
      ],
    ],
    examples: [
      [
        ['A file before it is published', fr`Un fichier avant sa publication`],
        'svc recipe show shop-1.4.0.yaml',
      ],
      [
        ['A published recipe, for a pipeline', fr`Une recette publiée, pour un pipeline`],
        'svc recipe show registry.example/cookbook/shop:1.4.0 --verify',
      ],
      [['A recipe of the store', fr`Une recette du stockage`], 'svc recipe show shop@1.4.0'],
    ],
  };

  recipe: string = argument.text(['file|reference|name@version', fr`fichier|référence|nom@version`], 'file');
  verify: boolean = flag.present('--verify', [
    'exit with 4 unless a signature verifies, or a trust scope admits the recipe without one',
    fr`se termine avec 4, sauf si une signature est valide ou si un périmètre admet la recette sans signature`,
  ]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-read');
    const report = await this.openReport();
    const { RecipeReader } = await import('./recipe-reader.ts');
    const { actor } = this;
    const { env, signal, stdout } = this.context;
    await using reader = await RecipeReader.open(config, { report, env, actor, signal });
    const opened = await reader.read(this.recipe);
    const { verdict } = opened;
    if (this.verify && verdict === undefined)
      throw new CommandLineError([
        '--verify needs a published recipe: a file has no signature',
        fr`--verify exige une recette publiée : un fichier n’a pas de signature`,
      ]);
    const shown = await showRecipe(opened, signal);
    if (this.format === 'json') await this.printDocument(toDocument(shown));
    else {
      const { renderRecipe } = await import('./render-recipe.ts');
      stdout.write(renderRecipe(shown, { language: this.language, width: getWidth(this.context) }));
    }
    if (this.verify && verdict?.outcome === 'refused') {
      const { toSignatureError } = await import('../../src/engine/sync/resolve-recipe.ts');
      return await this.fail(toSignatureError(verdict, opened.named));
    }
    const errors = shown.ingredients.flatMap(({ error }) => error ?? []);
    const principal = selectPrincipal(errors);
    if (principal === undefined) return exitCodes.ok;
    this.printLine([
      `svc: ${count(errors.length, 'ingredient', 'en')} of ${shown.ingredients.length} could not be read`,
      fr`svc: ${count(errors.length, 'ingredient', 'fr')} sur ${shown.ingredients.length} ${errors.length === 1 ? 'n’a pas pu être lu' : 'n’ont pas pu être lus'}`,
    ]);
    return toExitCode(principal);
  }
}

/** A recipe as the document has it, with the detail of its verdict in English. */
function toDocument(shown: ShownRecipe): Readonly<Record<string, unknown>> {
  const { signature } = shown;
  if (signature?.outcome !== 'refused') return { ...shown };
  const { detail, crowded } = signature;
  const texts = { detail: detail && String(detail), crowded: crowded && String(crowded) };
  return { ...shown, signature: { ...signature, ...texts } };
}

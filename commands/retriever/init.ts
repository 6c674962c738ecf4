import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';

export class RetrieverInitCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Prints the document that lists the recipes of a zone, each with the versions that the zone accepts, and names the cookbook where they are published. retriever.source of an instance names the file.',
        fr`Affiche le document qui liste les recettes d’une zone, chacune avec les versions que la zone accepte, et nomme le livre de recettes où elles sont publiées. retriever.source d’une instance nomme le fichier.`,
      ],
      ['Exit code: 0 success.', fr`Code de sortie : 0 succès.`],
    ],
    examples: [
      [
        [
          'A zone that accepts each later release of the same major version',
          fr`Une zone qui accepte chaque version ultérieure de la même version majeure`,
        ],
        'svc retriever init zone-b --cookbook registry.example/cookbook --recipe shop@^1.4 > zone-b.yaml',
      ],
    ],
  };

  cookbook: string | undefined = flag.text('--cookbook', [
    'repository of the recipes, <registry>/<path>',
    fr`dépôt des recettes, <registre>/<chemin>`,
  ]);
  recipes: string[] = flag.each(
    '--recipe',
    [
      '<name>@<version or range> of a recipe; repeatable',
      fr`<nom>@<version ou intervalle> d’une recette ; répétable`,
    ],
    'publishedRecipe',
  );
  zone: string = argument.text(['zone', fr`zone`]);

  async run(): Promise<number> {
    const { cookbook, zone } = this;
    if (cookbook === undefined || this.recipes.length === 0)
      throw new CommandLineError([
        'name the cookbook with --cookbook, and at least one recipe with --recipe',
        fr`nommez le livre de recettes avec --cookbook, et au moins une recette avec --recipe`,
      ]);
    const { checkRetriever, emptyDraft, renderRetriever } = await import(
      '../quickstart/written/retriever-file.ts'
    );
    const { parseArgument } = await import('../cli/parse-argument.ts');
    const check = (part: Partial<typeof emptyDraft>): void => checkRetriever({ ...emptyDraft, ...part });
    await parseArgument(['the name of a zone', fr`le nom d’une zone`], zone, (text) => check({ zone: text }));
    await parseArgument(['<registry>/<path>', fr`<registre>/<chemin>`], cookbook, (text) =>
      check({ cookbook: text }),
    );
    for (const recipe of this.recipes)
      await parseArgument(['<name>@<version or range>', fr`<nom>@<version ou intervalle>`], recipe, (text) =>
        check({ recipes: [text] }),
      );
    const document = renderRetriever({ zone, cookbook, recipes: this.recipes }, this.language);
    if (this.format === 'json') await this.printDocument({ zone, cookbook, recipes: this.recipes, document });
    else this.context.stdout.write(document);
    return 0;
  }
}

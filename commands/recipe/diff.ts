import { diffRecipes, isDifferent } from '../../src/authoring/door.ts';
import { exitCodes, selectPrincipal, toExitCode } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag } from '../cli/inputs.ts';
import { getWidth } from '../render/width.ts';

export class RecipeDiffCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Each recipe is a file, a published recipe (<registry>/<cookbook>/<name>:<version>) or a recipe of the store (<name>@<version>), with a digest on every ingredient. Every member of the documents is compared: name, version, description, labels and annotations, and of each ingredient its kind, reference, version, digest, platforms and whatever else it has. A tag that both recipes give to different content is a difference too: of ingredients with one reference the first gets the tag. Comments are no difference. Reads the manifests below every digest, over the platforms of each ingredient, and counts each content once: the bytes to transfer are those that a place with the old recipe needs for the new one. Of each kind of difference, at most 1000 entries are listed, and the others are counted. After 1000 ingredients of a recipe that cannot be read, the others are not asked for.',
        fr`Chaque recette est un fichier, une recette publiée (<registre>/<livre de recettes>/<nom>:<version>) ou une recette du stockage (<nom>@<version>), avec une empreinte pour chaque ingrédient. Chaque membre des documents est comparé : nom, version, description, labels et annotations, et pour chaque ingrédient son type, sa référence, sa version, son empreinte, ses plateformes et tout ce qu’il a d’autre. Une étiquette que les deux recettes donnent à un contenu différent est aussi une différence : de plusieurs ingrédients qui ont la même référence, le premier reçoit l’étiquette. Les commentaires ne sont pas une différence. Lit les manifestes sous chaque empreinte, pour les plateformes de chaque ingrédient, et compte chaque contenu une fois : les octets à transférer sont ceux dont un lieu qui a l’ancienne recette a besoin pour la nouvelle. De chaque sorte de différence, au plus 1000 entrées sont listées, et les autres sont comptées. Après 1000 ingrédients d’une recette qui ne peuvent pas être lus, les autres ne sont plus demandés.`,
      ],
      [
        'Exit code: 0 success, 1 failure, 3 a host is not on the allowlist, 4 a registry serves other content than is pinned, 5 with --exit-code, when the recipes differ.',
        fr`Code de sortie : 0 succès, 1 échec, 3 un hôte n’est pas dans la liste autorisée, 4 un registre sert un autre contenu que celui qui est figé, 5 avec --exit-code, si les recettes diffèrent.`,
      ],
    ],
    examples: [
      [['Two files', fr`Deux fichiers`], 'svc recipe diff shop-1.4.0.yaml shop-1.5.0.yaml'],
      [
        ['How much has to be carried', fr`Combien il faut transporter`],
        'svc recipe diff shop@1.4.0 shop-1.5.0.yaml --output json | jq .totals.transferBytes',
      ],
    ],
  };

  old: string = argument.text(['old', fr`ancien`], 'file');
  new: string = argument.text(['new', fr`nouveau`], 'file');
  exitCode: boolean = flag.present('--exit-code', [
    'exit with 5 when the recipes differ',
    fr`se termine avec 5 si les recettes diffèrent`,
  ]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-read');
    const report = await this.openReport();
    const { RecipeReader } = await import('./recipe-reader.ts');
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
    return this.exitCode && isDifferent(diff) ? exitCodes['changes-planned'] : exitCodes.ok;
  }
}

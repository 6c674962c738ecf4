import { toUnknownName } from '../../src/catalog/unknown-name.ts';
import { toRegistryBase } from '../../src/client/node-mirrors.ts';
import { getRecipeMapping } from '../../src/contract/operations/recipes.ts';
import type { RecipeMapping } from '../../src/contract/recipe.ts';
import { parseVersionedName } from '../../src/recipe/versioned-name.ts';
import { svcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flagOf } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { checkRegistryFlag } from '../client/check-registry-flag.ts';
import { findMappingFault } from '../client/mapping-fault.ts';
import { PlaceCommand } from '../client/place-command.ts';
import { getWidth } from '../render/width.ts';

export class RecipeMappingCommand extends PlaceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Maps each reference that the recipe names, in all its versions or in one, to its reference in the registry of this zone, and prints registries.yaml (K3s, RKE2) and hosts.toml (containerd), with which nodes find the ingredients under the original references. The registry is --registry, else destination.registry, else the instance itself.',
        fr`Fait correspondre à chaque référence que nomme la recette, dans toutes ses versions ou dans une seule, sa référence dans le registre de cette zone, et affiche registries.yaml (K3s, RKE2) et hosts.toml (containerd), avec lesquels les nœuds trouvent les ingrédients sous leurs références d’origine. Le registre est --registry, sinon destination.registry, sinon l’instance elle-même.`,
      ],
      [
        'Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store of the configuration, also while an instance serves it.',
        fr`Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le stockage de la configuration, même pendant qu’une instance le sert.`,
      ],
      [
        'Exit code: 0 success, 1 failure or unknown recipe, 3 the medium has not been verified.',
        fr`Code de sortie : 0 succès, 1 échec ou recette inconnue, 3 le support n’a pas été vérifié.`,
      ],
    ],
    examples: [
      [['The mapping of a recipe', fr`La correspondance d’une recette`], 'svc recipe mapping shop'],
      [
        ['The mirror file of a K3s node', fr`Le fichier de miroir d’un nœud K3s`],
        'svc recipe mapping shop --output json | jq -r .mirrors.registriesYaml > registries.yaml',
      ],
    ],
  };

  registry = flagOf('--registry', getRecipeMapping.query.registry, 'host');
  recipe: string = argument.text(['name[@version]', fr`nom[@version]`], 'recipe');

  async run(): Promise<number> {
    await checkRegistryFlag(this.registry);
    const { name, version } = await parseArgument(
      ['<name>[@<version>]', fr`<nom>[@<version>]`],
      this.recipe,
      parseVersionedName,
    );
    const whole = this.asksInstance ? await this.#ask(name) : await this.#look(name);
    const mapping = version === undefined ? whole : selectVersion(whole, version);
    if (this.format === 'json') await this.printDocument(mapping);
    else {
      const { renderMapping } = await import('./render-mapping.ts');
      this.context.stdout.write(
        renderMapping(mapping, { language: this.language, width: getWidth(this.context) }),
      );
    }
    return 0;
  }

  async #ask(recipe: string): Promise<RecipeMapping> {
    await using client = await this.connect();
    const { registry } = this;
    const mapping = await client.ask(getRecipeMapping, {
      path: { recipe },
      query: { registry },
      findFault: (answer) => findMappingFault(answer, recipe),
    });
    await this.warnOfPlaces({ registry: listEndpoints(mapping), asked: client.url, named: registry });
    return mapping;
  }

  async #look(recipe: string): Promise<RecipeMapping> {
    const { showMapping } = await import('../../src/view/recipes.ts');
    const { deriveUrl } = await import('../client/instance-address.ts');
    await using place = await this.openPlace(true);
    const { server, destination } = place.config;
    const url = server.publicURL ?? deriveUrl(place.config);
    if (url === undefined && this.registry === undefined && destination.registry === undefined)
      throw svcError('SVC-CFG-001', {
        setting: 'server.addr',
        detail: rule([
          'has port 0: name the registry with --registry',
          fr`a le port 0 : indiquez le registre par --registry`,
        ]),
      });
    // where the registry is another one, the address of the instance is not used
    const reached = toRegistryBase(url ?? 'http://localhost');
    const mapping = await showMapping(place, { recipe, registry: this.registry, reached });
    await this.warnOfPlaces({ registry: listEndpoints(mapping), named: this.registry });
    return mapping;
  }
}

/** Lists the hosts that the mirror files of a mapping name. A host that is none is left out: the peer may be no instance. */
function listEndpoints({ mirrors }: RecipeMapping): readonly string[] {
  const found = [...mirrors.registriesYaml.matchAll(/^ {6}- "https?:\/\/([^"/\s]+)"$/gm)].map(
    ([, host]) => host!,
  );
  return [...new Set(found)].filter((host) => URL.canParse(`http://${host}`) && escapeText(host) === host);
}

/** Selects one version of a mapping; the mirror files are those of all. @throws SVC-REG-005 when there is none */
function selectVersion(mapping: RecipeMapping, version: string): RecipeMapping {
  const { recipe, versions } = mapping;
  const selected = versions.filter((each) => each.version === version);
  if (selected.length === 0)
    throw toUnknownName(
      `${recipe}@${version}`,
      versions.map((each) => `${recipe}@${each.version}`),
    );
  return { ...mapping, versions: selected };
}

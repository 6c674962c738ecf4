import { systemClock } from '../src/base/clock.ts';
import { listZones } from '../src/contract/operations/zones.ts';
import { exitCodes } from '../src/text/exit-codes.ts';
import { fr } from '../src/text/language.ts';
import { getBuildInfo } from './build-info.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { argument, flagOf } from './cli/inputs.ts';
import { peekConfiguredStore } from './peek-store.ts';

export class ZonesCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Shows each zone of the configuration (zones): the recipes that its Retriever asks for now, the recipes that its last receipt states, and the deliveries that are on their way. With ZONE, each recipe has a line. Reads the cookbooks and the state folder, and changes nothing.',
        fr`Affiche chaque zone de la configuration (zones) : les recettes que son Retriever demande maintenant, celles que déclare son dernier reçu, et les livraisons en route. Avec ZONE, chaque recette a une ligne. Lit les livres de recettes et le dossier d’état, et ne modifie rien.`,
      ],
      [
        'A cookbook that cannot be read leaves the wanted version unknown. Of two receipts with one number, none is believed: all recipes of the zone are unknown.',
        fr`Un livre de recettes qui ne peut pas être lu laisse la version demandée inconnue. De deux reçus d’un même numéro, aucun n’est cru : toutes les recettes de la zone sont inconnues.`,
      ],
      [
        'Exit code: 0 every zone has every wanted recipe, 1 failure, 5 a recipe is not current, or nothing says so.',
        fr`Code de sortie : 0 chaque zone a chaque recette demandée, 1 échec, 5 une recette n’est pas à jour, ou rien ne le dit.`,
      ],
    ],
    examples: [
      [['All zones', fr`Toutes les zones`], 'svc zones'],
      [
        ['The recipes that a zone does not have', fr`Les recettes qu’une zone n’a pas`],
        `svc zones zone-b --output json | jq '.zones[0].recipes[] | select(.state != "current")'`,
      ],
    ],
  };

  zone: string | undefined = argument.optional(['zone', fr`zone`]);

  state = flagOf('--state', listZones.query.state);
  sort = flagOf('--sort', listZones.query.sort);
  order = flagOf('--order', listZones.query.order);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('zones');
    const { openContext } = await import('../src/operation/context.ts');
    const { readZoneBoards, requireConfiguredZone } = await import(
      '../src/operation/zone/read-zone-boards.ts'
    );
    const { WantedRecipes } = await import('../src/operation/zone/wanted-recipes.ts');
    const { selectZones } = await import('../src/view/select-zones.ts');
    const { env, signal } = this.context;
    const zones = this.zone === undefined ? config.zones : [requireConfiguredZone(config.zones, this.zone)];
    const report = await this.openReport();
    const { version } = getBuildInfo();
    await using context = await openContext(config, { report, version, env });
    await using store = await peekConfiguredStore(config.storage.root, report);
    const wanted = new WantedRecipes(context, { signal });
    const read = await readZoneBoards(context, { wanted, zones, store, now: systemClock.wall() });
    const boards = selectZones(read, this.zone === undefined ? this : {});
    if (this.format === 'json') await this.printDocument({ zones: boards });
    else {
      const { renderZone, renderZones } = await import('./render/zones.ts');
      const { rendering } = this;
      this.printReport(
        this.zone === undefined ? renderZones(boards, rendering) : renderZone(boards[0]!, rendering),
      );
    }
    for (const { name, wanted: asked } of read)
      if (asked.code !== undefined)
        this.warn([
          `the Retriever of ${name} cannot be resolved, so its wanted recipes are unknown: svc explain ${asked.code}`,
          fr`le Retriever de ${name} ne peut pas être résolu, et ses recettes demandées sont inconnues : svc explain ${asked.code}`,
        ]);
    const isCurrent = read.every(
      ({ wanted: { state }, recipes, totals }) => state === 'resolved' && totals.current === recipes.length,
    );
    return isCurrent ? exitCodes.ok : exitCodes['changes-planned'];
  }
}

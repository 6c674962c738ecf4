import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { audited } from '../../src/base/audited.ts';
import type { EvidenceScope } from '../../src/contract/evidence.ts';
import { dayOrTime, deliveryId } from '../../src/contract/patterns.ts';
import { toScope } from '../../src/engine/evidence/to-scope.ts';
import { mediumManifestPath } from '../../src/store/rest/media-manifest.ts';
import { svcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, say } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag, flagOf } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { peekConfiguredStore } from '../peek-store.ts';

export class EvidencePackCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes a folder for auditors: the lines of the custody ledger about a delivery, a recipe, or a time; the recipes with their signatures, the receipts, the ledger, and the public keys. index.html shows all of it without a script. VERIFY.md has the commands that check it with sha256sum, openssl and cosign, on a machine without svc.',
        fr`Écrit un dossier pour les auditeurs : les lignes du journal de garde sur une livraison, une recette ou une période, les recettes avec leurs signatures, les reçus, le journal de garde et les clés publiques. index.html affiche le tout sans script. VERIFY.md donne les commandes qui le vérifient avec sha256sum, openssl et cosign, sur une machine sans svc.`,
      ],
      [
        'The same inputs give the same bytes. With --redact actors, the pack has numbers for the names of accounts, no notes, addresses and paths, and no ledger, as its lines have the names.',
        fr`Les mêmes entrées donnent les mêmes octets. Avec --redact actors, des numéros remplacent les noms de comptes ; les notes, adresses et chemins sont omis, ainsi que le journal de garde, car ses lignes contiennent les noms.`,
      ],
      [
        'Exit code: 0 success, 1 failure, or no line about the subject, 3 the folder would be in the store, in the state or on a medium, 4 the ledger is broken.',
        fr`Code de sortie : 0 succès, 1 échec, ou aucune ligne sur le sujet, 3 le dossier serait dans le stockage, dans l’état ou sur un support, 4 le journal de garde est rompu.`,
      ],
    ],
    examples: [
      [
        ['Everything about a delivery', fr`Tout sur une livraison`],
        'svc evidence pack --delivery dlv_48d77967b98f --out evidence',
      ],
      [
        ['A recipe, without the names of accounts', fr`Une recette, sans les noms de comptes`],
        'svc evidence pack --recipe shop@1.4.0 --redact actors --out evidence',
      ],
    ],
  };

  delivery = flagOf('--delivery', {
    schema: deliveryId,
    help: ['identifier of the delivery', fr`identifiant de la livraison`],
  });
  recipe: string | undefined = flag.text(
    '--recipe',
    [
      'name of the recipe, of all versions or with @version',
      fr`nom de la recette, toutes versions ou avec @version`,
    ],
    'name',
  );
  since = flagOf('--since', {
    schema: dayOrTime,
    help: ['first day, or first time in UTC', fr`premier jour, ou première heure UTC`],
  });
  redact = flag.choice(
    '--redact',
    ['actors'],
    ['leave out the names of accounts', fr`omet les noms de comptes`],
  );
  out: string | undefined = flag.text(
    '--out',
    ['new folder (required)', fr`nouveau dossier (obligatoire)`],
    'folder',
  );

  async run(): Promise<number> {
    const scope = this.#scope;
    const { out, recipe } = this;
    const { parseRecipeName } = await import('../../src/recipe/metadata.ts');
    if (recipe !== undefined)
      await parseArgument(['<name>[@<version>]', fr`<nom>[@<version>]`], recipe, parseRecipeName);
    if (out === undefined)
      throw new CommandLineError(['--out DIRECTORY is required', fr`--out DOSSIER est obligatoire`]);
    const { config, path: configPath } = await this.loadConfig('evidence');
    const { resolveLayoutPath } = await import('../../src/operation/layout-paths.ts');
    requireOffMedium(await resolveLayoutPath({ config, configPath }, out, 'output'), out);
    const { openContext } = await import('../../src/operation/context.ts');
    const { packEvidence } = await import('../../src/operation/custody/pack-evidence.ts');
    const { openPackFolder } = await import('../../src/engine/evidence/pack-folder.ts');
    const { env, signal } = this.context;
    const { actor, language } = this;
    const report = await this.openReport();
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    await using store = await peekConfiguredStore(config.storage.root, report);
    const evidence = await audited(
      report,
      { actor, action: 'evidence.pack', target: out, details: { [scope.kind]: scope.value } },
      async () => {
        await using folder = await openPackFolder(out);
        const packed = await packEvidence(context, folder, {
          scope,
          withholdActors: this.redact === 'actors',
          language,
          store,
          signal,
        });
        await folder.finish();
        return packed;
      },
    );
    if (this.format === 'json') await this.printDocument({ folder: out, evidence });
    else {
      const { count } = await import('../render/count.ts');
      const { ledgers, recipes, signatures } = evidence;
      const parts = [
        count(
          ledgers.reduce((sum, one) => sum + one.lines.length, 0),
          'line',
          language,
        ),
        count(recipes.length, 'recipe', language),
        count(signatures.length, 'signature', language),
      ].join(', ');
      const folder = escapeText(out);
      this.printReport(`${say([`${folder}: ${parts}`, fr`${folder} : ${parts}`], language)}\n`);
    }
    return 0;
  }

  get #scope(): EvidenceScope {
    const scope = toScope(this);
    if (scope !== undefined) return scope;
    throw new CommandLineError([
      'name the subject of the pack with one of --delivery, --recipe and --since',
      fr`indiquez le sujet du dossier avec l’une de --delivery, --recipe et --since`,
    ]);
  }
}

/** @param place where `out` is @throws SVC-FIL-003 for a folder on a medium, which would carry it */
function requireOffMedium(place: string, out: string): void {
  const parent = dirname(place);
  if (existsSync(join(parent, mediumManifestPath)))
    throw svcError('SVC-FIL-003', { path: out, layout: 'yes' });
  if (parent !== place) requireOffMedium(parent, out);
}

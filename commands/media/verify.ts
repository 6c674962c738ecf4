import type { Report } from '../../src/base/report.ts';
import type { Config } from '../../src/config/model.ts';
import { toMediumExitCode } from '../../src/engine/medium/report.ts';
import type { AskDestinationInput, AskedMedium } from '../../src/operation/zone/ask-destination.ts';
import { toSvcError } from '../../src/text/error.ts';
import { fr, type Sentence, say } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flag } from '../cli/inputs.ts';
import type { Progress } from '../cli/progress.ts';
import { showVerification } from '../show-verification.ts';
import { MediaCommand } from './media-command.ts';

interface Shown {
  readonly report: Report;
  readonly progress: Progress;
}

export class MediaVerifyCommand extends MediaCommand {
  static override help: CommandHelp = {
    details: [
      [
        "Checks every file against the medium manifest, every recipe's signature against this zone's own trust roots, and every ingredient against its pinned digest. Nothing is pushed, and nothing is written but the lines of custody.enabled. A waiver only shows what an import with this waiver would do.",
        fr`Contrôle chaque fichier avec le manifeste du support, la signature de chaque recette avec les racines de confiance de cette zone, et chaque ingrédient avec son empreinte épinglée. Rien n’est poussé, et rien n’est écrit sauf les lignes de custody.enabled. Une dérogation montre seulement ce que ferait un import avec elle.`,
      ],
      [
        'With --with-destination it also asks destination.registry for the content that a delivery leaves out, as svc media import does. For each recipe it lists the content that is missing there, and the disk or delivery to bring.',
        fr`Avec --with-destination, demande aussi à destination.registry le contenu qu’une livraison n’apporte pas, comme svc media import. Pour chaque recette, indique le contenu qui y manque, et le disque ou la livraison à apporter.`,
      ],
      [
        'Exit code: 0 passed, 1 content is gone at the destination (SVC-MED-040) or the destination gave no answer, 3 refused only by the zone or freshness guard, 4 an integrity or signature check failed.',
        fr`Code de sortie : 0 validé, 1 du contenu a disparu à la destination (SVC-MED-040) ou elle n’a pas répondu, 3 refusé seulement par le contrôle de la zone ou de fraîcheur, 4 un contrôle d’intégrité ou de signature a échoué.`,
      ],
    ],
    examples: [
      [
        ['Verify the medium mounted at /mnt', fr`Vérifier le support monté sur /mnt`],
        'svc media verify --storage-root /mnt --zone zone-b',
      ],
      [
        ['Also ask the registry of the zone', fr`Interroger aussi le registre de la zone`],
        'svc media verify --storage-root /mnt --with-destination',
      ],
    ],
  };

  withDestination: boolean = flag.present('--with-destination', [
    'also ask the registry of the zone for absent content',
    fr`demande aussi au registre de la zone le contenu absent`,
  ]);

  async run(): Promise<number> {
    const scope = this.withDestination ? 'media-import' : 'media-verify';
    const { config } = await this.loadMediumConfig(scope);
    await this.warnOfNewState(config.state.root);
    const { openMedium } = await import('../../src/operation/open-medium.ts');
    const { openProgress } = await import('../cli/progress.ts');
    const { language } = this;
    using progress = openProgress({ stderr: this.context.stderr, language });
    const report = await this.openReport(progress);
    await using medium = await openMedium(config, {
      report,
      version: getBuildInfo().version,
      onProgress: showVerification(progress, language),
    });
    const verified = await medium.verify(this.waivers, this.actor, this.context.signal);
    const { addReceived } = await import('../../src/operation/zone/known-deliveries.ts');
    const verification = { ...verified, report: await addReceived(config, verified) };
    const asked = this.withDestination
      ? await this.#ask(config, { root: medium.root, verification, report, progress })
      : { report: verification.report, failure: undefined };
    progress.stop();
    if (this.format === 'json') await this.printDocument(asked.report);
    else {
      const { renderMediumReport } = await import('./render-medium.ts');
      this.printReport(renderMediumReport(asked.report, config.storage.root, this.rendering));
    }
    const failed = asked.failure === undefined ? 0 : await this.fail(asked.failure);
    const exitCode = Math.max(toMediumExitCode(asked.report), failed);
    // a waiver has to be chosen again, with open eyes
    const { freshness, recipes } = asked.report;
    const isImported =
      freshness?.importedAt !== undefined &&
      recipes.every(({ atDestination }) => atDestination?.landed !== false);
    if (exitCode === 0 && !isImported && !this.allowStale && !this.allowZoneMismatch)
      await this.suggestNext(
        ['import what passed with:', fr`importez ce qui est valide avec :`],
        'svc media import',
      );
    return exitCode;
  }

  /** Asks the registry of the zone. The result has a failure of the whole, so that the report of the medium is still printed. */
  async #ask(
    config: Config,
    { report, progress, ...input }: Shown & AskDestinationInput,
  ): Promise<AskedMedium> {
    const label: Sentence = ['asking the registry of the zone', fr`interrogation du registre de la zone`];
    progress.update({ label: say(label, this.language), bytesDone: 0 });
    const { openContext } = await import('../../src/operation/context.ts');
    const { askDestination } = await import('../../src/operation/zone/ask-destination.ts');
    const { withoutFailures } = await import('../cli/without-failures.ts');
    const { env, signal } = this.context;
    try {
      const own = this.format === 'text' ? withoutFailures(report) : report;
      await using context = await openContext(config, { report: own, version: getBuildInfo().version, env });
      return await askDestination(context, { ...input, signal });
    } catch (error) {
      signal.throwIfAborted();
      return { report: input.verification.report, failure: toSvcError(error) };
    }
  }
}

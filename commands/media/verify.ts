import { toMediumExitCode } from '../../src/engine/medium/report.ts';
import { fr } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { showVerification } from '../show-verification.ts';
import { MediaCommand } from './media-command.ts';

export class MediaVerifyCommand extends MediaCommand {
  static override help: CommandHelp = {
    details: [
      [
        "Checks every file against the medium manifest, every recipe's signature against this zone's own trust roots, and every ingredient against its pinned digest. Nothing is pushed or written. A waiver only shows what an import with this waiver would do.",
        fr`Contrôle chaque fichier avec le manifeste du support, la signature de chaque recette avec les racines de confiance de cette zone, et chaque ingrédient avec son empreinte épinglée. Rien n’est poussé ni écrit. Une dérogation montre seulement ce que ferait un import avec elle.`,
      ],
      [
        'Exit code: 0 passed, 3 refused only by the zone or freshness guard, 4 an integrity or signature check failed.',
        fr`Code de sortie : 0 validé, 3 refusé seulement par le contrôle de la zone ou de fraîcheur, 4 un contrôle d’intégrité ou de signature a échoué.`,
      ],
    ],
    examples: [
      [
        ['Verify the medium mounted at /mnt', fr`Vérifier le support monté sur /mnt`],
        'svc media verify --storage-root /mnt --zone zone-b',
      ],
    ],
  };

  async run(): Promise<number> {
    const { config } = await this.loadConfig('media-verify');
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
    const verification = await medium.verify(this.waivers, this.actor, this.context.signal);
    progress.stop();
    if (this.format === 'json') await this.printDocument(verification.report);
    else {
      const { renderMediumReport } = await import('./render-medium.ts');
      this.printReport(renderMediumReport(verification.report, config.storage.root, this.rendering));
    }
    const exitCode = toMediumExitCode(verification.report);
    // a waiver has to be chosen again, with open eyes
    if (exitCode === 0 && !this.allowStale && !this.allowZoneMismatch)
      await this.suggestNext(
        ['import what passed with:', fr`importez ce qui est valide avec :`],
        'svc media import',
      );
    return exitCode;
  }
}

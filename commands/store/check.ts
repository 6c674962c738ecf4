import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/model.ts';
import { exitCodes } from '../../src/text/error.ts';
import { fr, type Sentence, say } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import { actAsOwner } from '../cli/act-as-owner.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { flag } from '../cli/inputs.ts';

export class StoreCheckCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Hashes every blob on all processors, verifies the ledgers, compares index, manifests and blobs with each other, and lists damaged and missing content with the tags and recipes that need it. Nothing is changed without --quarantine, --repair or --adopt, and other readers can use the store at the same time. A running instance checks its own store in the background.',
        fr`Hache chaque blob sur tous les processeurs, vérifie les journaux du stockage, compare entre eux index, manifestes et blobs, et liste le contenu abîmé ou manquant avec les étiquettes et les recettes qui en ont besoin. Sans --quarantine, --repair ni --adopt, rien n’est modifié et d’autres lecteurs peuvent utiliser le stockage en même temps. Une instance en cours d’exécution contrôle son propre stockage en arrière-plan.`,
      ],
      [
        'With --quarantine, damaged content is moved to _svc/quarantine and counts as absent: it is not served, and the next synchronization or push transfers it again. Nothing is deleted.',
        fr`Avec --quarantine, le contenu abîmé est déplacé dans _svc/quarantine et compte comme absent : il n’est pas servi, et la prochaine synchronisation ou le prochain envoi le retransfère. Rien n’est supprimé.`,
      ],
      [
        'With --repair, damaged or lost ledgers are rebuilt from every batch that verifies and from the manifests on the disk; lost records are listed. With --adopt, this instance takes over the store of another instance: every byte is hashed, and in a zone its tags are held until a verified recipe reaches them. An adopted medium loses media.jsonl, so that no other zone can import it, until an instance in mirror mode has synchronized onto it. All three options require the instance to be stopped.',
        fr`Avec --repair, les journaux du stockage abîmés ou perdus sont reconstruits à partir de chaque lot vérifié et des manifestes du disque ; les enregistrements perdus sont listés. Avec --adopt, cette instance adopte le stockage d’une autre instance : chaque octet est haché, et dans une zone ses étiquettes sont retenues jusqu’à ce qu’une recette vérifiée les atteigne. Un support adopté perd media.jsonl, et aucune autre zone ne peut l’importer avant qu’une instance en mode mirror ne l’ait synchronisé. Ces trois options exigent que l’instance soit arrêtée.`,
      ],
      [
        'Exit code: 0 no damage, 4 content or records are damaged or missing, 1 the check itself failed.',
        fr`Code de sortie : 0 aucun dommage, 4 du contenu ou des enregistrements sont abîmés ou manquent, 1 le contrôle lui-même a échoué.`,
      ],
    ],
    examples: [
      [
        ['Check a stopped instance', fr`Contrôler une instance arrêtée`],
        'svc store check --config /etc/svc/config.yaml',
      ],
      [
        ['Repair damaged ledgers', fr`Réparer les journaux abîmés du stockage`],
        'svc store check --repair --config /etc/svc/config.yaml',
      ],
      [
        ['Quarantine damaged content', fr`Mettre en quarantaine le contenu abîmé`],
        'svc store check --quarantine --storage-root store --state-root state',
      ],
    ],
  };

  quarantine: boolean = flag.present('--quarantine', [
    'take damaged content out of service (audited)',
    fr`met le contenu abîmé hors service (audité)`,
  ]);

  repair: boolean = flag.present('--repair', [
    'rebuild damaged ledgers from every record that verifies (audited)',
    fr`reconstruit les journaux du stockage abîmés à partir de chaque enregistrement vérifié (audité)`,
  ]);
  adopt: boolean = flag.present('--adopt', [
    'take over the store of another instance (audited)',
    fr`adopte le stockage d’une autre instance (audité)`,
  ]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('store-check');
    const { checkStore } = await import('../../src/operation/check-store.ts');
    const { openProgress } = await import('../cli/progress.ts');
    const { signal, stderr } = this.context;
    const { language } = this;
    using progress = openProgress({ stderr, language });
    if (this.quarantine || this.repair || this.adopt) actAsOwner(config.storage.root);
    const label = say(['checking', fr`contrôle`], language);
    const manifest = join(config.storage.root, 'media.jsonl');
    const wasMedium = this.adopt && existsSync(manifest);
    const checked = await checkStore(config, {
      report: await this.openReport(progress),
      version: getBuildInfo().version,
      actor: this.actor,
      quarantine: this.quarantine,
      repair: this.repair,
      adopt: this.adopt,
      signal,
      onProgress: ({ files, totalFiles, bytes, totalBytes }) =>
        progress.update({
          label,
          bytesDone: bytes,
          bytesTotal: totalBytes,
          items: `${files}/${totalFiles} blobs`,
        }),
    });
    progress.stop();
    if (this.format === 'json') await this.printDocument(checked);
    else {
      const { renderCheck } = await import('./render-check.ts');
      this.printReport(renderCheck(checked, this.rendering));
    }
    if (wasMedium && !existsSync(manifest)) this.#warnOfManifest(config);
    return checked.verdict === 'clean' ? exitCodes.ok : exitCodes.verification;
  }

  /** An adopted store is no longer the medium that was carried: its manifest described the ledgers of another instance. */
  #warnOfManifest({ mode, storage }: Config): void {
    const { root = '' } = storage;
    const gone: Sentence = [
      `${root} is no medium any more: media.jsonl was removed with the adoption`,
      fr`${root} n’est plus un support : media.jsonl a été retiré à l’adoption`,
    ];
    const next: Sentence =
      mode === 'mirror'
        ? [
            'the next synchronization writes it again (svc sync --wait)',
            fr`la prochaine synchronisation l’écrit de nouveau (svc sync --wait)`,
          ]
        : [
            'only a synchronization of an instance in mirror mode writes it again',
            fr`seule une synchronisation d’une instance en mode mirror l’écrit de nouveau`,
          ];
    this.warn([`${gone[0]}; ${next[0]}`, fr`${gone[1]} ; ${next[1]}`]);
  }
}

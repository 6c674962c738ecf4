import { fr } from '../../src/text/language.ts';
import type { TrustPolicy } from '../../src/trust/model.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { showVerification } from '../show-verification.ts';

export class MediaProveCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Proves before departure that a zone would come up from these folders. Verifies every file under the trust roots of the zone, imports the recipes into a registry in memory by the import that the zone uses, and looks for content that would be absent. Opens no connection and changes nothing. Give all folders of the delivery, in any order.',
        fr`Prouve avant le départ qu’une zone démarrerait à partir de ces dossiers. Vérifie chaque fichier avec les racines de confiance de la zone, importe les recettes dans un registre en mémoire par l’import que la zone utilise, et cherche le contenu qui manquerait. N’ouvre aucune connexion et ne modifie rien. Donnez tous les dossiers de la livraison, dans n’importe quel ordre.`,
      ],
      [
        'Exit code: 0 proved, 1 failure, 4 not proved: the report has an error, or with --strict a warning.',
        fr`Code de sortie : 0 prouvé, 1 échec, 4 pas prouvé : le rapport a une erreur, ou un avertissement avec --strict.`,
      ],
    ],
    examples: [
      [
        ['Prove a disk under the key of the zone', fr`Prouver un disque avec la clé de la zone`],
        'svc media prove /media/usb/store --trust-root zone-b-roots.pub',
      ],
      [
        ['The findings for a script', fr`Les constats pour un script`],
        "svc media prove /media/usb/store --trust-root release.pub --output json | jq '.findings'",
      ],
    ],
  };

  folders: string[] = argument.each(['directory', fr`dossier`], 'folder');
  trustRoots: string[] = flag.each(
    '--trust-root',
    [
      'public key of the zone that approves recipes; repeatable. Default: trust.roots',
      fr`clé publique de la zone qui approuve les recettes ; répétable. Par défaut : trust.roots`,
    ],
    'file',
  );
  zone: string | undefined = flag.text(
    '--zone',
    [
      'the zone that receives the delivery. Default: the zone that the media are addressed to',
      fr`zone qui reçoit la livraison. Par défaut : celle à laquelle les supports sont destinés`,
    ],
    'name',
  );
  strict: boolean = flag.present('--strict', [
    'count warnings like errors',
    fr`compte les avertissements comme des erreurs`,
  ]);

  async run(): Promise<number> {
    const { openProgress } = await import('../cli/progress.ts');
    const { proveMedium } = await import('../../src/operation/prove/prove-medium.ts');
    const { language } = this;
    using progress = openProgress({ stderr: this.context.stderr, language });
    const report = await this.openReport(progress);
    const proof = await proveMedium({
      folders: this.folders,
      policy: await this.#readPolicy(),
      hasOwnRoots: this.trustRoots.length === 0,
      zone: this.zone,
      strict: this.strict,
      report,
      version: getBuildInfo().version,
      signal: this.context.signal,
      onProgress: showVerification(progress, language),
    });
    progress.stop();
    if (this.format === 'json') await this.printDocument(proof);
    else {
      const { renderProof } = await import('./render-proof.ts');
      this.printReport(renderProof(proof, this.rendering));
    }
    return proof.verdict === 'proved' ? 0 : 4;
  }

  /** The keys of the zone, without scopes. @throws SVC-VAL-001 for a file that is no key */
  async #readPolicy(): Promise<TrustPolicy> {
    if (this.trustRoots.length > 0) {
      const { readPublicKey } = await import('../trust/read-key.ts');
      const { toFingerprint } = await import('../../src/attest/public-key.ts');
      const roots = await Promise.all(
        this.trustRoots.map(async (name) => {
          const key = await readPublicKey(name);
          return { name, key, fingerprint: toFingerprint(key) };
        }),
      );
      return { roots, scopes: [], missing: [] };
    }
    const { config } = await this.loadConfig('trust');
    if (config.trust.roots.length === 0)
      throw new CommandLineError([
        'no trust root: name the public keys of the zone with --trust-root FILE',
        fr`aucune racine de confiance : nommez les clés publiques de la zone avec --trust-root FICHIER`,
      ]);
    const { loadPolicy } = await import('../../src/operation/load-policy.ts');
    return loadPolicy(config, await this.openReport());
  }
}

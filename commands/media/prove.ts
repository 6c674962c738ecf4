import { resolve } from 'node:path';
import type { Report } from '../../src/base/report.ts';
import type { MediumProof } from '../../src/contract/proof.ts';
import { type Platform, parsePlatform } from '../../src/oci/platform.ts';
import type { Signer } from '../../src/signing/signer.ts';
import type { SvcError } from '../../src/text/error.ts';
import { fr, say } from '../../src/text/language.ts';
import { proof as words } from '../../src/text/words/delivering/proof.ts';
import type { TrustPolicy } from '../../src/trust/model.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { KeyCommand } from '../key/key-command.ts';

export class MediaProveCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Proves before departure that a zone would come up from these folders. Verifies every file under the trust roots of the zone, imports the recipes into a registry in memory by the import that the zone uses, and looks for content that would be absent. Opens no connection, and writes nothing to the folders without --sign-key. Where the configuration keeps a custody ledger, it gets lines about the proof of each folder. Give all folders of the delivery, in any order.',
        fr`Prouve avant le départ qu’une zone démarrerait à partir de ces dossiers. Vérifie chaque fichier avec les racines de confiance de la zone, importe les recettes dans un registre en mémoire par l’import que la zone utilise, et cherche le contenu qui manquerait. N’ouvre aucune connexion, et n’écrit rien dans les dossiers sans --sign-key. Si la configuration tient un journal de garde, il reçoit des lignes sur la preuve de chaque dossier. Donnez tous les dossiers de la livraison, dans n’importe quel ordre.`,
      ],
      [
        'Exit code: 0 proved, 1 failure, 3 a key inside the store, 4 not proved: the report has an error, or with --strict a warning.',
        fr`Code de sortie : 0 prouvé, 1 échec, 3 une clé dans le stockage, 4 pas prouvé : le rapport a une erreur, ou un avertissement avec --strict.`,
      ],
    ],
    examples: [
      [
        ['Prove a disk under the key of the zone', fr`Prouver un disque avec la clé de la zone`],
        'svc media prove /media/usb/store --trust-root zone-b-roots.pub',
      ],
      [
        ['Render the charts with the values of the zone', fr`Rendre les charts avec les valeurs de la zone`],
        'svc media prove /media/usb/store --trust-root release.pub --render --values shop=zone-b.yaml --platform linux/amd64',
      ],
      [
        [
          'Verify the signatures of package repositories too',
          fr`Vérifier aussi les signatures des dépôts de paquets`,
        ],
        'svc media prove /media/usb/store --trust-root release.pub --keyring packages.gpg',
      ],
      [
        ['Leave a signed statement on the disk', fr`Laisser une déclaration signée sur le disque`],
        'svc media prove /media/usb/store --trust-root release.pub --strict --sign-key gate.key',
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
  against: string | undefined = flag.text(
    '--against',
    [
      'the assumed registry of the zone: empty (default), or the file of a receipt of the zone',
      fr`registre supposé de la zone : empty (par défaut), ou le fichier d’un reçu de la zone`,
    ],
    'file',
  );
  platforms: string[] = flag.each(
    '--platform',
    [
      'platform of nodes of the zone (os/arch[/variant]), which every image must have; repeatable',
      fr`plateforme de nœuds de la zone (os/arch[/variante]), que chaque image doit avoir ; répétable`,
    ],
    'platform',
  );
  valueFiles: string[] = flag.each(
    '--values',
    [
      'file with values for a chart, as INGREDIENT=FILE; repeatable, later ones win',
      fr`fichier de valeurs d’un chart, sous la forme INGRÉDIENT=FICHIER ; répétable, les derniers l’emportent`,
    ],
    'text',
  );
  render: boolean = flag.present('--render', [
    'render the charts with the helm on PATH',
    fr`rend les charts avec le helm de PATH`,
  ]);
  keyrings: string[] = flag.each(
    '--keyring',
    [
      'OpenPGP public keys of the signers of package repositories, whose signatures gpgv verifies; repeatable',
      fr`clés publiques OpenPGP des signataires des dépôts de paquets, dont gpgv vérifie les signatures ; répétable`,
    ],
    'file',
  );
  strict: boolean = flag.present('--strict', [
    'count warnings like errors',
    fr`compte les avertissements comme des erreurs`,
  ]);

  signKey: string | undefined = flag.text(
    '--sign-key',
    [
      'private key that signs a SLSA Verification Summary onto each medium of a proved delivery',
      fr`clé privée qui signe un SLSA Verification Summary sur chaque support d’une livraison prouvée`,
    ],
    'file',
  );

  /** With the keys of the zone, the configuration only says whether a ledger is kept. */
  protected override get readsConfig(): boolean {
    return this.trustRoots.length === 0;
  }

  async run(): Promise<number> {
    const signer = await this.#openSigner();
    const platforms = this.platforms.map(toPlatform);
    const values = await this.#readValues();
    const { openProgress } = await import('../cli/progress.ts');
    const { proveMedium } = await import('../../src/operation/prove/prove-medium.ts');
    const { nameChartImages } = await import('../../src/authoring/door.ts');
    const { openCustody } = await import('../../src/operation/custody/open-custody.ts');
    const { openSent } = await import('../../src/zone/sent.ts');
    const { config } = await this.loadConfig('media-prove');
    const ledger = { custody: openCustody(config), actor: this.actor };
    const { language } = this;
    const { env, stderr, signal } = this.context;
    using progress = openProgress({ stderr, language });
    const report = await this.openReport(progress);
    const policy = await this.#readPolicy(report);
    const { audited } = await import('../../src/base/audited.ts');
    /** Names of the charts that were read. */
    const seen = new Set<string>();
    const prove = async (): Promise<MediumProof> => {
      await using packageKeys = await this.#openPackageKeys();
      await using base = await this.#openBase(policy, report);
      return await proveMedium({
        folders: this.folders,
        base: base?.base,
        policy,
        hasOwnRoots: this.trustRoots.length === 0,
        zone: this.zone,
        platforms,
        findImages: (archive, { name, reference }) => {
          const own = values.filter((file) => file.chart === name);
          seen.add(name);
          return nameChartImages(archive, reference, {
            values: own,
            render: this.render,
            path: env.PATH ?? '',
            signal,
          });
        },
        isRendered: this.render,
        packageKeys,
        strict: this.strict,
        ledger,
        sent: config.state.root === undefined ? undefined : openSent(config.state.root),
        signer,
        report,
        version: getBuildInfo().version,
        signal,
        onProgress: ({ step, bytes = 0, totalBytes }) =>
          progress.update({
            label: say(words.steps[step], language),
            bytesDone: bytes,
            bytesTotal: totalBytes,
          }),
      });
    };
    const target = this.folders.map((folder) => resolve(folder)).join(', ');
    const proof = await audited(report, { actor: this.actor, action: 'media.prove', target }, prove, {
      success: ({ verdict }) => ({ verdict }),
      isFailure: ({ verdict }) => verdict !== 'proved',
      failure: ({ code }) => (signal.aborted ? { interrupted: true } : { code }),
    });
    progress.stop();
    if (proof.steps.some(({ name }) => name === 'charts')) this.#warnOfUnused(values, seen);
    if (this.format === 'json') await this.printDocument(proof);
    else {
      const { renderProof } = await import('./render-proof.ts');
      this.printReport(renderProof(proof, this.rendering));
    }
    return proof.verdict === 'proved' ? 0 : 4;
  }

  /** @throws SVC-SGN-001, SVC-CFG-002 for a key inside the store, SVC-FIL-005 */
  async #openSigner(): Promise<Signer | undefined> {
    if (this.signKey === undefined) return undefined;
    const { config } = await this.loadConfig('key');
    return this.openSigner(this.signKey, config);
  }

  /** Names the files of values that no chart took: a name may be mistyped. */
  #warnOfUnused(
    values: readonly { readonly chart: string; readonly path: string }[],
    seen: ReadonlySet<string>,
  ): void {
    for (const { chart, path } of values)
      if (!seen.has(chart))
        this.warn([
          `--values ${chart}=${path}: no chart of the delivery has this name`,
          fr`--values ${chart}=${path} : aucun chart de la livraison ne porte ce nom`,
        ]);
  }

  /** The keys of the zone. @throws SVC-VAL-001 for a file that is no key, SVC-CFG-001 */
  async #readPolicy(report: Report): Promise<TrustPolicy> {
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
    return loadPolicy(config, report);
  }

  /**
   * The receipt of `--against`, which a configured peer has signed, with the store of the configuration.
   *
   * @returns undefined for an empty registry
   * @throws SVC-RCP-001, SVC-CFG-001, the errors of reading the file and of opening the store
   */
  async #openBase(policy: TrustPolicy, report: Report) {
    if (this.against === undefined || this.against === 'empty') return undefined;
    const { openProofBase } = await import('../../src/operation/prove/open-base.ts');
    const { config } = await this.loadConfig('trust');
    const { toInventoryWarning } = await import('../receipt/render-receipt.ts');
    const onUnread = (error: SvcError): void => this.warn(toInventoryWarning(error));
    const { version } = getBuildInfo();
    return openProofBase(this.against, { config, policy, report, version, onUnread });
  }

  /** @throws SVC-CLO-005 without gpgv, SVC-VAL-001 for a file that is no public key, SVC-FIL-005 */
  async #openPackageKeys() {
    if (this.keyrings.length === 0) return undefined;
    const { openPackageKeys } = await import('../../src/operation/prove/open-package-keys.ts');
    const { env, signal } = this.context;
    return openPackageKeys(this.keyrings, { path: env.PATH ?? '', signal });
  }

  /** Files of values, each with the ingredient that it belongs to. @throws CommandLineError, SVC-VAL-001, SVC-FIL-005 */
  async #readValues() {
    if (this.valueFiles.length === 0) return [];
    const { readValues } = await import('../../src/authoring/door.ts');
    const { yamlLimits } = await import('../../src/recipe/read-yaml.ts');
    const { readBounded } = await import('../../src/disk/named-file.ts');
    return Promise.all(
      this.valueFiles.map(async (text) => {
        const [, chart = '', file = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
        if (file === '')
          throw new CommandLineError([
            `--values takes INGREDIENT=FILE, and got '${text}'`,
            fr`--values prend INGRÉDIENT=FICHIER, et a reçu « ${text} »`,
          ]);
        const values = await readValues(await readBounded(file, yamlLimits.bytes), file);
        return { chart, path: resolve(file), values };
      }),
    );
  }
}

/** @throws CommandLineError */
function toPlatform(text: string): Platform {
  const platform = parsePlatform(text);
  if (platform !== undefined) return platform;
  throw new CommandLineError([
    `'${text}' is not a platform, os/arch[/variant]`,
    fr`« ${text} » n’est pas une plateforme, os/arch[/variante]`,
  ]);
}

import { existsSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import type { ConfigFor } from '../../src/config/requirements.ts';
import { receiptLimits } from '../../src/contract/receipt.ts';
import type { WrittenReceipt } from '../../src/operation/zone/write-receipt.ts';
import type { Signer } from '../../src/signing/signer.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { fr, say } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag } from '../cli/inputs.ts';
import { KeyCommand } from '../key/key-command.ts';

export class ReceiptWriteCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Reads the content of the registry of this zone, and signs it: each recipe of the cookbook with its digest and its state. Every recipe is verified under the trust roots, and the registry is asked for each blob of its platforms; with --deep, each blob is read and hashed. The receipt has the next number of the zone. It stays in the state folder; --out writes a copy, which svc receipt add FILE adds at the source of the deliveries.',
        fr`Regarde ce que le registre de cette zone détient, et le signe : chaque recette du livre avec son empreinte et son état. Chaque recette est vérifiée avec les racines de confiance, et le registre est interrogé pour chaque blob de ses plateformes ; avec --deep, chaque blob est lu et haché. Le reçu a le numéro suivant de la zone. Il reste dans le dossier d’état ; --out en écrit une copie, que svc receipt add FICHIER ajoute à la source des livraisons.`,
      ],
      [
        'With --forward, the file of --out also has the last receipts of the zones that this zone delivers to, so that one disk or mail carries them all. They are not changed: the source above verifies each under the key of its zone.',
        fr`Avec --forward, le fichier de --out a aussi les derniers reçus des zones que cette zone livre : un seul disque ou message les porte tous. Ils ne sont pas modifiés : la source en amont vérifie chacun avec la clé de sa zone.`,
      ],
      [
        'The key is that of --key, else signing.keyFile. With --inventory, FILE.inventory lists the blobs, and the receipt signs it too. With --redact names, the receipt has digests only.',
        fr`La clé est celle de --key, sinon signing.keyFile. Avec --inventory, FICHIER.inventory liste les blobs, et le reçu le signe aussi. Avec --redact names, le reçu n’a que des empreintes.`,
      ],
      [
        'Exit code: 0 the receipt was written, also where recipes are incomplete or blocked, 1 failure, 3 refused by policy, such as a host that is not on the allowlist, a key inside the store, or a zone that is not that of the configuration.',
        fr`Code de sortie : 0 le reçu est écrit, même si des recettes sont incomplètes ou bloquées, 1 échec, 3 refus par la politique, par exemple un hôte hors de la liste autorisée, une clé dans le stockage, ou une zone que la configuration ne nomme pas.`,
      ],
    ],
    examples: [
      [
        ['For the way back to the source', fr`Pour le retour à la source`],
        'svc receipt write --out /mnt/medium/zone-b-8.sigstore.json',
      ],
      [
        ['Read every byte of the registry', fr`Lire chaque octet du registre`],
        'svc receipt write --deep --out receipt.sigstore.json',
      ],
    ],
  };

  zone: string | undefined = flag.text(
    '--zone',
    [
      'the zone of the registry, where the configuration has none',
      fr`zone du registre, si la configuration n’en a pas`,
    ],
    'name',
  );
  key: string | undefined = flag.text(
    '--key',
    ['private key that signs (signing.keyFile)', fr`clé privée qui signe (signing.keyFile)`],
    'file',
  );
  deep: boolean = flag.present('--deep', [
    'read and hash every blob, instead of asking for it',
    fr`lire et hacher chaque blob, au lieu de demander s’il est là`,
  ]);
  inventory: boolean = flag.present('--inventory', [
    'also list the blobs, in FILE.inventory beside --out',
    fr`lister aussi les blobs, dans FICHIER.inventory à côté de --out`,
  ]);
  redact: 'names' | undefined = flag.choice(
    '--redact',
    ['names'],
    ['leave the names and versions of the recipes out', fr`omettre les noms et les versions des recettes`],
  );
  forward: boolean = flag.present('--forward', [
    'also write the last receipts of the zones that this zone delivers to into the file of --out, one a line',
    fr`écrire aussi les derniers reçus des zones que cette zone livre dans le fichier de --out, un par ligne`,
  ]);
  out: string | undefined = flag.text(
    '--out',
    [
      'write the receipt into this new file too; - is standard output',
      fr`écrire aussi le reçu dans ce nouveau fichier ; - désigne la sortie standard`,
    ],
    'file',
  );

  protected override get flags(): Record<string, string | undefined> {
    return { ...super.flags, zone: this.zone };
  }

  protected override get repeatedFlags(): Readonly<Record<string, string | undefined>> {
    return { ...super.repeatedFlags, '--zone': this.zone };
  }

  async run(): Promise<number> {
    const { out } = this;
    if (this.inventory && out === undefined)
      throw new CommandLineError([
        '--inventory writes a file beside that of --out: use both',
        fr`--inventory écrit un fichier à côté de celui de --out : utilisez les deux`,
      ]);
    if (this.forward && out === undefined)
      throw new CommandLineError([
        '--forward adds to the file of --out: use both',
        fr`--forward complète le fichier de --out : utilisez les deux`,
      ]);
    const isPiped = out === '-';
    if (isPiped && (this.inventory || this.format === 'json'))
      throw new CommandLineError([
        '--out - writes the receipt alone to standard output: leave --inventory and --output json out',
        fr`--out - écrit le reçu seul sur la sortie standard : retirez --inventory et --output json`,
      ]);
    // before a number is used
    for (const path of out === undefined || isPiped
      ? []
      : [out, ...(this.inventory ? [`${out}.inventory`] : [])])
      if (existsSync(path)) throw svcError('SVC-FIL-006', { path, kept: 'yes' });
    const loaded = await this.loadConfig('receipt-write');
    const { config } = loaded;
    const { findOwnZone } = await import('../../src/config/find-own-zone.ts');
    const zone = await findOwnZone(loaded, this.context.env, this.configPath);
    // the registry and the key are those of the zone of the configuration
    if (zone !== undefined) throw svcError('SVC-RCP-004', { zone, asked: config.zone });
    // before the registry is asked: a wrong password is the most frequent mistake
    const signer = await this.#openKey(config);
    const written = await this.#write(config, signer);
    const files = await this.#save(written, config.state.root);
    const { toReceiptSummary } = await import('../../src/view/receipts.ts');
    const summary = toReceiptSummary(written.receipt, { own: true, verified: true, now: systemClock.wall() });
    const notPresent = written.recipes.filter(({ state }) => state !== 'present');
    if (this.format === 'json') await this.printDocument({ receipt: summary, ...files, notPresent });
    else {
      const { isServed } = await import('../../src/attest/receipt.ts');
      const { renderRecipeState, renderWritten } = await import('./render-receipt.ts');
      this.printLine(renderWritten(summary));
      const { recipes } = written;
      const notServed = recipes.filter((one) => !isServed(one));
      this.printNotes(notServed.map((one) => renderRecipeState(one, recipes, this.language)).join(''));
      if (isPiped) return 0;
      this.context.stdout.write(
        Object.values(files)
          .map((file) => `${file}\n`)
          .join(''),
      );
    }
    await this.suggestNext(
      [
        'carry the file to the source of the deliveries, and add it there:',
        fr`portez le fichier à la source des livraisons, et ajoutez-le là-bas :`,
      ],
      `svc receipt add ${toShellWord(files.file)}`,
    );
    return 0;
  }

  async #openKey(config: ConfigFor<'receipt-write'>): Promise<Signer> {
    const file = this.key ?? config.signing.keyFile;
    if (file === undefined)
      throw new CommandLineError([
        'no key: use --key, or set signing.keyFile',
        fr`pas de clé : utilisez --key, ou définissez signing.keyFile`,
      ]);
    return this.openSigner(file, config, this.key === undefined ? config.signing.passwordFile : undefined);
  }

  async #write(config: ConfigFor<'receipt-write'>, signer: Signer): Promise<WrittenReceipt> {
    const { openContext } = await import('../../src/operation/context.ts');
    const { writeReceipt } = await import('../../src/operation/zone/write-receipt.ts');
    const { measureOwnRegistry } = await import('../../src/operation/zone/measure-own-registry.ts');
    const { toPromptContext } = await import('../../src/operation/prompt-registry.ts');
    const { openProgress } = await import('../cli/progress.ts');
    const { language, actor, deep, inventory } = this;
    const { env, signal, stderr } = this.context;
    using progress = openProgress({ stderr, language });
    const report = await this.openReport(progress);
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const label = say(['looking at recipes', fr`examen des recettes`], language);
    let seen = 0;
    const writing = writeReceipt(toPromptContext(context), {
      signer,
      actor,
      deep,
      inventory,
      freeBytes: await measureOwnRegistry(config),
      withholdsNames: this.redact === 'names',
      signal,
      onRecipe: () => {
        seen += 1;
        progress.update({ label, bytesDone: 0, items: `${seen}` });
      },
    });
    return await writing.catch((error) => {
      if (isSvcError(error, 'SVC-REG-002'))
        this.warn([
          'no receipt was written, and no number was used: when the registry answers, run svc receipt write again with the same flags',
          fr`aucun reçu n’a été écrit, et aucun numéro n’a été utilisé : quand le registre répondra, relancez svc receipt write avec les mêmes options`,
        ]);
      throw error;
    });
  }

  /** The own receipt with those of deeper zones, one a line. */
  async #join({ bytes, receipt: { zone } }: WrittenReceipt['receipt'], stateRoot: string): Promise<Buffer> {
    const { joinReceipts } = await import('../../src/attest/receipt-file.ts');
    const { readForwarded } = await import('../../src/operation/zone/forward-receipts.ts');
    const own = joinReceipts([bytes]);
    const { bytes: others, left } = await readForwarded(stateRoot, zone, receiptLimits.file - own.length);
    if (left.length > 0)
      this.warn([
        `the file has no room for the receipts of ${left.length} zones, such as ${left[0]!}`,
        fr`le fichier n’a pas de place pour les reçus de ${left.length} zones, dont ${left[0]!}`,
      ]);
    return Buffer.concat([own, others]);
  }

  /** Writes the copies. @returns the path of the receipt, and of the inventory */
  async #save(
    { receipt, inventory }: WrittenReceipt,
    stateRoot: string,
  ): Promise<{ readonly file: string; readonly inventory?: string }> {
    const { writeNewFile } = await import('../../src/disk/atomic-file.ts');
    const write = async (path: string, bytes: Buffer): Promise<string> => {
      if (await writeNewFile(path, bytes, 0o666)) return path;
      throw svcError('SVC-FIL-006', { path, kept: 'yes' });
    };
    const { out } = this;
    if (out === undefined) return { file: receipt.path };
    const bytes = this.forward ? await this.#join(receipt, stateRoot) : receipt.bytes;
    if (out === '-') {
      this.context.stdout.write(bytes);
      return { file: receipt.path };
    }
    const file = await write(out, bytes);
    return inventory ? { file, inventory: await write(`${out}.inventory`, inventory.bytes) } : { file };
  }
}

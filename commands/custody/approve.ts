import { escapeText } from '../../src/text/escape.ts';
import { fr, speak } from '../../src/text/language.ts';
import { getBuildInfo } from '../build-info.ts';
import { actAsOwner } from '../cli/act-as-owner.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { KeyCommand } from '../key/key-command.ts';

export class CustodyApproveCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Signs that you approve a recipe of the store, keeps the statement in the state folder, and appends it to the custody ledger. It does not replace the signature of the recipe: no zone accepts a recipe for it. cosign verify-blob-attestation verifies it with --type urn:svc:approval:v1.',
        fr`Signe que vous approuvez une recette du stockage, garde la déclaration dans le dossier d’état, et l’ajoute au journal de garde. Elle ne remplace pas la signature de la recette : aucune zone n’accepte une recette pour elle. cosign verify-blob-attestation la vérifie avec --type urn:svc:approval:v1.`,
      ],
      [
        'Exit code: 0 approved, 1 failure or an unknown recipe, 3 a key inside the store, 4 the ledger is broken at its end.',
        fr`Code de sortie : 0 approuvée, 1 échec ou recette inconnue, 3 clé dans le stockage, 4 journal de garde rompu à sa fin.`,
      ],
    ],
    examples: [
      [
        ['Approve a version', fr`Approuver une version`],
        'svc custody approve shop@1.4.0 --key board.key --key-password-file board.password',
      ],
    ],
  };

  recipe: string = argument.text(['recipe', fr`recette`]);
  key: string | undefined = flag.text(
    '--key',
    ['private key that signs (signing.keyFile)', fr`clé privée qui signe (signing.keyFile)`],
    'file',
  );

  async run(): Promise<number> {
    const { recipe, actor } = this;
    const { config } = await this.loadConfig('custody');
    const file = this.key ?? config.signing.keyFile;
    if (file === undefined)
      throw new CommandLineError([
        'no key: use --key, or set signing.keyFile',
        fr`pas de clé : utilisez --key, ou définissez signing.keyFile`,
      ]);
    const { approveRecipe } = await import('../../src/operation/custody/approve-recipe.ts');
    const { requireSetting } = await import('../../src/base/require-setting.ts');
    const { peekStore } = await import('../../src/store/opening/open-store.ts');
    const { svcError } = await import('../../src/text/error.ts');
    const signer = await this.openSigner(
      file,
      config,
      this.key === undefined ? config.signing.passwordFile : undefined,
    );
    const report = await this.openReport();
    const root = requireSetting('storage.root', config.storage.root);
    const { version } = getBuildInfo();
    await using store = await peekStore({ root, producer: { version }, report });
    if (store === undefined) throw svcError('SVC-STO-001', { path: root, problem: 'unmade' });
    actAsOwner(config.state.root);
    const approved = await approveRecipe({ config, report }, { recipe, store, signer, actor });
    if (this.format === 'json') await this.printDocument(approved);
    else {
      const say = speak(this.language);
      const path = escapeText(approved.statement);
      this.printReport(say(`${recipe} is approved: ${path}\n`, fr`${recipe} est approuvée : ${path}\n`));
    }
    return 0;
  }
}

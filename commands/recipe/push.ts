import type { PublishedRecipe } from '../../src/contract/recipe.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import type { Context } from '../../src/operation/context.ts';
import type { SignedRecipe } from '../../src/operation/recipe/sign-recipe.ts';
import type { Signer } from '../../src/signing/signer.ts';
import { fr } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { KeyCommand } from '../key/key-command.ts';
import { documentLimit } from './document-limit.ts';
import { renderSigned, renderToSign } from './render-signed.ts';

export class RecipePushCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Validates the document and publishes it as an artifact at <registry>/<cookbook>/<name>:<version>, which must match the document. Publishing the same document again succeeds; a different document under a published version is refused. With --output text, only the digest is printed.',
        fr`Valide le document et le publie comme artefact sous <registre>/<livre de recettes>/<nom>:<version>, qui doit correspondre au document. Publier de nouveau le même document réussit ; un document différent sous une version déjà publiée est refusé. Avec --output text, seule l’empreinte est affichée.`,
      ],
      [
        'Publishing does not approve a recipe. A signature does, that of svc recipe sign or of cosign; --sign-key publishes and signs in one step.',
        fr`Publier n’approuve pas une recette. Une signature le fait, celle de svc recipe sign ou de cosign ; --sign-key publie et signe en une étape.`,
      ],
      [
        'Exit code: 0 published, now or earlier, 1 failure, 3 refused by policy: the version exists with other content, the host is not on the allowlist, or the key is inside the store.',
        fr`Code de sortie : 0 publiée, maintenant ou auparavant, 1 échec, 3 refus par la politique : la version existe avec un autre contenu, l’hôte n’est pas dans la liste autorisée, ou la clé est dans le stockage.`,
      ],
    ],
    examples: [
      [
        ['Publish, and print the digest', fr`Publier, et afficher l’empreinte`],
        'svc recipe push shop.yaml registry.example/cookbook/shop:1.4.0',
      ],
      [
        ['Publish and sign in a pipeline', fr`Publier et signer dans une chaîne de traitement`],
        'svc recipe push shop.yaml registry.example/cookbook/shop:1.4.0 --sign-key release.key',
      ],
    ],
  };

  signKey: string | undefined = flag.text(
    '--sign-key',
    [
      'sign the published recipe with this private key, as svc recipe sign does',
      fr`signer la recette publiée avec cette clé privée, comme svc recipe sign`,
    ],
    'file',
  );
  file: string = argument.text(['file', fr`fichier`], 'file');
  reference: string = argument.text(['reference', fr`référence`]);

  async run(): Promise<number> {
    const { parseRecipePlace } = await import('../../src/engine/publish/recipe-place.ts');
    if (!isPlace(parseRecipePlace, this.reference) && isPlace(parseRecipePlace, this.file))
      throw new CommandLineError([
        `the file comes first: svc recipe push ${toShellWord(this.reference)} ${toShellWord(this.file)}`,
        fr`le fichier vient d’abord : svc recipe push ${toShellWord(this.reference)} ${toShellWord(this.file)}`,
      ]);
    await parseArgument(
      ['<registry>/<cookbook>/<name>:<version>', fr`<registre>/<livre de recettes>/<nom>:<version>`],
      this.reference,
      parseRecipePlace,
    );
    const { config } = await this.loadConfig('recipe-push');
    if (this.signKey === undefined && (this.keyPasswordFile !== undefined || this.passwordStdin))
      throw new CommandLineError([
        'a password is given, and no key: use --sign-key',
        fr`un mot de passe est donné, mais pas de clé : utilisez --sign-key`,
      ]);
    // before anything is published
    const signer = this.signKey === undefined ? undefined : await this.openSigner(this.signKey, config);
    if (signer !== undefined) await this.warnUntrusted(signer, config);
    const document = await readBounded(this.file, documentLimit);
    const report = await this.openReport();
    const { openContext } = await import('../../src/operation/context.ts');
    const { publishRecipe } = await import('../../src/operation/recipe/publish-recipe.ts');
    await using context = await openContext(config, {
      report,
      version: getBuildInfo().version,
      env: this.context.env,
    });
    const { file, reference, actor } = this;
    const { signal, stdout } = this.context;
    const published = await publishRecipe(context, { document, file, reference, actor, signal });
    const signed = signer && (await this.#sign(context, published, signer));
    if (this.format === 'json') await this.printDocument({ ...published, ...(signed ? { signed } : {}) });
    else {
      if (published.unchanged)
        this.printLine([
          `svc: ${published.reference} is already published with the same content`,
          fr`svc: ${published.reference} est déjà publié avec le même contenu`,
        ]);
      stdout.write(`${published.digest}\n`);
      if (!signed) await this.#suggestSigning(published.digest, config.signing.keyFile);
    }
    return 0;
  }

  /** Signs the published recipe, by its digest. */
  async #sign(
    context: Pick<Context, 'registry' | 'report'>,
    { digest }: PublishedRecipe,
    signer: Signer,
  ): Promise<SignedRecipe> {
    const { signRecipe } = await import('../../src/operation/recipe/sign-recipe.ts');
    const signed = await signRecipe(context, {
      reference: `${this.#repository}@${digest}`,
      actor: this.actor,
      signer,
      layout: 'bundle',
      onRead: (recipe) => this.printLine(renderToSign(recipe)),
      signal: this.context.signal,
    });
    this.printLine(renderSigned(signed));
    return signed;
  }

  get #repository(): string {
    return this.reference.slice(0, this.reference.lastIndexOf(':'));
  }

  /** Shows a person at a terminal how the published recipe is signed. */
  async #suggestSigning(digest: string, keyFile: string | undefined): Promise<void> {
    const sign = `svc recipe sign ${this.#repository}@${digest}`;
    if (keyFile !== undefined)
      await this.suggestNext(
        ['sign it with the key of signing.keyFile:', fr`signez-la avec la clé de signing.keyFile :`],
        sign,
      );
    else
      await this.suggestNext(
        [
          'sign it with your key; a key with a password needs --key-password-file FILE, whose first line is that password:',
          fr`signez-la avec votre clé ; une clé qui a un mot de passe demande --key-password-file FICHIER, dont la première ligne est ce mot de passe :`,
        ],
        `${sign} --key release.key`,
      );
  }
}

/** Whether a text is the place of a recipe in a cookbook. */
function isPlace(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

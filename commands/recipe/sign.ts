import { type SignatureLayout, signatureLayouts } from '../../src/attest/payload.ts';
import type { ConfigFor } from '../../src/config/requirements.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { parseReference } from '../../src/oci/reference.ts';
import type { RecipeToSign, SignedRecipe } from '../../src/operation/recipe/sign-recipe.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { KeyCommand } from '../key/key-command.ts';
import { readPublicKey } from '../trust/read-key.ts';
import { renderSigned, renderToSign } from './render-signed.ts';

/** Maximum size of a payload or signature in bytes. */
const foreignLimit = 64 << 10;

type SignConfig = ConfigFor<'recipe-sign'>;

export class RecipeSignCommand extends KeyCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Fetches the recipe, checks it, shows what it is, and signs its digest as cosign does, in the registry. A tag is resolved once. Other signatures are kept; signing again with the same key changes nothing. The key of --key, else of signing.keyFile, is PKCS #8 or a key of cosign, plain or encrypted. Nothing is contacted but the registry.',
        fr`Lit la recette, la contrôle, montre ce qu’elle est, et signe son empreinte comme le fait cosign, dans le registre. Une étiquette est résolue une seule fois. Les autres signatures sont conservées ; signer de nouveau avec la même clé ne change rien. La clé est celle de --key, sinon signing.keyFile : PKCS #8 ou une clé de cosign, en clair ou chiffrée. Seul le registre est contacté.`,
      ],
      [
        'A key in hardware or in a key service signs in two steps. With --payload-out, the exact bytes to sign are written; your own tool signs them; with --payload, --signature and --key-pub, the signature is checked and attached. A signature may be binary or base64.',
        fr`Une clé dans un matériel ou dans un service de clés signe en deux étapes : --payload-out écrit les octets exacts à signer, votre propre outil les signe, puis --payload, --signature et --key-pub contrôlent la signature et l’attachent. Une signature peut être binaire ou en base64.`,
      ],
      [
        'Exit code: 0 signed, now or earlier, 1 failure, 3 refused by policy, such as a host that is not on the allowlist or a key inside the store, 4 the content is no recipe or the signature does not belong to it.',
        fr`Code de sortie : 0 signée, maintenant ou auparavant, 1 échec, 3 refus par la politique, par exemple un hôte hors de la liste autorisée ou une clé dans le stockage, 4 le contenu n’est pas une recette ou la signature ne lui appartient pas.`,
      ],
    ],
    examples: [
      [
        ['Sign with a key file', fr`Signer avec un fichier de clé`],
        'svc recipe sign registry.example/cookbook/shop:1.4.0 --key release.key',
      ],
      [
        ['Write what a hardware key signs', fr`Écrire ce que signe une clé matérielle`],
        'svc recipe sign registry.example/cookbook/shop:1.4.0 --payload-out shop.payload',
      ],
      [
        ['Attach its signature', fr`Attacher sa signature`],
        'svc recipe sign registry.example/cookbook/shop:1.4.0 --payload p --signature s --key-pub release.pub',
      ],
    ],
  };

  key: string | undefined = flag.text(
    '--key',
    ['private key that signs (signing.keyFile)', fr`clé privée qui signe (signing.keyFile)`],
    'file',
  );
  layout: SignatureLayout | undefined = flag.choice('--layout', signatureLayouts, [
    'bundle (default), or classic for verifiers older than cosign 3',
    fr`bundle (par défaut), ou classic pour les vérificateurs antérieurs à cosign 3`,
  ]);
  payloadOut: string | undefined = flag.text(
    '--payload-out',
    [
      'write the bytes to sign into this new file, and sign nothing',
      fr`écrire les octets à signer dans ce nouveau fichier, et ne rien signer`,
    ],
    'file',
  );
  payload: string | undefined = flag.text(
    '--payload',
    ['file that --payload-out wrote', fr`fichier écrit par --payload-out`],
    'file',
  );
  signature: string | undefined = flag.text(
    '--signature',
    ['signature over --payload, binary or base64', fr`signature de --payload, binaire ou en base64`],
    'file',
  );
  keyPub: string | undefined = flag.text(
    '--key-pub',
    ['public key of --signature', fr`clé publique de --signature`],
    'file',
  );
  reference: string = argument.text(['reference', fr`référence`]);

  async run(): Promise<number> {
    const { layout } = this;
    const way = this.#selectWay();
    await parseArgument(
      ['<registry>/<cookbook>/<name>:<version>', fr`<registre>/<livre de recettes>/<nom>:<version>`],
      this.reference,
      parseReference,
    );
    const { config } = await this.loadConfig('recipe-sign');
    if (way === 'payload') await this.#writePayload(config, layout ?? 'bundle');
    else if (way === 'attach') await this.#attach(config, layout);
    else await this.#sign(config, layout ?? 'bundle');
    return 0;
  }

  /** Which of the three ways the flags select. @throws CommandLineError for flags of two of them */
  #selectWay(): 'sign' | 'payload' | 'attach' {
    const attaching = [this.payload, this.signature, this.keyPub];
    const isAttaching = attaching.some((flag) => flag !== undefined);
    const isWriting = this.payloadOut !== undefined;
    if (isAttaching && attaching.includes(undefined))
      throw new CommandLineError([
        '--payload, --signature and --key-pub belong together',
        fr`--payload, --signature et --key-pub vont ensemble`,
      ]);
    const usesKey = this.key !== undefined || this.keyPasswordFile !== undefined || this.passwordStdin;
    if (Number(isAttaching) + Number(isWriting) + Number(usesKey) > 1)
      throw new CommandLineError([
        'use either a key (--key), or --payload-out, or --payload with --signature and --key-pub',
        fr`utilisez soit une clé (--key), soit --payload-out, soit --payload avec --signature et --key-pub`,
      ]);
    return isAttaching ? 'attach' : isWriting ? 'payload' : 'sign';
  }

  async #sign(config: SignConfig, layout: SignatureLayout): Promise<void> {
    const file = this.key ?? config.signing.keyFile;
    if (file === undefined)
      throw new CommandLineError([
        'no key: use --key, set signing.keyFile, or sign elsewhere with --payload-out',
        fr`pas de clé : utilisez --key, définissez signing.keyFile, ou signez ailleurs avec --payload-out`,
      ]);
    const configured = this.key === undefined ? config.signing.passwordFile : undefined;
    // before the registry is contacted: a wrong password is the most frequent mistake
    const signer = await this.openSigner(file, config, configured);
    await this.warnUntrusted(signer, config);
    const { signRecipe } = await import('../../src/operation/recipe/sign-recipe.ts');
    await using context = await this.#openContext(config);
    await this.#print(await signRecipe(context, { ...this.#input, signer, layout }));
  }

  async #attach(config: SignConfig, layout: SignatureLayout | undefined): Promise<void> {
    const file = this.signature!;
    const foreign = {
      payload: await readBounded(this.payload!, foreignLimit),
      signature: await readBounded(file, foreignLimit),
      key: await readPublicKey(this.keyPub!),
      file,
    };
    const { attachForeign } = await import('../../src/operation/recipe/sign-recipe.ts');
    await using context = await this.#openContext(config);
    await this.#print(await attachForeign(context, { ...this.#input, foreign, layout }));
  }

  async #writePayload(config: SignConfig, layout: SignatureLayout): Promise<void> {
    const file = this.payloadOut!;
    const { preparePayload } = await import('../../src/operation/recipe/sign-recipe.ts');
    const { writeNewFile } = await import('../../src/disk/atomic-file.ts');
    await using context = await this.#openContext(config);
    const { reference } = this;
    const { signal } = this.context;
    const { recipe, payload } = await preparePayload(context, { reference, layout, signal });
    this.#show(recipe);
    if (!(await writeNewFile(file, payload.signed, 0o666)))
      throw svcError('SVC-FIL-006', { path: file, kept: 'yes' });
    if (this.format === 'json') await this.printDocument({ ...recipe, layout, payload: file });
    else this.context.stdout.write(`${recipe.digest}\n`);
    const flags = this.configPath === undefined ? '' : ` --config ${toShellWord(this.configPath)}`;
    await this.#suggest(
      [
        'sign exactly the bytes of this file, then attach the signature with:',
        fr`signez exactement les octets de ce fichier, puis attachez la signature avec :`,
      ],
      `svc recipe sign ${recipe.reference} --payload ${toShellWord(file)} --signature FILE --key-pub FILE${flags}`,
    );
  }

  get #input() {
    const { reference, actor } = this;
    return {
      reference,
      actor,
      signal: this.context.signal,
      onRead: (recipe: RecipeToSign) => this.#show(recipe),
    };
  }

  async #openContext(config: SignConfig) {
    const { openContext } = await import('../../src/operation/context.ts');
    const { version } = getBuildInfo();
    return openContext(config, { report: await this.openReport(), version, env: this.context.env });
  }

  #show(recipe: RecipeToSign): void {
    this.printLine(renderToSign(recipe));
  }

  async #print(signed: SignedRecipe): Promise<void> {
    if (this.format === 'json') await this.printDocument(signed);
    else {
      this.printLine(renderSigned(signed));
      this.context.stdout.write(`${signed.digest}\n`);
    }
    await this.#suggest(
      [
        'a zone whose trust roots include this key accepts it; look at what it would bring:',
        fr`une zone dont les racines de confiance incluent cette clé l’accepte ; regardez ce qu’elle apporterait :`,
      ],
      'svc sync --dry-run',
    );
  }

  /** Shows a person at a terminal the next command. */
  async #suggest(sentence: Parameters<typeof this.suggestNext>[0], command: string): Promise<void> {
    const { stderr } = this.context;
    if (stderr.isTTY !== true || this.format !== 'text') return;
    const { printNext } = await import('../cli/print-next.ts');
    printNext(stderr, [{ sentence, command }], this.language);
  }
}

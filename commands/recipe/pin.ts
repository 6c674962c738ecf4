import {
  type PinChoices,
  type PinResult,
  pinRecipe,
  sayFindings,
  type VendorTarget,
} from '../../src/authoring/door.ts';
import type { Config } from '../../src/config/model.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { type Platform, parsePlatform } from '../../src/oci/platform.ts';
import { recipeVersionRule } from '../../src/recipe/metadata.ts';
import { exitCodes, selectPrincipal, toExitCode } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { toRuleSentence } from '../cli/sentence-error.ts';
import { getWidth } from '../render/width.ts';
import { documentLimit } from './document-limit.ts';
import { writeDocument } from './write-document.ts';

/** Errors of a registry that could not be asked. */
const unreached: ReadonlySet<string> = new Set<ErrorCode>(['SVC-REG-002', 'SVC-NET-001']);

export class RecipePinCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Asks the registries which tag each constraint selects and which digest each tag has, reads each manifest by its digest and hashes it, checks that images have their platforms, and sets version and digest in the document. Comments, order and all other bytes stay. An ingredient that has an exact tag and a digest stays as it is, unless its tag is asked for again with --update; its registry must have the digest, with the platforms. A tag that names another digest by now, or is gone, is a warning. Sets the annotation recipe.tobby.dev/cooked-at.',
        fr`Demande aux registres quelle étiquette chaque contrainte sélectionne et quelle empreinte a chaque étiquette, lit chaque manifeste par son empreinte et la recalcule, contrôle que les images ont leurs plateformes, et écrit version et empreinte dans le document. Les commentaires, l’ordre et tous les autres octets restent. Un ingrédient qui a une étiquette exacte et une empreinte reste tel quel, sauf si --update redemande son étiquette ; son registre doit avoir l’empreinte, avec les plateformes. Une étiquette qui désigne entre-temps une autre empreinte, ou qui a disparu, est un avertissement. L’annotation recipe.tobby.dev/cooked-at en garde la date.`,
      ],
      [
        'Replaces the document, or writes a new file, --out, and leaves the draft with its constraints. Nothing is written unless every ingredient can be pinned; every one that cannot is named. A registry that gives no answer for 30 seconds is named, and is not asked for the other ingredients. Where registries cannot be reached, svc recipe lint checks the document alone.',
        fr`Remplace le document, ou écrit dans --out et laisse le brouillon avec ses contraintes. Rien n’est écrit si un ingrédient ne peut pas être figé ; tous ceux qui ne le peuvent pas sont nommés. Un registre qui ne répond pas pendant 30 secondes est nommé, et n’est plus interrogé pour les autres ingrédients. Là où des registres sont hors d’atteinte, svc recipe lint contrôle le document seul.`,
      ],
      [
        'A chart with vendorDependencies: true needs --vendor-to: the dependencies that it declares and does not embed are fetched from the repositories that it names, and the chart is pushed with them below that repository, as helm push does. Version, digest and ref of the ingredient are then those of this chart, and the annotation recipe.tobby.dev/upstream-digest.<ingredient> keeps the digest of the chart without them. A version that the repository has with other content is refused. With --check, nothing is pushed.',
        fr`Un chart avec vendorDependencies: true exige --vendor-to : les dépendances qu’il déclare sans les embarquer sont prises des dépôts qu’il nomme, et le chart est poussé avec elles sous ce dépôt, comme le fait helm push. La version, l’empreinte et le ref de l’ingrédient sont alors ceux de ce chart, et l’annotation recipe.tobby.dev/upstream-digest.<ingrédient> garde l’empreinte du chart sans elles. Une version que le dépôt a avec un autre contenu est refusée. Avec --check, rien n’est poussé.`,
      ],
      [
        'Exit code: 0 success, 1 failure, 3 a host is not on the allowlist, 4 a registry serves other content than the digest it names, or content of another kind, 5 with --check, when the document would change.',
        fr`Code de sortie : 0 succès, 1 échec, 3 un hôte n’est pas dans la liste autorisée, 4 un registre sert un autre contenu que l’empreinte qu’il nomme, ou un contenu d’un autre type, 5 avec --check, si le document changerait.`,
      ],
    ],
    examples: [
      [
        ['Pin a draft into another file', fr`Figer un brouillon dans un autre fichier`],
        'svc recipe pin shop.yaml --set-version 1.4.0 --out shop-1.4.0.yaml',
      ],
      [
        ['Ask for the tag of one ingredient again', fr`Redemander l’étiquette d’un ingrédient`],
        'svc recipe pin shop-1.4.0.yaml --update=web',
      ],
      [
        ['Push charts with their dependencies', fr`Pousser des charts avec leurs dépendances`],
        'svc recipe pin shop.yaml --vendor-to registry.example/charts --out shop-1.4.0.yaml',
      ],
      [
        [
          'In a pipeline, a check that everything is pinned',
          fr`Dans un pipeline, le contrôle que tout est figé`,
        ],
        'svc recipe pin shop-1.4.0.yaml --check',
      ],
    ],
  };

  draft: string = argument.text(['draft', fr`brouillon`], 'file');
  out: string | undefined = flag.text(
    '--out',
    [
      'file to write the pinned document to, which must not exist; default: replace the draft',
      fr`fichier où écrire le document figé, qui ne doit pas exister ; sinon, remplace le brouillon`,
    ],
    'file',
  );
  platforms: string[] = flag.each(
    '--platform',
    [
      'platform of the images that name none, os/arch[/variant]; repeatable',
      fr`plateforme des images qui n’en nomment pas, os/arch[/variante] ; répétable`,
    ],
    'platform',
  );
  update: string | boolean | undefined = flag.optional('--update', [
    'ask for pinned tags again: of all ingredients, or of those in --update=NAME[,NAME]',
    fr`redemande les étiquettes figées : de tous les ingrédients, ou de ceux de --update=NOM[,NOM]`,
  ]);
  setVersion: string | undefined = flag.text('--set-version', [
    'version of the recipe in the pinned document',
    fr`version de la recette dans le document figé`,
  ]);
  vendorTo: string | undefined = flag.text(
    '--vendor-to',
    [
      'repository below which charts are pushed with their dependencies, <registry>/<path>',
      fr`dépôt sous lequel les charts sont poussés avec leurs dépendances, <registre>/<chemin>`,
    ],
    'cookbook',
  );
  check: boolean = flag.present('--check', [
    'write nothing; exit with 5 when the document would change',
    fr`n’écrit rien ; se termine avec 5 si le document changerait`,
  ]);

  async run(): Promise<number> {
    const choices = this.#readChoices();
    const vendorTo = await this.#readTarget();
    const { requireNew } = await import('./write-new.ts');
    if (this.out !== undefined) await requireNew(this.out);
    const { config } = await this.loadConfig('recipe-read');
    const document = await readBounded(this.draft, documentLimit);
    const report = await this.openReport();
    const { openContext } = await import('../../src/operation/context.ts');
    const { env, signal } = this.context;
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const result = await pinRecipe(context, { ...choices, vendorTo, document, file: this.draft, signal });
    signal.throwIfAborted();
    const written = await this.#write(result, document);
    await this.#print(result, written, config);
    const principal = selectPrincipal(result.problems.map(({ error }) => error));
    if (principal !== undefined) return toExitCode(principal);
    return this.check && result.outcome === 'changed' ? exitCodes['changes-planned'] : exitCodes.ok;
  }

  /** @throws CommandLineError */
  #readChoices(): Omit<PinChoices, 'cookedAt'> {
    const { setVersion, update } = this;
    const broken = setVersion === undefined ? undefined : recipeVersionRule(setVersion);
    if (broken !== undefined)
      throw new CommandLineError(
        toRuleSentence(rule(['--set-version {broken}', fr`--set-version {broken}`], { broken })),
      );
    if (this.check && this.out !== undefined)
      throw new CommandLineError([
        '--check writes nothing: it cannot be used with --out',
        fr`--check n’écrit rien : elle est incompatible avec --out`,
      ]);
    const platforms = this.platforms.map((text): Platform => {
      const platform = parsePlatform(text);
      if (platform !== undefined) return platform;
      throw new CommandLineError([
        `'${text}' is not a platform, os/arch[/variant]`,
        fr`« ${text} » n’est pas une plateforme, os/arch[/variante]`,
      ]);
    });
    return {
      platforms,
      version: setVersion,
      update:
        typeof update === 'string'
          ? update.split(',').filter((name) => name !== '')
          : update
            ? 'all'
            : 'none',
    };
  }

  /** @throws CommandLineError */
  async #readTarget(): Promise<VendorTarget | undefined> {
    if (this.vendorTo === undefined) return undefined;
    const { toRepositoryBase } = await import('../../src/oci/repository-base.ts');
    const { parseArgument } = await import('../cli/parse-argument.ts');
    await parseArgument(['<registry>/<path>', fr`<registre>/<chemin>`], this.vendorTo, toRepositoryBase);
    return { repository: this.vendorTo, actor: this.actor, dryRun: this.check };
  }

  /** @returns the file that was written */
  async #write({ document, outcome }: PinResult, read: Buffer): Promise<string | undefined> {
    if (document === undefined || this.check) return undefined;
    if (this.out !== undefined) {
      const { writeNew } = await import('./write-new.ts');
      await writeNew(this.out, document);
      return this.out;
    }
    if (outcome === 'unchanged') return undefined;
    await writeDocument(this.draft, document, read);
    return this.draft;
  }

  /** Says that the draft is gone, which no flag asked for. */
  #tellWritten(written: string | undefined): void {
    if (written === undefined || this.out !== undefined) return;
    this.printLine([
      `svc: ${written} was overwritten: it has the pins now, not the constraints (--out keeps the draft)`,
      fr`svc: ${written} a été remplacé : il contient les empreintes au lieu des contraintes (--out conserve le brouillon)`,
    ]);
  }

  /** Names the checks that need none of the registries that gave no answer. */
  #tellLint({ problems }: Pick<PinResult, 'problems'>, flags: string): void {
    if (!problems.some(({ error }) => unreached.has(error.code))) return;
    const command = `svc recipe lint ${toShellWord(this.draft)}${flags}`;
    this.printLine([
      `svc: to check the document without its registries: ${command}`,
      fr`svc: pour contrôler le document sans ses registres : ${command}`,
    ]);
  }

  async #print(
    { document: _, ...result }: PinResult,
    written: string | undefined,
    config: Pick<Config, 'retriever'>,
  ): Promise<void> {
    const { language } = this;
    const { words } = await import('../../src/text/words/words.ts');
    const { renderPin, renderPinFindings, renderPinProblems } = await import('./render-pin.ts');
    if (result.outcome === 'failed') this.context.stderr.write(renderPinProblems(result, language));
    const flags = await this.withRepeatedFlags('');
    this.#tellLint(result, flags);
    const { toPinCommandOf } = await import('./pin-command.ts');
    const toPinCommand = toPinCommandOf(this.draft, flags);
    this.context.stderr.write(await renderPinFindings(result, language, toPinCommand));
    if (this.format === 'json')
      return this.printDocument({
        file: this.draft,
        written,
        ...result,
        findings: await sayFindings(result.findings, words.en, toPinCommand),
      });
    if (result.outcome === 'failed') return;
    this.context.stdout.write(renderPin(result, { language, width: getWidth(this.context) }));
    if (this.check) return;
    this.#tellWritten(written);
    const { name, version } = result;
    if (this.context.stderr.isTTY !== true) return;
    const { findWanted } = await import('./find-wanted.ts');
    const cookbook = (await findWanted(config, name))?.cookbook ?? 'registry.example/cookbook';
    await this.suggestNext(
      ['publish it, such as:', fr`publiez-la, par exemple :`],
      `svc recipe push ${toShellWord(written ?? this.draft)} ${cookbook}/${name}:${version}`,
    );
  }
}

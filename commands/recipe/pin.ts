import { Command, Option, type Usage } from 'clipanion';
import type { PinChoices, PinResult } from '../../src/authoring/pin/pin-document.ts';
import type { VendorTarget } from '../../src/authoring/pin/pin-recipe.ts';
import type { Config } from '../../src/config/model.ts';
import { type Platform, parsePlatform } from '../../src/oci/platform.ts';
import { recipeVersionRule } from '../../src/recipe/metadata.ts';
import { exitCodes, selectPrincipal, toExitCode } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { readBounded } from '../cli/read-bounded.ts';
import { toRuleSentence } from '../cli/sentence-error.ts';
import { toShellWord } from '../render/shell-word.ts';
import { getWidth } from '../render/width.ts';
import { documentLimit } from './document-limit.ts';
import { writeDocument } from './write-document.ts';

/** Errors of a registry that could not be asked. */
const unreached: ReadonlySet<string> = new Set<ErrorCode>(['SVC-REG-002', 'SVC-NET-001']);

export class RecipePinCommand extends BaseCommand {
  static override paths: string[][] = [['recipe', 'pin']];
  static override values: Readonly<Record<string, FlagValues>> = { '': 'file', '--out': 'file' };
  static override usage: Usage = Command.Usage({
    description: 'Pin the constraints and tags of a recipe to digests',
    details: `
      Asks the registries which tag each constraint selects and which digest each tag has, reads each manifest by its
      digest and hashes it, checks that images have their platforms, and sets version and digest in the document. Comments,
      order and all other bytes stay. An ingredient that has an exact tag and a digest stays as it is, unless its tag
      is asked for again with --update; its registry must have the digest, with the platforms. A tag that names another
      digest by now, or is gone, is a warning. Sets the annotation recipe.tobby.dev/cooked-at.

      Replaces the document, or writes a new file, --out, and leaves the draft with its constraints. Nothing is written
      unless every ingredient can be pinned; every one that cannot is named. A registry that gives no answer for 30
      seconds is named, and is not asked for the other ingredients. Where registries cannot be reached, svc recipe lint
      checks the document alone.

      A chart with vendorDependencies: true needs --vendor-to: the dependencies that it declares and does not embed
      are fetched from the repositories that it names, and the chart is pushed with them below that repository, as
      helm push does. Version, digest and ref of the ingredient are then those of this chart, and the annotation
      recipe.tobby.dev/upstream-digest.<ingredient> keeps the digest of the chart without them. A version that the
      repository has with other content is refused. With --check, nothing is pushed.

      Exit code: 0 success, 1 failure, 3 a host is not on the allowlist, 4 a registry serves other content than the
      digest it names, or content of another kind, 5 with --check, when the document would change.
    `,
    examples: [
      ['Pin a draft into another file', 'svc recipe pin shop.yaml --set-version 1.4.0 --out shop-1.4.0.yaml'],
      ['Ask for the tag of one ingredient again', 'svc recipe pin shop-1.4.0.yaml --update=web'],
      [
        'Push charts with their dependencies',
        'svc recipe pin shop.yaml --vendor-to registry.example/charts --out shop-1.4.0.yaml',
      ],
      ['In a pipeline: is everything pinned?', 'svc recipe pin shop-1.4.0.yaml --check'],
    ],
  });

  draft: string = Option.String({ name: 'draft', required: true });
  out: string | undefined = Option.String('--out', {
    description: 'file to write the pinned document to, which must not exist; default: replace the draft',
  });
  platforms: string[] = Option.Array('--platform', [], {
    description: 'platform of the images that name none, os/arch[/variant]; repeatable',
  });
  update: string | boolean | undefined = Option.String('--update', {
    tolerateBoolean: true,
    description: 'ask for pinned tags again: of all ingredients, or of those in --update=NAME[,NAME]',
  });
  setVersion: string | undefined = Option.String('--set-version', {
    description: 'version of the recipe in the pinned document',
  });
  vendorTo: string | undefined = Option.String('--vendor-to', {
    description: 'repository below which charts are pushed with their dependencies, <registry>/<path>',
  });
  check: boolean = Option.Boolean('--check', false, {
    description: 'write nothing; exit with 5 when the document would change',
  });

  async run(): Promise<number> {
    const choices = this.#readChoices();
    const vendorTo = await this.#readTarget();
    const { requireNew } = await import('./write-new.ts');
    if (this.out !== undefined) await requireNew(this.out);
    const { config } = await this.loadConfig('recipe-read');
    const document = await readBounded(this.draft, documentLimit);
    const report = await this.openReport();
    const { openContext } = await import('../../src/operation/context.ts');
    const { pinRecipe } = await import('../../src/authoring/pin/pin-recipe.ts');
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
    const { toRepositoryBase } = await import('../../src/authoring/open/repository-base.ts');
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

  /** Says what can be checked without the registries that gave no answer. */
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
    const { sayFinding } = await import('../../src/authoring/lint/say-finding.ts');
    const { words } = await import('../../src/text/words/words.ts');
    const { renderPin, renderPinFindings, renderPinProblems } = await import('./render-pin.ts');
    if (result.outcome === 'failed') this.context.stderr.write(renderPinProblems(result, language));
    const flags = await this.withRepeatedFlags('');
    this.#tellLint(result, flags);
    const { toPinCommandOf } = await import('./pin-command.ts');
    const toPinCommand = toPinCommandOf(this.draft, flags);
    this.context.stderr.write(renderPinFindings(result, language, toPinCommand));
    if (this.format === 'json')
      return this.printDocument({
        file: this.draft,
        ...(written === undefined ? {} : { written }),
        ...result,
        findings: result.findings.map((finding) => sayFinding(finding, words.en, toPinCommand)),
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

import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import type { RecipeDraft } from '../../src/authoring/draft/draft-recipe.ts';
import { readForeignYaml, resolveMerges } from '../../src/authoring/foreign/documents.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { isYamlMap, type YamlMap, yamlLimits } from '../../src/recipe/read-yaml.ts';
import { svcError } from '../../src/text/error.ts';
import { fr, type Sentence, say } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand, type FlagValues } from '../cli/base-command.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { type IndexKind, indexKinds } from '../fileset/index-kinds.ts';
import { toShellWord } from '../render/shell-word.ts';

/** Bytes of standard input and of the file of variables. */
const inputLimit = 67_108_864;
const variablesLimit = 1_048_576;

const stageLabels: Readonly<Record<'read' | 'push', Sentence>> = {
  read: ['packing', fr`empaquetage`],
  push: ['pushing', fr`envoi`],
};

export class RecipeInitCommand extends BaseCommand {
  static override paths: string[][] = [['recipe', 'init']];
  static override values: Readonly<Record<string, FlagValues>> = {
    '--from': 'file',
    '--env-file': 'file',
    '--index': indexKinds,
    '--values': 'file',
    '--out': 'file',
  };
  static override usage: Usage = Command.Usage({
    description: 'Draft a recipe from charts, manifests, compose files and image lists',
    details: `
      Prints a draft: each ingredient has a comment that says where it was found, and what is only proposed is a
      comment as a whole. svc recipe pin turns its tags into digests. What a source names and the draft has not is
      listed on stderr, each with the reason.

      A source is a file, a folder, - (standard input), oci://<registry>/<chart>, https://<chart repository>/<chart>
      or <registry>/<repository>, and is recognised by its content: a list of images, a Helm chart, Kubernetes
      manifests, a compose file, a definition of hauler, zarf, oc-mirror or imgpkg. A prefix forces one: images:,
      chart:, manifests:, compose:, repository:, fileset:, hauler:, zarf:, oc-mirror:, imgpkg:. In all of them nginx means
      docker.io/library/nginx.

      Of a folder, all that is recognised is taken: charts, the compose file, lists of images (files named so),
      manifests. Where a folder holds a chart or the definition of another tool, nothing else in it is read. What is
      left out is listed on stderr. A folder with two compose files or two definitions is refused.

      The images of a chart are those of its annotation artifacthub.io/images and of its values. With --render, they
      are those that the helm on PATH renders, in an empty home, with at most 1 GiB of memory, and without network where
      the system allows it. A copy of the chart is rendered: a link that leads out of its folder is refused. The values
      are not checked against values.schema.json, which could name any file of this machine.

      A recipe names charts of registries. With --push-charts, a chart of this machine or of a classic repository is
      pushed below that repository and becomes an ingredient; otherwise it is listed as not taken.

      With --push-filesets, a folder in which no source is recognised is packed as svc fileset pack does, pushed below
      that repository under its own name, and becomes an ingredient. A folder that has a source beside other files is
      refused: fileset:FOLDER packs it as a whole. The version is that of --tag NAME=VERSION, else the highest release
      that the registry has, else 1.0.0. The same folder under the same version is pushed once; a changed folder needs
      another version. With --index and --gpg-key, a folder of packages gets a signed index before it is packed.

      Exit code: 0 success, 1 nothing was found, or a source cannot be read; nothing is then written.
    `,
    examples: [
      ['A chart and a compose file', 'svc recipe init shop --from ./chart --from compose.yaml > shop.yaml'],
      [
        'What a chart really renders',
        'svc recipe init shop --from ./chart --values prod.yaml --render --out shop.yaml',
      ],
      [
        'Folders of packages, packed and pushed',
        'svc recipe init packages --from debs --from rpms --push-filesets registry.example/filesets --out packages.yaml',
      ],
      ['A list of images, for one platform', 'svc recipe init base --from images.txt --platform linux/amd64'],
      ['Rendered by hand', 'helm template ./chart | svc recipe init shop --from -'],
      ['Releases of a repository', "svc recipe init app --from registry.example/team/app --tags '^1'"],
    ],
  });

  from: string[] = Option.Array('--from', [], { description: 'source to read; repeatable' });
  platforms: string[] = Option.Array('--platform', [], {
    description: 'platform of every image, os/arch[/variant]; repeatable (all)',
  });
  tags: string | undefined = Option.String('--tags', {
    description: 'tags of a repository: a version constraint or a glob (the highest release)',
  });
  envFile: string | undefined = Option.String('--env-file', {
    description: 'file with the variables of compose files, NAME=value on each line',
  });
  valueFiles: string[] = Option.Array('--values', [], {
    description: 'file with values for charts; repeatable, later ones win',
  });
  render: boolean = Option.Boolean('--render', false, {
    description: 'take images of containers that helm template renders; others are proposed',
  });
  findMore: boolean = Option.Boolean('--find-more', false, {
    description: 'propose what looks like an image in arguments, variables and templates',
  });
  tag: string[] = Option.Array('--tag', [], {
    description: 'NAME=TAG, the tag of an ingredient whose source names none; repeatable',
  });
  pushCharts: string | undefined = Option.String('--push-charts', {
    description: 'repository below which charts are pushed, <registry>/<path>',
  });
  pushFilesets: string | undefined = Option.String('--push-filesets', {
    description: 'repository below which folders are packed and pushed, <registry>/<path>',
  });
  index: string[] = Option.Array('--index', [], {
    description: 'make the index of packages in these folders first: apt or rpm; repeatable',
  });
  gpgKey: string | undefined = Option.String('--gpg-key', {
    description: 'fingerprint of the key that signs these indexes',
  });
  out: string | undefined = Option.String('--out', {
    description: 'file to write instead of standard output; it must not exist',
  });
  name: string = Option.String({ name: 'name' });

  async run(): Promise<number> {
    const input = await this.#readFlags();
    const kinds = await this.#readIndexFlags();
    const { requireNew, writeNew } = await import('./write-new.ts');
    // before a chart is pushed
    if (this.out !== undefined) await requireNew(this.out);
    const { config } = await this.loadConfig('recipe-read');
    const { openContext } = await import('../../src/operation/context.ts');
    const { draftRecipe } = await import('../../src/authoring/draft/draft-recipe.ts');
    const { signal, env, stdout } = this.context;
    const { openProgress } = await import('../cli/progress.ts');
    using progress = openProgress({ stderr: this.context.stderr, language: this.language });
    const report = await this.openReport(progress);
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const draft = await draftRecipe(context, {
      ...input,
      variables: await this.#readVariables(),
      values: await this.#readValues(),
      input: this.from.some((source) => /(?:^|:)-$/.test(source)) ? await this.#readInput() : undefined,
      path: env.PATH ?? '',
      prepareFolder: (folder) => this.#prepareFolder(folder, kinds),
      onBytes: (stage, bytesDone, bytesTotal) =>
        progress.update({ label: say(stageLabels[stage], this.language), bytesDone, bytesTotal }),
      actor: this.actor,
      language: this.language,
      signal,
    });
    progress.stop();
    if (this.out !== undefined) await writeNew(this.out, draft.document);
    await this.#tell(draft);
    if (this.format === 'json')
      await this.printDocument(this.out === undefined ? draft : { ...draft, out: this.out });
    else if (this.out === undefined) stdout.write(draft.document);
    if (this.context.stderr.isTTY !== true) return 0;
    const { findWanted } = await import('./find-wanted.ts');
    const version = (await findWanted(config, this.name))?.version ?? '1.0.0';
    await this.suggestNext(
      ['turn its tags into digests:', fr`changez ses étiquettes en empreintes :`],
      `svc recipe pin ${toShellWord(this.out ?? `${this.name}.yaml`)} --set-version ${version} --out ${toShellWord(`${this.name}-${version}.yaml`)}`,
    );
    return 0;
  }

  /** @throws CommandLineError for an invalid flag */
  async #readFlags() {
    const { nameLimit, recipeNameRule } = await import('../../src/recipe/metadata.ts');
    const { parsePlatform } = await import('../../src/oci/platform.ts');
    const { toRepositoryBase } = await import('../../src/authoring/open/repository-base.ts');
    const { parseArgument } = await import('../cli/parse-argument.ts');
    await parseArgument(['the name of a recipe', fr`le nom d’une recette`], this.name, (name) => {
      const broken =
        name.length > nameLimit
          ? rule(['at most {most} characters', fr`au plus {most} caractères`], { most: nameLimit })
          : recipeNameRule(name);
      if (broken !== undefined) throw svcError('SVC-VAL-001', { file: '', rule: broken });
    });
    if (this.from.length === 0 || this.from.includes(''))
      throw new CommandLineError(['name a source with --from', fr`nommez une source avec --from`]);
    const wrong = this.platforms.find((text) => parsePlatform(text) === undefined);
    if (wrong !== undefined)
      throw new CommandLineError([
        `--platform takes os/arch[/variant], such as linux/amd64, not '${wrong}'`,
        fr`--platform prend os/arch[/variant], par exemple linux/amd64, pas « ${wrong} »`,
      ]);
    for (const base of [this.pushCharts, this.pushFilesets])
      if (base !== undefined)
        await parseArgument(['<registry>/<path>', fr`<registre>/<chemin>`], base, toRepositoryBase);
    const { name, from: sources, platforms, tags, render, findMore, pushCharts, pushFilesets } = this;
    return {
      name,
      sources,
      platforms,
      tags,
      render,
      findMore,
      pushCharts,
      pushFilesets,
      namedTags: await this.#readTags(),
    };
  }

  /** @throws CommandLineError for a flag that lacks the others */
  async #readIndexFlags(): Promise<readonly IndexKind[]> {
    const { parseChoice } = await import('../cli/parse-choice.ts');
    const kinds = this.index.map((kind) => parseChoice('--index', kind, indexKinds));
    if (kinds.length > 0 && this.pushFilesets === undefined)
      throw new CommandLineError(['--index needs --push-filesets', fr`--index exige --push-filesets`]);
    if (kinds.length > 0 !== (this.gpgKey !== undefined))
      throw new CommandLineError([
        '--index and --gpg-key need each other; an index that is signed elsewhere is packed with svc fileset pack DIRECTORY NAME:VERSION --check',
        fr`--index et --gpg-key vont ensemble ; un index signé ailleurs s’empaquette avec svc fileset pack DOSSIER NOM:VERSION --check`,
      ]);
    return kinds;
  }

  /** Makes the index of a folder that is packed, as the flags ask. @throws SVC-FIL-001, SVC-FIL-008, SVC-FIL-009 */
  async #prepareFolder(directory: string, kinds: readonly IndexKind[]): Promise<void> {
    const { indexFolder } = await import('../fileset/index-folder.ts');
    const { toFaultLine } = await import('../fileset/fault-sentences.ts');
    const { env, signal } = this.context;
    const { lack, rpms } = await indexFolder({
      directory,
      kinds,
      key: this.gpgKey,
      env,
      signal,
      onFault: (finding) => this.printLine(toFaultLine(directory, finding)),
    });
    const { toLackWarning, toUnsignedNote } = await import('../fileset/pack-notes.ts');
    if (rpms !== undefined && rpms.unsigned > 0) this.printLine(toUnsignedNote(rpms));
    if (lack !== undefined) this.warn(toLackWarning(directory, lack));
  }

  async #readTags(): Promise<ReadonlyMap<string, string>> {
    const { versionRule } = await import('../../src/recipe/reference-rule.ts');
    const tags = new Map<string, string>();
    for (const text of this.tag) {
      const at = text.indexOf('=');
      const version = text.slice(at + 1);
      if (at <= 0 || versionRule(version) !== undefined)
        throw new CommandLineError([
          `--tag takes NAME=TAG, such as nginx=1.27.3, not '${text}'`,
          fr`--tag prend NOM=ÉTIQUETTE, par exemple nginx=1.27.3, pas « ${text} »`,
        ]);
      tags.set(text.slice(0, at), version);
    }
    return tags;
  }

  async #readVariables(): Promise<ReadonlyMap<string, string>> {
    if (this.envFile === undefined) return new Map();
    const { readVariables } = await import('../../src/authoring/foreign/interpolate.ts');
    return readVariables((await readBounded(this.envFile, variablesLimit)).toString('utf8'));
  }

  async #readValues(): Promise<readonly { readonly path: string; readonly values: YamlMap }[]> {
    const files: { path: string; values: YamlMap }[] = [];
    for (const file of this.valueFiles) {
      const bytes = await readBounded(file, yamlLimits.bytes);
      const values = resolveMerges(readForeignYaml(bytes, file));
      if (!isYamlMap(values))
        throw svcError('SVC-VAL-001', {
          file,
          rule: rule(['must be a map of members', fr`doit être un objet de membres`]),
        });
      files.push({ path: resolve(file), values });
    }
    return files;
  }

  async #readInput(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.context.stdin) {
      bytes += (chunk as Buffer).length;
      if (bytes > inputLimit) throw svcError('SVC-VAL-002', { limit: inputLimit, file: 'stdin' });
      chunks.push(Buffer.from(chunk as Buffer));
    }
    return Buffer.concat(chunks);
  }

  async #tell(draft: RecipeDraft): Promise<void> {
    this.#warnOfUnused(draft);
    const { renderDraft } = await import('./render-draft.ts');
    this.context.stderr.write(renderDraft(draft, this.language));
  }

  /** Warns of flags about a form that no source has. */
  #warnOfUnused({ sources }: RecipeDraft): void {
    const hasCharts = sources.some(({ charts }) => charts > 0);
    const has = (form: string): boolean => sources.some(({ format }) => format === form);
    const unused = [
      ...(this.valueFiles.length > 0 && !hasCharts ? ['--values'] : []),
      ...(this.render && !hasCharts ? ['--render'] : []),
      ...(this.pushCharts !== undefined && !hasCharts ? ['--push-charts'] : []),
      ...(this.pushFilesets !== undefined && !has('fileset') ? ['--push-filesets'] : []),
      ...(this.tags !== undefined && !has('repository') ? ['--tags'] : []),
      ...(this.envFile !== undefined && !has('compose') ? ['--env-file'] : []),
    ].join(', ');
    if (unused !== '') this.warn([`no source uses ${unused}`, fr`aucune source n’utilise ${unused}`]);
  }
}

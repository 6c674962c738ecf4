import { resolve } from 'node:path';
import { draftRecipe, type RecipeDraft, readValues, readVariables } from '../../src/authoring/door.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { type YamlMap, yamlLimits } from '../../src/recipe/read-yaml.ts';
import { svcError } from '../../src/text/error.ts';
import { fr, type Sentence, say } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { type IndexKind, indexKinds } from '../fileset/index-kinds.ts';

/** Bytes of standard input and of the file of variables. */
const inputLimit = 67_108_864;
const variablesLimit = 1_048_576;

const stageLabels: Readonly<Record<'read' | 'push', Sentence>> = {
  read: ['packing', fr`empaquetage`],
  push: ['pushing', fr`envoi`],
};

export class RecipeInitCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Prints a draft: each ingredient has a comment that says where it was found, and what is only proposed is a comment as a whole. svc recipe pin turns its tags into digests. What a source names and the draft has not is listed on stderr, each with the reason.',
        fr`Affiche un brouillon : chaque ingrédient porte un commentaire qui dit où il a été trouvé, et ce qui est seulement proposé est entièrement en commentaire. svc recipe pin change ses étiquettes en empreintes. Ce qu’une source nomme et que le brouillon n’a pas est listé sur la sortie d’erreur, avec la raison.`,
      ],
      [
        'A source is a file, a folder, - (standard input), oci://<registry>/<chart>, https://<chart repository>/<chart> or <registry>/<repository>, and is recognised by its content: a list of images, a Helm chart, Kubernetes manifests, a compose file, a definition of hauler, zarf, oc-mirror or imgpkg. A prefix forces one: images:, chart:, manifests:, compose:, repository:, fileset:, hauler:, zarf:, oc-mirror:, imgpkg:. In all of them nginx means docker.io/library/nginx.',
        fr`Une source est un fichier, un dossier, - (entrée standard), oci://<registre>/<chart>, https://<dépôt de charts>/<chart> ou <registre>/<dépôt>, et est reconnue à son contenu : liste d’images, chart Helm, manifestes Kubernetes, fichier compose, définition de hauler, zarf, oc-mirror ou imgpkg. Un préfixe en impose une : images:, chart:, manifests:, compose:, repository:, fileset:, hauler:, zarf:, oc-mirror:, imgpkg:. Dans toutes, nginx signifie docker.io/library/nginx.`,
      ],
      [
        'Of a folder, all that is recognised is taken: charts, the compose file, lists of images (files named so), manifests. Where a folder holds a chart or the definition of another tool, nothing else in it is read. What is left out is listed on stderr. A folder with two compose files or two definitions is refused.',
        fr`D’un dossier, tout ce qui est reconnu est repris : charts, fichier compose, listes d’images (fichiers ainsi nommés), manifestes. Là où un dossier contient un chart ou la définition d’un autre outil, rien d’autre n’y est lu. Ce qui est laissé de côté est listé sur la sortie d’erreur. Un dossier avec deux fichiers compose ou deux définitions est refusé.`,
      ],
      [
        'The images of a chart are those of its annotation artifacthub.io/images and of its values. With --render, they are those that the helm on PATH renders, in an empty home, with at most 1 GiB of memory, and without network where the system allows it. A copy of the chart is rendered: a link that leads out of its folder is refused. The values are not checked against values.schema.json, which could name any file of this machine.',
        fr`Les images d’un chart sont celles de son annotation artifacthub.io/images et de ses valeurs. Avec --render, ce sont celles que rend le helm de PATH, dans un dossier personnel vide, avec au plus 1 Gio de mémoire, et sans réseau si le système le permet. C’est une copie du chart qui est rendue : un lien qui mène hors de son dossier est refusé. Les valeurs ne sont pas vérifiées selon values.schema.json, qui pourrait désigner n’importe quel fichier de cette machine.`,
      ],
      [
        'A recipe names charts of registries. With --push-charts, a chart of this machine or of a classic repository is pushed below that repository and becomes an ingredient; otherwise it is listed as not taken.',
        fr`Une recette nomme des charts de registres. Avec --push-charts, un chart de cette machine ou d’un dépôt classique est poussé sous ce dépôt et devient un ingrédient ; sinon, il est listé comme non repris.`,
      ],
      [
        'With --push-filesets, a folder in which no source is recognised is packed as svc fileset pack does, pushed below that repository under its own name, and becomes an ingredient. A folder that has a source beside other files is refused: fileset:FOLDER packs it as a whole. The version is that of --tag NAME=VERSION, else the highest release that the registry has, else 1.0.0. The same folder under the same version is pushed once; a changed folder needs another version. With --index and --gpg-key, a folder of packages gets a signed index before it is packed.',
        fr`Avec --push-filesets, un dossier où aucune source n’est reconnue est empaqueté comme le fait svc fileset pack, poussé sous ce dépôt et sous son propre nom, et devient un ingrédient. Un dossier qui a une source à côté d’autres fichiers est refusé : fileset:DOSSIER l’empaquette en entier. La version est celle de --tag NOM=VERSION, sinon la plus haute du registre, sinon 1.0.0. Le même dossier sous la même version n’est poussé qu’une fois ; un dossier modifié exige une autre version. Avec --index et --gpg-key, un dossier de paquets reçoit un index signé avant d’être empaqueté.`,
      ],
      [
        'Exit code: 0 success, 1 nothing was found, or a source cannot be read; nothing is then written.',
        fr`Code de sortie : 0 succès, 1 rien n’a été trouvé, ou une source n’est pas lisible ; rien n’est alors écrit.`,
      ],
    ],
    examples: [
      [
        ['A chart and a compose file', fr`Un chart et un fichier compose`],
        'svc recipe init shop --from ./chart --from compose.yaml > shop.yaml',
      ],
      [
        ['What a chart really renders', fr`Ce qu’un chart rend vraiment`],
        'svc recipe init shop --from ./chart --values prod.yaml --render --out shop.yaml',
      ],
      [
        ['Folders of packages, packed and pushed', fr`Dossiers de paquets, empaquetés et poussés`],
        'svc recipe init packages --from debs --from rpms --push-filesets registry.example/filesets --out packages.yaml',
      ],
      [
        ['A list of images, for one platform', fr`Une liste d’images, pour une plateforme`],
        'svc recipe init base --from images.txt --platform linux/amd64',
      ],
      [['Rendered by hand', fr`Rendu à la main`], 'helm template ./chart | svc recipe init shop --from -'],
      [
        ['Releases of a repository', fr`Les versions d’un dépôt`],
        "svc recipe init app --from registry.example/team/app --tags '^1'",
      ],
    ],
  };

  from: string[] = flag.each('--from', ['source to read; repeatable', fr`source à lire ; répétable`], 'file');
  platforms: string[] = flag.each(
    '--platform',
    [
      'platform of every image, os/arch[/variant]; repeatable (all)',
      fr`plateforme de chaque image, os/arch[/variante] ; répétable (toutes)`,
    ],
    'platform',
  );
  tags: string | undefined = flag.text('--tags', [
    'tags of a repository: a version constraint or a glob (the highest release)',
    fr`étiquettes d’un dépôt : contrainte de version ou motif (la plus haute version)`,
  ]);
  envFile: string | undefined = flag.text(
    '--env-file',
    [
      'file with the variables of compose files, NAME=value on each line',
      fr`fichier des variables des fichiers compose, NOM=valeur par ligne`,
    ],
    'file',
  );
  valueFiles: string[] = flag.each(
    '--values',
    [
      'file with values for charts; repeatable, later ones win',
      fr`fichier de valeurs pour les charts ; répétable, les derniers l’emportent`,
    ],
    'file',
  );
  render: boolean = flag.present('--render', [
    'take images of containers that helm template renders; others are proposed',
    fr`reprend les images des conteneurs que rend helm template ; propose les autres`,
  ]);
  findMore: boolean = flag.present('--find-more', [
    'propose what looks like an image in arguments, variables and templates',
    fr`propose ce qui ressemble à une image dans arguments, variables et modèles`,
  ]);
  tag: string[] = flag.each('--tag', [
    'NAME=TAG, the tag of an ingredient whose source names none; repeatable',
    fr`NOM=ÉTIQUETTE, pour un ingrédient dont la source ne nomme pas d’étiquette ; répétable`,
  ]);
  pushCharts: string | undefined = flag.text(
    '--push-charts',
    [
      'repository below which charts are pushed, <registry>/<path>',
      fr`dépôt sous lequel les charts sont poussés, <registre>/<chemin>`,
    ],
    'cookbook',
  );
  pushFilesets: string | undefined = flag.text(
    '--push-filesets',
    [
      'repository below which folders are packed and pushed, <registry>/<path>',
      fr`dépôt sous lequel les dossiers sont empaquetés et poussés, <registre>/<chemin>`,
    ],
    'cookbook',
  );
  index: readonly IndexKind[] = flag.choices('--index', indexKinds, [
    'make the index of packages in these folders first: apt or rpm; repeatable',
    fr`fait d’abord l’index des paquets de ces dossiers : apt ou rpm ; répétable`,
  ]);
  gpgKey: string | undefined = flag.text(
    '--gpg-key',
    ['fingerprint of the key that signs these indexes', fr`empreinte de la clé qui signe ces index`],
    'fingerprint',
  );
  out: string | undefined = flag.text(
    '--out',
    [
      'file to write instead of standard output; it must not exist',
      fr`fichier à écrire au lieu de la sortie standard ; il ne doit pas exister`,
    ],
    'file',
  );
  name: string = argument.text(['name', fr`nom`]);

  async run(): Promise<number> {
    const input = await this.#readFlags();
    const kinds = await this.#readIndexFlags();
    const { requireNew, writeNew } = await import('./write-new.ts');
    // before a chart is pushed
    if (this.out !== undefined) await requireNew(this.out);
    const { config } = await this.loadConfig('recipe-read');
    const { openContext } = await import('../../src/operation/context.ts');
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
    const { toRepositoryBase } = await import('../../src/oci/repository-base.ts');
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
    const kinds = this.index;
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
    return readVariables((await readBounded(this.envFile, variablesLimit)).toString('utf8'));
  }

  async #readValues(): Promise<readonly { readonly path: string; readonly values: YamlMap }[]> {
    const files: { path: string; values: YamlMap }[] = [];
    for (const file of this.valueFiles) {
      const bytes = await readBounded(file, yamlLimits.bytes);
      files.push({ path: resolve(file), values: await readValues(bytes, file) });
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

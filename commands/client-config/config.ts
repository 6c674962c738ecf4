import { resolve } from 'node:path';
import { isRefusedLiteral } from '../../src/client/image-mirrors.ts';
import { listLedPlaces, selectNamed } from '../../src/client/led-places.ts';
import { type ClientKind, clientKinds, fileClients } from '../../src/client/model.ts';
import { toRegistryBase } from '../../src/client/node-mirrors.ts';
import { toConfigText } from '../../src/client/render-client-config.ts';
import { requireClientConfig } from '../../src/client/require-config.ts';
import { getClientConfig } from '../../src/contract/operations/clients.ts';
import { listFilesets } from '../../src/contract/operations/filesets.ts';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import { exitCodes } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, say } from '../../src/text/language.ts';
import { parseRegistry } from '../../src/view/recipes.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag, flagOf } from '../cli/inputs.ts';
import { checkRegistryFlag } from '../client/check-registry-flag.ts';
import type { InstanceClient } from '../client/instance-client.ts';
import { toNamedPlaces } from '../client/named-places.ts';
import { PlaceCommand } from '../client/place-command.ts';
import type { WrittenFile } from './write-config.ts';

/** Most replaced lines that are named. */
const mostLines = 40;

/** Clients whose files name the registry as the host of a reference, by the library of podman. */
const literalClients: ReadonlySet<ClientKind> = new Set(['podman', 'crio', 'openshift']);

export class ClientConfigCommand extends PlaceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'With the files of containerd, k3s, rke2, crio, podman and openshift, a node pulls the content under its nominal references from the registry of the zone, and asks no other registry: for K3s and RKE2 by disable-default-registry-endpoint, which they know since v1.26.13, v1.27.10, v1.28.6 and v1.29.1, and read when they start. The daemon of Docker rewrites no path, so docker prints a script that pulls by digest and gives each image its nominal name. apt, dnf and helm read the FileSets and views of an instance. Those that are configured and cannot be served are named; when there are no others, the exit code is 1.',
        fr`Avec les fichiers de containerd, k3s, rke2, crio, podman et openshift, un nœud récupère le contenu sous ses références nominales auprès du registre de la zone, et n’interroge aucun autre registre : pour K3s et RKE2 par disable-default-registry-endpoint, qu’ils connaissent depuis v1.26.13, v1.27.10, v1.28.6 et v1.29.1, et lisent au démarrage. Le démon de Docker ne réécrit aucun chemin : docker affiche donc un script qui récupère par empreinte et donne à chaque image son nom nominal. apt, dnf et helm lisent les FileSets et les vues d’une instance. Ceux qui sont configurés et ne peuvent pas être servis sont nommés ; s’il n’y en a pas d’autres, le code de sortie est 1.`,
      ],
      [
        'Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store of the configuration, also while an instance serves it; FileSets are read by an instance only. The first line of a file says which zone and revision it came from. The same content gives the same files. Files have the word TOKEN in place of a secret. Of the answer of an instance only values are taken; helm, apt and dnf are led to the instance that was asked, or to the address of --registry.',
        fr`Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le stockage de la configuration, même pendant qu’une instance le sert ; seule une instance lit les FileSets. La première ligne d’un fichier dit de quelle zone et de quelle révision il vient. Le même contenu donne les mêmes fichiers. Les fichiers portent le mot TOKEN à la place d’un secret. De la réponse d’une instance, seules des valeurs sont prises ; helm, apt et dnf sont menés à l’instance interrogée, ou à l’adresse de --registry.`,
      ],
      [
        'With --directory, writes the files below the folder that the client reads, such as /etc/containerd/certs.d, /etc/rancher/k3s, /etc/containers/registries.conf.d, /etc/apt or /etc/yum.repos.d. A file that is there and was not made by this command is kept unless --overwrite is given. Lines that the new file replaces are named, changes by hand included; secrets that were put into a file are kept. Symbolic links are refused. Nothing is deleted.',
        fr`Avec --directory, écrit les fichiers sous le dossier que lit le client, par exemple /etc/containerd/certs.d, /etc/rancher/k3s, /etc/containers/registries.conf.d, /etc/apt ou /etc/yum.repos.d. Un fichier présent qui ne vient pas de cette commande est gardé, sauf si --overwrite est donné. Les lignes que le nouveau fichier remplace sont nommées, y compris celles changées à la main ; les secrets mis dans un fichier sont gardés. Les liens symboliques sont refusés. Rien n’est supprimé.`,
      ],
    ],
    examples: [
      [
        ['Look at the files', fr`Regarder les fichiers`],
        'svc client config containerd --instance https://svc.example',
      ],
      [
        ['Configure a node', fr`Configurer un nœud`],
        'svc client config containerd --directory /etc/containerd/certs.d',
      ],
      [['K3s', fr`K3s`], 'svc client config k3s --directory /etc/rancher/k3s'],
      [
        ['Sources of apt', fr`Les sources d’apt`],
        'svc client config apt --instance https://svc.example --directory /etc/apt',
      ],
    ],
  };

  client: ClientKind = argument.choice(['client', fr`client`], clientKinds);
  directory: string | undefined = flag.text(
    '--directory',
    [
      'write the files below this folder instead of printing them',
      fr`écrit les fichiers sous ce dossier au lieu de les afficher`,
    ],
    'folder',
  );
  overwrite: boolean = flag.present('--overwrite', [
    'replace files that this command did not make',
    fr`remplace les fichiers qui ne viennent pas de cette commande`,
  ]);
  recipes: string[] = flag.each(
    '--recipe',
    ['only the content of this recipe; repeatable', fr`seulement le contenu de cette recette ; répétable`],
    'recipe',
  );
  registry = flagOf('--registry', getClientConfig.query.registry, 'host');

  async run(): Promise<number> {
    const { client } = this;
    await checkRegistryFlag(this.registry);
    const config = this.asksInstance ? await this.#ask(client) : await this.#look(client);
    this.#warnOfLiteral(config);
    const needsSecret =
      this.directory === undefined
        ? await this.#print(config)
        : await this.#write(config, resolve(this.directory));
    if (config.files.length === 0 && this.#isWithheld) return exitCodes.failure;
    if (config.files.length === 0)
      this.printLine(
        fileClients.has(client)
          ? [
              `svc: the instance serves nothing for ${client} yet: nothing to configure`,
              fr`svc: l’instance ne sert encore rien pour ${client} : rien à configurer`,
            ]
          : [
              'svc: there is no recipe yet: nothing to configure',
              fr`svc: il n’y a pas encore de recette : rien à configurer`,
            ],
      );
    else if (needsSecret)
      this.printLine([
        'svc: put the secret of an API token of a viewer in place of each TOKEN',
        fr`svc: mettez le secret d’un jeton d’API de rôle viewer à la place de chaque TOKEN`,
      ]);
    return 0;
  }

  /** Whether FileSets or views of this client are configured that the instance cannot serve. */
  #isWithheld = false;

  /** Warns of each FileSet or view that is configured and not served, with the reason. */
  async #warnOfWithheld(client: ClientKind, instance: InstanceClient): Promise<void> {
    const { filesets, views } = await instance.ask(listFilesets, {
      query: { sort: undefined, order: undefined },
    });
    for (const { name, error } of client === 'helm' ? views : filesets) {
      if (error === undefined) continue;
      this.#isWithheld = true;
      const { renderError } = await import('../../src/text/message.ts');
      const place = `/files/${escapeText(name)}/`;
      const toReason = (language: Language): string => escapeText(renderError(error, language).what);
      this.warn([
        `the instance does not serve ${place}: ${error.code}: ${toReason('en')}`,
        fr`l’instance ne sert pas ${place} : ${error.code} : ${toReason('fr')}`,
      ]);
    }
  }

  async #ask(client: ClientKind): Promise<ClientConfig> {
    await using instance = await this.connect();
    const answer = await instance.ask(getClientConfig, {
      path: { client },
      query: { recipe: this.recipes, registry: this.registry, format: undefined },
      unchecked: true,
    });
    const places = toNamedPlaces(instance.url, this.registry);
    const config = requireClientConfig(answer, client, { from: instance.url, places });
    await this.warnOfPlaces({ ...listLedPlaces(config), asked: instance.url, named: this.registry });
    if (fileClients.has(client)) await this.#warnOfWithheld(client, instance);
    return config;
  }

  async #look(client: ClientKind): Promise<ClientConfig> {
    const { showClientConfig } = await import('../../src/view/client-config.ts');
    const { deriveUrl } = await import('../client/instance-address.ts');
    await using place = await this.openPlace(true);
    const url = place.config.server.publicURL ?? deriveUrl(place.config);
    if (client === 'apt' || client === 'dnf')
      throw new CommandLineError([
        `the FileSets for ${client} are read by the instance that serves them: give --instance`,
        fr`les FileSets pour ${client} sont lus par l’instance qui les sert : donnez --instance`,
      ]);
    const isNamed = this.registry !== undefined || (place.config.destination.registry ?? '') !== '';
    if (url === undefined && !isNamed)
      throw new CommandLineError([
        'the address of the registry is not known: give --registry, or set server.publicURL',
        fr`l’adresse du registre n’est pas connue : donnez --registry, ou définissez server.publicURL`,
      ]);
    const reached = toRegistryBase(url ?? 'https://localhost');
    this.#warnOfStrange(place.config.destination.registry, reached.host);
    const { recipes, registry } = this;
    const config = await showClientConfig(place, { client, recipes, reached, registry });
    await this.warnOfPlaces({ ...listLedPlaces(config), named: registry });
    return config;
  }

  /** Warns of a registry of which nothing is known: the content was promoted to another one. */
  #warnOfStrange(destination: string | undefined, own: string): void {
    if (this.registry === undefined || (destination ?? '') === '') return;
    const { host } = parseRegistry(this.registry, 'https');
    if ([destination, own].includes(host)) return;
    this.warn([
      `--registry names ${host}, where nothing of this store is known to be: it goes to ${destination} (destination.registry). The files lead nodes to ${host} all the same`,
      fr`--registry désigne ${host}, où rien de ce stockage n’est connu : il va vers ${destination ?? ''} (destination.registry). Les fichiers mènent quand même les nœuds vers ${host}`,
    ]);
  }

  /** Warns of an address of the registry that the client may refuse in each reference. */
  #warnOfLiteral(config: ClientConfig): void {
    const { registry } = selectNamed(config);
    if (registry === undefined || !literalClients.has(config.client) || !isRefusedLiteral(registry)) return;
    this.warn([
      `podman 4.3 and other programs of its library refuse the IPv6 literal ${registry.host} ("invalid reference format"): give the registry a name, and name it with --registry`,
      fr`podman 4.3 et d’autres programmes de sa bibliothèque refusent l’adresse IPv6 littérale ${registry.host} (« invalid reference format ») : donnez un nom au registre, et indiquez-le par --registry`,
    ]);
  }

  /** @returns whether a file has a place for a secret */
  async #print(config: ClientConfig): Promise<boolean> {
    if (this.format === 'json') await this.printDocument(config);
    else this.context.stdout.write(toConfigText(config));
    return config.files.some(({ mode }) => mode === '0600');
  }

  /** Names the lines of files that were there which the new files have otherwise: a person may have changed them. */
  #tellChanges(files: readonly Pick<WrittenFile, 'path' | 'changes'>[]): void {
    let room = mostLines;
    for (const { path, changes } of files) {
      if (changes.length === 0) continue;
      this.printLine([
        `svc: ${path}: these lines were replaced`,
        fr`svc: ${path} : ces lignes ont été remplacées`,
      ]);
      const lines = changes.flatMap(({ section, removed, added }) => [
        ...(section === '' ? [] : [`  ${section}`]),
        ...removed.map((line) => `  - ${line}`),
        ...added.map((line) => `  + ${line}`),
      ]);
      for (const line of lines.slice(0, room)) this.printNotes(`${line}\n`);
      if (lines.length > room) this.printNotes('  …\n');
      room = Math.max(0, room - lines.length);
    }
  }

  /** @returns whether a place for a secret has none yet */
  async #write(config: ClientConfig, directory: string): Promise<boolean> {
    const { writeConfig } = await import('./write-config.ts');
    const changed = await writeConfig(config, { directory, overwrite: this.overwrite });
    const needsSecret = changed.some((file) => file.needsSecret);
    this.#tellChanges(changed);
    if (this.format === 'json') {
      await this.printDocument({ ...config, directory });
      return needsSecret;
    }
    const unchanged = say([' (unchanged)', fr` (inchangé)`], this.language);
    for (const { path, isNew } of changed) this.context.stdout.write(`${path}${isNew ? '' : unchanged}\n`);
    return needsSecret;
  }
}

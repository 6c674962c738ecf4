import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDigest } from '../../src/base/digest.ts';
import { clientKinds, type PulledReference } from '../../src/client/model.ts';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import { clientDirectories } from '../../src/client/render-client-config.ts';
import { requireClientConfig } from '../../src/client/require-config.ts';
import type { Config } from '../../src/config/model.ts';
import type { ClientKind } from '../../src/contract/common.ts';
import { getClientConfig } from '../../src/contract/operations/clients.ts';
import { getRecipeMapping, listRecipes } from '../../src/contract/operations/recipes.ts';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import { parseReachedReference, parseReference } from '../../src/oci/reference.ts';
import { findProgram } from '../../src/program/find-program.ts';
import { exitCodes, isSvcError, svcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Sentence, say } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag, flagOf } from '../cli/inputs.ts';
import { toRuleSentence } from '../cli/sentence-error.ts';
import { checkRegistryFlag } from '../client/check-registry-flag.ts';
import type { InstanceClient } from '../client/instance-client.ts';
import { InstanceCommand } from '../client/instance-command.ts';
import { toNamedPlaces } from '../client/named-places.ts';
import { readToken } from '../client/read-token.ts';
import { loadAuthorities, writeAuthorities } from './authorities.ts';
import { findStrays } from './find-strays.ts';
import { openGate } from './gate.ts';
import { toHelmListPath } from './helm-list.ts';
import { type Lookout, openLookout } from './lookout.ts';
import {
  type CheckOutcome,
  type ClientCheck,
  type ClientTestReport,
  type Sandbox,
  type TestedClient,
  testedClients,
} from './model.ts';
import { runClient } from './run-check.ts';
import { isTested, whyUntested } from './untested.ts';

/**
 * Whether a configuration is that of a zone without an instance. A carried medium is imported into its registry, and it
 * has no account that could sign in. An instance that is merely stopped has both a purpose and accounts.
 */
async function isWithoutInstance({ mode, retriever, destination, state }: Config): Promise<boolean> {
  if (mode === 'passthrough' || retriever.source !== undefined || destination.registry === undefined)
    return false;
  if (state.root === undefined) return true;
  const { openAccounts } = await import('../../src/account/accounts.ts');
  await using accounts = openAccounts({ stateRoot: state.root });
  return await accounts.isEmpty().catch(() => false);
}

/** Makes the environment of a client. Of the caller's, it keeps only the search path and the trusted certificates. */
function toEnvironment(
  { PATH = '', SSL_CERT_FILE, SSL_CERT_DIR }: Readonly<Record<string, string | undefined>>,
  home: string,
  gate: string,
): Record<string, string> {
  return {
    PATH,
    LC_ALL: 'C.UTF-8',
    HOME: home,
    TMPDIR: home,
    XDG_RUNTIME_DIR: home,
    http_proxy: gate,
    https_proxy: gate,
    HTTP_PROXY: gate,
    HTTPS_PROXY: gate,
    ...(SSL_CERT_FILE === undefined ? {} : { SSL_CERT_FILE }),
    ...(SSL_CERT_DIR === undefined ? {} : { SSL_CERT_DIR }),
  };
}

const outcomes: Readonly<Record<CheckOutcome, Sentence>> = {
  pulled: ['pulled', fr`récupéré`],
  failed: ['failed', fr`échec`],
  // the client asked this host, or its files name it: see the detail
  fallback: ['another host', fr`autre hôte`],
  skipped: ['not tested', fr`pas essayé`],
};

export class ClientTestCommand extends InstanceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Runs the client on this machine with the configuration that the instance makes for it, in a folder of its own: ctr for containerd, podman for podman and crio, helm, apt-get or dnf. It pulls some of the delivered references under their nominal names, and compares the result with the digests of the recipes. The only way out is a gate of this command to the registry and the instance, so that a client that silently falls back to the origin is found out.',
        fr`Lance le client sur cette machine avec la configuration que l’instance produit pour lui, dans un dossier à part : ctr pour containerd, podman pour podman et crio, helm, apt-get ou dnf. Il récupère quelques-unes des références livrées sous leurs noms nominaux, et compare ce qui est venu aux empreintes des recettes. La seule sortie est une porte de cette commande vers le registre et l’instance : un client qui se rabat en silence sur l’origine est donc découvert.`,
      ],
      [
        'With --installed, the files of this machine are used in place of those of the instance; they are only read, and only the certificates of this machine count. For containerd these are the folders that containerd config dump names. Sources of apt that are fetched neither over http nor over https are listed, and not tested. Without it, the client also trusts the authorities in network.tls.caFiles. podman pulls whole images; ctr fetches manifests. The token is the one that the client uses too.',
        fr`Avec --installed, les fichiers de cette machine remplacent ceux de l’instance ; ils ne sont que lus, et seuls les certificats de cette machine comptent. Pour containerd, ce sont les dossiers que nomme containerd config dump. Les sources d’apt qui ne passent ni par http ni par https sont listées, et ne sont pas essayées. Sans cette option, le client reconnaît aussi les autorités de network.tls.caFiles. podman récupère des images entières ; ctr récupère des manifestes. Le jeton est aussi celui qu’emploie le client.`,
      ],
      [
        'Exit code: 0 everything was pulled, 1 something was not, or there is nothing to pull, 2 the client is not installed, or is one whose files no program can test here: k3s, rke2, docker and openshift.',
        fr`Code de sortie : 0 tout a été récupéré, 1 quelque chose ne l’a pas été, ou il n’y a rien à récupérer, 2 le client n’est pas installé, ou ses fichiers ne peuvent être essayés par aucun programme ici : k3s, rke2, docker et openshift.`,
      ],
    ],
    examples: [
      [
        ['Before configuring a node', fr`Avant de configurer un nœud`],
        'svc client test containerd --instance https://svc.example --token-file token',
      ],
      [
        ['On a configured node', fr`Sur un nœud configuré`],
        'svc client test podman --installed --instance https://svc.example',
      ],
      [
        ['Sources of apt with a key', fr`Les sources d’apt avec une clé`],
        'svc client test apt --keys /root/keys --instance https://svc.example',
      ],
    ],
  };

  client: ClientKind = argument.choice(['client', fr`client`], clientKinds);
  installed: boolean = flag.present('--installed', [
    'use the files of this machine',
    fr`emploie les fichiers de cette machine`,
  ]);
  sample: number | undefined = flag.count(
    '--sample',
    [
      'how many references, charts or packages are pulled (3)',
      fr`combien de références, de charts ou de paquets sont récupérés (3)`,
    ],
    999,
  );
  keys: string | undefined = flag.text(
    '--keys',
    [
      'folder with the public keys of packages, where they are not installed',
      fr`dossier des clés publiques des paquets, là où elles ne sont pas installées`,
    ],
    'folder',
  );
  recipes: string[] = flag.each(
    '--recipe',
    ['only the content of this recipe; repeatable', fr`seulement le contenu de cette recette ; répétable`],
    'recipe',
  );
  registry = flagOf('--registry', getRecipeMapping.query.registry, 'host');

  async run(): Promise<number> {
    const { client, sample = 3 } = this;
    if (!isTested(client)) throw new CommandLineError(whyUntested(client));
    await checkRegistryFlag(this.registry);
    const { env, signal } = this.context;
    const program = findProgram(testedClients[client], env);
    if (program === undefined)
      throw new CommandLineError([
        `${testedClients[client]} is not installed, and a test of ${client} runs it`,
        fr`${testedClients[client]} n’est pas installé, et un test de ${client} le lance`,
      ]);
    const keys = await this.#selectKeys();
    const settings = (await this.loadConfig('ask-instance')).config;
    await using instance = await this.connect(settings);
    const places = toNamedPlaces(instance.url, this.registry);
    const isNamed = (this.instance ?? env.SVC_INSTANCE_URL ?? '') !== '';
    const { config, references, registry } = await this.#ask(instance, client, places).catch(
      async (error: unknown) => {
        if (isSvcError(error, 'SVC-SRV-003') || isSvcError(error, 'SVC-AUTH-002'))
          if (!isNamed && (await isWithoutInstance(settings))) this.#tellOfMedium(client);
        throw error;
      },
    );
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'svc-client-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    // only addresses from the operator, none from an answer or a file
    const allowed = places.map(({ scheme, host }) => toTarget(`${scheme}://${host}`));
    const gate = cleanup.use(await openGate(new Set(allowed)));
    const token = await readToken(this.tokenFile, env);
    const lookout = cleanup.use(
      openLookout({ places, token, signal, ...(await loadAuthorities(settings, env)) }),
    );
    const home = join(folder, 'home');
    await mkdir(home);
    const sandbox: Sandbox = {
      program,
      folder,
      env: {
        ...toEnvironment(env, home, gate.url),
        ...(this.installed ? {} : await writeAuthorities(settings, env, folder)),
      },
      path: env.PATH ?? '',
      gate,
      lookout,
      signal,
      config,
      // where the client looks for it, not where the instance says
      installed: !this.installed
        ? undefined
        : client === 'helm'
          ? toHelmListPath(env)
          : clientDirectories[client],
      registry,
      places,
      token,
      references,
      sample,
      keys,
    };
    const version = await readVersion(sandbox);
    const lost = this.registry === undefined ? undefined : await findLost(client, lookout, places.at(-1)!);
    const strays = lost !== undefined ? [lost] : this.installed ? [] : findStrays(config, registry, places);
    const isEmpty = config.files.length === 0 && !this.installed;
    const checks = strays.length > 0 || isEmpty ? strays : await runTest(client, sandbox);
    const report = { client, program: testedClients[client], version, checks };
    if (this.format === 'json') await this.printDocument({ ...report, checks: checks.map(toDocument) });
    else {
      this.#show(report);
      if (this.registry === undefined && strays.length === 1)
        await this.#tellOfRegistry(client, strays[0]!.resolved.replace(`${places[0]!.scheme}://`, ''));
    }
    const isPassed =
      checks.some(({ outcome }) => outcome === 'pulled') &&
      checks.every(({ outcome }) => outcome === 'pulled' || outcome === 'skipped');
    return isPassed ? exitCodes.ok : exitCodes.failure;
  }

  /** @returns absolute path of the folder of `--keys` @throws CommandLineError when it is no folder */
  async #selectKeys(): Promise<string | undefined> {
    if (this.keys === undefined) return undefined;
    const path = resolve(this.keys);
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true) return path;
    throw new CommandLineError([
      `--keys: ${path} is not a folder, or cannot be read`,
      fr`--keys : ${path} n’est pas un dossier, ou ne peut pas être lu`,
    ]);
  }

  /** Explains the test of a zone without an instance: a carried medium brings the content to its registry. */
  #tellOfMedium(client: TestedClient): void {
    if (client === 'apt' || client === 'dnf') return;
    const config = this.configPath === undefined ? '' : ` --config ${toShellWord(this.configPath)}`;
    this.printLine([
      `svc: a zone with a medium and a registry, without an instance, needs none: svc client config ${client}${config} makes the files from the medium, and a pull on a node tests them`,
      fr`svc: une zone avec un support et un registre, sans instance, n’en a pas besoin : svc client config ${client}${config} fait les fichiers à partir du support, et un pull sur un nœud les teste`,
    ]);
  }

  protected override get repeatedFlags(): Readonly<Record<string, string | undefined>> {
    return {
      ...super.repeatedFlags,
      '--instance': this.instance,
      '--token-file': this.tokenFile,
      '--keys': this.keys,
      '--sample': this.sample?.toString(),
    };
  }

  /** Prints the command that tests through a registry that only the instance names: the operator decides on it. */
  async #tellOfRegistry(client: TestedClient, registry: string): Promise<void> {
    const recipes = this.recipes.map((name) => ` --recipe ${toShellWord(name)}`).join('');
    const command = await this.withRepeatedFlags(
      `svc client test ${client} --registry ${toShellWord(registry)}${recipes}`,
    );
    this.printLine([
      `svc: if that is the registry of your nodes, test it with: ${command}`,
      fr`svc: si c’est bien le registre de vos nœuds, testez-le par : ${command}`,
    ]);
  }

  /** Asks the instance for the configuration, and for the references with their digests. */
  async #ask(
    instance: InstanceClient,
    client: TestedClient,
    places: readonly RegistryBase[],
  ): Promise<{
    readonly config: ClientConfig;
    readonly references: readonly PulledReference[];
    readonly registry: RegistryBase | undefined;
  }> {
    const { registry: named } = this;
    const answer = await instance.ask(getClientConfig, {
      path: { client },
      query: { recipe: this.recipes, registry: named, format: undefined },
      unchecked: true,
    });
    const config = requireClientConfig(answer, client, { from: instance.url, places });
    const references: PulledReference[] = [];
    let registry: RegistryBase | undefined;
    if (client === 'apt' || client === 'dnf') return { config, references, registry };
    const { recipes } = await instance.ask(listRecipes, {
      query: { q: undefined, sort: undefined, order: undefined },
    });
    const names = this.recipes.length > 0 ? this.recipes : recipes.map(({ name }) => name);
    for (const name of new Set(names)) {
      const { versions, mirrors } = await instance.ask(getRecipeMapping, {
        path: { recipe: name },
        query: { registry: named },
      });
      for (const { ingredients } of versions)
        for (const ingredient of ingredients) references.push(requireReference(ingredient));
      const endpoint = /^ {6}- "(https?):\/\/([^"/]+)"$/m.exec(mirrors.registriesYaml);
      if (endpoint !== null) registry = { scheme: endpoint[1] as RegistryBase['scheme'], host: endpoint[2]! };
    }
    return { config, references, registry };
  }

  #show({ client, program, version, checks }: ClientTestReport): void {
    const { stdout } = this.context;
    stdout.write(`${client === 'crio' ? program : client} ${escapeText(version)}\n`);
    for (const { reference, resolved, outcome, milliseconds, detail } of checks) {
      const word = say(outcomes[outcome], this.language);
      stdout.write(`${word}  ${escapeText(reference)} -> ${escapeText(resolved)}  ${milliseconds} ms\n`);
      if (detail !== undefined) stdout.write(`  ${escapeText(say(toRuleSentence(detail), this.language))}\n`);
    }
    if (checks.length === 0)
      this.printLine([
        `svc: the instance has nothing that ${client} could pull yet`,
        fr`svc: l’instance n’a encore rien que ${client} puisse récupérer`,
      ]);
  }
}

/** Requires that names which become words of a command line are references, and no options. @throws SVC-REG-001, SVC-VAL-001 */
function requireReference(reference: PulledReference): PulledReference {
  parseReference(String(reference.nominal));
  if (reference.relocated !== undefined) parseReachedReference(String(reference.relocated));
  if (!isDigest(reference.digest))
    throw svcError('SVC-VAL-001', {
      file: 'digest',
      path: String(reference.digest).slice(0, 128),
      rule: rule([
        'must be sha256:<64 hex> or sha512:<128 hex>',
        fr`doit être sha256:<64 hex> ou sha512:<128 hex>`,
      ]),
    });
  return reference;
}

/** A check as the document has it, in English. */
const toDocument = ({ detail, ...check }: ClientCheck) =>
  detail === undefined ? check : { ...check, detail: String(detail) };

/** `host:port` of a URL, as a client asks a proxy for it. */
function toTarget(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Clients that pull from the address of `--registry`; the others only read files below it. */
const pulling: ReadonlySet<TestedClient> = new Set(['containerd', 'crio', 'podman']);

/** The failed check of an address of `--registry` that leads nowhere: the error of a client names no address. */
async function findLost(
  client: TestedClient,
  lookout: Pick<Lookout, 'reach'>,
  place: RegistryBase,
): Promise<ClientCheck | undefined> {
  const detail = await lookout.reach(place, pulling.has(client));
  if (detail === undefined) return undefined;
  const resolved = `${place.scheme}://${place.host}`;
  return { reference: client, resolved, outcome: 'failed', milliseconds: 0, detail };
}

async function readVersion(sandbox: Sandbox): Promise<string> {
  const isHelm = sandbox.config.client === 'helm';
  const { stdout } = await runClient(sandbox, isHelm ? ['version', '--short'] : ['--version']);
  return /\d+\.\d+[^\s,)]*/.exec(stdout)?.[0] ?? 'unknown';
}

async function runTest(client: TestedClient, sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  switch (client) {
    case 'containerd':
      return (await import('./test-images.ts')).testContainerd(sandbox);
    case 'crio':
    case 'podman':
      return (await import('./test-images.ts')).testPodman(sandbox);
    case 'helm':
      return (await import('./test-charts.ts')).testHelm(sandbox);
    case 'apt':
      return (await import('./test-packages.ts')).testApt(sandbox);
    case 'dnf':
      return (await import('./test-packages.ts')).testDnf(sandbox);
  }
}

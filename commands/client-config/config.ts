import { resolve } from 'node:path';
import { Command, Option, type Usage } from 'clipanion';
import { fr, say } from '../../src/base/language.ts';
import { toRegistryBase } from '../../src/recipe/node-mirrors.ts';
import { type ClientConfig, type ClientKind, clientKinds } from '../../src/view/client-config.ts';
import type { FlagValues } from '../cli/base-command.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { parseChoice } from '../cli/parse-choice.ts';
import { PlaceCommand } from '../client/place-command.ts';

export class ClientConfigCommand extends PlaceCommand {
  static override paths: string[][] = [['client', 'config']];
  static override values: Readonly<Record<string, FlagValues>> = {
    ...PlaceCommand.values,
    '': clientKinds,
    '--directory': 'folder',
    '--recipe': 'recipe',
  };
  static override usage: Usage = Command.Usage({
    description: 'Print the mirror configuration of containerd or K3s',
    details: `
      With it, a node pulls the content under its nominal references from the registry of the zone, and asks no
      other registry. Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store of the
      configuration, also while an instance serves it. The same store gives the same files.

      With --directory, writes the files below the folder that the node reads: config_path of containerd, usually
      /etc/containerd/certs.d, or /etc/rancher/k3s. A file that is there and was not made by this command is kept
      unless --overwrite is given. Nothing is deleted.
    `,
    examples: [
      ['Look at the files', 'svc client config containerd --instance https://svc.example'],
      ['Configure a node', 'svc client config containerd --directory /etc/containerd/certs.d'],
      ['K3s and RKE2', 'svc client config k3s > /etc/rancher/k3s/registries.yaml'],
    ],
  });

  client: string = Option.String({ name: 'containerd|k3s' });
  directory: string | undefined = Option.String('--directory', {
    description: 'write the files below this folder instead of printing them',
  });
  overwrite: boolean = Option.Boolean('--overwrite', false, {
    description: 'replace files that this command did not make',
  });
  recipes: string[] = Option.Array('--recipe', [], {
    description: 'only the content of this recipe; repeatable',
  });
  registry: string | undefined = Option.String('--registry', {
    description: 'how nodes reach the registry, [http://|https://]host[:port]',
  });

  async run(): Promise<number> {
    const client = parseChoice('client', this.client, clientKinds);
    const config = this.asksInstance ? await this.#ask(client) : await this.#look(client);
    if (this.directory === undefined) await this.#print(config);
    else await this.#write(config, resolve(this.directory));
    if (config.files.length === 0)
      this.printLine([
        'svc: there is no recipe yet: nothing to configure',
        fr`svc: il n’y a pas encore de recette : rien à configurer`,
      ]);
    return 0;
  }

  async #ask(client: ClientKind): Promise<ClientConfig> {
    await using instance = await this.connect();
    return await instance.get<ClientConfig>(`/clients/${client}`, 'files', {
      recipe: this.recipes,
      registry: this.registry,
    });
  }

  async #look(client: ClientKind): Promise<ClientConfig> {
    const { showClientConfig } = await import('../../src/view/client-config.ts');
    const { deriveUrl } = await import('../client/instance-address.ts');
    await using place = await this.openPlace(true);
    const url = place.config.server.publicURL ?? deriveUrl(place.config);
    const isNamed = this.registry !== undefined || (place.config.destination.registry ?? '') !== '';
    if (url === undefined && !isNamed)
      throw new CommandLineError([
        'the address of the registry is not known: give --registry, or set server.publicURL',
        fr`l’adresse du registre n’est pas connue : donnez --registry, ou définissez server.publicURL`,
      ]);
    const reached = toRegistryBase(url ?? 'https://localhost');
    return await showClientConfig(place, { client, recipes: this.recipes, reached, registry: this.registry });
  }

  async #print(config: ClientConfig): Promise<void> {
    if (this.format === 'json') return this.printDocument(config);
    const { stdout } = this.context;
    for (const [index, { path, content }] of config.files.entries()) {
      // one file is printed as it is, for a redirection
      if (config.files.length > 1) stdout.write(`${index === 0 ? '' : '\n'}# ${config.directory}/${path}\n`);
      stdout.write(content);
    }
  }

  async #write(config: ClientConfig, directory: string): Promise<void> {
    const { writeConfig } = await import('./write-config.ts');
    const changed = await writeConfig(config, { directory, overwrite: this.overwrite });
    if (this.format === 'json') return this.printDocument({ ...config, directory });
    const unchanged = say([' (unchanged)', fr` (inchangé)`], this.language);
    for (const { path, isNew } of changed) this.context.stdout.write(`${path}${isNew ? '' : unchanged}\n`);
  }
}

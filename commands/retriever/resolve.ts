import { resolve } from 'node:path';
import { fr } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { getBuildInfo } from '../build-info.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';

export class RetrieverResolveCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Resolves the entries of a Retriever as a synchronization would now: the version that each constraint picks, its digest, and whether its signature is accepted. Reads the cookbooks; needs no store and no instance, and writes nothing. The Retriever is a file, an https URL or an oci:// reference. Trust roots, registries and allowlist are those of the configuration.',
        fr`Résout les entrées d’un Retriever comme le ferait une synchronisation maintenant : la version que choisit chaque contrainte, son empreinte, et si sa signature est acceptée. Lit les livres de recettes ; n’a besoin ni de stockage ni d’instance, et n’écrit rien. Le Retriever est un fichier, une URL https ou une référence oci://. Racines de confiance, registres et liste autorisée sont ceux de la configuration.`,
      ],
      [
        'Exit code: 0 every entry picks a recipe that is accepted, 1 failure, such as a constraint that nothing satisfies, 3 a host is not on the allowlist, 4 a signature or a document is refused.',
        fr`Code de sortie : 0 chaque entrée choisit une recette acceptée, 1 échec, par exemple une contrainte que rien ne satisfait, 3 un hôte n’est pas dans la liste autorisée, 4 une signature ou un document est refusé.`,
      ],
    ],
    examples: [
      [['What a zone would get', fr`Ce qu’une zone recevrait`], 'svc retriever resolve zone-b.yaml'],
      [
        ['The versions for a script', fr`Les versions pour un script`],
        `svc retriever resolve zone-b.yaml --output json | jq -r '.recipes[] | .name + " " + .version'`,
      ],
    ],
  };

  source: string = argument.text(['file', fr`fichier`], 'file');

  async run(): Promise<number> {
    const { config } = await this.loadConfig('recipe-read');
    const { openContext } = await import('../../src/operation/context.ts');
    const { resolveRetriever } = await import('../../src/operation/recipe/resolve-retriever.ts');
    const { env, signal } = this.context;
    const report = await this.openReport();
    await using context = await openContext(config, { report, version: getBuildInfo().version, env });
    const isRemote = /^[a-z][a-z0-9+.-]*:\/\//i.test(this.source);
    const source = isRemote ? this.source : resolve(this.source);
    const resolved = await resolveRetriever(context, { source, signal });
    if (this.format === 'json') await this.printDocument(resolved);
    else {
      const { renderResolved } = await import('./render-resolved.ts');
      this.printReport(renderResolved(resolved, this.rendering));
    }
    if (resolved.exit_code === 0)
      await this.suggestNext(
        ['see what it would transfer with:', fr`voyez ce qu’il ferait transférer avec :`],
        `svc sync --dry-run --retriever ${toShellWord(source)}`,
      );
    return resolved.exit_code;
  }
}

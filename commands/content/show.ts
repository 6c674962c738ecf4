import { type RegistryBase, toRegistryBase } from '../../src/client/node-mirrors.ts';
import type { Repository, Tag } from '../../src/contract/content.ts';
import { getRepository, getVersion } from '../../src/contract/operations/content.ts';
import { fr } from '../../src/text/language.ts';
import type { VersionQuery } from '../../src/view/content.ts';
import { toLogins, toPullCommands, toPullTarget } from '../../src/view/pull-commands.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag, flagOf } from '../cli/inputs.ts';
import { findPageFault, findRepositoryFault, findVersionFault } from '../client/answer-faults.ts';
import { largestPage, parsePaging, readPages } from '../client/paging.ts';
import { PlaceCommand } from '../client/place-command.ts';
import { getWidth } from '../render/width.ts';

/** The argument of `svc content show`: a repository, or one of its versions by tag or digest. */
interface ContentName {
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Splits `<repository>[:<tag>|@<digest>]`. Repositories of a store have no colon. */
function parseContentName(text: string): ContentName {
  const at = text.indexOf('@');
  if (at >= 0) return { repository: text.slice(0, at).replace(/:[^:/]*$/, ''), digest: text.slice(at + 1) };
  const colon = text.lastIndexOf(':');
  if (colon < 0 || text.indexOf('/', colon) >= 0) return { repository: text.replace(/\/+$/, '') };
  return { repository: text.slice(0, colon), tag: text.slice(colon + 1) };
}

const ways = ['digest', 'tag'] as const;

/** The content, and the address that clients pull it from; undefined when none is known. */
interface Shown {
  readonly content: Repository | Tag;
  readonly base: RegistryBase | undefined;
  /** Whether the instance is asked below a path. Clients ask a registry at the root of its host. */
  readonly isBelowPath?: boolean;
  /** Whether the registry answers without a sign-in. */
  readonly isAnonymous: boolean;
}

/** Reads one repository or one version, from an instance or a store. */
interface ContentReader {
  repository(query: VersionQuery): Promise<Repository>;
  version(query: { readonly repository: string; readonly tag: string }): Promise<Tag>;
}

export class ContentShowCommand extends PlaceCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Of a repository, shows its versions; of a version, its platforms, signatures and owners, and the command of each client that pulls it. Asks the instance of --instance or SVC_INSTANCE_URL; without one, reads the store of the configuration, also while an instance serves it. The address in the commands is then server.publicURL, else the listen address.',
        fr`D’un dépôt, affiche les versions ; d’une version, les plateformes, les signatures et les propriétaires, et la commande de chaque client qui la récupère. Interroge l’instance de --instance ou de SVC_INSTANCE_URL ; sans elle, lit le stockage de la configuration, même pendant qu’une instance le sert. L’adresse dans les commandes est alors server.publicURL, sinon l’adresse d’écoute.`,
      ],
      [
        'Exit code: 0 success, 1 failure or unknown name, 3 the medium has not been verified.',
        fr`Code de sortie : 0 succès, 1 échec ou nom inconnu, 3 le support n’a pas été vérifié.`,
      ],
    ],
    examples: [
      [
        ['The versions of a repository', fr`Les versions d’un dépôt`],
        'svc content show registry.example/shop/web --search 1.4',
      ],
      [['One version', fr`Une version`], 'svc content show registry.example/shop/web:1.4.0'],
      [
        ['Pull it with the first client', fr`La récupérer avec le premier client`],
        "svc content show shop/web:1.4.0 --output json | jq -r '.pull[0].command'",
      ],
    ],
  };

  by: (typeof ways)[number] | undefined = flag.choice('--by', ways, [
    'pull by digest or by tag (digest)',
    fr`récupérer par empreinte (digest) ou par étiquette (tag)`,
  ]);
  search = flagOf('--search', getRepository.query.q);
  sort = flagOf('--sort', getRepository.query.sort);
  order = flagOf('--order', getRepository.query.order);
  page: number | undefined = flag.count('--page', [
    'versions: page to show (1)',
    fr`versions : page à afficher (1)`,
  ]);
  pageSize: number | undefined = flag.count(
    '--page-size',
    ['versions: entries of a page, at most 200 (25)', fr`versions : entrées par page, au plus 200 (25)`],
    largestPage,
  );
  all: boolean = flag.present('--all', ['versions: all pages', fr`versions : toutes les pages`]);
  content: string = argument.text(
    ['repository[:tag|@digest]', fr`dépôt[:étiquette|@empreinte]`],
    'repository',
  );

  async run(): Promise<number> {
    const by = this.by ?? 'digest';
    const name = parseContentName(this.content);
    const paging = parsePaging(this);
    const { content, base, isAnonymous, isBelowPath } = this.asksInstance
      ? await this.#ask(name, paging)
      : await this.#look(name, paging);
    const target = 'tag' in content && base !== undefined ? toPullTarget(content, base, by) : undefined;
    const pull = target === undefined ? undefined : toPullCommands(target);
    const login = target === undefined || isAnonymous ? undefined : toLogins(target);
    if (this.format === 'json')
      await this.printDocument({
        ...content,
        pull,
        login,
      });
    else {
      const { renderRepository, renderVersion } = await import('./render-show.ts');
      const options = { language: this.language, width: getWidth(this.context) };
      this.context.stdout.write(
        'tag' in content
          ? renderVersion(content, target, { ...options, login, isBelowPath })
          : renderRepository(content, options),
      );
    }
    return 0;
  }

  async #ask(name: ContentName, paging: ReturnType<typeof parsePaging>): Promise<Shown> {
    await using client = await this.connect();
    const content = await this.#read(name, paging, {
      repository: ({ repository: repo, q, sort, order, page, pageSize }) =>
        client.ask(getRepository, {
          path: { repo },
          query: { q, sort, order, page, pageSize },
          findFault: (answer) =>
            findRepositoryFault(answer, repo) ?? findPageFault(answer, 'tags', { page, pageSize }),
        }),
      version: ({ repository: repo, tag }) =>
        client.ask(getVersion, {
          path: { repo, tag },
          findFault: (answer) => findVersionFault(answer, { repository: repo, tag, digest: name.digest }),
        }),
    });
    // an instance that answered without a token asks no client for one
    const isBelowPath = new URL(client.url).pathname !== '/';
    const base = isBelowPath ? undefined : toRegistryBase(client.url);
    return { content, base, isAnonymous: !client.isSignedIn, isBelowPath };
  }

  async #look(name: ContentName, paging: ReturnType<typeof parsePaging>): Promise<Shown> {
    const { showRepository, showVersion } = await import('../../src/view/content.ts');
    const { deriveUrl } = await import('../client/instance-address.ts');
    await using place = await this.openPlace(true);
    await place.loadRoots();
    const content = await this.#read(name, paging, {
      repository: (query) => showRepository(place, query),
      version: (query) => showVersion(place, query),
    });
    const url = place.config.server.publicURL ?? deriveUrl(place.config);
    const base = url === undefined ? undefined : toRegistryBase(url);
    return { content, base, isAnonymous: place.config.auth.disabled };
  }

  async #read(
    { repository, tag, digest }: ContentName,
    paging: ReturnType<typeof parsePaging>,
    reader: ContentReader,
  ): Promise<Repository | Tag> {
    if (tag !== undefined) return reader.version({ repository, tag });
    if (digest === undefined)
      return readPages<Repository>(paging, 'tags', (part) =>
        reader.repository({ repository, q: this.search, sort: this.sort, order: this.order, ...part }),
      );
    const { tags } = await reader.repository({ repository, q: digest, page: 1, pageSize: 200 });
    const found = tags.find((each) => each.digest === digest);
    if (found !== undefined) return reader.version({ repository, tag: found.tag });
    const { svcError } = await import('../../src/text/error.ts');
    throw svcError('SVC-REG-005', { reference: `${repository}@${digest}` });
  }
}

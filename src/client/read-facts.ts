import type { ClientFile } from '../contract/recipe.ts';
import type { ChartView, ClientFacts, ClientKind, IndexedFileset, PulledReference } from './model.ts';
import type { HostRedirection, RegistryBase } from './node-mirrors.ts';

/** Values in a file that differ from one configuration to the next; absent ones play no part in the file. */
export type ReadFacts = Partial<
  Pick<ClientFacts, 'registry' | 'instance' | 'redirections' | 'references' | 'filesets' | 'views'>
>;

type Texts = readonly Pick<ClientFile, 'path' | 'content'>[];

/** The one base of several addresses, which is the first: a renderer writes it everywhere. */
const toBase = (scheme: string | undefined, host: string | undefined): RegistryBase => ({
  scheme: scheme === 'https' ? 'https' : 'http',
  host: host ?? '',
});

/** Values of a pattern wherever it occurs. The patterns match one line, or some whole lines, and no line twice. */
const findAll = (text: string, pattern: RegExp): (string | undefined)[][] =>
  [...text.matchAll(pattern)].map(([, ...values]) => values);

function readHosts(files: Texts): ReadFacts {
  const found = files.flatMap(({ path, content }) => {
    const [, scheme, host, prefix] =
      /^server = "(https?):\/\/([^"/\n]+)\/v2\/([^"\n]+)"$/m.exec(content) ?? [];
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    // the folder of a host with a port
    const [, name, port] = /^(.+)_([^_]+)_$/.exec(folder) ?? [];
    const nominal = name === undefined ? folder : `${name}:${port}`;
    return prefix === undefined ? [] : [{ base: toBase(scheme, host), host: nominal, prefix }];
  });
  return {
    ...(found[0] === undefined ? {} : { registry: found[0].base }),
    redirections: found.map(({ host, prefix }) => ({ host, prefix })),
  };
}

function readRegistries(files: Texts): ReadFacts {
  const found = findAll(
    files.find(({ path }) => path === 'registries.yaml')?.content ?? '',
    /^ {2}"([^"\n]+)":\n {4}endpoint:\n {6}- "(https?):\/\/([^"\n]+)"\n {4}rewrite:\n.*: "([^"\n]+)\/\$1"$/gm,
  );
  return {
    registry: toBase(found[0]?.[1], found[0]?.[2]),
    redirections: found.map(([host = '', , , prefix = '']) => ({ host, prefix })),
  };
}

/** Hosts behind one address: `host/prefix` for each nominal host. */
function toRedirections(scheme: string, found: readonly (string | undefined)[][]): ReadFacts {
  return {
    registry: toBase(scheme, found[0]?.[1]),
    redirections: found.map(([host = '', , prefix = '']): HostRedirection => ({ host, prefix })),
  };
}

function readRegistriesConf(files: Texts): ReadFacts {
  const text = files[0]?.content ?? '';
  return toRedirections(
    /^insecure = true$/m.test(text) ? 'http' : 'https',
    findAll(text, /^prefix = "([^"\n]+)"\nlocation = "([^"/\n]+)\/([^"\n]+)"$/gm),
  );
}

function readMirrorSets(files: Texts): ReadFacts {
  const text = files[0]?.content ?? '';
  // both sets name the same hosts
  const [first = ''] = text.split('\nkind: ImageTagMirrorSet\n', 1);
  return toRedirections(
    /^# The registry speaks plain HTTP: /m.test(text) ? 'http' : 'https',
    findAll(first, /^ {4}- source: "([^"\n]+)"\n {6}mirrors:\n {8}- "([^"/\n]+)\/([^"\n]+)"$/gm),
  );
}

function readPulls(files: Texts): ReadFacts {
  const text = files[0]?.content ?? '';
  const kind = 'ContainerImage';
  const pulled = findAll(text, /^docker tag ([^ @\n]+)@([^ \n]+) ([^ \n]+)$/gm).map(
    ([name = '', digest = '', nominal = '']): PulledReference => {
      // a script pulls by digest: which tag the name has plays no part
      return { kind, nominal, relocated: `${name}:pulled`, digest };
    },
  );
  const refused = findAll(text, /^# The registry does not allow the name of ([^ \n]+)\.$/gm).map(
    ([nominal = '']): PulledReference => ({ kind, nominal, digest: '' }),
  );
  return {
    references: [...pulled, ...refused],
    // the script names no redirection, and without one there is no script
    redirections: [{ host: 'localhost', prefix: 'any' }],
  };
}

function readCharts(files: Texts): ReadFacts {
  const text = files[0]?.content ?? '';
  const charts = findAll(text, /^# helm pull( --plain-http)? oci:\/\/([^ \n]+) --version ([^ \n]+)$/gm);
  const entries = findAll(
    text,
    /^ {2}- name: "([^"\n]+)"\n {4}url: "(https?):\/\/([^"/\n]+)\/files\/[^"\n]+"(\n {4}username: )?/gm,
  );
  return {
    registry: toBase(charts[0]?.[0] === undefined ? 'https' : 'http', 'localhost'),
    references: charts.map(([, place, version = '']) => ({
      kind: 'HelmChart',
      nominal: '',
      relocated: `${place}:${version.replaceAll('+', '_')}`,
      digest: '',
    })),
    ...(entries[0] === undefined ? {} : { instance: toBase(entries[0][1], entries[0][2]) }),
    views: entries.map(([name = '', , , login]): ChartView => ({ name, anonymous: login === undefined })),
  };
}

/** A FileSet as an index of its paths: the renderer finds the same repositories in them. */
type Indexes = Map<string, { anonymous: boolean; readonly indexes: string[]; readonly unsigned: string[] }>;

const toFilesets = (known: Indexes): IndexedFileset[] =>
  [...known].map(([name, rest]) => ({ name, ...rest }));

function readApt(files: Texts): ReadFacts {
  const known: Indexes = new Map();
  let instance: RegistryBase | undefined;
  const logins = files.find(({ path }) => path === 'auth.conf.d/svc.conf')?.content ?? '';
  const closed = new Set(
    findAll(logins, /^machine [^ \n]+\/files\/([^ /\n]+)\/ login /gm).map(([name]) => name),
  );
  for (const { content } of files)
    for (const stanza of content.split('\n\n')) {
      const [, scheme, host, name = '', folder = ''] =
        /^URIs: (https?):\/\/([^/\n]+)\/files\/([^/\n]+)\/([^\n]*)$/m.exec(stanza) ?? [];
      if (scheme === undefined) continue;
      instance ??= toBase(scheme, host);
      const indexes = known.get(name)?.indexes ?? [];
      known.set(name, { anonymous: !closed.has(name), indexes, unsigned: [] });
      const isSigned = /^Signed-By: /m.test(stanza);
      const components = (/^Components: (.*)$/m.exec(stanza)?.[1] ?? '').split(' ').filter(Boolean);
      for (const suite of (/^Suites: (.*)$/m.exec(stanza)?.[1] ?? '').split(' ')) {
        const place = suite === './' ? folder : `${folder}dists/${suite}/`;
        indexes.push(`${place}${isSigned ? 'InRelease' : 'Release'}`);
        if (suite === './') indexes.push(`${place}Packages`);
        for (const component of components) indexes.push(`${place}${component}/binary-all/Packages`);
      }
    }
  return { ...(instance === undefined ? {} : { instance }), filesets: toFilesets(known) };
}

function readDnf(files: Texts): ReadFacts {
  const known: Indexes = new Map();
  let instance: RegistryBase | undefined;
  for (const section of (files[0]?.content ?? '').split('\n\n')) {
    const [, scheme, host, name = '', folder = ''] =
      /^baseurl=(https?):\/\/([^/\n]+)\/files\/([^/\n]+)\/([^\n]*)$/m.exec(section) ?? [];
    if (scheme === undefined) continue;
    instance ??= toBase(scheme, host);
    const { indexes = [], unsigned = [] } = known.get(name) ?? {};
    known.set(name, { anonymous: !/^username=/m.test(section), indexes, unsigned });
    const path = `${folder}repodata/repomd.xml`;
    indexes.push(path, ...(/^repo_gpgcheck=1$/m.test(section) ? [`${path}.asc`] : []));
    if (/^gpgcheck=0$/m.test(section)) unsigned.push(path);
  }
  return { ...(instance === undefined ? {} : { instance }), filesets: toFilesets(known) };
}

const readers: Readonly<Record<ClientKind, (files: Texts) => ReadFacts>> = {
  containerd: readHosts,
  k3s: readRegistries,
  rke2: readRegistries,
  crio: readRegistriesConf,
  podman: readRegistriesConf,
  docker: readPulls,
  openshift: readMirrorSets,
  helm: readCharts,
  apt: readApt,
  dnf: readDnf,
};

/**
 * Reads the values from the files of a client: addresses, hosts and names. Nothing is judged: `renderClientConfig`
 * checks a file by making the same bytes again from these values.
 */
export function readFacts(client: ClientKind, files: Texts): ReadFacts {
  return files.length === 0 ? {} : readers[client](files);
}

import type { ClientFile } from '../contract/recipe.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { type ClientFacts, type IndexedFileset, readerName, secretPlaceholder } from './model.ts';
import { findAptRepositories, findRpmRepositories } from './package-repositories.ts';
import { named, requireBase, requireName, requirePath } from './require-plain.ts';

type Facts = Pick<ClientFacts, 'instance' | 'filesets' | 'zone'>;

const toUrl = ({ instance }: Pick<Facts, 'instance'>, name: string, folder: string): string =>
  `${instance.scheme}://${requireBase(instance, named.instance).host}/files/${requireName(name, named.fileset)}/${
    requirePath(folder, rule(['folder of FileSet {name}', fr`dossier du FileSet {name}`], { name })) === ''
      ? ''
      : `${folder}/`
  }`;

/** Name of a repository in files: of its FileSet, and of its folder where the FileSet has one. */
const toId = (name: string, folder: string): string =>
  ['svc', name, ...folder.split('/').filter((part) => part !== '')].join('-');

/**
 * Formats one deb822 file for each FileSet with repositories for apt (sources.list(5)), and the credentials of those that
 * need some (apt_auth.conf(5)), for the folder `/etc/apt`.
 *
 * @throws SVC-VAL-001 for a name in a FileSet that a source cannot have
 */
export function toAptFiles(facts: Facts): readonly ClientFile[] {
  const sources = facts.filesets.flatMap((fileset) => toSources(facts, fileset));
  const closed = [
    ...new Set(
      facts.filesets
        .filter(({ anonymous, indexes }) => !anonymous && findAptRepositories(indexes).length > 0)
        .map(({ name }) => toUrl(facts, name, '')),
    ),
  ].sort();
  if (closed.length === 0) return sources;
  const logins = closed.map(
    // without the scheme apt sends the credentials over TLS only
    (url) =>
      `machine ${facts.instance.scheme === 'https' ? url.slice('https://'.length) : url} login ${readerName} password ${secretPlaceholder}\n`,
  );
  return [{ path: 'auth.conf.d/svc.conf', content: logins.join(''), mode: '0600' }, ...sources];
}

function toSources(facts: Facts, { name, indexes }: IndexedFileset): readonly ClientFile[] {
  const stanzas = findAptRepositories(indexes).flatMap(({ folder, suites, isSigned }) => {
    // suites with the same components share a stanza
    const groups = new Map<string, string[]>();
    for (const { suite, components } of suites) {
      const own = rule(['suite of FileSet {name}', fr`suite du FileSet {name}`], { name });
      if (suite !== './') requirePath(suite, own);
      for (const component of components) requirePath(component, own);
      const key = components.join(' ');
      groups.set(key, [...(groups.get(key) ?? []), suite]);
    }
    return [...groups].map(([components, group]) =>
      [
        ...(isSigned
          ? ['# The public key of the signer of the packages; it does not come from the instance.']
          : ['# Nobody signed this repository: apt refuses it until it is signed.']),
        'Types: deb',
        `URIs: ${toUrl(facts, name, folder)}`,
        `Suites: ${group.join(' ')}`,
        ...(components === '' ? [] : [`Components: ${components}`]),
        ...(isSigned ? [`Signed-By: /usr/share/keyrings/svc-${name}.gpg`] : []),
      ].join('\n'),
    );
  });
  if (stanzas.length === 0) return [];
  return [{ path: `sources.list.d/svc-${name}.sources`, content: `${stanzas.join('\n\n')}\n` }];
}

const unsignedReason =
  '# Some packages have no signature of their own: the signed metadata has the SHA-256 of each.';
const signedReason = '# Each package has a signature of its own.';
const strictReason = '# Nobody signed the metadata: dnf refuses packages without a signature of their own.';

/**
 * Formats the repositories for dnf of all FileSets (dnf.conf(5)), for the folder `/etc/yum.repos.d`. With a signed index,
 * packages that nobody signed are installed: the index binds each by its SHA-256. Without one, dnf refuses them.
 *
 * @throws SVC-VAL-001 for a name in a FileSet that a repository cannot have
 */
export function toDnfFiles(facts: Facts): readonly ClientFile[] {
  let hasSecret = false;
  const where = facts.zone === undefined ? 'the zone' : requireName(facts.zone, named.zone);
  const sections = facts.filesets.flatMap(({ name, anonymous, indexes, unsigned }) =>
    findRpmRepositories(indexes, unsigned).map(({ folder, isSigned, hasUnsigned }) => {
      const isBound = isSigned && hasUnsigned;
      const url = toUrl(facts, name, folder);
      if (!anonymous) hasSecret = true;
      return [
        `[${toId(name, folder)}]`,
        `name=${[name, folder].filter(Boolean).join('/')} of ${where}`,
        `baseurl=${url}`,
        'enabled=1',
        ...(isSigned ? ['repo_gpgcheck=1'] : []),
        isBound ? unsignedReason : isSigned ? signedReason : strictReason,
        `gpgcheck=${isBound ? 0 : 1}`,
        `gpgkey=file:///etc/pki/rpm-gpg/svc-${name}.asc`,
        ...(anonymous ? [] : [`username=${readerName}`, `password=${secretPlaceholder}`]),
      ].join('\n');
    }),
  );
  if (sections.length === 0) return [];
  const content = `${sections.join('\n\n')}\n`;
  return [{ path: 'svc.repo', content, ...(hasSecret ? ({ mode: '0600' } as const) : {}) }];
}

import { canonicalHost, isRepositoryName, type RepositoryReference } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/**
 * The repository to contact for a nominal one: `<base>/<canonical nominal host>[_port]/<path>` where its host
 * is substituted, else itself.
 *
 * @param substitutions host → `host[:port][/path]`
 * @throws SVC-REG-001 where the resulting name is not a valid repository name
 */
export function toEffective(
  nominal: RepositoryReference,
  substitutions: Readonly<Record<string, string>>,
): RepositoryReference {
  const host = canonicalHost(nominal.host);
  const key = Object.keys(substitutions).find((one) => canonicalHost(one) === host);
  if (key === undefined) return { host, repository: nominal.repository };
  const base = substitutions[key]!.replace(/\/+$/, '');
  const slash = base.indexOf('/');
  const prefix = slash < 0 ? '' : `${base.slice(slash + 1)}/`;
  const repository = `${prefix}${host.replace(':', '_')}/${nominal.repository}`;
  if (!isRepositoryName(repository))
    throw svcError('SVC-REG-001', {
      reference: `${base}/${host.replace(':', '_')}/${nominal.repository}`.slice(0, 512),
      rule: rule([
        'the substituted name is not a valid repository name',
        fr`le nom substitué n’est pas un nom de dépôt valide`,
      ]),
    });
  return { host: canonicalHost(slash < 0 ? base : base.slice(0, slash)), repository };
}

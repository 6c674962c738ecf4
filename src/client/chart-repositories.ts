import type { ClientFile } from '../contract/recipe.ts';
import { parseReachedReference } from '../oci/reference.ts';
import { type ClientFacts, readerName, secretPlaceholder } from './model.ts';
import { named, requireBase, requireName } from './require-plain.ts';

/**
 * Formats helm's list of repositories, one for each view, and as comments the charts that the registry has, which helm
 * reads without a list.
 *
 * @throws SVC-VAL-001, SVC-REG-001 for a name that is none
 */
export function toHelmFiles({
  instance,
  registry,
  views,
  references,
}: Pick<ClientFacts, 'instance' | 'registry' | 'views' | 'references'>): readonly ClientFile[] {
  const charts = [
    ...new Set(
      references.flatMap(({ kind, relocated }) => {
        if (kind !== 'HelmChart' || relocated === undefined) return [];
        const { tag = '' } = parseReachedReference(relocated);
        const place = relocated.slice(0, relocated.lastIndexOf(':'));
        const plain = registry.scheme === 'http' ? ' --plain-http' : '';
        // the tag of a chart has _ in place of +
        return [`# helm pull${plain} oci://${place} --version ${tag.replaceAll('_', '+')}`];
      }),
    ),
  ].sort();
  if (views.length === 0 && charts.length === 0) return [];
  const { scheme, host } = requireBase(instance, named.instance);
  const entries = [...views]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, anonymous }) => [
      `  - name: ${JSON.stringify(requireName(name, named.view))}`,
      `    url: ${JSON.stringify(`${scheme}://${host}/files/${name}`)}`,
      ...(anonymous ? [] : [`    username: ${readerName}`, `    password: ${secretPlaceholder}`]),
    ]);
  const lines = [
    ...charts,
    'apiVersion: ""',
    'generated: "0001-01-01T00:00:00Z"',
    ...(entries.length === 0 ? ['repositories: []'] : ['repositories:', ...entries]),
  ];
  const hasSecret = views.some(({ anonymous }) => !anonymous);
  return [
    {
      path: 'repositories.yaml',
      content: `${lines.join('\n')}\n`,
      ...(hasSecret ? ({ mode: '0600' } as const) : {}),
    },
  ];
}

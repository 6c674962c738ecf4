import type { HostRedirection, RegistryBase } from './node-mirrors.ts';

/** Quotes a name or URL; these have only characters that YAML and TOML write alike. */
const quote = (text: string): string => JSON.stringify(text);

/**
 * Whether clients that read these files may refuse the registry. Podman 4.3 (tested) and programs with its library
 * accept no IPv6 literal as the host of a reference.
 */
export const isRefusedLiteral = ({ host }: Pick<RegistryBase, 'host'>): boolean => host.startsWith('[');

const literalNote = (base: RegistryBase): string =>
  isRefusedLiteral(base)
    ? '# Podman 4.3 and others of its library refuse an IPv6 literal (invalid reference format): give the registry a name.\n'
    : '';

/**
 * Formats a drop-in of `registries.conf` (containers-registries.conf(5)) for Podman, Buildah, Skopeo and CRI-O. They
 * replace `prefix` by `location`; without a mirror of the location, they ask no other registry.
 */
export function toRegistriesConf(base: RegistryBase, redirections: readonly HostRedirection[]): string {
  const tables = redirections.map(({ host, prefix }) =>
    [
      '[[registry]]',
      `prefix = ${quote(host)}`,
      `location = ${quote(`${base.host}/${prefix}`)}`,
      ...(base.scheme === 'http' ? ['insecure = true'] : []),
    ].join('\n'),
  );
  return `${literalNote(base)}${tables.join('\n\n')}\n`;
}

/**
 * Formats OpenShift's `ImageDigestMirrorSet` and `ImageTagMirrorSet` (config.openshift.io/v1). Nodes use the first for
 * references by digest and the second for references by tag; both forbid to ask the source.
 */
export function toMirrorSets(base: RegistryBase, redirections: readonly HostRedirection[]): string {
  const toSet = (kind: string, member: string): string =>
    [
      'apiVersion: config.openshift.io/v1',
      `kind: ${kind}`,
      'metadata:',
      '  name: svc',
      'spec:',
      `  ${member}:`,
      ...redirections.flatMap(({ host, prefix }) => [
        `    - source: ${quote(host)}`,
        '      mirrors:',
        `        - ${quote(`${base.host}/${prefix}`)}`,
        '      mirrorSourcePolicy: NeverContactSource',
      ]),
    ].join('\n');
  const digests = toSet('ImageDigestMirrorSet', 'imageDigestMirrors');
  const tags = toSet('ImageTagMirrorSet', 'imageTagMirrors');
  const plain =
    base.scheme === 'http'
      ? `# The registry speaks plain HTTP: list ${base.host} in registrySources.insecureRegistries of image.config.openshift.io/cluster.\n`
      : '';
  return `${literalNote(base)}${plain}---\n${digests}\n---\n${tags}\n`;
}

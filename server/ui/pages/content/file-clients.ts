import type { RegistryBase } from '../../../../src/recipe/node-mirrors.ts';

/** How clients read a FileSet over HTTP: a command, and the configuration files of package managers. */
export interface FileClients {
  readonly curl: string;
  readonly apt: string;
  readonly dnf: string;
}

/**
 * Formats the configuration of clients of one FileSet.
 *
 * @param name of the FileSet in the configuration
 * @param isAnonymous whether it is read without credentials
 */
export function toFileClients(
  { scheme, host }: RegistryBase,
  name: string,
  isAnonymous: boolean,
): FileClients {
  const url = `${scheme}://${host}/files/${name}/`;
  const login = isAnonymous ? '' : '\nusername=reader\npassword=TOKEN';
  const machine = isAnonymous
    ? ''
    : `\n# /etc/apt/auth.conf.d/zone.conf\nmachine ${scheme}://${host} login reader password TOKEN`;
  return {
    curl: `curl --fail${isAnonymous ? '' : " -u 'reader:TOKEN'"} ${url}PATH`,
    apt: `deb [signed-by=/usr/share/keyrings/zone.gpg] ${url} stable main${machine}`,
    dnf: `[zone]\nname=Packages of the zone\nbaseurl=${url}${login}\ngpgcheck=1\ngpgkey=file:///etc/pki/rpm-gpg/zone.asc`,
  };
}

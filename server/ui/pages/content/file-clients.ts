import type { RegistryBase } from '../../../../src/client/node-mirrors.ts';

/** How clients read a FileSet over HTTP: a command, and the configuration files of package managers. */
export interface FileClients {
  readonly curl: string;
  readonly apt: string;
  /** Credentials of apt, in a file of their own; absent where none are needed. */
  readonly aptLogin?: string;
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
  return {
    curl: `curl --fail${isAnonymous ? '' : " -u 'reader:TOKEN'"} ${url}PATH`,
    apt: `deb [signed-by=/usr/share/keyrings/zone.gpg] ${url} stable main`,
    ...(isAnonymous ? {} : { aptLogin: `machine ${scheme}://${host} login reader password TOKEN` }),
    dnf: `[zone]\nname=Packages of the zone\nbaseurl=${url}${login}\ngpgcheck=1\ngpgkey=file:///etc/pki/rpm-gpg/zone.asc`,
  };
}

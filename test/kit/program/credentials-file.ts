import { writeFile } from 'node:fs/promises';

export interface RegistryAccount {
  readonly username: string;
  readonly password: string;
}

/** Writes a docker `config.json` with one account per `host[:port]`. Returns its path. */
export async function writeCredentials(
  path: string,
  accounts: Readonly<Record<string, RegistryAccount>>,
): Promise<string> {
  const auths = Object.fromEntries(
    Object.entries(accounts).map(([host, { username, password }]) => [
      host,
      { auth: Buffer.from(`${username}:${password}`).toString('base64') },
    ]),
  );
  await writeFile(path, JSON.stringify({ auths }), { mode: 0o600 });
  return path;
}

/**
 * Reads the folders with `hosts.toml` files from the configuration that `containerd config dump` prints: `config_path` of
 * the registries of its CRI plugin, folders with a colon between them.
 *
 * @returns empty when containerd reads none
 */
export function readConfigPath(dump: string): readonly string[] {
  const table = /^[ \t]*\[plugins\.(?:"[^"\n]*"|'[^'\n]*')\.registry\][ \t]*$/m.exec(dump);
  if (table === null) return [];
  const after = dump.slice(table.index + table[0].length);
  const next = /^[ \t]*\[/m.exec(after);
  const section = next === null ? after : after.slice(0, next.index);
  const [, double, single] = /^[ \t]*config_path = (?:"([^"\n]*)"|'([^'\n]*)')/m.exec(section) ?? [];
  return (double ?? single ?? '').split(':').filter((folder) => folder !== '');
}

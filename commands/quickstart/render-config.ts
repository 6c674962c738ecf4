import { dumpConfig } from '../../src/config/dump-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { renderYaml } from '../render/yaml.ts';

const always = ['mode', 'storage.root', 'state.root'];

/**
 * Renders the configuration of a new instance: the chosen settings, and comments on the settings that are
 * usually next.
 */
export function renderConfig({ config, origins }: LoadedConfig): string {
  const chosen = [...origins].flatMap(([key, { layer }]) =>
    layer === 'flag' || always.includes(key) ? [key] : [],
  );
  const document = selectKeys(dumpConfig(config), chosen);
  return `# An instance of svc, written by svc quickstart. Run svc config dump --config <this file> to show the effective configuration.

${renderYaml(document)}
# Usually next: what this zone wants, and whose signatures it believes.
#retriever:
#  source: /etc/svc/zone.yaml          # or https://…, or oci://registry.example/zones/zone-a:v1
#trust:
#  roots:
#    - name: release
#      keyFile: /etc/svc/release.pub
`;
}

function selectKeys(
  document: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  prefix = '',
): object {
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) => {
      const key = `${prefix}${name}`;
      if (keys.includes(key)) return [[name, value]];
      if (!keys.some((one) => one.startsWith(`${key}.`))) return [];
      return [[name, selectKeys(value as Record<string, unknown>, keys, `${key}.`)]];
    }),
  );
}

import { fr, type Language, speak } from '../../src/base/language.ts';
import { dumpConfig } from '../../src/config/dump-config.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { renderYaml } from '../render/yaml.ts';

const always = ['mode', 'storage.root', 'state.root'];

/**
 * Renders the configuration of a new instance: the chosen settings, and comments on the settings that are
 * usually next.
 */
export function renderConfig({ config, origins }: LoadedConfig, language: Language): string {
  const text = speak(language);
  const chosen = [...origins].flatMap(([key, { layer }]) =>
    layer === 'flag' || always.includes(key) ? [key] : [],
  );
  const document = selectKeys(dumpConfig(config), chosen);
  const head = text(
    'Instance of svc, written by svc quickstart. Effective configuration: svc config dump --config <this file>',
    fr`Instance de svc, écrite par svc quickstart. Configuration effective : svc config dump --config <ce fichier>`,
  );
  const next = text(
    'Usually set next: the content of this zone, and the keys whose signatures are accepted.',
    fr`À définir ensuite en général : le contenu de cette zone, et les clés dont les signatures sont acceptées.`,
  );
  const or = text('or https://…, or oci', fr`ou https://…, ou oci`);
  return `# ${head}

${renderYaml(document)}
# ${next}
#retriever:
#  source: /etc/svc/zone.yaml          # ${or}://registry.example/zones/zone-a:v1
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

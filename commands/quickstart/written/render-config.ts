import { dumpConfig } from '../../../src/config/dump-config.ts';
import type { LoadedConfig } from '../../../src/config/load-config.ts';
import { fr, type Language, type Sentence, say, speak } from '../../../src/text/language.ts';
import { renderYaml } from '../../render/yaml.ts';

const always = ['mode', 'storage.root', 'state.root'];

/** The purpose of each section of the configuration. */
const comments: Readonly<Record<string, Sentence>> = {
  mode: [
    'mirror: synchronized on request. passthrough: on an interval.',
    fr`mirror : synchronisation à la demande. passthrough : à intervalle régulier.`,
  ],
  zone: ['A medium for another zone is refused.', fr`Un support d’une autre zone est refusé.`],
  storage: [
    'All content. The store of a mirror is the medium.',
    fr`Tout le contenu. Le stockage d’un mirror est le support.`,
  ],
  state: [
    'Accounts, tasks and import records. Never on the medium.',
    fr`Comptes, tâches et imports enregistrés. Jamais sur le support.`,
  ],
  server: [
    'Registry, API and web interface. 127.0.0.1: this machine only. :8080: other machines too.',
    fr`Registre, API et interface web. 127.0.0.1 : cette machine seulement. :8080 : aussi les autres.`,
  ],
  retriever: ['The recipes of the zone.', fr`Les recettes de la zone.`],
  destination: ['The registry that receives the content.', fr`Le registre qui reçoit le contenu.`],
  registries: [
    'Logins (a file of docker login), hosts reached over plain HTTP.',
    fr`Identifiants (fichier de docker login), hôtes joints en HTTP simple.`,
  ],
  zones: ['The zones that are delivered to: svc zones.', fr`Les zones livrées : svc zones.`],
  trust: [
    'Public keys whose signatures are accepted.',
    fr`Clés publiques dont les signatures sont acceptées.`,
  ],
};

/**
 * Renders the configuration of a new instance: the chosen settings with a comment for each section, and comments on
 * the settings that are usually next.
 *
 * @param delivered Retriever of the zone that a source delivers to, and the name of that zone
 */
export function renderConfig(
  { config, origins }: LoadedConfig,
  language: Language,
  delivered?: { readonly path: string; readonly zone: string },
): string {
  const text = speak(language);
  const chosen = [...origins].flatMap(([key, { layer }]) =>
    layer === 'flag' || always.includes(key) ? [key] : [],
  );
  // the dump leaves out the query of a URL, without which a Retriever could not be read
  const dump = { ...dumpConfig(config), retriever: config.retriever };
  const zones = delivered && [{ name: delivered.zone, retriever: delivered.path }];
  const document = { ...selectKeys(dump, chosen), ...(zones && { zones }) };
  const head = text(
    'Instance of svc, written by svc quickstart. Effective configuration: svc config dump --config <this file>',
    fr`Instance de svc, écrite par svc quickstart. Configuration effective : svc config dump --config <ce fichier>`,
  );
  const sections = Object.entries(document).map(([name, value]) => {
    const comment = comments[name];
    return `${comment === undefined ? '' : `# ${say(comment, language)}\n`}${renderYaml({ [name]: value })}`;
  });
  return `# ${head}

${sections.join('')}${renderNext(Object.keys(document), config.destination.registry === undefined || config.mode !== 'mirror', language)}`;
}

/** Renders the settings that are usually next, as comments. */
function renderNext(present: readonly string[], fetches: boolean, language: Language): string {
  const text = speak(language);
  const or = text('or https://…, or oci', fr`ou https://…, ou oci`);
  const retriever = `#retriever:
#  source: /etc/svc/zone.yaml          # ${or}://registry.example/zones/zone-a:v1
`;
  const trust = `#trust:
#  roots:
#    - name: release
#      keyFile: /etc/svc/release.pub
`;
  const missing = [
    ...(fetches && !present.includes('retriever') ? [retriever] : []),
    ...(present.includes('trust') ? [] : [trust]),
  ];
  if (missing.length === 0) return '';
  const next = text(
    'Usually set next: the content of this zone, and the keys whose signatures are accepted.',
    fr`À définir ensuite en général : le contenu de cette zone, et les clés dont les signatures sont acceptées.`,
  );
  return `
# ${next}
${missing.join('')}`;
}

function selectKeys(
  document: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  prefix = '',
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) => {
      const key = `${prefix}${name}`;
      if (keys.includes(key)) return [[name, value]];
      if (!keys.some((one) => one.startsWith(`${key}.`))) return [];
      return [[name, selectKeys(value as Record<string, unknown>, keys, `${key}.`)]];
    }),
  );
}
